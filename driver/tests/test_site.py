"""The site's index: which machine it opens on, and what its narrow form shows."""

import contextlib
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from driver import tree
from driver.report import figures, machines
from driver.trouble import Trouble

try:
    from driver.report import pages, site
except Exception:  # markdown-it-py is not installed
    site = None


@unittest.skipUnless(site, "markdown-it-py is not installed")
class IndexTest(unittest.TestCase):
    def test_opens_on_the_gpu_with_results_in_most_labs(self) -> None:
        known = [machines.Machine(name, gpu, "Zen 5")
                 for name, gpu in (("zen", ""), ("a100", "A100"), ("h200", "H200"), ("t4", "T4"))]
        with tempfile.TemporaryDirectory() as folder:
            reports = Path(folder)
            for lab, name in (("lab1", "h200"), ("lab2", "h200"), ("lab1", "a100"), ("lab1", "zen"),
                              ("lab2", "zen"), ("lab3", "zen")):
                (reports / lab / name).mkdir(parents=True)
                (reports / lab / name / "limit.csv").write_text("variant\n")
            with mock.patch.object(site, "REPORTS", reports), \
                    mock.patch.object(machines, "known", return_value=known):
                self.assertEqual([each.name for each in site.of_reports()],
                                 ["h200", "a100", "t4", "zen"])

    @unittest.skipUnless(any(site.REPORTS.glob("lab*/README.md")) if site else False,
                         "a tree for students has no reports")
    def test_labs_begin_in_upper_case(self) -> None:
        made = [site.lab(folder, [], {}) for folder in site.folders_of_labs()]
        self.assertGreater(len(made), 0)
        for lab in made:
            self.assertFalse(lab.title[0].islower() or lab.about[0].islower(), lab.title)

    @unittest.skipUnless(site and site.folders_of_labs(), "a tree for students has no reports")
    def test_shows_what_was_drawn_without_a_file_of_it(self) -> None:
        lab, machine = site.folders_of_labs()[0], site.Machine("h200", "H200", {})
        names = dict.fromkeys(("a.svg", "staircase-gpu.svg", "staircase-cpu.svg"),
                              figures.Figure("one's", 9))
        drawn = figures.Drawn({"b.md": "| x |\n| --- |\n| 1 |\n"}, names, "**done**")
        folder, = site.lab(lab, [machine], {(lab / "h200").relative_to(site.ROOT): drawn}).folders
        place = f"reports/{lab.name}/h200/"
        self.assertEqual([file.removeprefix(place) for file, _ in folder.staircases + folder.figures],
                         ["staircase-cpu.svg", "staircase-gpu.svg", "a.svg"])
        self.assertEqual((folder.result, list(folder.tables)),
                         ("<p><strong>done</strong></p>\n", ["b"]))

    def test_tables_and_links_of_a_lab_that_is_gone_stay(self) -> None:
        page, table = site.ROOT / "docs/page.md", "<!-- begin: reports/{}/h200/a.md -->\nold\n" \
            "<!-- end -->\n"
        gone, here = table.format("lab99-gone"), table.format(tree.all_labs()[0])
        self.assertEqual(pages.with_tables(gone, page, {}), gone)
        with self.assertRaisesRegex(pages.Stale, "docs/page.md: nothing to read in reports/lab"):
            pages.with_tables(here, page, {})
        for link, is_refused in (("../lab99-gone/README.md", False), ("none.md", True)):
            with self.assertRaises(Trouble) if is_refused else contextlib.nullcontext():
                self.assertEqual(site._link(page, link, [], Path("/none")), link)

    def test_the_ratio_is_among_the_first_three_columns(self) -> None:
        """A phone shows no more of them."""
        from driver.report import headlines

        if not any(site.REPORTS.glob("*/*/limit.csv")):
            self.skipTest("a tree for students has no reports")
        heads = re.findall(r"(?m)^\| work \|.*$", headlines.tables())
        self.assertEqual(len(heads), 2)
        for head in heads:
            self.assertIn("times as fast", [cell.strip() for cell in head.split("|")][1:4])


if __name__ == "__main__":
    unittest.main()
