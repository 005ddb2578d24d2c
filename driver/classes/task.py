"""Grades one student of a class, unless the results of the same files are there. Where only the
rules for points have changed, count() counts them again, and nothing is compiled or run.

    python3 -m driver.classes.task RUN PART ID        PART is tests or speed, RUN a file of save()
    python3 -m driver.classes.task RUN PART --array   the student of this task of a Slurm array
    python3 -m driver.classes.task RUN PART --todo    prints the students that would be graded

Results are put in place by a rename, whole or not at all.
"""

import signal

# Ctrl-C ends it without a traceback, also while it reads its modules.
if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from driver import texts
from driver.classes import results
from driver.trouble import Trouble, ended

LEAST_FREE = 16 << 20  # bytes of the disk
MOST_BYTES = 300 * 1024  # of a file that can be a variant
PRCTL, PR_SET_PDEATHSIG = ctypes.CDLL(None).prctl, 1
REFUSED = 2  # the exit code of `grade check` for results that today's rules cannot count
OF_THE_GRADER = ("common", "harness", "emulation", "grading")  # folders
_SOURCES = re.compile(r"[^.]+|.*\.(c|h)(c|pp|u|uh)?|.*\.(cmake|manifest)|CMakeLists\.txt")
_NO_SOURCES = re.compile(r"build.*|__pycache__|key|\..*")  # folders


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
    version: str = ""  # of the grader and the lab

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


def version_of(root: Path, lab: Path) -> str:
    """Of the sources of the grader and of a lab, without the key: they decide what is found."""
    found = hashlib.sha256()
    for top in [*(root / name for name in OF_THE_GRADER), lab]:
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if not _NO_SOURCES.fullmatch(name))
            for name in filter(_SOURCES.fullmatch, sorted(names)):
                found.update(os.path.relpath(folder, top).encode() + _of_file(Path(folder, name)))
    return found.hexdigest()


def _of_file(file: Path) -> bytes:
    """Of its name and content."""
    content = file.read_bytes() if file.is_file() else b""
    return f"\0{file.name}\0".encode(errors="surrogateescape") + hashlib.sha256(content).digest()


def fingerprint(run: Run, part: str, submission: Path) -> str:
    """Two words: of what decides what is found, and of the rules that count points for it."""
    rules = [Path(run.assignment) / name for name in ("points.json", "key/answers.txt")]
    points = b"".join(map(_of_file, rules))
    return f"{_of_facts(run, part, submission)} {hashlib.sha256(points).hexdigest()}"


def _of_facts(run: Run, part: str, submission: Path) -> str:
    """Of the grader, the lab, hidden tests and the seed of all tests, of the names of all files, and of
    the contents of those that can be variants."""
    found = hashlib.sha256(f"{run.lab} {part} {run.seed} {run.version}".encode())
    files = []
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
        found.update(_of_file(file))
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


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """A task may still run on a machine that was given up."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def grade(run: Run, part: str, student: str) -> int:
    """Returns an exit code."""
    folder = run.student(student)
    with _locked(folder):
        found = to_do(run, part, student)
        if not found:
            return 0
        keeps = bool(run.task) and (folder / part).exists()
        if not keeps:
            shutil.rmtree(folder / part, ignore_errors=True)
        options = ["--tested", folder / "tests"] if part == "speed" else []
        options += ["--task", run.task, "--keep", folder / part] if keeps else []
        code, said = _check(run, part, student, found, options)
        if code != 0:
            print(said, file=sys.stderr)
        elif part == "tests" and not keeps:  # what was measured for another verdict
            shutil.rmtree(folder / "speed", ignore_errors=True)
        return 0 if code == 0 else 1


def count(run: Run, part: str, student: str) -> bool:
    """Counts points again where only the rules for them have changed. Where they want what was not
    measured, the results are removed, and the part is to be graded."""
    folder = run.student(student) / part
    known = folder / "fingerprint"
    if not known.exists():
        return False
    with _locked(folder.parent):
        found = to_do(run, part, student)
        if not found or found.partition(" ")[0] != known.read_text().partition(" ")[0]:
            return False
        code, said = _check(run, part, student, found, ["--keep", folder])
        if code == REFUSED:
            shutil.rmtree(folder)
        elif code != 0:
            raise Trouble(said, code=1)
        return code == 0


def _check(run: Run, part: str, student: str, found: str, options: list) -> tuple[int, str]:
    """Puts new results in place. Returns an exit code, with the reason if it is not 0."""
    folder = run.student(student)
    new, log = folder / f".{part}", folder / f"{part}.log"
    shutil.rmtree(new, ignore_errors=True)
    command = [run.grade, "check", f"{run.submissions}/{student}", "--lab", run.lab, "--out", new,
               "--part", part, *options, "--class-seed", run.seed,
               *(["--hidden", run.hidden] if run.hidden else [])]
    with log.open("wb") as output:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.STDOUT, preexec_fn=end_with_parent).returncode
    if code != 0 or not (new / "results.json").is_file():
        last = log.read_text("utf-8", "replace").rstrip().rpartition("\n")[2]
        return code or 1, f"{student}: {part} failed, {_ended(code, folder)}: {last}"
    (new / "fingerprint").write_text(found)
    (new / "turn").write_text(run.turn)
    shutil.rmtree(folder / part, ignore_errors=True)
    new.rename(folder / part)
    return 0, ""


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
