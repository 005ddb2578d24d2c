"""`grade class`, `course`, `export`, `calibrate`, `rehearse`, `gradescope`."""

import signal

# Ctrl-C gives no traceback while modules are read; main() tidies up at one.
HANDLER = signal.getsignal(signal.SIGINT)  # a job in the background ignores it
if __name__ == "__main__" and HANDLER is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import contextlib
import fcntl
import hashlib
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from driver.classes import (calibrate, collect, course, deadlines, gradebooks, gradescope, rehearse,
                            results, similarity, writing)
from driver.classes.command_line import parser_of_all, path
from driver.classes.people import People
from driver.classes.task import Run, count, end_with_parent, is_unfinished, to_do, version_of
from driver.tree import ROOT
from driver.trouble import Trouble, ended

TASK = [sys.executable, "-m", "driver.classes.task"]


def _seed(file: Path) -> str:
    """All students have the same random tests, which nobody knows before."""
    if not file.exists() or file.stat().st_size == 0:
        file.write_text(f"{secrets.randbits(56)}\n")
    return file.read_text().strip()


def _lock(out: Path):
    """The lock of OUT; tasks do not hold it."""
    try:
        (out / "students").mkdir(parents=True, exist_ok=True)
        (out / "logs").mkdir(exist_ok=True)
        lock = (out / "lock").open("a")
    except OSError as error:
        raise Trouble(f"cannot make the folder '{out}'") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Trouble(f"another run grades into '{out}'", code=1) from None
    return lock


def _local_phase(file: Path, run: Run, part: str, at_once: int) -> None:
    """A task starts only while there is memory for another worker."""
    subprocess.run(["parallel", "--will-cite", "-j", str(at_once), "--memfree", "1G", "--joblog",
                    f"{run.out}/logs/{part}.tsv", *TASK, file, part, "{}"],
                   stdin=open(run.todo, encoding="utf-8"), preexec_fn=end_with_parent,
                   env={**os.environ, "PARALLEL_SHELL": "/bin/bash"})  # which becomes the task


def _slurm_phase(file: Path, run: Run, part: str, tasks: int) -> None:
    """As one job array. Tasks that an interrupted run left in the queue are cancelled first."""
    name = "labs-" + hashlib.sha256(run.out.encode()).hexdigest()[:12]
    cancel = ["scancel", "--name", name]

    def stop(number: int, _frame) -> None:
        subprocess.run(cancel)
        sys.exit(128 + number)
    subprocess.run(cancel, stderr=subprocess.DEVNULL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    subprocess.run(["sbatch", "--wait", "--quiet", "--job-name", name, "--array", f"0-{tasks - 1}",
                    "--cpus-per-task", "2", "--output", f"{run.out}/logs/%A_%a.log",
                    "--chdir", ROOT, *(["--exclusive"] if part == "speed" else []),
                    *os.environ.get("LABS_SBATCH", "").split(),
                    "--wrap", shlex.join([*TASK, str(file), part, "--array"])])


def _phase(file: Path, run: Run, part: str, students: list[str], given: argparse.Namespace) -> None:
    """What a lost machine of a cluster left undone is done again, once."""
    for _ in range(2 if given.scheduler == "slurm" else 1):
        todo = [student for student in students if to_do(run, part, student)]
        if not todo:
            return
        Path(run.todo).write_text("".join(f"{student}\n" for student in todo), "utf-8")
        print(f"{time.strftime('%T')} {part} of {len(todo)} submissions ({given.scheduler})",
              flush=True)
        if given.scheduler == "slurm":
            _slurm_phase(file, run, part, len(todo))
        else:
            _local_phase(file, run, part, given.jobs if part == "tests" else 1)


def _count(run: Run, students: list[str]) -> None:
    """Where only the rules for points have changed, it takes seconds."""
    counted = [student for student in students
               if any([count(run, part, student) for part in ("tests", "speed")])]
    if counted:
        print(f"{time.strftime('%T')} points of {len(counted)} submissions, by other rules",
              flush=True)


def grade_class(given: argparse.Namespace) -> int:
    tool = "sbatch" if given.scheduler == "slurm" else "parallel"
    if not shutil.which(tool):
        raise Trouble(f"needs {tool} (Debian: apt-get install {tool})", code=3)
    writing.templates()
    os.umask(0o077)  # other students' results are nobody's business
    lock = _lock(given.out)
    logs, rules = given.out / "logs", results.rules_of(given.lab)
    students = list(results.read_roster(given.roster))
    results.read_marks(given.roster, students)  # a mistake in them is found before anybody is graded
    (given.out / "ids").write_text("".join(f"{student}\n" for student in students), "utf-8")
    chosen = _chosen(given.only, students)
    times = _deadlines(given, students)
    if given.task and not given.speed and any(given.out.glob("students/*/speed")):
        raise Trouble("--task: there are speeds already, so --no-speed cannot be given with it")
    hidden = str(given.hidden or "")
    run = Run(submissions=str(given.submissions), out=str(given.out), lab=given.lab, hidden=hidden,
              seed=_seed(given.out / "seed"), assignment=str(rules.parent),
              grade=_grade_program(),
              todo=str(logs / f"todo.{os.getpid()}"), task=given.task or "",
              turn=f"{os.getpid()}.{time.time_ns()}", version=version_of(ROOT, rules.parent.parent))
    file = logs / f"run.{os.getpid()}.json"
    run.save(file)
    os.environ["CLASS_RUN"] = run.turn  # grade: one build for all
    if rules.is_file():  # a mistake in the rules is found before anybody is graded by them
        checked = subprocess.run([run.grade, "check-rules", rules,
                                  *(["--hidden", hidden] if hidden else [])])
        if checked.returncode != 0:
            return checked.returncode
    if not given.task:  # which counts points, too
        _count(run, chosen)
    _phase(file, run, "tests", chosen, given)
    if given.speed:
        _phase(file, run, "speed", chosen, given)
    failed = {student for student in students
              if is_unfinished(run, student, student in chosen, given.speed)}
    grading_of = (given.roster, given.lab, given.submissions, given.out, times, failed)
    code = results.merge(*grading_of)
    if given.similarity:  # last: it must not keep the grades back
        missing = similarity.write(run, students, given.jobs)
        code = code if missing is not None else 1
        for grade in results.write_all(*grading_of, missing) if missing else ():
            for line in grade.not_compared:
                print(f"{grade.id}: not compared: {line}", file=sys.stderr)
                code = 1
    lock.close()
    return code


def _chosen(only: str | None, students: list[str]) -> list[str]:
    chosen = only.split(",") if only else students
    for student in chosen:
        if student not in students:
            raise Trouble(f"--only: '{student}' is not in the roster")
    return chosen


def _deadlines(given: argparse.Namespace, students: list[str]) -> deadlines.Deadlines | None:
    if bool(given.deadlines) != bool(given.handed_in):
        raise Trouble("--deadlines needs --handed-in, and --handed-in needs --deadlines")
    if not given.deadlines:
        return None
    found = deadlines.read(given.deadlines, given.handed_in)
    if given.lab not in found.labs:
        raise Trouble(f"{given.deadlines}: there is no deadline of lab {given.lab}")
    for student in found.extensions:
        if student not in students:
            raise Trouble(f"{given.deadlines}: '{student}' has an extension and is not in the roster")
    return found


def export(given: argparse.Namespace) -> int:
    text = gradebooks.export(given.to, given.grades, given.item, given.like, given.id, given.points)
    with contextlib.suppress(FileExistsError):
        given.out.parent.mkdir(parents=True)
    writing.write(given.out, text)
    if left := gradebooks.left_to_persons(given.grades):
        print(f"{given.grades}: a person still has to give points to {len(left)} students, such as "
              f"'{left[0]}'", file=sys.stderr)
    return 0


def _grade_program() -> str:
    return str(path(os.environ.get("LABS_GRADE") or str(ROOT / "grading/grade")))


def main(words: list[str]) -> int:
    signal.signal(signal.SIGINT, HANDLER)
    os.chdir(ROOT)
    given = parser_of_all().parse_args(words)
    if given.command == "class":
        return grade_class(given)
    if given.command == "collect":
        return collect.collect(People(given.roster, given.like, given.id), given.source, given.lab,
                               given.out, given.handed_in)
    if given.command == "course":
        if len(dict(given.graded)) < len(given.graded):
            raise Trouble("a lab is named twice")
        course.write(given.roster, dict(given.graded), given.out)
        return 0
    if given.command == "export":
        return export(given)
    if given.command == "calibrate":
        return calibrate.calibrate(_grade_program(), given.lab, given.runs, given.out)
    if given.command == "rehearse":
        return rehearse.rehearse(_grade_program(), given.labs, given.out, given.more)
    if given.command != "gradescope":  # --help alone comes here
        raise Trouble(f"{given.command} is a command of grading/grade")
    chosen = gradescope.options(results.tasks_of(given.lab), given.hidden_visibility,
                                given.leaderboard)
    gradescope.write(given.zip, given.lab, given.hidden, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(ended(" ".join(["grade", *sys.argv[1:2]]), lambda: main(sys.argv[1:])))
