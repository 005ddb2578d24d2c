"""The roster of a class, and what is made of all results."""

import csv
import json
import os
import re
import secrets
import sys
import xml.etree.ElementTree as xml

from driver.tree import ROOT
from driver.trouble import Trouble

RULES = ROOT / "grading"
MOST_OTHERS = 200  # characters about variants without a task
STYLE = """body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .3rem .6rem; border-bottom: 1px solid #ccc; text-align: left; }
"""


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
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Trouble(f"{path}: cannot be read as CSV in UTF-8: {error}") from error
    header = rows[0] if rows else []
    if "id" not in header:
        raise Trouble(f"{path}:1: the header has no column 'id'")
    students = {}
    for line, row in enumerate(rows[1:], start=2):
        if not row or row == [""]:
            continue
        student = dict(zip(header, row))
        name = student.get("id", "")
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
    except ValueError:
        results = None
    if not isinstance(results, dict) or "extra_data" not in results:
        raise Trouble(f"{path}: not a result of `grade check`", code=1)
    return results


class Grade:
    """A student's results: those with times, or else those without."""

    def __init__(self, student, name, folder, submitted):
        self.id, self.name = student, name
        self.status = "not graded" if submitted else "not submitted"
        self.score = self.most = self.by_hand = 0
        self.variants, self.page = [], ""
        for part in ("speed", "tests") if submitted else ():
            results = read_results(folder / part / "results.json")
            if results is None:
                continue
            self.status, self.page = "graded", f"students/{student}/{part}/feedback.html"
            self.variants = results["extra_data"].get("variants", [])
            for test in results.get("tests", []):
                self.score += test.get("score", 0)
                self.most += test.get("max_score", 0)
                self.by_hand += 0 if "status" in test else test.get("max_score", 0)
            break

    def cells(self):
        """By variant: "right 3.20", "wrong"."""
        cells = {}
        for variant in self.variants:
            fast = variant["verdict"] == "right" and variant.get("speedup")
            cells[variant["name"]] = variant["verdict"] + (f" {fast:.2f}" if fast else "")
        return cells


def variants_with_tasks(lab):
    """The columns of grades.csv: they depend on no submission."""
    try:
        rules = json.loads((RULES / f"lab{lab}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [task["variant"] for task in rules["tasks"] if "variant" in task]


def write_grades(grades, lab, path):
    columns = variants_with_tasks(lab)
    rows = [["id", "name", "status", "score", "max_score", "by_hand", *columns, "others"]]
    for grade in grades:
        cells = grade.cells()
        own = [cells.pop(name, "") for name in columns]
        others = "; ".join(f"{name}: {cell}" for name, cell in cells.items())
        rows.append([grade.id, grade.name, grade.status, f"{grade.score:g}", f"{grade.most:g}",
                     f"{grade.by_hand:g}", *own, others[:MOST_OTHERS]])
    write_csv(path, rows)


def write_page(path, title, header, rows):
    """A page with a table. The cells are texts or elements."""
    html = xml.Element("html", lang="en")
    head = xml.SubElement(html, "head")
    xml.SubElement(head, "meta", charset="utf-8")
    xml.SubElement(head, "title").text = title
    xml.SubElement(head, "style").text = STYLE
    body = xml.SubElement(html, "body")
    xml.SubElement(body, "h1").text = title
    table = xml.SubElement(body, "table")
    for kind, cells in [("th", header), *(("td", row) for row in rows)]:
        row = xml.SubElement(table, "tr")
        for cell in cells:
            place = xml.SubElement(row, kind)
            if isinstance(cell, xml.Element):
                place.append(cell)
            else:
                place.text = text(cell)
    write(path, "<!DOCTYPE html>" + xml.tostring(html, encoding="unicode", method="html") + "\n")


def link(grade):
    if not grade.page:
        return grade.id
    element = xml.Element("a", href=grade.page)
    element.text = grade.id
    return element


def write_index(grades, path):
    rows = [[link(grade), grade.name, grade.status, f"{grade.score:g} / {grade.most:g}",
             "; ".join(f"{name}: {cell}" for name, cell in grade.cells().items())]
            for grade in grades]
    write_page(path, "Grades", ["id", "name", "status", "score", "variants"], rows)


def usual_speedup(variant):
    """To the lab's usual reference, by which all variants can be compared. `speedup` is the ratio
    that gives points."""
    return (variant.get("speeds") or [variant])[-1].get("speedup")


def write_leaderboard(grades, names, path):
    """The pseudonym decides between equals, so that the roster's order does not show."""
    entries = sorted((-usual_speedup(variant), names[grade.id], variant["name"])
                     for grade in grades for variant in grade.variants
                     if variant["verdict"] == "right" and usual_speedup(variant))
    rows = [[rank, name, variant, f"{-speedup:.2f}"]
            for rank, (speedup, name, variant) in enumerate(entries, start=1)]
    write_page(path, "Leaderboard", ["rank", "who", "variant", "speedup over seq"], rows)


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


def merge(roster, lab, submissions, out):
    """Returns 1 if a student with a submission has no result."""
    students = read_roster(roster)
    grades = [Grade(student, name, out / "students" / student, (submissions / student).is_dir())
              for student, name in students.items()]
    write_grades(grades, lab, out / "grades.csv")
    write_index(grades, out / "index.html")
    write_junit(grades, out / "junit.xml")
    write_leaderboard(grades, pseudonyms(students, out / "pseudonyms.csv"), out / "leaderboard.html")
    count = [grade.status for grade in grades].count
    for grade in grades:
        if grade.status == "not graded":
            print(f"{grade.id}: not graded; its folder's log says why", file=sys.stderr)
    print(f"{len(grades)} students: {count('graded')} graded, {count('not submitted')} without "
          f"submission, {count('not graded')} not graded")
    return 1 if count("not graded") else 0


def has_right_variant(folder):
    """Some variant is right, and so is to be timed."""
    results = read_results(folder / "tests" / "results.json") or {"extra_data": {}}
    return any(variant["verdict"] == "right"
               for variant in results["extra_data"].get("variants", []))
