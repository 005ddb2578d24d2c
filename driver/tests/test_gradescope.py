"""The autograder of Gradescope: what its zip file has, and what becomes of a result."""

import json
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from driver.classes import gradescope, results
from driver.tests.test_class import test, variant

RULES = [{"id": "A", "title": "", "variant": "omp_rows", "speed": {"points": 4},
          "tests": [{"name": "sizes", "points": 2, "visible": True},
                    {"name": "random", "points": 1, "visible": False}]},
         {"id": "B", "title": "", "variant": "cuda_new", "speed": {"points": 4}, "tests": []},
         {"id": "C", "title": "", "answers": [{"name": "random", "points": 3}]}]
MINE = {"name": "mine", "hidden": True}
FOUND = {"score": 7, "tests": [
    test("A omp_rows", "sizes", 2, 2), test("A omp_rows", "random", 0, 1),
    test("A omp_rows", "mine", 0, 1), test("A omp_rows", "speed", 4, 4), {"name": "omp_other"}],
    "extra_data": {"variants": [variant("omp_rows", "right", 1.23456, tests=[MINE]),
                                variant("cuda_new", "wrong", 9.0, tests=[])]}}
for line in FOUND["tests"][:4]:
    line["extra_data"] = {"task": "A"}
    line["visibility"] = "visible"


class GradescopeTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.tasks = [results.Task(rules) for rules in RULES]

    def adapted(self, *chosen) -> dict:
        """As run_autograder does it."""
        for name, content in (("in", FOUND), ("options", gradescope.options(self.tasks, *chosen))):
            (self.folder / name).write_text(json.dumps(content))
        words = [str(self.folder / name) for name in ("in", "options", "out")]
        self.assertEqual(gradescope.main(words), 0)
        return json.loads((self.folder / "out").read_text())

    def test_hidden_tests_are_shown_when_the_option_says(self):
        found = self.adapted("after_published", False)
        self.assertEqual([line.get("visibility") for line in found["tests"]],
                         ["visible", "after_published", "after_published", "visible", None])
        self.assertEqual([line.get("score") for line in found["tests"]], [2, 0, 0, 4, None])
        self.assertNotIn("leaderboard", found)

    def test_without_options_a_result_stays(self):
        self.assertEqual(self.adapted("visible", False), FOUND)

    def test_speeds_on_the_leaderboard(self):
        self.assertEqual(self.adapted("visible", True)["leaderboard"],
                         [{"name": "A omp_rows", "value": 1.23, "order": "desc"},
                          {"name": "B cuda_new", "value": 0, "order": "desc"}])

    def test_no_result_is_a_fault(self):
        (self.folder / "options").write_text("{}")
        words = [str(self.folder / name) for name in ("missing", "options", "out")]
        with self.assertRaisesRegex(Exception, "missing"):
            gradescope.main(words)
        self.assertFalse((self.folder / "out").exists())

    def test_the_zip_has_the_options(self):
        chosen = gradescope.options(self.tasks, "after_published", True)
        with mock.patch.object(gradescope, "_files", list):
            gradescope.write(self.folder / "a.zip", "1", None, chosen)
        with zipfile.ZipFile(self.folder / "a.zip") as archive:
            self.assertEqual(json.loads(archive.read("options.json")), chosen)
            self.assertIn("options.json", archive.read("run_autograder").decode())


if __name__ == "__main__":
    unittest.main()
