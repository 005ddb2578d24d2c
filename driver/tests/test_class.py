"""The tables of a class, thresholds and the rehearsal, from made-up results of `grade check`."""

import csv
import io
import json
import tempfile
import unittest
import xml.etree.ElementTree as xml
from dataclasses import replace
from pathlib import Path
from unittest import mock

from driver.classes import calibrate, handin, rehearse, results, task
from driver.classes.deadlines import Deadlines, Late
from driver.tree import all_labs, number_of
from driver.trouble import Trouble

RULES = {"lab": "lab7-test", "tasks": [
    {"id": "A", "title": "on the <CPU>", "variant": "omp_new", "file": "ladder/02_omp_new.cpp",
     "tests": [{"name": "sizes", "points": 40}],
     "speed": {"points": 20, "experiment": "ladder", "against": "seq", "floor": 1.2, "full": 1.6},
     "by_hand": 5},
    {"id": "B", "title": "on the GPU", "variant": "cuda_new", "file": "ladder/11_cuda_new.cu",
     "tests": [{"name": "sizes", "points": 15}],
     "speed": {"points": 10, "experiment": "ladder", "against": "cuda_old", "floor": 2, "full": 3},
     "counters": [{"counter": "warps", "input": "random:8x8", "at_most": 9, "points": 4},
                  {"counter": "blocks", "input": "random:8x8", "at_most": 9, "points": 6}]},
    {"id": "C", "title": "analysis", "answers": [{"name": "sectors", "points": 10}]}]}


def test(task_id: str, name: str, score: float, most: float, by_hand: bool = False) -> dict:
    return {"name": f"{task_id}: {name}", "score": score, "max_score": most, "output": "why",
            "extra_data": {"task": task_id}} | ({} if by_hand else {"status": "failed"})


def variant(name: str, verdict: str, speedup: float | None = None, **more) -> dict:
    return {"name": name, "verdict": verdict, "reason": "a reason", "speedup": speedup,
            "gpu": "", "speeds": []} | more


def graded(*variants: dict, tests: list[dict]) -> dict:
    return {"tests": tests, "extra_data": {"variants": list(variants)}}


ADA = graded(variant("omp_new", "right", 1.5), variant("omp_other", "wrong"), tests=[
    test("A", "sizes", 40, 40), test("A", "speed", 12.5, 20), test("A", "explanation", 0, 5, True),
    test("B", "sizes", 0, 15), test("B", "speed", 0, 10), test("C", "answer sectors", 10, 10)])


class ClassTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "lab7.json").write_text(json.dumps(RULES))
        patched = mock.patch.object(results, "rules_of", lambda lab: self.folder / f"lab{lab}.json")
        patched.start()
        self.addCleanup(patched.stop)
        self.submissions, self.out = self.folder / "submissions", self.folder / "out"
        for student in ("ada", "kim"):
            (self.submissions / student).mkdir(parents=True)
        self.write_results("ada", "speed", ADA)
        self.roster = self.folder / "roster.csv"
        self.roster.write_text("id,name\nada,<Ada>\neve,Eve\nkim,Kim\n")

    def write_results(self, student: str, part: str, content: dict) -> None:
        folder = self.out / "students" / student / part
        folder.mkdir(parents=True)
        (folder / "results.json").write_text(json.dumps(content))

    def merge(self, deadlines: Deadlines | None = None) -> dict[str, dict[str, str]]:
        with mock.patch("sys.stdout"), mock.patch("sys.stderr"):
            self.assertEqual(results.merge(self.roster, "7", self.submissions, self.out, deadlines), 1)
        with (self.out / "grades.csv").open(newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def test_a_row_of_grades(self):
        row = self.merge()["ada"]
        self.assertEqual([row[name] for name in ("status", "score", "max_score", "by_hand")],
                         ["graded", "62.5", "100", "5"])
        self.assertEqual(list(row)[6:], ["omp_new", "cuda_new", "others"])
        self.assertEqual(row["others"], "omp_other: wrong")

    def test_who_has_no_result_could_have_had_all_points(self):
        rows = self.merge()
        self.assertEqual(rows["eve"] | {"name": ""},
                         {"id": "eve", "name": "", "status": "not submitted", "score": "0",
                          "max_score": "100", "by_hand": "0", "omp_new": "", "cuda_new": "",
                          "others": ""})
        self.assertEqual((rows["kim"]["status"], rows["kim"]["max_score"]), ("not graded", "100"))

    def test_points_of_counters_are_those_of_the_speed(self):
        self.assertEqual([one.most for one in results.tasks_of("7")], [65, 25, 10])
        only_counted = {"id": "D", "title": "", "counters": RULES["tasks"][1]["counters"]}
        self.assertEqual(results.Task(only_counted).most, 10)

    def test_the_page_has_points_by_task(self):
        self.merge()
        page = (self.out / "index.html").read_text()
        table = xml.fromstring(page[page.index("<table"):page.index("</table>") + 8])
        rows = [["".join(cell.itertext()).strip() for cell in row] for row in table.iter("tr")]
        self.assertEqual(rows[0][3:7], ["points", "A", "B", "C"])
        self.assertEqual(rows[1][:7], ["ada", "<Ada>", "graded", "62.5 of 100 (+5)", "52.5 (+5)",
                                       "-", "10"])
        self.assertEqual(rows[2][:7], ["eve", "Eve", "not submitted", "0 of 100", "-", "-", "-"])
        self.assertEqual(rows[4][3:7], ["100", "65", "25", "10"])
        self.assertEqual(rows[5][3:7], ["62.5", "52.5", "0.0", "10.0"])
        self.assertNotIn("<CPU>", page)
        self.assertEqual((self.out / "index.html").stat().st_mode & 0o77, 0)

    def test_late_days_are_columns(self):
        late = {"ada": Late(2, 1, 90), "eve": Late(None), "kim": Late(None)}
        deadlines = mock.Mock(late=lambda student, lab: late[student], handed_in={})
        rows = self.merge(deadlines)
        self.assertEqual([rows["ada"][name] for name in results.LATE_COLUMNS],
                         ["2", "1", "90", "56.25"])
        self.assertEqual([rows["eve"][name] for name in results.LATE_COLUMNS], ["", "", "", "0"])
        self.assertEqual(rows["kim"]["late_days"], "?")
        self.assertIn("2 days late", (self.out / "index.html").read_text())

    def test_who_is_not_in_the_roster_is_named(self):
        (self.submissions / "Eve").mkdir()
        (self.submissions / "notes.txt").touch()
        deadlines = mock.Mock(late=lambda student, lab: Late(0),
                              handed_in={("ada", "7"): None, ("adda", "7"): None})
        with mock.patch("sys.stdout"), mock.patch("sys.stderr", io.StringIO()) as said:
            results.merge(self.roster, "7", self.submissions, self.out, deadlines)
        self.assertIn(f"the hand-in {self.submissions}/Eve is not in the roster", said.getvalue())
        self.assertIn("'adda', who has a time of a hand-in, is not in the roster", said.getvalue())
        self.assertEqual(said.getvalue().count("roster"), 2)

    # --- one task graded again

    def run_of(self, one_task: str = "", turn: str = "1") -> task.Run:
        return task.Run(str(self.submissions), str(self.out), "7", "", "5", "true",
                        str(self.folder), "", one_task, turn)

    def test_a_task_is_graded_again_once_in_a_run(self):
        folder = self.out / "students/ada/speed"
        tests = folder.with_name("tests")
        tests.mkdir()
        (tests / "fingerprint").write_text(
            task.fingerprint(self.run_of(), "tests", self.submissions / "ada"))
        self.assertEqual(task.to_do(self.run_of(), "tests", "ada"), "")
        self.assertNotEqual(task.to_do(self.run_of("A"), "tests", "ada"), "")
        (tests / "turn").write_text("1")
        self.assertEqual(task.to_do(self.run_of("A"), "tests", "ada"), "")
        self.assertNotEqual(task.to_do(self.run_of("A", "2"), "tests", "ada"), "")

    # --- points counted again

    def count(self, before: str, after: task.Run, code: int = 0) -> tuple[bool, list[str], str]:
        """Whether ada's tests, of the fingerprint `before`, are counted in another, the options of
        `grade check`, and what is in the results then."""
        folder = self.out / "students/ada/tests"
        folder.mkdir(exist_ok=True)
        (folder / "results.json").write_text("old")
        (folder / "fingerprint").write_text(before)
        grade, words = self.folder / "grade", self.folder / "words"
        words.write_text("")
        grade.write_text(f"#!/bin/bash\necho $@ >{words}\nwhile [[ $1 != --out ]]; do shift; done\n"
                         f"mkdir -p $2 && echo new >$2/results.json\necho because\nexit {code}\n")
        grade.chmod(0o755)
        counted = task.count(replace(after, grade=str(grade)), "tests", "ada")
        content = folder / "results.json"
        return counted, words.read_text().split(), content.read_text() if content.exists() else ""

    def change_rules(self, **more) -> None:
        (self.folder / "points.json").write_text(json.dumps(RULES | more))

    def test_other_points_are_only_counted(self):
        self.change_rules()
        before = task.fingerprint(self.run_of(), "tests", self.submissions / "ada")
        self.assertEqual(self.count(before, self.run_of()), (False, [], "old"))
        for key in ("answers.txt", "solution.cpp"):  # the second one is nobody's business
            (self.folder / "key").mkdir(exist_ok=True)
            (self.folder / "key" / key).write_text("x = 1")
        self.change_rules(tasks=[])
        counted, words, content = self.count(before, self.run_of())
        self.assertEqual((counted, content), (True, "new\n"))
        self.assertEqual(words[words.index("--keep") + 1], str(self.out / "students/ada/tests"))
        self.assertNotIn("--task", words)
        self.assertEqual(task.to_do(self.run_of(), "tests", "ada"), "")

    def test_what_the_rules_want_measured_is_graded(self):
        before = task.fingerprint(self.run_of(), "tests", self.submissions / "ada")
        self.change_rules()
        self.assertEqual(self.count(before, self.run_of(), task.REFUSED)[::2], (False, ""))
        self.assertNotEqual(task.to_do(self.run_of(), "tests", "ada"), "")
        (self.out / "students/ada/speed/fingerprint").write_text(before)
        self.assertFalse(task.count(self.run_of(), "speed", "ada"))  # it is measured after the tests
        with self.assertRaisesRegex(Trouble, "^ada: tests failed, exit code 3: because$"):
            self.count(before, self.run_of(), 3)
        self.assertEqual((self.out / "students/ada/tests/results.json").read_text(), "old")

    def test_what_makes_facts_stale(self):
        before = task.fingerprint(self.run_of(), "tests", self.submissions / "ada")
        self.change_rules()
        (self.folder / "hidden").mkdir()
        (self.folder / "hidden/mine.cpp").touch()
        for what, change in (("version", "another"), ("hidden", str(self.folder / "hidden")),
                             ("lab", "6"), ("seed", "6")):
            after = replace(self.run_of(), **{what: change})
            self.assertEqual(self.count(before, after), (False, [], "old"), what)
        (self.submissions / "ada/02_omp_new.cpp").touch()
        self.assertEqual(self.count(before, self.run_of()), (False, [], "old"))
        self.assertEqual(self.count("of an earlier version", self.run_of()), (False, [], "old"))

    def test_the_version_is_of_the_sources(self):
        lab = self.folder / "lab7-test"
        files = {"grading/src/new.cpp": True, "harness/CMakeLists.txt": True,
                 "emulation/atomic": True, "grading/build/new.cpp": False, "common/__pycache__/x": False,
                 "grading/class.md": False, "lab7-test/tests/new.hpp": True,
                 "lab7-test/problem/new.cuh": True, "lab7-test/assignment/starter.manifest": True,
                 "lab7-test/assignment/key/ladder/new.cpp": False, "lab7-test/README.md": False,
                 "lab7-test/assignment/points.json": False, "lab6-test/lab.cpp": False}
        for name, is_source in files.items():
            known, file = task.version_of(self.folder, lab), self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            for content in "xy":
                file.write_text(content)
                new = task.version_of(self.folder, lab)
                self.assertEqual(new != known, is_source, name)
                known = new
        (lab / ".#lab.cpp").symlink_to("nowhere")  # an editor's
        task.version_of(self.folder, lab)

    def test_a_failed_part_is_no_grade(self):
        folder = self.out / "students/ada"
        self.write_results("ada", "tests", ADA)
        (folder / "tests/fingerprint").write_text(
            task.fingerprint(self.run_of(), "tests", self.submissions / "ada"))
        (folder / "speed/fingerprint").write_text(
            task.fingerprint(self.run_of(), "speed", self.submissions / "ada"))
        self.assertFalse(task.is_unfinished(self.run_of(), "ada", True, True))
        self.assertTrue(task.is_unfinished(self.run_of("A"), "ada", True, True))  # --task failed
        self.assertFalse(task.is_unfinished(self.run_of("A"), "ada", False, True))
        (folder / "speed/results.json").unlink()
        for is_chosen in (True, False):
            self.assertTrue(task.is_unfinished(self.run_of(), "ada", is_chosen, True))
        self.assertFalse(task.is_unfinished(self.run_of(), "ada", True, False))
        with mock.patch("sys.stdout"), mock.patch("sys.stderr"):
            self.assertEqual(results.merge(self.roster, "7", self.submissions, self.out, None, {"ada"}), 1)
        with (self.out / "grades.csv").open(newline="") as file:
            row = next(csv.DictReader(file))
        self.assertEqual((row["id"], row["status"], row["score"]), ("ada", "not graded", "0"))

    def test_what_is_not_looked_at_is_in_table_and_page(self):
        others = {"not_graded": ["omp_new.CPP is not called ...", *map(str, range(20))]}
        found = self.out / "students/ada/speed/results.json"
        found.write_text(json.dumps(ADA | {"extra_data": ADA["extra_data"] | others}))
        not_compared = {"ada": ["01_omp_new.cpp: no <such.hpp>", "omp_old.cpp: it is too long"]}
        grades = results.write_all(self.roster, "7", self.submissions, self.out, not_compared=not_compared)
        with (self.out / "grades.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertIn("too long; not graded: omp_new.CPP is not called ...; not graded: 0; ",
                      rows[0]["remarks"])
        self.assertTrue(rows[0]["remarks"].endswith("; not graded: 8; not graded: 11 more"))
        self.assertIn("not compared: omp_old.cpp: it is too long", rows[0]["remarks"])
        self.assertIn("ada: not compared: 01_omp_new.cpp: no &lt;such.hpp&gt;",
                      (self.out / "index.html").read_text())
        grades[0].variants = [{"name": "omp_new", "file": "01_omp_new.cpp", "verdict": "does not compile"}]
        grades[0].add_not_compared(not_compared["ada"])
        self.assertEqual(grades[0].not_compared, ["omp_old.cpp: it is too long"])
        found.write_text(json.dumps(ADA))
        results.write_all(self.roster, "7", self.submissions, self.out)
        self.assertNotIn("remarks", (self.out / "grades.csv").read_text())

    # --- thresholds

    def measured(self, *ratios: float, against: str = "seq", rung: bool = True,
                 floor: float = 1.2, full: float = 1.6) -> calibrate.Measured:
        return calibrate.Measured("A", "omp_new", against, floor, full, rung, {}, list(ratios))

    def test_full_is_under_what_the_solution_reaches_each_time(self):
        self.assertEqual(self.measured(2.0, 2.0, 2.0).proposed(), (1.27, 1.7))
        self.assertEqual(self.measured(1.7, 2.0, 2.1).proposed(), (1.2, 1.61))

    def test_a_copy_of_a_rung_has_no_points(self):
        self.assertEqual(self.measured(1.3).proposed(), (1.02, 1.1))
        self.assertEqual(self.measured(1.3, rung=False).proposed(), (0.82, 1.1))
        self.assertEqual(self.measured(1.1).proposed(), (0.69, 0.93))
        self.assertIn("a copy of seq has points", calibrate.table([self.measured(1.1)]))

    def test_small_ratios_keep_two_digits(self):
        self.assertEqual(self.measured(0.1, floor=0.04, full=0.08, rung=False).proposed(),
                         (0.042, 0.085))

    def test_only_thresholds_change_in_the_rules(self):
        text = json.dumps(RULES, indent=3)
        new = calibrate.with_thresholds(text, [self.measured(2.0)])
        self.assertEqual(new, text.replace("1.2", "1.27", 1).replace("1.6", "1.7", 1))
        other = text.replace('"id": "A",\n         "title": "on the <CPU>",',
                             '"title": "on the <CPU>",').replace('"by_hand": 5', '"by_hand": 5, "id": "A"')
        self.assertEqual(json.loads(calibrate.with_thresholds(other, [self.measured(2.0)])),
                         json.loads(new))

    def test_ratios_are_those_to_the_reference_of_the_rules(self):
        one = self.measured()
        speeds = [{"against": "other", "where": {}, "speedup": 9},
                  {"against": "seq", "where": {"width": "9"}, "speedup": 9},
                  {"against": "seq", "where": {}, "speedup": 1.5}]
        calibrate.add_ratios([one], graded(variant("omp_new", "right", speeds=speeds), tests=[]))
        self.assertEqual(one.ratios, [1.5])

    def test_a_key_that_is_wrong_gives_no_thresholds(self):
        with self.assertRaisesRegex(Trouble, "omp_new is wrong: a reason"):
            calibrate.add_ratios([self.measured()], graded(variant("omp_new", "wrong"), tests=[]))

    def test_emulated_kernels_keep_the_thresholds(self):
        one = self.measured()
        calibrate.add_ratios([one], graded(variant("omp_new", "right", gpu="emulated"), tests=[]))
        self.assertIn("emulated", calibrate.table([one]))
        self.assertEqual(calibrate.with_thresholds(json.dumps(RULES), [one]), json.dumps(RULES))

    # --- rehearsal

    def test_answers_are_the_key_s_and_of_a_range_the_lower_end(self):
        self.assertEqual(handin.answers_of("# key\na = 3.5\nb = 48.5..49\n"), "a = 3.5\nb = 48.5\n")

    def test_the_key_repairs_what_the_starter_gives(self):
        for lab in all_labs():
            number = number_of(lab).removeprefix("lab")
            patches = list(handin.assignment(number).glob("key/ladder/*.patch"))
            if not patches:
                continue
            handin.write_solutions(number, self.folder / lab)
            for patch in patches:
                given = handin.assignment(number) / "starter/ladder" / patch.stem
                self.assertNotEqual((self.folder / lab / patch.stem).read_text("utf-8"),
                                    given.read_text("utf-8"), patch)

    def test_solutions_that_lose_points_are_named(self):
        row = {"max_score": "100"}
        wrong = rehearse.wrong_of_solved(row, ADA)
        self.assertEqual(wrong, ["the key's omp_other is wrong: a reason",
                                 "A: speed: 7.5 points are missing: why",
                                 "B: sizes: 15 points are missing: why",
                                 "B: speed: 10 points are missing: why"])
        self.assertEqual(len(rehearse.wrong_of_solved(row, ADA, is_without_speed=True)), 2)
        self.assertIn("add up to 90", rehearse.wrong_of_solved({"max_score": "90"}, ADA)[-1])

    def test_stubs_with_points_are_named(self):
        untouched = graded(variant("omp_new", "not done yet"), variant("cuda_broken", "wrong"),
                           tests=[test("A", "sizes", 0, 40)])
        self.assertEqual(rehearse.wrong_of_untouched({"score": "0"}, untouched), [])
        self.assertEqual(rehearse.wrong_of_untouched({"score": "62.5"}, ADA)[0],
                         "the starter's omp_new is right")

    def test_who_hands_in_nothing(self):
        self.assertEqual(rehearse.wrong_of_absent(self.merge()["eve"]), [])
        self.assertEqual(rehearse.wrong_of_absent({"status": "not submitted", "score": "0",
                                                   "max_score": "0"}),
                         ["who hands in nothing has max_score 0, not 100"])


if __name__ == "__main__":
    unittest.main()
