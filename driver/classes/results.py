"""The roster of a class, and what is made of all results."""

import json
import re
import sys
import xml.etree.ElementTree as xml
from operator import attrgetter

from driver import texts
from driver.classes import by_hand, explanations, leaderboard, student_page
from driver.classes.deadlines import Deadlines
from driver.classes.writing import rendered, text, write, write_csv, write_page
from driver.tree import ROOT, all_labs, assignment_of, number_of
from driver.trouble import Trouble

STATUSES = ("graded", "not submitted", "not graded")
MOST_OTHERS = 200  # characters about variants without a task
MOST_NOT_GRADED = 10  # files of a student that are named to the teacher


def read_roster(path):
    """The names by id. A line with a mistake is named."""
    header, rows = texts.read_table(path)
    if "id" not in header:
        raise Trouble(f"{path}:1: the header has no column 'id'")
    students = {}
    for line, student in rows:
        name = student["id"]
        if not re.fullmatch(r"[A-Za-z0-9_@][A-Za-z0-9._@-]{0,63}", name):
            raise Trouble(
                f"{path}:{line}: an id has 1 to 64 letters, digits and ._@-, and begins with none of .-"
            )
        if name in students:
            raise Trouble(f"{path}:{line}: '{name}' occurs twice")
        students[name] = student.get("name", "")
    if not students:
        raise Trouble(f"{path}:1: the file has no students")
    return students


def read_results(path):
    """None if there is no such file."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        results = None
    if not isinstance(results, dict) or not isinstance(results.get("extra_data"), dict):
        raise Trouble(f"{path}: not a result of `grade check`", code=1)
    return results


class Points:
    """Those of a task, or of all tasks of a lab."""

    def __init__(self, score=0, most=0, by_hand=0):
        self.score, self.most, self.by_hand = score, most, by_hand

    def add(self, score, most, by_hand):
        self.score += score
        self.most += most
        self.by_hand += by_hand


class Task:
    """A task in the rules. What a kernel's counters give is what its speed would give."""

    def __init__(self, rules):
        self.id, self.title = rules["id"], rules["title"]
        self.variant, self.bonus = rules.get("variant", ""), rules.get("bonus", False)
        speed = rules["speed"]["points"] if "speed" in rules else sum_of(rules, "counters")
        self.by_hand, self.is_timed = rules.get("by_hand", 0), "speed" in rules
        self.hidden = [test["name"] for test in rules.get("tests", []) if not test.get("visible", True)]
        self.most = sum_of(rules, "tests") + speed + sum_of(rules, "answers") + self.by_hand


def sum_of(rules, kind):
    return sum(rule["points"] for rule in rules.get(kind, []))


def rules_of(lab):
    """The file of the points of the lab with this number, which may lack it."""
    folder = next((name for name in all_labs() if number_of(name) == f"lab{lab}"), f"lab{lab}")
    return ROOT / assignment_of(folder) / "points.json"


def tasks_of(lab):
    """Those in the rules, which a lab may lack."""
    path = rules_of(lab)
    with texts.as_expected(path):
        return [Task(task) for task in texts.read_json(path)["tasks"]] if path.exists() else []


def read_marks(roster, students):
    return by_hand.read(roster, students, lambda lab: {task.id: task.most for task in tasks_of(lab)})


class Grade:
    """A student's results: those with times, or else those without."""

    def __init__(self, student, name, folder, submitted, tasks=(), is_whole=True):
        self.id, self.name, self.late = student, name, None
        self.status = "not graded" if submitted else "not submitted"
        self.variants, self.marks = [], []
        self.not_graded = self.not_compared = ()
        self.checked = None  # the page of `grade check`
        self.all, self.tasks = Points(), {}
        self.rules = {task.id: task for task in tasks}
        self._bonus = {task.id for task in tasks if task.bonus}
        for part in ("speed", "tests") if submitted and is_whole else ():
            results = read_results(folder / part / "results.json")
            if results is not None:
                self.status, self.checked = "graded", folder / part / "feedback.html"
                self._add(results)
                break
        if self.status != "graded":  # what there was to reach
            for task in tasks:
                self._count(task.id, 0, task.most, 0)
        self.found = self.all.score  # without those that a person gives
        self.handed_in = {variant["name"] for variant in self.variants}

    def add_ranks(self, submission):
        """Tasks of MPI, which `grade check` cannot run, are left to a person if there is a file."""
        files = [file.name for file in submission.iterdir()] if self.status == "graded" else []
        for file in files:
            variant = re.fullmatch(r"(?:\d{1,3}_)?(mpi_[a-z0-9_]+)\.cpp", file)
            for task in self.rules.values() if variant else ():
                if task.variant == variant[1]:
                    self.handed_in.add(task.variant)
                    self.all.by_hand += task.most
                    self.tasks.setdefault(task.id, Points()).by_hand = task.most

    def _add(self, results):
        self.variants = results["extra_data"].get("variants", [])
        self.not_graded = results["extra_data"].get("not_graded", [])
        for test in results.get("tests", []):
            most = test.get("max_score", 0)
            self._count(test.get("extra_data", {}).get("task", ""), test.get("score", 0), most,
                        0 if "status" in test else most)

    def _count(self, task, score, most, by_hand):
        """The points of a bonus task are beyond the maximum."""
        self.all.add(score, 0 if task in self._bonus else most, by_hand)
        if task:
            self.tasks.setdefault(task, Points()).add(score, most, by_hand)

    def give(self, marks):
        """The points of a person, who has then looked at all that is left to one in these tasks."""
        self.marks = marks
        for mark in marks if self.status != "not graded" else ():
            points, most = self.tasks.setdefault(mark.task, Points()), self._left(mark.task)
            if mark.points > most:
                raise Trouble(f"{mark.line}: {mark.points:g} points are more than the {most:g} that a "
                              f"person gives for task {mark.task} of '{self.id}'")
            self.all.add(mark.points, 0, -points.by_hand)
            points.add(mark.points, 0, -points.by_hand)

    def _left(self, task):
        """Of a task, for a person to give: all that is missing where no test can say."""
        rules, points = self.rules[task], self.tasks[task]
        verdict = {variant["name"]: variant["verdict"] for variant in self.variants}
        if rules.bonus or verdict.get(rules.variant) == "implausible":
            return rules.most - points.score
        return points.by_hand if self.status == "graded" else rules.by_hand

    @property
    def final(self):
        """What late days leave."""
        return self.late.of(self.all.score) if self.late else self.all.score

    def add_not_compared(self, lines):
        """Files with the reasons, but those that do not compile: they have no points."""
        verdicts = {variant.get("file", variant["name"]): variant["verdict"] for variant in self.variants}
        self.not_compared = [line for line in lines
                             if verdicts.get(line.partition(":")[0]) != "does not compile"]

    @property
    def remarks(self):
        """For the teacher: files that were not looked at, and why. The first of those that were not
        graded are nearly called like a file of a task."""
        others, more = self.not_graded[:MOST_NOT_GRADED], len(self.not_graded) - MOST_NOT_GRADED
        return [*(text(f"not compared: {line}") for line in self.not_compared),
                *(text(f"not graded: {line}") for line in others),
                *([f"not graded: {more} more"] if more > 0 else [])]

    def cells(self):
        """By variant: "right 3.20", "wrong"."""
        cells = {}
        for variant in self.variants:
            fast = variant["verdict"] == "right" and variant.get("speedup")
            cells[variant["name"]] = variant["verdict"] + (f" {fast:.2f}" if fast else "")
        return cells

    def late_cells(self):
        """late_days, free_days, kept_percent, final; `?` where no time of the hand-in is known."""
        if self.status == "not submitted":
            return ["", "", "", f"{self.all.score:g}"]
        days = "?" if self.late.days is None else self.late.days
        return [days, self.late.free, f"{self.late.kept:g}", f"{self.final:g}"]


GIVEN = "given_by_hand"  # a column, where somebody has such points
LATE_COLUMNS = ["late_days", "free_days", "kept_percent", "final"]


def write_grades(grades, tasks, path, is_late_known):
    columns = [task.variant for task in tasks if task.variant]
    is_given, is_remarked = (any(map(attrgetter(name), grades)) for name in ("marks", "remarks"))
    rows = [["id", "name", "status", "score", "max_score", "by_hand",
             *(LATE_COLUMNS if is_late_known else []), *columns, "others", *[GIVEN][:is_given],
             *["remarks"][:is_remarked]]]
    for grade in grades:
        cells = grade.cells()
        own = [cells.pop(name, "") for name in columns]
        others = "; ".join(f"{name}: {cell}" for name, cell in cells.items())
        rows.append([grade.id, grade.name, grade.status, f"{grade.all.score:g}",
                     f"{grade.all.most:g}", f"{grade.all.by_hand:g}",
                     *(grade.late_cells() if is_late_known else []), *own, others[:MOST_OTHERS],
                     *[by_hand.as_text(grade.marks)][:is_given],
                     *["; ".join(grade.remarks)][:is_remarked]])
    write_csv(path, rows)


def write_student(grade, lab, pseudonym, folder):
    """Nothing for who has no grade: an older page would show another one."""
    page = folder / "feedback.html"
    if grade.status == "not graded":
        page.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    summary = rendered("student.html.j2", grade=grade, lab=lab, pseudonym=pseudonym)
    write(page, student_page.composed(grade.checked, summary))


def write_index(grades, lab, tasks, path):
    """Who has handed in what, and the points for each task."""
    counted = [grade.status for grade in grades].count
    write_page(path, "class.html.j2", lab=lab, tasks=tasks, grades=grades, counts=[
        (status, counted(status)) for status in STATUSES], mean=mean)


def mean(grades, task=None):
    """The mean points of those who were graded, in the text of a table."""
    found = [grade.tasks.get(task, Points()) if task else grade.all
             for grade in grades if grade.status == "graded"]
    return f"{sum(points.score for points in found) / len(found):.1f}" if found else "-"


def write_junit(grades, path):
    suites = xml.Element("testsuites")
    for grade in grades:
        failed = sum(variant["verdict"] != "right" for variant in grade.variants)
        suite = xml.SubElement(suites, "testsuite", name=grade.id, failures=str(failed),
                               tests=str(len(grade.variants)))
        for variant in grade.variants:
            test = xml.SubElement(suite, "testcase", classname=grade.id, name=text(variant["name"]))
            if variant["verdict"] != "right":
                said = f"{variant['verdict']}: {variant.get('reason', '')}"
                xml.SubElement(test, "failure", message=text(said))
    xml.indent(suites)
    write(path, "<?xml version='1.0' encoding='UTF-8'?>\n" + xml.tostring(suites, encoding="unicode"))


def merge(roster, lab, submissions, out, deadlines: Deadlines | None = None, failed=()):
    """Returns 1 if a student with a submission has no result. A part of the grading of those in
    `failed` has failed: what is there is not their grade."""
    grades = write_all(roster, lab, submissions, out, deadlines, failed)
    for stranger in _strangers({grade.id for grade in grades}, submissions, deadlines):
        print(f"{stranger} is not in the roster", file=sys.stderr)
    count = [grade.status for grade in grades].count
    for grade in grades:
        if deadlines and grade.late.days is None and grade.status != "not submitted":
            print(f"{grade.id}: no time of the hand-in is known, so no points are taken",
                  file=sys.stderr)
        if grade.status == "not graded":
            why = ("its hand-in is a symbolic link, which is not followed"
                   if (submissions / grade.id).is_symlink() else "its folder's log says why")
            print(f"{grade.id}: not graded; {why}", file=sys.stderr)
    print(f"{len(grades)} students: {count('graded')} graded, {count('not submitted')} without "
          f"submission, {count('not graded')} not graded")
    return 1 if count("not graded") else 0


def _strangers(students, submissions, deadlines):
    """A folder or a time with a misspelt id would be missing for a student."""
    for folder in sorted(submissions.iterdir()):
        if folder.is_dir() and folder.name not in students:
            yield f"the hand-in {text(folder)}"
    for student in sorted({student for student, _ in deadlines.handed_in} - set(students)
                          if deadlines else ()):
        yield f"'{text(student)}', who has a time of a hand-in,"


def write_all(roster, lab, submissions, out, deadlines=None, failed=(), not_compared=None):
    """All tables and pages. `not_compared` has files with reasons, by student."""
    students, tasks = read_roster(roster), tasks_of(lab)
    grades = [Grade(student, name, out / "students" / student, (submissions / student).is_dir(),
                    tasks, student not in failed) for student, name in students.items()]
    marks = read_marks(roster, students)
    for grade in grades:
        grade.late = deadlines.late(grade.id, lab) if deadlines else None
        grade.add_ranks(submissions / grade.id)
        grade.give(marks.of(grade.id, lab))
        grade.add_not_compared((not_compared or {}).get(grade.id, []))
    write_grades(grades, tasks, out / "grades.csv", bool(deadlines))
    write_index(grades, lab, tasks, out / "index.html")
    explanations.write(grades, tasks, lab, submissions, out)
    write_junit(grades, out / "junit.xml")
    names = leaderboard.pseudonyms(students, out / "pseudonyms.csv")
    leaderboard.write(grades, names, out / "leaderboard.html")
    for grade in grades:
        write_student(grade, lab, names[grade.id], out / "students" / grade.id)
    return grades


def has_right_variant(folder):
    """Some variant is right, and so is to be timed."""
    results = read_results(folder / "tests" / "results.json") or {"extra_data": {}}
    return any(variant["verdict"] == "right"
               for variant in results["extra_data"].get("variants", []))
