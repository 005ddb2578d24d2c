"""index.html, which is read as XML."""

import json
import unittest
import xml.etree.ElementTree as xml
from datetime import datetime, timezone

from driver.run.outcomes import LabReport, Outcome, Test, VariantReport
from driver.run.run_page import as_html, printable
from driver.run.summary import Run
from driver.tests.samples import SHOWN, FolderTest
from driver.ratios import Ratio
from driver.timings import Timing, Timings



def text_of(node: xml.Element) -> str:
    return " ".join("".join(node.itertext()).split())


class PageTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.lab = LabReport("lab7-test", self.folder, build="ok", bench="ok", figures="ok: 1",
                             finished=True, tests=[Test("lab7.T.sizes/seq")],
                             timings=Timings("sizes, 9x9x1"))
        self.lab.machine = {"cpu": "a CPU", "gpu": "none", "compiler": "g++ 12", "commit": "abc12"}
        self.run_ = Run("--quick", [self.lab], datetime(2026, 1, 31, 12, tzinfo=timezone.utc))
        self.add("seq", Outcome.OK, built=True)

    def add(self, name: str, outcome: Outcome, message: str = "", **more) -> None:
        self.lab.variants.append(VariantReport(name, outcome=outcome, message=message, **more))

    def figure(self, name: str, heading: str = "") -> None:
        self.write(f"figures/{name}.svg", "<svg/>")
        self.write("figures/figures.json",
                   json.dumps({f"{name}.svg": {"heading": heading, "height": 9}}))

    def page(self) -> xml.Element:
        return xml.fromstring(as_html(self.run_))

    def captions(self) -> list[str]:
        return [text_of(node) for node in self.page().iter("figcaption")]

    def row_of(self, variant: str) -> list[str]:
        """Outcome, numbers and note of a variant, and "" for a column that is not there."""
        for table in self.page().iter("table"):
            headings = [text_of(cell) for cell in table.find("thead/tr")]
            for row in table.find("tbody"):
                if text_of(row[0]) == variant:
                    cells = dict(zip(headings, map(text_of, row), strict=True))
                    return [cells.get(name, "") for name in ("outcome", *SHOWN, "note")]
        raise LookupError(variant)

    def test_says_first_whether_all_is_well(self) -> None:
        page = self.page()
        self.assertEqual(page.get("lang"), "en")
        self.assertEqual(text_of(page.find("body/main")[1]),
                         "✓ Everything that can run here passed.")
        self.assertIsNone(page.find(".//ul[@class='failures']"))
        self.lab.variants[0].outcome = Outcome.WRONG
        page = self.page()
        self.assertEqual(text_of(page.find("body/main")[1]),
                         "✗ FAILED: 1 of 1 parts (lab7-test: failed).")
        self.assertTrue(text_of(page.find(".//title")).startswith("✗ FAILED"))
        self.assertIsNotNone(page.find(".//ul[@class='failures']"))

    def test_names_the_run_and_the_machine(self) -> None:
        facts = text_of(self.page().find(".//dl"))
        for fact in ("run_all.sh --quick", "2026-01-31 12:00:00 UTC", "a CPU", "none", "g++ 12",
                     "abc12"):
            self.assertIn(fact, facts)

    def test_has_a_row_for_every_variant(self) -> None:
        timing = Timing(1.5, ratio=Ratio(12.345, 12.345, 12.345), percent_of_copy=50.04, elsewhere="sizes, 5x5x1")
        self.add("omp_fast", Outcome.OK, built=True, timing=timing)
        self.add("cuda_best", Outcome.SKIPPED, "no GPU")
        self.add("omp_hangs", Outcome.TIMEOUT, "killed after 60 s")
        self.assertEqual(self.row_of("seq"), ["✓ correct", "-", "-", "-", "-"])
        self.assertEqual(self.row_of("omp_fast"),
                         ["✓ correct", "1.500", "12.35", "50.0", "time at sizes, 5x5x1"])
        self.assertEqual(self.row_of("cuda_best"), ["– skipped", "-", "-", "-", "no GPU"])
        self.assertEqual(self.row_of("omp_hangs"),
                         ["✗ timeout", "-", "-", "-", "killed after 60 s"])
        self.assertEqual(text_of(self.page().find(".//ul[@class='failures']")),
                         "lab7-test omp_hangs ✗ timeoutkilled after 60 s")

    def test_without_a_benchmark_has_tests_only(self) -> None:
        self.figure("old")
        self.lab.bench = self.lab.figures = self.lab.timings.caption = ""
        self.assertEqual(self.row_of("seq"), ["✓ correct", "", "", "", "-"])
        self.assertIsNone(self.page().find(".//img"), "a figure of an earlier run")

    def test_escapes_whatever_it_shows(self) -> None:
        evil = "</td><script>x('\"&amp;')</script>\x1b[31m‘\udc80"
        harmless = "</td><script>x('\"&amp;')</script>[31m‘"
        self.add("<b>&\"'", Outcome.NOT_COMPILED, evil)
        self.lab.tests.append(Test(evil, Outcome.FAILED, evil))
        self.lab.name = self.lab.figures = self.run_.mode = self.lab.machine["cpu"] = evil
        self.figure("a<b>&'\"")
        self.assertNotIn("<script", as_html(self.run_))
        page = self.page()
        self.assertEqual(text_of(page.find(".//li/code")), harmless)
        self.assertIn("<b>&\"'", [text_of(node) for node in page.iter("th")])
        self.assertEqual(self.captions(), ["a<b>&'\""])
        self.assertEqual(printable("a\tb\n\x00\ufffe"), "a\tb\n")

    def test_holds_its_pictures_in_itself(self) -> None:
        self.write("pictures/before-after.png", b"\x89PNG")
        self.write("pictures/edge4.png", b"\x89PNG")
        self.write("pictures/histograms.txt", "no picture")
        self.figure("mask-sizes", "Time < size")
        self.write("figures/torn.svg", "<svg><g")
        self.assertEqual(self.captions(), ["Before and after", "edge4", "Time < size"])
        page = self.page()
        self.assertTrue(all(image.get("alt") for image in page.iter("img")))
        self.assertEqual(page.find(".//img").get("src"), "data:image/png;base64,iVBORw==")

    def test_shows_first_what_was_before(self) -> None:
        for name in ("before-after", "foggy-after", "foggy-before", "bright-after",
                     "bright-before", "before", "a-way-to-do-it"):
            self.write(f"pictures/{name}.png", b"\x89PNG")
        self.assertEqual(self.captions(), [
            "Before and after", "before", "a-way-to-do-it", "bright-before", "bright-after",
            "foggy-before", "foggy-after"])

    def test_needs_no_network_and_no_script(self) -> None:
        self.figure("a")
        self.write("pictures/a.png", b"\x89PNG")
        text = as_html(self.run_)
        for word in ("http", "<script", "<link", "@import", "url(", "javascript"):
            self.assertNotIn(word, text)
        page = self.page()
        ids = {node.get("id") for node in page.iter()}
        for node in page.iter():
            self.assertTrue(node.get("src", "data:image/").startswith("data:image/"))
            if link := node.get("href"):
                self.assertIn(link.removeprefix("#"), ids)

    def test_has_what_a_screen_reader_goes_by(self) -> None:
        self.add("omp_hangs", Outcome.TIMEOUT, "killed")
        self.figure("a")
        page = self.page()
        levels = [int(node.tag[1]) for node in page.iter() if node.tag in ("h1", "h2", "h3")]
        self.assertTrue(all(b <= a + 1 for a, b in zip([0, *levels], levels)), levels)
        self.assertTrue(all(node.get("scope") for node in page.iter("th")))
        captions = {node.get("id") for node in page.iter("p")}
        self.assertTrue(all(node.get("aria-labelledby") in captions for node in page.iter("table")))

    def test_means_the_same_as_html(self) -> None:
        """`<td/>` is a cell in XML, but the start of a cell in HTML."""
        self.add("", Outcome.OK, "\x1b")
        empty = [node.tag for node in self.page().iter() if not len(node) and not node.text]
        self.assertEqual(set(empty) - {"img", "meta"}, set())

    def test_is_known_as_a_page_of_run_all(self) -> None:
        """Or `--report` would not replace it."""
        mark = "The measurements are in the CSV files of the output folder"
        self.assertTrue(any(mark in line for line in as_html(self.run_).splitlines()))


if __name__ == "__main__":
    unittest.main()
