"""grade export: the points of a class as a file that Moodle's or Canvas's gradebook imports.
grading/class.md describes these files field by field."""

import csv
import io
import re
from pathlib import Path

from driver import texts
from driver.classes import results, writing
from driver.trouble import Trouble

MOODLE_IDS = {"email": "Email address", "idnumber": "ID number", "username": "Username"}
CANVAS_STUDENT = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
CANVAS_POSSIBLE = "Points Possible"
WORKSHEET = ["Identifier", "Grade", "Last modified (grade)"]
COMMENTS = "Feedback comments"
NO_GRADE = "-"
# `grade class` writes a verdict, and a speedup, in the column of a variant. All else in the table,
# such as a teacher's notes, is private.
VARIANT = re.compile(r"(omp|cuda|mpi)_[a-z0-9_]+")
VERDICT = re.compile(r"(right|wrong|crash|timeout|does not compile|not done yet|refused|implausible)"
                     r"( [0-9]+\.[0-9]+)?")


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The header, and the rows by column."""
    header, rows = texts.read_table(path)
    return header, [row for _, row in rows]


def table_text(header: list[str], rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def number(text: str) -> str:
    return f"{round(float(text), 2):g}"


class Graded:
    """A row of grades.csv."""

    def __init__(self, row: dict[str, str], points: str, path: Path):
        self.id = row["id"].removeprefix("'")  # of a text like a formula
        self.name = row.get("name", "")
        self.is_graded = row.get("status") != "not graded"
        try:
            self.points = number(row[points]) if self.is_graded else ""
            self.most = number(row["max_score"])
        except (KeyError, ValueError) as error:
            raise Trouble(f"{path}: {self.id} has no number in '{points}' or 'max_score'") from error
        verdicts = [f"{name}: {cell}" for name, cell in row.items()
                    if VARIANT.fullmatch(name or "") and VERDICT.fullmatch(cell or "")]
        late = [row.get(name) or "" for name in ("late_days", "kept_percent")]
        if all(re.fullmatch(r"[0-9.]+", number) for number in late) and late[0] != "0":
            verdicts.append(f"{late[0]} days late, {late[1]} % kept")
        if given := row.get(results.GIVEN):
            verdicts.append(f"by hand: {given}")
        status = row.get("status") if row.get("status") in results.STATUSES else ""
        self.comment = writing.disarmed("; ".join(verdicts) or status)


def read_grades(path: Path, points: str | None) -> list[Graded]:
    header, rows = read_table(path)
    points = points or ("final" if "final" in header else "score")
    if "id" not in header or points not in header:
        raise Trouble(f"{path}: is no grades.csv with a column '{points}'")
    return [Graded(row, points, path) for row in rows]


def left_to_persons(path: Path) -> list[str]:
    """The ids of those to whom a person still has to give points."""
    return [row["id"] for row in read_table(path)[1] if row.get("by_hand") not in (None, "", "0")]


def moodle(grades: list[Graded], item: str, id_field: str) -> str:
    """For Grades, Import, CSV file: the teacher maps the columns."""
    identity = MOODLE_IDS[id_field]
    rows = [{identity: grade.id, item: grade.points or NO_GRADE,
             f"{item} feedback": grade.comment} for grade in grades]
    return table_text([identity, item, f"{item} feedback"], rows)


def moodle_worksheet(grades: list[Graded], exported: Path, id_field: str) -> str:
    """The worksheet of an assignment with the grades filled in; all else stays as it was. Moodle
    finds students by `Identifier`, and refuses a row that was graded after the export."""
    header, rows = read_table(exported)
    identity = MOODLE_IDS[id_field]
    missing = [name for name in [*WORKSHEET, identity] if name not in header]
    if missing:
        raise Trouble(f"{exported}: is no grading worksheet of Moodle in English with the column "
                      f"'{missing[0]}'")
    known = {grade.id: grade for grade in grades}
    for row in rows:
        grade = known.get(row[identity])
        if grade and grade.points:
            row["Grade"] = grade.points
            if COMMENTS in header:
                row[COMMENTS] = grade.comment
    _refuse_strangers(known, {row[identity] for row in rows}, exported)
    return table_text(header, rows)


def _refuse_strangers(known: dict[str, Graded], listed: set[str], exported: Path) -> None:
    strangers = [name for name in known if name not in listed]
    if strangers:
        raise Trouble(f"{exported}: has no row for {strangers[0]}"
                      + (f" and {len(strangers) - 1} others" if len(strangers) > 1 else ""), code=1)


def canvas(grades: list[Graded], item: str) -> str:
    """Students are found by their login; Canvas fills in the others."""
    header = [*CANVAS_STUDENT, item]
    most = max((grade.most for grade in grades), key=float, default="0")
    rows = [{"Student": f"    {CANVAS_POSSIBLE}", item: most}]
    rows += [{"Student": writing.disarmed(grade.name or grade.id), "SIS Login ID": grade.id,
              item: grade.points} for grade in grades]
    return table_text(header, rows)


def canvas_gradebook(grades: list[Graded], item: str, exported: Path) -> str:
    """An exported gradebook with one assignment, filled in. Canvas's own ids lead to the students
    and to the assignment, `Lab 1 (123)`."""
    header, rows = read_table(exported)
    if header[:2] != CANVAS_STUDENT[:2] or "Section" not in header:
        raise Trouble(f"{exported}: is no gradebook that Canvas exported")
    column = next((name for name in header
                   if name == item or re.fullmatch(re.escape(item) + r" \(\d+\)", name)), None)
    if column is None:
        raise Trouble(f"{exported}: has no assignment '{item}'")
    kept = [*header[:header.index("Section") + 1], column]
    known = {grade.id: grade for grade in grades}
    listed = set()
    for row in rows:
        for name in ("SIS Login ID", "SIS User ID"):
            grade = known.get(row.get(name) or "")
            if grade:
                listed.add(grade.id)
                row[column] = grade.points or row[column]
                break
    _refuse_strangers(known, listed, exported)
    return table_text(kept, [{name: row[name] for name in kept} for row in rows])


def export(to: str, file: Path, item: str, exported: Path | None, id_field: str,
           points: str | None) -> str:
    grades = read_grades(file, points)
    if to == "moodle":
        return (moodle_worksheet(grades, exported, id_field) if exported
                else moodle(grades, item, id_field))
    return canvas_gradebook(grades, item, exported) if exported else canvas(grades, item)
