"""The points that a person gives: by_hand.csv beside the roster, with the columns id, lab, task,
points, comment. It is the teacher's: no program writes it.

A row has all that a person gives for a task of a student. Rows without points are not given yet.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from driver import texts
from driver.trouble import Trouble

NAME = "by_hand.csv"
COLUMNS = ("id", "lab", "task", "points", "comment")


@dataclass(frozen=True)
class Mark:
    task: str
    points: float
    comment: str
    line: str  # "by_hand.csv:3", for messages


@dataclass(frozen=True)
class Marks:
    """Of all students and labs."""

    by_student: dict[tuple[str, str], list[Mark]]  # by id and lab

    def of(self, student: str, lab: str) -> list[Mark]:
        return self.by_student.get((student, lab), [])


def as_text(marks: list[Mark]) -> str:
    """For a cell of a table: "C: 4, a comment; D: 2"."""
    return "; ".join(f"{mark.task}: {mark.points:g}" + (f", {mark.comment}" if mark.comment else "")
                     for mark in marks)


def read(roster: Path, students: Collection[str], most_of: Callable[[str], dict[str, float]]) -> Marks:
    """None where there is no file beside the roster. `most_of` has the points of each task of a
    lab. Raises Trouble at the first mistake, so that nobody loses points by one.
    """
    path = roster.with_name(NAME)
    found: dict[tuple[str, str], list[Mark]] = {}
    if not path.exists():
        return Marks(found)
    header, rows = texts.read_table(path)
    if lacking := [name for name in COLUMNS if name not in header]:
        raise Trouble(f"{path}:1: the header has no column '{lacking[0]}'; expected are "
                      f"{', '.join(COLUMNS)}")
    for line, row in rows:
        where = f"{path}:{line}"
        row = {name: row[name].strip() for name in COLUMNS}
        row["id"] = row["id"].removeprefix("'")  # of a text like a formula, copied from grades.csv
        mark = _mark(row, where, students, most_of)
        marks = found.setdefault((row["id"], row["lab"]), [])
        if any(mark.task == other.task for other in marks):
            raise Trouble(f"{where}: '{row['id']}' has points for task {mark.task} of lab "
                          f"{row['lab']} already: one row has them all")
        marks.append(mark)
    return Marks({place: given for place, marks in found.items()
                  if (given := sorted((mark for mark in marks if mark.points >= 0),
                                      key=lambda mark: mark.task))})


def _mark(row: dict[str, str], where: str, students: Collection[str],
          most_of: Callable[[str], dict[str, float]]) -> Mark:
    if row["id"] not in students:
        raise Trouble(f"{where}: '{row['id']}' is not in the roster")
    if not re.fullmatch("[1-9]", row["lab"]):
        raise Trouble(f"{where}: lab: the number of a lab is expected, not '{row['lab']}'")
    most = most_of(row["lab"])
    if row["task"] not in most:
        raise Trouble(f"{where}: lab {row['lab']} has no task '{row['task']}'; its tasks are: "
                      f"{' '.join(most)}")
    if not row["points"]:
        return Mark(row["task"], -1, "", where)
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?", row["points"]):
        raise Trouble(f"{where}: points: a number from 0 is expected, such as 2.5, not "
                      f"'{row['points']}'")
    points = float(row["points"])
    if points > most[row["task"]]:
        raise Trouble(f"{where}: {points:g} points are more than the {most[row['task']]:g} of task "
                      f"{row['task']}")
    return Mark(row["task"], points, " ".join(row["comment"].split()), where)
