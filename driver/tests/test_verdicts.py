"""The page that tests/verdicts.py writes of results on known mistakes."""

import collections
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from driver.tree import ROOT

sys.path.insert(0, str(ROOT / "tests"))
import mistakes  # noqa: E402

LAB = mistakes.labs()[0]
NUMBER = LAB.removeprefix("lab").partition("-")[0]
# How many mistakes of a variant have this cause.
COUNTS = collections.Counter((case.variant, case.cause) for case in mistakes.cases_of(LAB))


def page_of(*results):
    """The page of results: variant of LAB, cause and kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "results").write_text("".join(
            json.dumps({"lab": NUMBER, "variant": variant, "cause": cause, "kind": kind}) + "\n"
            for variant, cause, kind in results), "utf-8")
        subprocess.run([ROOT / "tests/verdicts.py", "--results", folder / "results", "--table",
                        folder / "page"], check=True, capture_output=True)
        return (folder / "page").read_text("utf-8")


class PageOfVerdicts(unittest.TestCase):
    def test_repeated_result(self):
        first, second = [one for one, count in COUNTS.items() if count == 1][:2]
        page = page_of((*first, "symptom"), (*second, "symptom"), (*first, "named"))
        self.assertIn(f"| lab {NUMBER}, `{first[0]}` | {first[1]} | named |", page)
        self.assertIn("| all | 1 | 1 | 0 |", page)
        self.assertIn("tried 2 of the ", page)

    def test_mistake_that_is_gone(self):
        page = page_of(("omp_rows", "no such mistake", "named"))
        self.assertIn("| all | 0 | 0 | 0 |", page)
        self.assertNotIn("no such mistake", page)

    def test_mistakes_of_one_name(self):
        one, count = COUNTS.most_common(1)[0]
        self.assertGreater(count, 1)
        page = page_of(*[(*one, "symptom")] * count, *[(*one, "named")] * count)
        self.assertEqual(page.count("| named |\n"), count)
        self.assertIn(f"| all | {count} | 0 | 0 |", page)


if __name__ == "__main__":
    unittest.main()
