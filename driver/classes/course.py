"""grade course: the points of a class in all labs, from the tables of `grade class`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from driver import texts
from driver.classes import by_hand, results, writing
from driver.trouble import Trouble

WANTED = ("id", "status", "score", "max_score", "by_hand")


@dataclass(frozen=True)
class Cell:
    """A student's row in the table of a lab."""

    status: str
    score: float  # what late days leave, where there are deadlines
    most: float
    by_hand: float  # points that a person still has to give
    free_days: int
    page: str  # the lab's page of the class


@dataclass
class Student:
    id: str
    name: str
    labs: dict[str, Cell] = field(default_factory=dict)  # by number

    def total(self, what: str) -> float:
        return sum(getattr(cell, what) for cell in self.labs.values())


def read_course(roster: Path, graded: dict[str, Path]) -> list[Student]:
    """`graded` are the folders of `grade class` by the number of the lab."""
    students = {key: Student(key, name) for key, name in results.read_roster(roster).items()}
    marks = results.read_marks(roster, students) if roster.with_name(by_hand.NAME).exists() else None
    for lab, folder in graded.items():
        for row in _rows(folder / "grades.csv"):
            student = row["id"].removeprefix("'")  # of a text like a formula
            if student in students:
                if marks:
                    _refuse_other_marks(row, marks.of(student, lab), lab, folder)
                students[student].labs[lab] = _cell(row, folder)
            else:
                print(f"{folder / 'grades.csv'}: '{student}' is not in the roster", file=sys.stderr)
    for lab, folder in graded.items():
        missing = [student.id for student in students.values() if lab not in student.labs]
        if missing:
            raise Trouble(f"{folder / 'grades.csv'}: '{missing[0]}' is missing: grade lab {lab} "
                          "with this roster", code=1)
    return list(students.values())


def _rows(path: Path) -> list[dict[str, str]]:
    header, rows = texts.read_table(path)
    if lacking := [name for name in WANTED if not rows or name not in header]:
        raise Trouble(f"{path}: not a table of `grade class`: no column '{lacking[0]}'")
    return [row for _, row in rows]


def _refuse_other_marks(row: dict[str, str], marks: list[by_hand.Mark], lab: str,
                        folder: Path) -> None:
    if writing.disarmed(by_hand.as_text(marks)) != row.get(results.GIVEN, ""):
        raise Trouble(f"{folder / 'grades.csv'}: {by_hand.NAME} has other points of '{row['id']}' "
                      f"since: run `grade class` of lab {lab} again, which grades nobody again",
                      code=1)


def _cell(row: dict[str, str], folder: Path) -> Cell:
    try:
        return Cell(row["status"], float(row.get("final") or row["score"]),
                    float(row["max_score"]), float(row["by_hand"]),
                    int(row.get("free_days") or 0), (folder / "index.html").as_uri())
    except ValueError as error:
        raise Trouble(f"{folder / 'grades.csv'}: the row of '{row['id']}': {error}") from error


def write(roster: Path, graded: dict[str, Path], out: Path) -> None:
    """OUT/course.csv and OUT/index.html."""
    students, labs = read_course(roster, graded), sorted(graded)
    out.mkdir(parents=True, exist_ok=True)
    writing.write_csv(out / "course.csv", [
        ["id", "name", *(f"lab{lab}" for lab in labs), "total", "max_score", "by_hand",
         "free_days"],
        *([student.id, student.name, *(_points(student.labs[lab]) for lab in labs),
           *(f"{student.total(what):g}" for what in ("score", "most", "by_hand", "free_days"))]
          for student in students)])
    writing.write_page(out / "index.html", "course.html.j2", labs=labs, students=students,
                       graded=lambda lab: [student.labs[lab] for student in students
                                           if student.labs[lab].status == "graded"])
    print(f"{len(students)} students in {len(labs)} labs: {out}/index.html and course.csv")


def _points(cell: Cell) -> str:
    """Nothing where there is no grade yet."""
    return "" if cell.status == "not graded" else f"{cell.score:g}"
