"""The page that tests/verdicts.py writes of results on known mistakes."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from driver.tree import ROOT


def page_of(*results):
    """The page of results: variant of lab 1, cause and kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "results").write_text("".join(
            json.dumps({"lab": "1", "variant": variant, "cause": cause, "kind": kind}) + "\n"
            for variant, cause, kind in results), "utf-8")
        subprocess.run([ROOT / "tests/verdicts.py", "--results", folder / "results", "--table",
                        folder / "page"], check=True, capture_output=True)
        return (folder / "page").read_text("utf-8")


class PageOfVerdicts(unittest.TestCase):
    def test_repeated_result(self):
        page = page_of(("omp_rows", "the mask is transposed", "symptom"),
                       ("omp_strips", "the mask is transposed", "symptom"),
                       ("omp_rows", "the mask is transposed", "named"))
        self.assertIn("| lab 1, `omp_rows` | the mask is transposed | named |", page)
        self.assertIn("| all | 1 | 1 | 0 |", page)
        self.assertIn("tried 2 of the ", page)

    def test_mistake_that_is_gone(self):
        page = page_of(("omp_rows", "no such mistake", "named"))
        self.assertIn("| all | 0 | 0 | 0 |", page)
        self.assertNotIn("no such mistake", page)

    def test_mistakes_of_one_name(self):
        cause = "out of bounds: "
        page = page_of(*[("cuda_per_pixel", cause, "symptom")] * 4,
                       *[("cuda_per_pixel", cause, "named")] * 4)
        self.assertEqual(page.count("| named |\n"), 4)
        self.assertIn("| all | 4 | 0 | 0 |", page)


if __name__ == "__main__":
    unittest.main()
