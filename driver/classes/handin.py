"""Hand-ins made of this repository: the key's solutions, and what a student has at first."""

import re
import shutil
from pathlib import Path

from driver.run.points import read_values
from driver.tree import ROOT, assignment_of, lab_numbered
from driver.trouble import Trouble

_TASK_FILE = re.compile(r"^(?:stub|add) (\S+)$", re.MULTILINE)


def lab_folder(number: str) -> Path:
    return ROOT / lab_numbered(number)


def assignment(number: str) -> Path:
    return ROOT / assignment_of(lab_numbered(number))


def task_files(number: str) -> list[str]:
    """Those that a student edits, relative to the lab's folder."""
    manifest = assignment(number) / "starter.manifest"
    if not manifest.is_file():
        raise Trouble(f"there is no {manifest.relative_to(ROOT)}, so lab {number} has no tasks")
    return _TASK_FILE.findall(manifest.read_text("utf-8"))


def answers_of(key: str) -> str:
    """A student's answers.txt with the key's values; of a range its lower end."""
    return "".join(f"{name} = {value.partition('..')[0].strip()}\n"
                   for name, value in read_values(key).items())


def write_solutions(number: str, to: Path) -> None:
    """All tasks solved, as files of a hand-in."""
    to.mkdir(parents=True)
    lab, key = lab_folder(number), assignment(number) / "key"
    for name in task_files(number):
        source = key / name if (key / name).is_file() else lab / name
        if not source.is_file():
            raise Trouble(f"lab {number}: there is no solution of {name}")
        if name == "answers.txt":
            (to / name).write_text(answers_of(source.read_text("utf-8")), "utf-8")
        else:
            shutil.copyfile(source, to / source.name)


def write_untouched(number: str, starter: Path, to: Path) -> None:
    """The files of the tasks as they are in a starter."""
    to.mkdir(parents=True)
    lab = starter / lab_folder(number).name
    for name in task_files(number):
        if not (lab / name).is_file():
            raise Trouble(f"lab {number}: the starter lacks {name}")
        shutil.copyfile(lab / name, to / Path(name).name)
