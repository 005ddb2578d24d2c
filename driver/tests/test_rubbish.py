"""Rubbish in place of every file that the driver reads: it is taken, or refused in one line with
exit code 2. It is never a traceback, and never exit code 1, which says that something is wrong.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from driver import csv_files, progress, texts, tree, trouble, variants
from driver.report import machines
from driver.run import points, results, summary, tested
from driver.run.rules import counter_runs, speed_rule
from driver.run.score import as_text
from driver.tests.samples import scratch
from driver.tools import one_file
from driver.trouble import Trouble

JSON = (None, True, 3, -1e400, "text", [], [[]], [1, "a", None, {}], {}, {"": {}},
        [{"name": []}, {"name": 3, "backend": {}, "available": "no"}],
        {"lab": 3, "labs": [], "tasks": "A"}, {"tasks": [1, {"id": []}, {"variant": {}}]},
        {"tasks": [{"id": "A", "title": 3, "tests": 3, "speed": [], "counters": {}}]},
        {"labs": {"1": 3}, "extensions": {"a": []}, "extra_data": [], "tests": {}},
        {"event": "checked"}, {"event": "checked", "run": {}, "test": 3, "outcome": "none"},
        {"event": "fault", "variant": "seq"}, {"event": "experiments", "names": 3},
        {"event": "kernel", "metrics": 3}, {"event": ["checked"], "run": 1})
TEXTS = (b"", b"\0", b"\0" * 5000, b"\n\n\n", b"a", b"\xff\xfe", "äöü µ\n".encode("latin-1"),
         "id,name\nann,Ann\n".encode("utf-16"), "\ufeffid,name\n".encode(), b"\xef\xbb\xbf",
         b"id,name\rann,Ann\r", b'id,name\n"ann', b"id,id\na,b\n", b"id\nann,b,c,d\n,,,\n",
         b"id;lab;time\nann;1;now\n", b"id,lab,time\nann,1,\n", b"id,status,score\nann,graded,x\n",
         b"x" * 300_000, b"[" * 100_000, b'{"a":' * 50_000, b"{'a': 1}", b"{\"a\": NaN}", b"[1,]",
         b"<testsuite><testcase/></testsuite>", b"<testcase name='a' time='x' status='fail'/>",
         b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", b"<a", b"= = =\n=\n#", b"x = 1e999\n\x85=2",
         b'#include "../../../../etc/passwd"\n', b'#include "a', b'.idea = "', b"build\nbuild ok",
         random.Random(7).randbytes(4096), random.Random(8).randbytes(4096).replace(b"\0", b"\n"))
RUBBISH = (*TEXTS, *(json.dumps(value).encode() for value in JSON),
           *(json.dumps([value, value]).encode() for value in JSON))


class RubbishTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)

    def assert_taken_or_refused(self, read: Callable[[], object], *names: str) -> None:
        """`read` reads files of those names in `folder`, each of which is rubbish in turn."""
        for name in names:
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            before = file.read_bytes() if file.exists() else None
            for content in RUBBISH:
                file.write_bytes(content)
                self._take_or_refuse(read, f"{name}: {content[:60]!r}")
            file.unlink()
            file.mkdir()
            self._take_or_refuse(read, f"{name}: a folder")
            file.rmdir()
            file.symlink_to("nowhere")
            self._take_or_refuse(read, f"{name}: a link to nothing")
            file.unlink()
            if before is not None:
                file.write_bytes(before)

    def _take_or_refuse(self, read: Callable[[], object], what: str) -> None:
        with self.subTest(what):
            try:
                read()
            except Trouble as refused:
                self.assertEqual((len(str(refused).splitlines()), refused.code), (1, 2))
                self.assertIn(str(self.folder), str(refused))  # the file, or its folder

    def test_measurements(self) -> None:
        file = self.folder / "ladder.csv"
        self.assert_taken_or_refused(lambda: csv_files.read(file), file.name)

    def test_the_output_of_a_run(self) -> None:
        (self.folder / "state").write_text("build ok\nbench ok\nfinished yes\ntest_seconds 60\n")
        (self.folder / "variants.json").write_text('[{"name": "seq", "backend": "seq"}]')

        def read() -> None:
            lab = results.read_lab(self.folder)
            summary.as_staircase(lab)
            tested.tests_so_far(self.folder)
            results.describe_tests(lab)
        self.assert_taken_or_refused(read, "state", "variants.json", "built.txt", "events.jsonl",
                                     "ctest.xml", "csv/ladder.csv", "csv/ladder_samples.csv",
                                     "csv/ladder.csv.partial", "list.log", "build.log")

    def test_rules_and_answers(self) -> None:
        rules = {"lab": "lab7", "tasks": [{"id": "A", "title": "a",
                                           "answers": [{"name": "x", "points": 1}]}]}
        (self.folder / "rules.json").write_text(json.dumps(rules))
        lab = results.read_lab(self.folder)

        def read() -> None:
            as_text(points.score_lab(lab, self.folder / "rules.json",
                                            self.folder / "answers.txt"))
            counter_runs(self.folder / "rules.json")
            speed_rule(self.folder / "rules.json", "omp_rows")
        self.assert_taken_or_refused(read, "rules.json", "answers.txt")

    def test_sources(self) -> None:
        (self.folder / "lab/one.cpp").parent.mkdir()
        (self.folder / "lab/one.cpp").write_text("")
        rung = self.folder / "lab/ladder/02_omp_rows.cpp"

        def read() -> None:
            with mock.patch.object(variants, "ROOT", self.folder), \
                    mock.patch.object(one_file, "ROOT", self.folder):
                variants.listed("lab")
                one_file.one_file(rung, [])
        self.assert_taken_or_refused(read, "lab/ladder/02_omp_rows.cpp")

    def test_texts(self) -> None:
        file = self.folder / "file"
        for read in (texts.read_text, texts.read_json, texts.read_table):
            self.assert_taken_or_refused(lambda read=read: read(file), "file")

    def test_durations(self) -> None:
        self.assert_taken_or_refused(lambda: progress.read_durations(self.folder / "durations"),
                                     "durations")

    def test_machines(self) -> None:
        with mock.patch.object(machines, "FILE", self.folder / "machines.json"):
            self.assert_taken_or_refused(machines.refuse_unknown, "machines.json")

    @unittest.skipUnless((tree.ROOT / "driver/classes").is_dir(), "a tree for students")
    def test_classes(self) -> None:
        from driver.classes import course, deadlines, gradebooks, task
        from driver.classes import results as of_class
        (self.folder / "roster.csv").write_text("id,name\nann,Ann\n")
        (self.folder / "grades.csv").write_text(
            "id,status,score,max_score,by_hand\nann,graded,3,5,1\n")
        (self.folder / "deadlines.json").write_text('{"labs": {"1": "2026-11-01T12:00+01:00"}}')
        (self.folder / "times.csv").write_text("id,lab,time\nann,1,2026-11-01T11:00+01:00\n")
        at = self.folder.joinpath
        self.assert_taken_or_refused(
            lambda: course.read_course(at("roster.csv"), {"1": self.folder}), "grades.csv")
        self.assert_taken_or_refused(lambda: of_class.read_roster(at("roster.csv")), "roster.csv")
        self.assert_taken_or_refused(lambda: deadlines.read(at("deadlines.json"), [at("times.csv")]),
                                     "deadlines.json", "times.csv")
        for to in ("moodle", "canvas"):
            self.assert_taken_or_refused(lambda to=to: gradebooks.export(
                to, at("grades.csv"), "Lab 1", None, "username", None), "grades.csv")
            self.assert_taken_or_refused(lambda to=to: gradebooks.export(
                to, at("grades.csv"), "Lab 1", at("like.csv"), "username", None), "like.csv")
        self.assert_taken_or_refused(lambda: task.Run.load(at("run.json")), "run.json")
        with mock.patch.object(of_class, "rules_of", lambda lab: self.folder / f"lab{lab}.json"):
            self.assert_taken_or_refused(lambda: of_class.tasks_of("7"), "lab7.json")


class CommandsTest(unittest.TestCase):
    def test_end_with_one_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rubbish = Path(folder) / "rubbish.csv"
            rubbish.write_bytes(random.Random(9).randbytes(999))
            for words in (["tools.profile", rubbish, folder],
                          ["report.figures", "draw", "lab1-convolution", folder, rubbish],
                          ["tools.one_file", rubbish], ["tools.one_file", folder],
                          ["run.points", "report", folder, "lab1-convolution"],
                          ["classes", "course", rubbish, f"1={folder}", "--out", folder],
                          ["classes", "export", rubbish, "--to", "moodle", "--item", "a", "--out",
                           f"{folder}/out.csv"],
                          ["classes.task", rubbish, "tests", "ann"], ["classes.task"]):
                done = subprocess.run([sys.executable, "-m", f"driver.{words[0]}", *words[1:]],
                                      cwd=tree.ROOT, capture_output=True, text=True)
                with self.subTest(words):
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertRegex(done.stderr, r"^[a-z_ ]+: .*\n\Z")

    def test_a_fault_of_the_driver_is_one_line_too(self) -> None:
        def with_fault() -> int:
            raise KeyError("two\nlines")
        for main in (with_fault, lambda: json.loads("{"), lambda: Path("/no/such").read_text()):
            with mock.patch("sys.stderr") as stderr:
                self.assertEqual(trouble.ended("run_all.sh", main), 2)
            said = "".join(call.args[0] for call in stderr.write.call_args_list)
            self.assertTrue(re.fullmatch(r"run_all\.sh: .*\n", said), said)


if __name__ == "__main__":
    unittest.main()
