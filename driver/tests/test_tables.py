"""Tables that are made of the rows of a SELECT, and the speedups in them."""

import re
import unittest
from unittest import mock

from driver.report import queries, tables
from driver.tests.test_csv_files import prelude, row
from driver.variants import ROOT


class TablesTest(unittest.TestCase):
    def made(self, *selects: str) -> str:
        query, outputs = mock.Mock(), {}
        query.read_text.return_value = "-- output: made.md\n" + "".join(
            f"{text};\n" for text in selects)
        queries.run(queries.connect(), query, outputs)
        return outputs["made.md"]

    def test_heads_are_the_names_and_cells_have_three_digits(self) -> None:
        self.assertEqual(
            self.made("select 'seq' as variant, 1234.5 as ms, 16 as threads, null as x"),
            "| variant | ms | threads | x |\n| :-- | --: | --: | --: |\n"
            "| seq | 1234 | 16 | - |\n")

    def test_columns_of_words_are_left(self) -> None:
        for cell, rule in (("'cuda_best'", ":--"), ("'`seq`'", ":--"), ("'8x8'", "--:"),
                           ("'{0.5} to {0.7}'", "--:"), ("'at least {6.5}'", "--:"),
                           ("1.0", "--:")):
            with self.subTest(cell=cell):
                self.assertIn(f"| :-- | {rule} |", self.made(f"select 'a' as variant, {cell} as b"))
        self.assertIn("| --: |\n", self.made("select '3' as side, 1 as x").replace("| --: ", "", 1))

    def test_a_title_begins_a_table_and_text_stands_apart(self) -> None:
        self.assertEqual(
            self.made("select column1 as title, 'told' as about, column2 as a, 1 as b"
                      " from (values ('one', 'x'), ('one', 'y'), ('two', 'z'))", "select 'a note'",
                      "select null", "select 'more' as c, 2 as d"),
            "**one**\n\ntold\n\n| a | b |\n| :-- | --: |\n| x | 1 |\n| y | 1 |\n\n"
            "**two**\n\ntold\n\n| a | b |\n| :-- | --: |\n| z | 1 |\n\na note\n\n"
            "| c | d |\n| :-- | --: |\n| more | 2 |\n")
        two = self.made("select 'one' as title, column1 as about, 1 as a"
                        " from (values ('cpu'), ('gpu'))")
        self.assertEqual(two.count("**one**"), 2, "each with what it is about")

    def test_across(self) -> None:
        self.assertEqual(
            self.made("""select column1 as variant, column2 as nth_column, column3 as "column",
                column4 as cell
                from (values ('a', 2, 'ms', 2.0), ('b', 1, '%', 9), ('b', 2, 'ms', 3.0))"""),
            "| variant | % | ms |\n| :-- | --: | --: |\n| a | - | 2.00 |\n| b | 9 | 3.00 |\n")

    def test_nothing_where_there_are_no_rows(self) -> None:
        self.assertEqual(self.made("select 1 as a, 2 as b where 0", "select 'x' where 0"), "")


class SpeedupsTest(unittest.TestCase):
    def speedups(self, *rows: dict[str, str]) -> list[tuple]:
        found = prelude([row(**each) for each in rows]).execute(
            "select value, kernel, total from speedups order by nth")
        return [(value, *(text and tables.formatted(text) for text in texts))
                for value, *texts in found]

    def test_have_a_range_where_the_data_have_no_number(self) -> None:
        seq = {"kernel_ms_q1": "61", "kernel_ms_median": "70", "kernel_ms_q3": "84"}
        mine = {"variant": "omp_rows", "backend": "omp",
                "parameters": "filter=gauss3;size=3;threads=8"}
        for texts, kernel, total in ((("", ""), "61.0 to 84.0", "61.0 to 84.0"),
                                     (("72", "3"), "72.0", "3.00")):
            told = dict(zip(("speedup_kernel", "speedup_total"), texts))
            self.assertEqual(self.speedups(seq, mine | told),
                             [(1, "1.00", "1.00"), (70, kernel, total)])

    def test_are_over_the_first_row_of_the_same_problem(self) -> None:
        scan = {"variant": "seq_scan"}
        for other, value, text in (({}, 1, "1.00"), ({"width": "9"}, None, None),
                                   ({"parameters": "filter=box3"}, None, None)):
            found = self.speedups({}, scan | other | {"speedup_kernel": "", "speedup_total": ""})
            self.assertEqual(found[1][:2], (value, text))

    def test_of_the_reports_have_a_dash_for_what_was_not_measured_only(self) -> None:
        """A profile has one for all kernels of a variant; libraries may do what seq does not."""
        pages = sorted(ROOT.glob("reports/*/tables.md"))
        if not pages:
            self.skipTest("a tree for students has no reports")
        seen = 0
        for page in pages:
            for table in re.findall(r"(?m)(?:^\|.*\n)+", page.read_text("utf-8")):
                heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")]
                                   for line in table.splitlines())
                has_base = any(row[0].startswith("seq") for row in rows)
                if "kernel" in heads or not has_base:
                    continue
                for at, head in enumerate(heads):
                    if head.startswith("speedup"):
                        seen += 1
                        self.assertEqual([row for row in rows if row[at] == "-"
                                          and not row[0].startswith("peer")], [], page)
        self.assertGreater(seen, 20)


if __name__ == "__main__":
    unittest.main()
