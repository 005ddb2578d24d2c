"""Grades one student of a class, unless the results of the same files and rules are there.

    python3 -m driver.classes.task RUN PART ID        PART is tests or speed, RUN a file of save()
    python3 -m driver.classes.task RUN PART --array   the student of this task of a Slurm array
    python3 -m driver.classes.task RUN PART --todo    prints the students that would be graded

Results are put in place by a rename, whole or not at all.
"""

import signal

# Ctrl-C ends it without a traceback, also while it reads its modules.
if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import ctypes
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from driver import texts
from driver.classes import results
from driver.trouble import Trouble, ended

LEAST_FREE = 16 << 20  # bytes of the disk
MOST_BYTES = 300 * 1024  # of a file that can be a variant
PRCTL, PR_SET_PDEATHSIG = ctypes.CDLL(None).prctl, 1


@dataclass(frozen=True)
class Run:
    """What all tasks of a class have in common."""

    submissions: str
    out: str
    lab: str
    hidden: str  # a folder, or empty
    seed: str
    grade: str  # the program
    assignment: str  # the folder with the rules and the key
    todo: str  # a file with the students of this run; an interrupted run has another one
    task: str = ""  # the only one that is graded again; empty: all
    turn: str = ""  # names this run, in which a task is graded again once

    def save(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, file: Path) -> "Run":
        with texts.as_expected(file):
            return cls(**texts.read_json(file))

    def student(self, name: str) -> Path:
        return Path(self.out) / "students" / name


def end_with_parent(grading: int = os.getpid()) -> None:
    """The kernel kills this process when the one that started it ends, however that ends: nothing
    goes on grading into a folder that another run may take. `grading` is the process of the whole
    run, which may have ended already."""
    PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        if Path(f"/proc/{grading}/cmdline").read_bytes():  # not even a zombie's
            return
    except OSError:
        pass
    os._exit(1)


def fingerprint(run: Run, part: str, submission: Path) -> str:
    """Of the rules and hidden tests, of the names of all files, and of the contents of those that
    can be variants."""
    found = hashlib.sha256(f"{run.lab} {part} tested.json, tasks".encode())
    files = [Path(run.assignment) / name for name in ("points.json", "key/answers.txt")]
    for folder, folders, names in os.walk(submission):  # the result names files in subfolders
        folders.sort()
        if folder != str(submission):
            found.update(f"\0{os.path.relpath(folder, submission)}\0{sorted(names)}".encode(
                errors="surrogateescape"))
    for entry in sorted(submission.iterdir()):
        found.update(f"\0{entry.name} {entry.lstat().st_mode} {entry.lstat().st_size}".encode())
        if entry.is_file() and not entry.is_symlink() and entry.stat().st_size < MOST_BYTES:
            files.append(entry)
    if run.hidden:
        files += sorted(file for file in Path(run.hidden).rglob("*") if file.is_file())
    for file in files:
        if file.exists():
            found.update(f"\0{file.name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def to_do(run: Run, part: str, student: str) -> str:
    """The fingerprint of what is to be graded; empty if there is nothing. An old result of `speed`
    goes with the verdict that it was measured for."""
    submission, folder = Path(run.submissions) / student, run.student(student)
    if not submission.is_dir() or submission.is_symlink():
        return ""
    if part == "speed" and not results.has_right_variant(folder):
        shutil.rmtree(folder / part, ignore_errors=True)
        return ""
    new, known = fingerprint(run, part, submission), folder / part / "fingerprint"
    if known.exists() and run.task:
        turn = folder / part / "turn"
        return "" if turn.exists() and turn.read_text() == run.turn else new
    return "" if known.exists() and known.read_text() == new else new


def is_unfinished(run: Run, student: str, is_chosen: bool, is_timed: bool) -> bool:
    """A part was to be graded, and was not: it failed."""
    if is_chosen and any(to_do(run, part, student) for part in ["tests", "speed"][:1 + is_timed]):
        return True
    folder = run.student(student)
    return (is_timed and results.has_right_variant(folder)
            and not (folder / "speed" / "results.json").is_file())


def grade(run: Run, part: str, student: str) -> int:
    folder = run.student(student)
    folder.mkdir(parents=True, exist_ok=True)
    # A task may still run on a machine that was given up.
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = to_do(run, part, student)
        return _grade(run, part, student, found) if found else 0


def _grade(run: Run, part: str, student: str, found: str) -> int:
    folder = run.student(student)
    new, old, log = folder / f".{part}", folder / part, folder / f"{part}.log"
    keeps = bool(run.task) and old.exists()
    for folder_of_before in [new] if keeps else [new, old]:
        shutil.rmtree(folder_of_before, ignore_errors=True)
    command = [run.grade, "check", f"{run.submissions}/{student}", "--lab", run.lab, "--out", new,
               "--part", part, *(["--tested", folder / "tests"] if part == "speed" else []),
               *(["--task", run.task, "--keep", old] if keeps else []),
               "--class-seed", run.seed, *(["--hidden", run.hidden] if run.hidden else [])]
    with log.open("wb") as said:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=said,
                              stderr=subprocess.STDOUT, preexec_fn=end_with_parent).returncode
    if code != 0 or not (new / "results.json").is_file():
        last = log.read_text("utf-8", "replace").rstrip().rpartition("\n")[2]
        print(f"{student}: {part} failed, {_ended(code, folder)}: {last}", file=sys.stderr)
        return 1
    (new / "fingerprint").write_text(found)
    (new / "turn").write_text(run.turn)
    shutil.rmtree(old, ignore_errors=True)
    new.rename(old)
    if part == "tests" and not keeps:  # what was measured for another verdict
        shutil.rmtree(folder / "speed", ignore_errors=True)
    return 0


def _ended(code: int, folder: Path) -> str:
    how = f"exit code {code}" if code >= 0 else f"ended by {signal.Signals(-code).name}"
    is_full = shutil.disk_usage(folder).free < LEAST_FREE
    return how + (f"; the disk of {folder} is full" if is_full else "")


def main(words: list[str]) -> int:
    if len(words) != 3:
        raise Trouble("expected RUN PART ID")
    file, part, student = words
    run = Run.load(Path(file))
    if student == "--todo":
        for line in sys.stdin.read().split():
            if to_do(run, part, line):
                print(line)
        return 0
    if student == "--array":
        students = Path(run.todo).read_text("utf-8").split()
        student = students[int(os.environ["SLURM_ARRAY_TASK_ID"])]
    else:
        end_with_parent(int(run.turn.partition(".")[0]))
    return grade(run, part, student)


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(ended("task", lambda: main(sys.argv[1:])))
