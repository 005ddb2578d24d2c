"""Tests which command lines are accepted, and the line and exit code for the others."""

import contextlib
import errno
import io
import os
import unittest
from pathlib import Path
from unittest import mock

from driver import __main__ as command_line
from driver import tree
from driver.trouble import Trouble
from driver.variants import listed


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.known = tree.all_labs()
        self.number = tree.number_of(self.known[0]).removeprefix("lab")

    def parse(self, text: str):
        return command_line._parse(text.split())

    def refused(self, text: str, why: str):
        with self.assertRaisesRegex(Trouble, why) as raised:
            self.parse(text)
        self.assertEqual(raised.exception.code, 2)

    def test_defaults(self):
        parsed = self.parse("")
        self.assertEqual((parsed.command, parsed.mode, parsed.bench, parsed.labs),
                         ("run", "quick", True, self.known))
        self.assertEqual((parsed.build_dir, parsed.output),
                         (tree.ROOT / "build-all", tree.ROOT / "results"))

    def test_folders_are_seen_from_where_the_user_is(self):
        with mock.patch.object(command_line, "CALLER", Path("/somewhere")):
            parsed = self.parse("--output out --build-dir ../build --report /page")
        self.assertEqual((parsed.output, parsed.build_dir, parsed.report),
                         (Path("/somewhere/out"), Path("/build"), Path("/page")))

    def test_labs_by_number(self):
        self.assertEqual(self.parse(f"--labs {self.number}").labs, self.known[:1])
        for numbers in ("99", "01", "*", "1x", "-"):
            self.refused(f"--labs={numbers}", f"there is no lab '.*'; there are: {self.known[0]}")

    def test_the_last_mode_counts(self):
        self.assertEqual(self.parse("--full --quick").mode, "quick")
        self.assertEqual(self.parse("--quick --full").mode, "full")

    def test_commands_and_options_in_any_order(self):
        parsed = self.parse(f"--labs {self.number} starter /new --install-deps")
        self.assertEqual((parsed.command, parsed.folder, parsed.labs),
                         ("starter", Path("/new"), self.known[:1]))
        self.assertEqual(self.parse("--install-deps figures").command, "figures")
        parsed = self.parse(f"measure ladder --labs {self.number} limit")
        self.assertEqual((parsed.command, parsed.experiments, parsed.mode, parsed.labs),
                         ("measure", ["ladder", "limit"], "full", self.known[:1]))

    def test_what_is_unknown_is_named(self):
        for text in ("figure", "--fast", "--lab 1", "figures more", "starter /new more"):
            self.refused(text, "unknown argument '.*'; see --help")

    def test_values_are_wanted(self):
        for option in ("--labs", "--output", "--build-dir", "--report", "--variant"):
            self.refused(option, f"{option}: expected one argument")
            with self.assertRaisesRegex(Trouble, f"{option}: wants a value"):
                command_line._parse([option, ""])
        self.refused("starter", "starter wants a folder")

    def test_one_variant(self):
        name = listed(self.known[0])[0].name
        one = f"--labs {self.number} --variant {name}"
        self.assertEqual(self.parse(f"{one} --watch --no-bench").variant, name)
        self.refused("--watch", "--watch wants --variant")
        self.refused(f"--variant {name}", "--variant wants one lab")
        for other in ("--full", "--points", "--report x"):
            self.refused(f"{one} {other}", "--variant goes with")
        self.refused(f"--labs {self.number} --variant omp_mien",
                     f"no file of a variant 'omp_mien'; there are: {name}")

    def test_a_refusal_is_one_line_with_exit_code_2(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(command_line.main(["--labs", "99"]), 2)
        self.assertRegex(said.getvalue(), r"\Arun_all.sh: --labs: [^\n]*\n\Z")

    def test_a_full_disk_is_one_line_with_exit_code_1(self):
        for error, said_of_it in ((OSError(errno.ENOSPC, "No space left on device"), "No space"),
                                  (OSError(errno.EDQUOT, "Disk quota exceeded"), "quota")):
            said = io.StringIO()
            with (contextlib.redirect_stderr(said), mock.patch.dict(os.environ),
                  mock.patch.object(command_line, "_run", side_effect=error)):
                self.assertEqual(command_line.main([]), 1)
            self.assertRegex(said.getvalue(), rf"\Arun_all.sh: [^\n]*{said_of_it}[^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
