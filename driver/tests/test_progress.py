"""How long steps are said to take."""

import contextlib
import io
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from driver.progress import Progress

ESTIMATES = {("harness", "library"): 30.0, ("lab1", "build"): 40.0, ("lab1", "test"): 20.0,
             ("lab2", "test"): 10.0}


class ProgressTest(unittest.TestCase):
    def setUp(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.enterContext(mock.patch("driver.progress.read_durations", lambda file: (
            ESTIMATES if file.name == "durations.txt" else {})))
        self.progress = Progress(folder / "results", folder / "build")

    def take(self, lab: str, step: str, seconds: float) -> None:
        with mock.patch.object(time, "time", side_effect=[0, 0, seconds, seconds]):
            with self.progress.step(lab, step, "") as finish:
                finish("done")

    def test_the_first_build_scales_all(self):
        self.take("harness", "library", 60)
        self.assertEqual(self.progress.duration("lab1", "build"), 80)
        self.assertEqual(self.progress.duration("lab1", "test"), 40)

    def test_a_cached_build_says_nothing_of_tests(self):
        self.take("harness", "library", 6)
        self.assertEqual(self.progress.duration("lab1", "build"), 8)
        self.assertEqual(self.progress.duration("lab1", "test"), 20)

    def test_tests_scale_tests(self):
        self.take("harness", "library", 60)
        self.take("lab1", "test", 60)
        self.assertEqual(self.progress.duration("lab2", "test"), 30)
        self.assertEqual(self.progress.duration("lab1", "build"), 80)


if __name__ == "__main__":
    unittest.main()
