"""The commands of `grade`: --help needs nothing, and a build names the packages that it lacks."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from driver.classes.command_line import SHORTLY
from driver.tree import ROOT

GRADE = ROOT / "grading/grade"
MAIN = ROOT / "grading/src/check/main.cpp"


class CommandsTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.program("cmake", "exit 1")  # nothing can be built
        self.program("dpkg-query", "echo unknown")
        (self.folder / "jinja2.py").write_text("raise ImportError\n")

    def program(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)

    def grade(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([GRADE, *words], capture_output=True, text=True, env={
            **os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder), "LABS_GRADE_BUILD": str(self.folder / "build")})

    def test_help_needs_nothing(self):
        for command in SHORTLY:
            for words in ([command, "--help"], [command, "x", "--lab", "9", "-h"]):
                done = self.grade(*words)
                self.assertEqual((done.returncode, done.stderr), (0, ""), words)
                self.assertTrue(done.stdout.startswith(f"usage: grade {command} "), done.stdout)
        self.assertFalse((self.folder / "build").exists())
        done = self.grade("--help")
        self.assertEqual(done.returncode, 0)
        for command, what in SHORTLY.items():
            self.assertIn(what, done.stdout)

    def test_help_has_the_options_of_grade_check(self):
        text = MAIN.read_text()
        for command, variable in (("check", "check"), ("preprocess", "preprocess"),
                                  ("check-rules", "check_rules")):
            said = self.grade(command, "--help").stdout
            options = re.findall(rf"\b{variable}\s*->add_option\(\"(--[a-z-]+)\"", text)
            self.assertTrue(options, command)
            for option in options:
                self.assertIn(f" {option} ", said)

    def test_missing_packages_are_named_with_the_command(self):
        done = self.grade("check-rules", str(ROOT / "lab1-convolution/assignment/points.json"))
        self.assertEqual(done.returncode, 1)
        last = done.stderr.splitlines()[-1]
        self.assertRegex(last, r"^grade: packages are missing: sudo apt-get install cmake .*\b"
                               r"bubblewrap libseccomp-dev .*[a-z]$")

    def test_the_profile_of_apparmor(self):
        """grade_check prints the lines of the guide, and a last one that says what is wrong."""
        block = re.search(r"```sh\n(cat >/etc/apparmor.d/bwrap .*?)```",
                          (ROOT / "docs/grading.md").read_text(), re.DOTALL)[1]
        said = re.search(r'apparmor\[\] = R"\((.*?)\)";',
                         (ROOT / "grading/src/sandbox/sandbox.cpp").read_text(), re.DOTALL)[1]
        self.assertIn(f"\n\n{block}\n", said)
        self.assertIn("AppArmor", said.splitlines()[0])
        self.assertRegex(said.splitlines()[-1], "^no sandbox: AppArmor .*docs/grading.md$")
        self.program("apparmor_parser", 'cat "$2"')
        done = subprocess.run(["sh", "-ec", block.replace("/etc/apparmor.d", str(self.folder))],
                              capture_output=True, text=True, check=True, env={
                                  **os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(done.stdout.count("\n"), 7)
        self.assertIn("\n  userns,\n", done.stdout)

    def test_a_class_needs_jinja2(self):
        roster = self.folder / "roster.csv"
        roster.write_text("id\nada\n")
        self.program("parallel", "exit 1")
        done = self.grade("class", str(roster), str(self.folder), "--lab", "1", "--local", "--out",
                          str(self.folder / "out"))
        self.assertEqual((done.returncode, done.stderr), (
            3, "grade class: needs jinja2 (Debian: apt-get install python3-jinja2)\n"))

    def test_a_word_that_is_no_command(self):
        done = self.grade("grade")
        self.assertEqual(done.returncode, 2)
        self.assertIn("see --help", done.stderr)


if __name__ == "__main__":
    unittest.main()
