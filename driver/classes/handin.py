"""Hand-ins made of this repository: the key's solutions, and what a student has at first."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from driver.run.answers import read_values
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


def _apply(patch: Path, folder: Path) -> None:
    """To the files of a folder. In a clone, git would take their paths from its root."""
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    done = subprocess.run(["git", "apply", "-p2", patch.resolve()], cwd=folder, env=environment,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Trouble(f"{patch.relative_to(ROOT)} does not apply: {done.stderr.strip()}")


def write_solutions(number: str, to: Path) -> None:
    """All tasks solved, as files of a hand-in. The key may have a patch for a starter's file."""
    to.mkdir(parents=True)
    lab, place = lab_folder(number), assignment(number)
    for name in task_files(number):
        patch = place / "key" / f"{name}.patch"
        sources = (place / ("starter" if patch.is_file() else "key") / name, lab / name)
        source = next(filter(Path.is_file, sources), None)
        if source is None:
            raise Trouble(f"lab {number}: there is no solution of {name}")
        if name == "answers.txt":
            (to / name).write_text(answers_of(source.read_text("utf-8")), "utf-8")
        else:
            shutil.copyfile(source, to / source.name)
        if patch.is_file():
            _apply(patch, to)


def write_untouched(number: str, starter: Path, to: Path) -> None:
    """The files of the tasks as they are in a starter."""
    to.mkdir(parents=True)
    lab = starter / lab_folder(number).name
    for name in task_files(number):
        if not (lab / name).is_file():
            raise Trouble(f"lab {number}: the starter lacks {name}")
        shutil.copyfile(lab / name, to / Path(name).name)
