"""What goes wrong in a class: said by what it is, in one line."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from unittest import mock

from driver.classes import __main__ as program
from driver.classes import results, task
from driver.tests import test_class
from driver.tests.test_class import RULES, graded, test, variant
from driver.tree import ROOT
from driver.trouble import Trouble

BONUS = {"id": "G", "title": "ranks", "variant": "mpi_new", "bonus": True,
         "tests": [{"name": "sizes", "points": 8}], "by_hand": 2}


class ClassTroubleTest(unittest.TestCase):
    setUp = test_class.ClassTest.setUp
    write_results = test_class.ClassTest.write_results

    def merge(self) -> str:
        """What it says on standard error."""
        with mock.patch("sys.stdout"), mock.patch("sys.stderr", io.StringIO()) as said:
            results.merge(self.roster, "7", self.submissions, self.out)
        return said.getvalue()

    def with_bonus(self) -> None:
        (self.folder / "lab7.json").write_text(
            json.dumps(RULES | {"tasks": [*RULES["tasks"], BONUS]}))
        content = graded(variant("omp_new", "right"), tests=[
            test("A", "sizes", 40, 40), test("G", "ranks", 0, 0, True)])
        self.write_results("kim", "tests", content)

    def test_a_comma_in_a_name(self):
        for cut in ("ada,Lovelace, Ada\n", "eve,Eve\nada,Lovelace, Ada,\n"):
            self.roster.write_text("id,name\n" + cut)
            with self.assertRaisesRegex(Trouble, r"roster.csv:[23]: there are [34] cells, and 2 "
                                                 "columns: a text with a comma needs quotation"):
                results.read_roster(self.roster)
        self.roster.write_text('id,name\nada,"Lovelace, Ada",,\n')
        self.assertEqual(results.read_roster(self.roster), {"ada": "Lovelace, Ada"})

    def test_a_bonus_is_beyond_the_sum(self):
        self.with_bonus()
        self.merge()
        page = (self.out / "index.html").read_text()
        table = xml.fromstring(page[page.index("<tfoot"):page.index("</tfoot>") + 8])
        sums = ["".join(cell.itertext()).strip() for cell in table.find("tr")]
        self.assertEqual(sums[3:8], ["100", "65", "25", "10", "10"])

    def test_a_file_of_ranks_is_left_to_a_person(self):
        self.with_bonus()
        rows = {}
        for name in ("30_mpi_newer.cpp", "30_mpi_new.cpp"):
            (self.submissions / "kim" / name).touch()
            self.merge()
            with (self.out / "grades.csv").open(newline="") as file:
                rows[name] = {row["id"]: row for row in csv.DictReader(file)}["kim"]["by_hand"]
        self.assertEqual(rows, {"30_mpi_newer.cpp": "0", "30_mpi_new.cpp": "10"})
        self.assertIn('<td class="number">0 (+10)</td>', (self.out / "index.html").read_text())
        self.assertIn("up to 10", (self.out / "students/kim/feedback.html").read_text())
        self.roster.with_name("by_hand.csv").write_text("id,lab,task,points,comment\nkim,7,G,9,\n")
        self.merge()
        self.assertIn("kim,,graded,49,", (self.out / "grades.csv").read_text().replace("Kim", ""))

    def test_a_symbolic_link(self):
        (self.submissions / "kim").rmdir()
        (self.submissions / "kim").symlink_to(self.submissions / "ada")
        self.assertIn("kim: not graded; its hand-in is a symbolic link, which is not followed",
                      self.merge())

    def test_a_grading_that_a_signal_ended(self):
        fake = self.folder / "grade"
        fake.write_text("#!/bin/sh\necho the last words\nkill -ABRT $$\n")
        fake.chmod(0o755)
        run = task.Run(str(self.submissions), str(self.out), "7", "", "5", str(fake),
                       str(self.folder), "")
        for free, more in ((1 << 30, ""), (0, f"; the disk of {self.out}/students/kim is full")):
            usage = mock.Mock(free=free)
            with mock.patch("sys.stderr", io.StringIO()) as said, \
                    mock.patch.object(task.shutil, "disk_usage", return_value=usage):
                self.assertEqual(task.grade(run, "tests", "kim"), 1)
            self.assertEqual(said.getvalue(),
                             f"kim: tests failed, ended by SIGABRT{more}: the last words\n")

    def test_what_fails_here_is_not_tried_twice(self):
        for scheduler, times in (("local", 1), ("slurm", 2)):
            given = mock.Mock(scheduler=scheduler, jobs=1)
            run = mock.Mock(todo=self.folder / "todo")
            with mock.patch.object(program, "to_do", return_value="x"), mock.patch("sys.stdout"), \
                    mock.patch.object(program, f"_{scheduler}_phase") as phase:
                program._phase(self.folder / "run", run, "tests", ["ada"], given)
            self.assertEqual(phase.call_count, times)


class InterruptTest(unittest.TestCase):
    def test_ctrl_c_gives_no_traceback(self):
        """While modules are read: the first one that each program reads is ours here."""
        with tempfile.TemporaryDirectory() as folder:
            for module, name in (("driver.classes", "argparse"), ("driver.classes.task", "ctypes")):
                Path(folder, f"{name}.py").write_text(
                    "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
                done = subprocess.run([sys.executable, "-m", module], cwd=ROOT, text=True,
                                      capture_output=True, env=os.environ | {"PYTHONPATH": folder},
                                      preexec_fn=lambda: signal.signal(
                                          signal.SIGINT, signal.default_int_handler))
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGINT, ""), module)


if __name__ == "__main__":
    unittest.main()
