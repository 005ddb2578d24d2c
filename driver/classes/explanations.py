"""What a person reads to give points: for each task with points by hand, OUT/explanations/TASK.html
has the file of each student that holds the explanation, the variant's or answers.txt."""

import os
import re
from pathlib import Path

from driver.classes.writing import write_page

MOST_BYTES = 256 << 10  # of a file, as in grading
ANSWERS = "answers.txt"


def file_of(submission: Path, variant: str) -> Path | None:
    """Links are not followed."""
    names = rf"(\d{{1,3}}_)?{variant}\.(cpp|cu)" if variant else re.escape(ANSWERS)
    found = [Path(entry) for entry in os.scandir(submission)
             if re.fullmatch(names, entry.name) and entry.is_file(follow_symlinks=False)]
    return min(found, default=None)


def _content(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(MOST_BYTES).decode("utf-8", "replace")


def write(grades, tasks, lab: str, submissions: Path, out: Path) -> None:
    folder = out / "explanations"
    folder.mkdir(exist_ok=True, mode=0o700)
    for task in tasks:
        if not task.by_hand:
            continue
        handed_in = [grade for grade in grades if grade.status != "not submitted"
                     and not (submissions / grade.id).is_symlink()]
        files = [(grade, file_of(submissions / grade.id, task.variant)) for grade in handed_in]
        write_page(folder / f"{task.id}.html", "explanations.html.j2", lab=lab, task=task,
                   found=[(grade, file.name, _content(file)) for grade, file in files if file],
                   missing=[grade.id for grade, file in files if not file])
