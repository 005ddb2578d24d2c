import itertools
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from driver import tree, variants
from driver.report import prose, rows
from driver.report.rows import False_, Rows


def row(variant: str, ms: float, spread: float, disturbed: float, noise: str) -> dict[str, str]:
    return {"variant": variant, "kernel_ms_mean": str(ms), "spread": str(spread),
            "disturbed": str(disturbed), "noise": noise}


class NoisyRows(unittest.TestCase):
    rows = Rows("scaling", [row("quiet", 1, 0.1, 0, ""), row("disturbed", 2, 0.1, 1, "disturbed"),
                            row("spread", 3, 0.4, 1, "spread")])

    def test_have_no_value(self) -> None:
        self.assertEqual(self.rows("quiet"), 1)
        for variant in ("disturbed", "spread"):
            with self.assertRaises(False_):
                self.rows(variant)

    def test_are_steady_if_only_other_work_disturbed_them(self) -> None:
        steady = self.rows.steady()
        self.assertEqual((steady("quiet"), steady("disturbed")), (1, 2))
        with self.assertRaises(False_):
            steady("spread")


class AllRows(unittest.TestCase):
    """What "faster than every" compares with."""

    rows = Rows("ladder", [row("omp_a", 4, 0, 0, ""), row("omp_b", 2, 0, 0, ""),
                           row("omp_c", 3, 0, 0, ""), row("omp_best", 1, 0, 0, ""),
                           row("peer_x", 0.9, 0.6, 0, "spread")])

    def test_have_the_noisy_ones(self) -> None:
        self.assertEqual(self.rows.fastest(), "peer_x")
        self.assertEqual(self.rows.least(), 0.9)
        self.assertEqual((self.rows.of("omp_").fastest(), self.rows.of("omp_").greatest()),
                         ("omp_best", 4))

    def test_may_leave_out_variants(self) -> None:
        self.assertEqual(self.rows.but("omp_best", "peer_x").fastest(), "omp_b")

    def test_of_none_there_is_no_least(self) -> None:
        with self.assertRaisesRegex(False_, "ladder, cuda_: no row has a kernel_ms_mean"):
            self.rows.of("cuda_").least()

    def test_are_steps_in_the_order_of_the_ladder(self) -> None:
        self.assertEqual(list(self.rows.gains("omp_").items()),
                         [("omp_best", 3), ("omp_b", 2), ("omp_c", 2 / 3)])
        self.assertEqual(self.rows.no_faster("omp_"), ["omp_c"])

    def test_of_a_machine_name_their_file(self) -> None:
        with self.assertRaisesRegex(False_, "^there is no experiment in reports/lab9/none/$"):
            rows.machine("lab9/none")
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(rows, "ROOT", Path(folder)):
            for name, noise in (("ladder", ""), ("limit", "spread"), ("counts", "spread")):
                file = Path(folder) / f"reports/lab1/h200/{name}.csv"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"variant,kernel_ms_mean,noise\ncuda_best,1,{noise}\n")
            machine = rows.machine("lab*/h200")
            self.assertEqual((machine.count(), machine.noisy()), (2, 1))
            self.assertIn("as reports/lab1/h200/limit.csv, cuda_best", str(rows.false("no")))


class WholeCalls(unittest.TestCase):
    """Of a CUDA variant."""

    def total_ms(self, spread: float) -> float:
        whole = row("cuda", 1, 0.6, 0, "spread") | {
            "backend": "cuda", "total_ms_mean": "13", "total_spread": str(spread)}
        return Rows("pipeline", [whole])("cuda", "total_ms_mean")

    def test_are_steady_by_their_own_repeats(self) -> None:
        self.assertEqual(self.total_ms(0.01), 13)

    def test_are_noisy_by_their_own_repeats(self) -> None:
        with self.assertRaises(False_):
            self.total_ms(0.7)


class Faults(unittest.TestCase):
    """Of a template, in a tree with one file of measurements."""

    TEMPLATE = ('''{% set r = rows("lab1/h200/ladder", filter="gauss3") %}
{% macro slower(x, y) %}
{{ claim(r(x) > r(y)) }}{% endmacro %}
{{ r("seq") }} ms
STATEMENT
''')

    def fault_of(self, statement: str, edited: str = "1.5") -> str:
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(prose, "ROOT", Path(folder)), \
                mock.patch.object(rows, "ROOT", Path(folder)):
            file = Path(folder) / "reports/lab1/h200/ladder.csv"
            file.parent.mkdir(parents=True)
            file.write_text(f"variant,filter,kernel_ms_mean,spread,noise\nseq,gauss3,9,0,\n"
                            f"omp_rows,gauss3,{edited},0,\nomp_best,gauss3,1.25,0,\n")
            page = Path(folder) / "page.md.j2"
            page.write_text(self.TEMPLATE.replace("STATEMENT", statement))
            with self.assertRaises(False_) as caught:
                prose.render(page)
            return str(caught.exception)

    def test_name_rung_filter_file_and_the_line_of_the_template(self) -> None:
        values = ("reports/lab1/h200/ladder.csv, filter gauss3, variant omp_best: kernel_ms_mean "
                  "1.25; reports/lab1/h200/ladder.csv, filter gauss3, variant omp_rows: "
                  "kernel_ms_mean 1.5")
        for statement, text in (
                ('{{ claim(r("omp_best") > r("omp_rows")) }}', "this is not so"),
                ('{{ slower("omp_best", "omp_rows") }}', "this is not so"),
                ('{{ times(r("omp_best"), r("omp_rows")) }}', "1.25 ms is no longer than 1.5 ms")):
            self.assertEqual(self.fault_of(statement), f"page.md.j2:5: {text}: {values}")

    def test_of_a_comparison_with_all_name_the_row_that_contradicts(self) -> None:
        for statement in ('{{ claim(r("omp_best") < r.but("omp_best").least()) }}',
                          '{{ claim(r.fastest() == "omp_best") }}',
                          '{% set all = r.but("omp_best").least() %}\n{{ claim(all > 1.25) }}'):
            self.assertRegex(self.fault_of(statement, edited="1.1"),
                             r"this is not so: .*h200/ladder\.csv, filter gauss3.*"
                             r"kernel_ms_mean 1\.1 of omp_rows")

    def test_of_a_loop_name_the_turn_that_contradicts(self) -> None:
        fault = self.fault_of('{% for name in ("omp_rows", "seq", "omp_best") %}'
                              '{{ claim(r(name) > 1.3) }}{% endfor %}')
        self.assertIn("variant omp_best: kernel_ms_mean 1.25", fault)
        self.assertNotIn("variant seq", fault)

    def test_of_a_file_name_the_file(self) -> None:
        self.assertRegex(self.fault_of("", edited="1 ms"),
                         r"^page\.md\.j2:1: .*h200/ladder\.csv:3: kernel_ms_mean: '1 ms'")


class Sentences(unittest.TestCase):
    def rendered(self, text: str) -> str:
        ladder = Rows("ladder", [row("seq", 9, 0, 0, ""), row("twice", 1, 0, 0, ""),
                                 row("twice", 2, 0, 0, "")])
        return prose.environment().from_string(f"{{{{ {text} }}}}").render(ladder=ladder)

    def test_have_as_many_digits_as_they_ask_for(self) -> None:
        for text, said in (
                ("1234.5", "1234"), ("0.012345", "0.0123"), ("9.996 | two", "10"),
                ("claim(2 > 1) ~ (times(3, 2) | two)", "1.5"), ('ladder("seq") | one', "9"),
                ('faster([0.9, 1.2], "it")', "as fast as it (equal: 0.90 to 1.2 times)"),
                ('faster([1.24, 1.36], "it")', "1.2 to 1.4 times as fast as it")):
            self.assertEqual(self.rendered(text), said)

    def test_are_refused_where_they_are_false(self) -> None:
        for text in ("claim(1 > 2)", "times(1, 2)", 'faster([0.5, 0.8], "it")', 'ladder("twice")',
                     'ladder("none")', 'rows("no/such/file")("seq")'):
            with self.subTest(text), self.assertRaises(False_):
                self.rendered(text)


# With a unit, or in a comparison. What is predicted is computed, and stays.
MEASURED = re.compile(r"Measured:|[0-9] ?([mun]s\b|GB/s|% (less|longer|faster)"
                      r"|% of (a copy|the (rate|bandwidth|time))"
                      r"|times (as (fast|long)|the (time|speed)))")


class Templates(unittest.TestCase):
    def test_ask_for_values_so_that_a_false_claim_names_them(self) -> None:
        """`rows.rows` would compare values that nobody asked for."""
        for template in (*variants.ROOT.glob("reports/**/*.j2"),
                         *variants.ROOT.glob("driver/templates/README.md.j2")):
            with self.subTest(template=template):
                self.assertNotRegex(template.read_text("utf-8"), r"\.rows\b")


class Heads(unittest.TestCase):
    def test_of_variants_have_no_measured_number(self) -> None:
        for lab in tree.all_labs():
            for variant in variants.listed(lab):
                head = "".join(itertools.takewhile(
                    lambda line: line.startswith("//"),
                    (variants.ROOT / variant.file).read_text("utf-8").splitlines(keepends=True)))
                for paragraph in head.split("\n//\n"):
                    with self.subTest(file=variant.file):
                        if "Predicted" not in paragraph:
                            self.assertNotRegex(paragraph.replace("\n//", ""), MEASURED)


class Scaling(unittest.TestCase):
    def test_growth_of_the_cpu_time(self) -> None:
        one = row("omp_rows", 100, 0, 0, "") | {"threads": "1", "idle_percent": ""}
        four = row("omp_rows", 50, 0, 0, "") | {"threads": "4", "idle_percent": "25"}
        self.assertEqual(Rows("scaling", [one, four]).cpu_growth("omp_rows", 4), 1.5)


if __name__ == "__main__":
    unittest.main()
