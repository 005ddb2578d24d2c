"""Tests what a run takes over of the environment of its user."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from driver import environment
from driver.report import figures
from driver.trouble import Trouble

# Those that are most like one that stays.
DECIDES = """CMAKE_BUILD_TYPE CMAKE_GENERATOR_PLATFORM CXXFLAGS CUDAFLAGS CUDA_LAUNCH_BLOCKING DESTDIR
GNUTERM GIT_DIR GIT_WORK_TREE CDPATH PYTHONPATH PYTHONHOME LD_PRELOAD LC_NUMERIC OMP_NUM_THREADS
OMPI_MCA_btl LABS_RANDOM_CASES LABS_EVENTS FORCE_COLOR""".split()
NAMES_A_PLACE = """PATH HOME LD_LIBRARY_PATH CPATH LIBRARY_PATH CPLUS_INCLUDE_PATH CUDA_HOME CUDA_PATH
CMAKE_PREFIX_PATH OpenCV_DIR IPP_ROOT MPI_HOME OPAL_PREFIX CCACHE_DIR XDG_RUNTIME_DIR""".split()


class EnvironmentTest(unittest.TestCase):
    def test_what_decides_is_left_out(self):
        kept = environment.chosen(dict.fromkeys(DECIDES, "1"))
        self.assertEqual(kept, {"LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0"})

    def test_places_stay(self):
        given = dict.fromkeys(NAMES_A_PLACE, "/x")
        self.assertLessEqual(given.items(), environment.chosen(given).items())

    def test_settings_stay_and_are_said_the_others_are_named(self):
        given = {"CXX": "ccache g++", "LABS_CUDA": "OFF", "CUDA_VISIBLE_DEVICES": "",
                 "CXXFLAGS": "-O0", "OMP_NUM_THREADS": "1", "EDITOR": "vi"}
        with mock.patch.dict(os.environ, given, clear=True):
            said = environment.choose()
            self.assertEqual(os.environ["CUDA_VISIBLE_DEVICES"], "")  # hides all
            self.assertNotIn("EDITOR", os.environ)
        self.assertEqual(said, "from the environment: CXX='ccache g++' LABS_CUDA='OFF'; "
                               "ignored in the environment: CXXFLAGS OMP_NUM_THREADS")

    def test_a_folder_that_cannot_be_used_is_not_that_of_temporary_files(self):
        self.assertNotIn("TMPDIR", environment.chosen({"TMPDIR": "/none"}))
        with mock.patch("os.access", lambda *_: False):  # as for a user who is not root
            self.assertNotIn("TMPDIR", environment.chosen({}))
            self.assertNotIn("TMPDIR", environment.chosen({"TMPDIR": "/root"}))
        self.assertIn("TMPDIR", environment.chosen({"TMPDIR": "/tmp"}))

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_figures_come_in_one_order(self):
        """That of `ls` would be the locale's."""
        with tempfile.TemporaryDirectory() as folder:
            ls = Path(folder) / "ls"
            ls.write_text('#!/bin/sh\necho "$LC_ALL.tsv"\n')
            ls.chmod(0o755)
            said = subprocess.run(
                ["gnuplot", "-e", f"PLOTS = {figures.quoted(figures.PLOTS)}", "-e",
                 "load PLOTS.'/style.gp'", "-e", "print figures('')"], cwd=folder, capture_output=True, text=True, check=True,
                env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(said.stderr.splitlines()[-1], "C")

    def test_generators(self):
        for name, is_right in (("", True), ("Ninja", True), ("Unix Makefiles", True),
                               ("Ninja Multi-Config", False), ("Xcode", False)):
            with mock.patch.dict(os.environ, CMAKE_GENERATOR=name):
                if is_right:
                    self.assertEqual(environment.generator(), name)
                else:
                    with self.assertRaisesRegex(Trouble, f"'{name}', but has to be Ninja or Unix"):
                        environment.generator()


if __name__ == "__main__":
    unittest.main()
