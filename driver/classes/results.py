"""The roster of a class, and what is made of all results."""

import csv
import json
import os
import re
import secrets
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import jinja2

from driver import texts
from driver.classes.deadlines import Deadlines
from driver.tree import ROOT, assignment_of, lab_numbered
from driver.trouble import Trouble

STATUSES = ("graded", "not submitted", "not graded")
MOST_OTHERS = 200  # characters about variants without a task
TEMPLATES = Path(__file__).resolve().parents[1] / "templates"


def text(value):
    """XML 1.0 takes no other characters, however they are written."""
    return re.sub("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", str(value))


def write(path, content):
    """Writes a file whole or not at all."""
    beside = path.with_name(path.name + ".partial")
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content.encode())
    beside.replace(path)


def disarmed(field):
    """A spreadsheet computes what begins like a formula. Numbers stay numbers."""
    field = text(field)
    if field.lstrip()[:1] in ("=", "+", "-", "@") and not re.fullmatch(r"-?[0-9.]+", field):
        return "'" + field
    return field


def write_csv(path, rows):
    beside = path.with_name(path.name + ".partial")
    with open(beside, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([map(disarmed, row) for row in rows])
    beside.replace(path)


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
        self.most = (sum_of(rules, "tests") + speed + sum_of(rules, "answers")
                     + rules.get("by_hand", 0))


def sum_of(rules, kind):
    return sum(rule["points"] for rule in rules.get(kind, []))


def rules_of(lab):
    """The file of the points of the lab with this number, which may lack it."""
    return ROOT / assignment_of(lab_numbered(lab)) / "points.json"


def tasks_of(lab):
    """Those in the rules, which a lab may lack."""
    path = rules_of(lab)
    with texts.as_expected(path):
        return [Task(task) for task in texts.read_json(path)["tasks"]] if path.exists() else []


class Grade:
    """A student's results: those with times, or else those without."""

    def __init__(self, student, name, folder, submitted, tasks=(), is_whole=True):
        self.id, self.name, self.late = student, name, None
        self.status = "not graded" if submitted else "not submitted"
        self.variants, self.page = [], ""
        self.all, self.tasks = Points(), {}
        self._bonus = {task.id for task in tasks if task.bonus}
        for part in ("speed", "tests") if submitted and is_whole else ():
            results = read_results(folder / part / "results.json")
            if results is not None:
                self.status, self.page = "graded", f"students/{student}/{part}/feedback.html"
                self._add(results)
                break
        if self.status != "graded":  # what there was to reach
            for task in tasks:
                self._count(task.id, 0, task.most, 0)

    def _add(self, results):
        self.variants = results["extra_data"].get("variants", [])
        for test in results.get("tests", []):
            most = test.get("max_score", 0)
            self._count(test.get("extra_data", {}).get("task", ""), test.get("score", 0), most,
                        0 if "status" in test else most)

    def _count(self, task, score, most, by_hand):
        """The points of a bonus task are beyond the maximum."""
        self.all.add(score, 0 if task in self._bonus else most, by_hand)
        if task:
            self.tasks.setdefault(task, Points()).add(score, most, by_hand)

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
            return ["", "", "", "0"]
        days = "?" if self.late.days is None else self.late.days
        return [days, self.late.free, f"{self.late.kept:g}",
                f"{self.late.of(self.all.score):g}"]


LATE_COLUMNS = ["late_days", "free_days", "kept_percent", "final"]


def write_grades(grades, tasks, path, is_late_known):
    columns = [task.variant for task in tasks if task.variant]
    rows = [["id", "name", "status", "score", "max_score", "by_hand",
             *(LATE_COLUMNS if is_late_known else []), *columns, "others"]]
    for grade in grades:
        cells = grade.cells()
        own = [cells.pop(name, "") for name in columns]
        others = "; ".join(f"{name}: {cell}" for name, cell in cells.items())
        rows.append([grade.id, grade.name, grade.status, f"{grade.all.score:g}",
                     f"{grade.all.most:g}", f"{grade.all.by_hand:g}",
                     *(grade.late_cells() if is_late_known else []), *own, others[:MOST_OTHERS]])
    write_csv(path, rows)


def write_page(path, template, **variables):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else text(value))
    write(path, environment.get_template(template).render(**variables))


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


def usual_speedup(variant):
    """To the lab's usual reference, by which all variants can be compared. `speedup` is the ratio
    that gives points."""
    return (variant.get("speeds") or [variant])[-1].get("speedup")


def write_leaderboard(grades, names, path):
    """The pseudonym decides between equals, so that the roster's order does not show."""
    entries = sorted((-usual_speedup(variant), names[grade.id], variant["name"])
                     for grade in grades for variant in grade.variants
                     if variant["verdict"] == "right" and usual_speedup(variant))
    rows = [(rank, name, variant, f"{-speedup:.2f}")
            for rank, (speedup, name, variant) in enumerate(entries, start=1)]
    write_page(path, "leaderboard.html.j2", rows=rows)


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


def pseudonyms(students, path):
    """Kept from run to run. Random: who knows the roster cannot compute them."""
    names = {}
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            names = dict(row for row in csv.reader(file) if len(row) == 2 and row[0] != "id")
    names = {student.lstrip("'"): name for student, name in names.items()}
    for student in students:
        while student not in names:
            name = secrets.token_hex(3)
            if name not in names.values():
                names[student] = name
    write_csv(path, [["id", "pseudonym"], *sorted(names.items())])
    path.chmod(0o600)
    return names


def merge(roster, lab, submissions, out, deadlines: Deadlines | None = None, failed=()):
    """Returns 1 if a student with a submission has no result. A part of the grading of those in
    `failed` has failed: what is there is not their grade."""
    students, tasks = read_roster(roster), tasks_of(lab)
    grades = [Grade(student, name, out / "students" / student, (submissions / student).is_dir(),
                    tasks, student not in failed) for student, name in students.items()]
    if deadlines:
        set_late(grades, lab, deadlines)
    write_grades(grades, tasks, out / "grades.csv", bool(deadlines))
    write_index(grades, lab, tasks, out / "index.html")
    write_junit(grades, out / "junit.xml")
    write_leaderboard(grades, pseudonyms(students, out / "pseudonyms.csv"), out / "leaderboard.html")
    for stranger in _strangers(students, submissions, deadlines):
        print(f"{stranger} is not in the roster", file=sys.stderr)
    count = [grade.status for grade in grades].count
    for grade in grades:
        if grade.status == "not graded":
            print(f"{grade.id}: not graded; its folder's log says why", file=sys.stderr)
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


def set_late(grades, lab, deadlines):
    for grade in grades:
        grade.late = deadlines.late(grade.id, lab)
        if grade.late.days is None and grade.status != "not submitted":
            print(f"{grade.id}: no time of the hand-in is known, so no points are taken",
                  file=sys.stderr)


def has_right_variant(folder):
    """Some variant is right, and so is to be timed."""
    results = read_results(folder / "tests" / "results.json") or {"extra_data": {}}
    return any(variant["verdict"] == "right"
               for variant in results["extra_data"].get("variants", []))
