"""The points of a lab, task by task, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass, field

ALL_POINTS = 100  # of a lab
MOST_TEXT = 160


@dataclass
class Score:
    """One thing that gives points."""

    what: str  # "test sizes"
    of: float
    missing: str = ""  # why these are not all; empty if they are
    points: float = 0
    by_teacher: bool = False  # graded by hand, or against a key that is not here
    range: str = ""  # of the ratio, and of the points, where the times do not decide them


@dataclass
class Task:
    id: str
    title: str
    variant: str  # empty if the task has none
    bonus: bool = False  # beyond the points of the lab
    scores: list[Score] = field(default_factory=list)
    unchecked: str = ""  # "races: not checked: REASON"

    @property
    def points(self) -> float:
        return sum(score.points for score in self.scores if not score.by_teacher)

    @property
    def of(self) -> float:
        """Without what the teacher grades."""
        return sum(score.of for score in self.scores if not score.by_teacher)

    @property
    def by_teacher(self) -> float:
        return sum(score.of for score in self.scores if score.by_teacher)

    @property
    def next(self) -> str:
        """The condition for the next point."""
        return next((f"{score.what}: {score.missing}" for score in self.scores
                     if not score.by_teacher and score.points < score.of), "")

    @property
    def range(self) -> str:
        """Of its speed, where more repeats may change the points."""
        return next((score.range for score in self.scores if score.range), "")


@dataclass
class LabScore:
    lab: str
    tasks: list[Task]

    @property
    def points(self) -> float:
        """With those beyond the lab's."""
        return sum(task.points for task in self.tasks)

    @property
    def of(self) -> float:
        return sum(task.of for task in self.tasks if not task.bonus)

    @property
    def by_teacher(self) -> float:
        return sum(task.by_teacher for task in self.tasks if not task.bonus)


def _other_points(lab: LabScore) -> str:
    """The points that the table does not contain."""
    text = ""
    if lab.by_teacher:
        names = ", ".join(task.id for task in lab.tasks if task.by_teacher)
        text += (f"Up to {lab.by_teacher:g} more for explanations and answers ({names}): your "
                 "teacher grades these.\n")
    text += "".join(f"{score.what}: {score.missing}\n" for task in lab.tasks
                    for score in task.scores if score.by_teacher and score.missing)
    hidden = ALL_POINTS - lab.of - lab.by_teacher
    text += f"{hidden:g} more for tests that you do not see.\n" if hidden > 0 else ""
    names = ", ".join(task.id for task in lab.tasks if task.bonus)
    return text + (f"Points of {names} are beyond the {ALL_POINTS}.\n" if names else "")


def as_text(lab: LabScore) -> str:
    heading = f"Points of {lab.lab}"
    width = max(len(heading), *(len(task.title) for task in lab.tasks))

    def row(id: str, title: str, points: str, next: str = "") -> str:
        return f"{id:2} {title:{width}} {points:>12}  {next}".rstrip() + "\n"

    def out_of(score: Task | LabScore) -> str:
        return f"{score.points:g} of {score.of:g}" if score.of else "-"

    text = row("", heading, "", "missing for the next point")
    for task in lab.tasks:
        missing = task.next if len(task.next) <= MOST_TEXT else task.next[:MOST_TEXT] + " ..."
        unchecked = "" if task.unchecked in task.next else task.unchecked
        note = "; ".join(filter(None, [task.range, missing, unchecked]))
        text += row(task.id, task.title, out_of(task), note)
    return text + row("", "total", out_of(lab)) + _other_points(lab)


def as_json(lab: LabScore) -> dict:
    return {"points": lab.points, "of": lab.of, "by_teacher": lab.by_teacher,
            "tasks": [{"id": task.id, "title": task.title, "points": task.points, "of": task.of,
                       "by_teacher": task.by_teacher, "bonus": task.bonus,
                       "not_checked": task.unchecked,
                       "scores": [vars(score) for score in task.scores]} for task in lab.tasks]}
