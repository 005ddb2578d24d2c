"""grade rehearse: a course with made-up students on this machine, before there are real ones.

For each lab: writes the starter, makes three hand-ins (the key's solutions, the starter's files as
they are, and none), grades them as a class, exports the grades, and says what is not as it should
be. At the end, the page of the course.
"""

import contextlib
import io
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from driver import texts
from driver.classes import course, gradebooks, handin, results, writing
from driver.tools import starter
from driver.classes.task import end_with_parent
from driver.trouble import Trouble
from driver.tree import all_labs, number_of

SOLVED, UNTOUCHED, ABSENT = "solved", "untouched", "absent"


class Lab:
    """The rehearsal of one lab, in a folder of its own."""

    def __init__(self, number: str, folder: Path, grade: str, more: list[str]):
        self.number, self.folder, self.grade, self.more = number, folder, grade, more
        self.starter, self.submissions = folder / "starter", folder / "submissions"
        self.roster, self.graded = folder / "roster.csv", folder / "graded"

    def steps(self) -> dict[str, Callable[[], list[str]]]:
        """Each returns what is wrong."""
        return {"rules": self.check_rules, "starter": self.write_starter,
                "hand-ins": self.make_hand_ins, "class": self.grade_class,
                "table": self.look_at_table, "export": self.export}

    def check_rules(self) -> list[str]:
        rules = results.rules_of(self.number)
        return self._run([self.grade, "check-rules", rules])

    def write_starter(self) -> list[str]:
        with contextlib.redirect_stdout(io.StringIO()):
            starter.write(self.starter, [handin.lab_folder(self.number).name])
        return []

    def make_hand_ins(self) -> list[str]:
        handin.write_solutions(self.number, self.submissions / SOLVED)
        handin.write_untouched(self.number, self.starter, self.submissions / UNTOUCHED)
        self.roster.write_text("id,name\n" + "".join(
            f"{student},{student.capitalize()}\n" for student in (SOLVED, UNTOUCHED, ABSENT)))
        return []

    def grade_class(self) -> list[str]:
        return self._run([self.grade, "class", self.roster, self.submissions, "--lab", self.number,
                          "--out", self.graded, "--local", "--no-similarity", *self.more])

    def _run(self, command: list[str | Path]) -> list[str]:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", preexec_fn=end_with_parent)
        with (self.folder / "log").open("a") as log:
            log.write(done.stdout)
        if done.returncode == 0:
            return []
        return done.stdout.strip().splitlines()[-5:] or [f"exit code {done.returncode}"]

    def look_at_table(self) -> list[str]:
        rows = {row["id"]: row for _, row in texts.read_table(self.graded / "grades.csv")[1]}
        return (wrong_of_solved(rows[SOLVED], self._results(SOLVED), "--no-speed" in self.more)
                + wrong_of_untouched(rows[UNTOUCHED], self._results(UNTOUCHED))
                + wrong_of_absent(rows[ABSENT]))

    def _results(self, student: str) -> dict:
        for part in ("speed", "tests"):
            found = results.read_results(self.graded / "students" / student / part / "results.json")
            if found:
                return found
        raise Trouble(f"{student} has no results", code=1)

    def export(self) -> list[str]:
        for to in ("moodle", "canvas"):
            text = gradebooks.export(to, self.graded / "grades.csv", f"Lab {self.number}", None,
                                     "username", None)
            writing.write(self.graded / f"{to}.csv", text)
        return []


def _lost(graded: dict, is_timed: bool) -> Iterator[str]:
    """Points that neither the hand-in has, nor a person gives."""
    for test in graded["tests"]:
        missing = test.get("max_score", 0) - test.get("score", 0)
        is_speed = test["name"].endswith(": speed")
        if missing > 0 and "status" in test and (is_timed or not is_speed):
            yield f"{test['name']}: {missing:g} points are missing: {test['output']}"


def wrong_of_solved(row: dict, graded: dict, is_without_speed: bool = False) -> list[str]:
    """The key's solutions have all points but those that a person gives."""
    wrong = [f"the key's {variant['name']} is {variant['verdict']}: {variant['reason']}"
             for variant in graded["extra_data"]["variants"] if variant["verdict"] != "right"]
    wrong += _lost(graded, not is_without_speed)
    if float(row["max_score"]) != 100:
        wrong.append(f"the points of all tasks add up to {row['max_score']}, not 100")
    return wrong


def wrong_of_untouched(row: dict, graded: dict) -> list[str]:
    """Who hands in the starter's files has no points."""
    wrong = [f"the starter's {variant['name']} is {variant['verdict']}"
             for variant in graded["extra_data"]["variants"] if variant["verdict"] not in
             ("not done yet", "wrong")]
    if float(row["score"]) > 0:
        wrong += [f"the starter's files have {test['score']:g} points for {test['name']}"
                  for test in graded["tests"] if test.get("score", 0) > 0]
    return wrong


def wrong_of_absent(row: dict) -> list[str]:
    expected = {"status": "not submitted", "score": "0", "max_score": "100"}
    return [f"who hands in nothing has {name} {row[name]}, not {value}"
            for name, value in expected.items() if row[name] != value]


def numbers_of(labs: str | None) -> list[str]:
    """Those with rules, or those that are named."""
    known = [number_of(lab).removeprefix("lab") for lab in all_labs()]
    known = [number for number in known if results.rules_of(number).is_file()]
    chosen = labs.split(",") if labs else known
    for number in chosen:
        if number not in known:
            raise Trouble(f"--labs: there is no lab '{number}' with rules; there are: "
                          f"{' '.join(known)}")
    return chosen


def rehearse(grade: str, labs: str | None, out: Path, more: list[str]) -> int:
    numbers = numbers_of(labs)
    if out.exists() and any(out.iterdir()):
        raise Trouble(f"--out: the folder '{out}' is not empty")
    failed = 0
    report = []
    for number in numbers:
        folder = out / f"lab{number}"
        folder.mkdir(parents=True)
        for name, step in Lab(number, folder, grade, more).steps().items():
            start = time.monotonic()
            try:
                wrong = step()
            except (Trouble, OSError, KeyError, ValueError) as error:
                wrong = [f"{type(error).__name__}: {error}" if not isinstance(error, Trouble)
                         else str(error)]
            seconds = round(time.monotonic() - start, 1)
            print(f"lab {number}, {name}: {'WRONG' if wrong else 'as it should be'} ({seconds:g} s)",
                  flush=True)
            for line in wrong:
                print(f"    {line}", flush=True)
            report.append({"lab": number, "step": name, "seconds": seconds, "wrong": wrong})
            if wrong:
                failed += 1
                if name != "table":  # what follows needs it
                    break
    graded = {number: out / f"lab{number}" / "graded" for number in numbers}
    if not failed:
        course.write(out / f"lab{numbers[0]}" / "roster.csv", graded, out / "course")
    writing.write(out / "rehearsal.json", json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(numbers)} labs; the tables are in {out}/labN/graded/index.html. "
          + (f"{failed} steps are not as they should be." if failed else "All is as it should be."))
    return 1 if failed else 0
