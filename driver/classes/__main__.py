"""The command lines of `grade class`, `course`, `export`, `calibrate`, `rehearse`, `gradescope`."""

import argparse
import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from driver import cores
from driver.classes import (calibrate, course, deadlines, gradebooks, gradescope, rehearse,
                            results, similarity)
from driver.classes.task import Run, end_with_parent, is_unfinished, to_do
from driver.tree import ROOT
from driver.trouble import Trouble, ended

TASK = [sys.executable, "-m", "driver.classes.task"]
CALLER = Path(os.environ.pop("LABS_CALLER", os.getcwd()))  # where the user is
OF_A_CLASS = """\
SUBMISSIONS has a folder with the variants' files for each id. Correctness is graded in parallel;
then speed, one submission at a time. OUT gets grades.csv, index.html, leaderboard.html (with the
pseudonyms of pseudonyms.csv), junit.xml, similarity.txt and students/ID/. What is graded already is
not graded again unless the submission, the hidden tests, the rules (points.json) or the lab
differ, so an interrupted run continues where it was. --task D grades this task of all again, and
keeps what was found of the others; with --only, of these students.

From the environment: LABS_SBATCH, more options for sbatch.
Exit code: 0 all were graded, 1 some were not, 2 bad usage, 3 a tool is missing."""
OF_COURSE = """\
N=GRADED names the folder that `grade class --lab N --out GRADED` wrote, for each lab. OUT gets
index.html, the progress of all students in all labs, and course.csv."""
OF_EXPORT = """\
Without --like, Moodle gets a file for Grades, Import, CSV file, whose columns you map there, and
Canvas one with the students' logins. With --like, the exported file comes back with the grades
filled in: of Moodle the grading worksheet of an assignment, of Canvas the gradebook. The points are
those of the column --points: `final` if there is one (deadlines), otherwise `score`."""
OF_CALIBRATE = """\
Grades the key's solutions of a lab, and measures their speed as often as --runs says. Prints the
ratios with their spread, and thresholds `floor` and `full`; --out writes the lab's rules with them.
Nothing else should run on the machine."""
OF_REHEARSE = """\
For each lab: rules, starter, hand-ins (the key's solutions, the starter's files, none), class, table
and exports. Names what is not as it should be: exit code 1."""
OF_GRADESCOPE = """\
Upload the file as the autograder of an assignment; choose an image of Ubuntu 24.04 or later. The
container needs 2 cores and 6 GB. The hidden tests are in the file: a submission cannot read it."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str):
        raise Trouble(f"{message.removeprefix('argument ')}; see --help")


def _path(text: str) -> Path:
    return (CALLER / text).resolve()


def _folder(text: str) -> Path:
    if not text or not _path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{text}'")
    return _path(text)


def _file(text: str) -> Path:
    if not _path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file '{text}'")
    return _path(text)


def _lab(text: str) -> str:
    if not re.fullmatch("[1-9]", text):
        raise argparse.ArgumentTypeError(f"needs the number of a lab, not '{text}'")
    return text


def _zip(text: str) -> Path:
    if not text.endswith(".zip"):
        raise argparse.ArgumentTypeError(f"needs the name of a zip file, not '{text}'")
    return _path(text)


def _graded(text: str) -> tuple[str, Path]:
    lab, _, folder = text.partition("=")
    return _lab(lab), _folder(folder)


def _number(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"needs a number from 1, not '{text}'")
    return int(text)


def _task(text: str) -> str:
    if not re.fullmatch("[A-Za-z0-9]+", text):
        raise argparse.ArgumentTypeError(f"needs the id of a task, such as D, not '{text}'")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="grade")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, notes: str, of_a_lab: bool = True) -> argparse.ArgumentParser:
        added = commands.add_parser(name, epilog=notes, allow_abbrev=False,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        if of_a_lab:
            added.add_argument("--lab", metavar="N", type=_lab, required=True)
        return added
    _add_class(command("class", OF_A_CLASS))
    add = command("course", OF_COURSE, of_a_lab=False).add_argument
    add("roster", metavar="ROSTER.csv", type=_file, help="as for `grade class`")
    add("graded", metavar="N=GRADED", type=_graded, nargs="+")
    add("--out", metavar="OUT", type=_path, required=True)
    _add_export(command("export", OF_EXPORT, of_a_lab=False))
    add = command("calibrate", OF_CALIBRATE).add_argument
    add("--runs", metavar="N", type=_number, default=5, help="measurements of each speed; 5")
    add("--out", metavar="FILE.json", type=_path, help="for the rules with the thresholds")
    add = command("rehearse", OF_REHEARSE, of_a_lab=False).add_argument
    add("--labs", metavar="N,...", help="default: all that have rules")
    add("--out", metavar="DIR", type=_path, required=True, help="an empty or new folder")
    add("--no-speed", dest="more", action="append_const", const="--no-speed", default=[],
        help="correctness only")
    gradescope_parser = command("gradescope", OF_GRADESCOPE)
    gradescope_parser.add_argument("zip", metavar="AUTOGRADER.zip", type=_zip)
    _add_hidden(gradescope_parser)
    return parser


def _add_hidden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hidden", metavar="FOLDER", type=_folder,
                        help="hidden tests, as for `grade check`")


def _add_class(grading: argparse.ArgumentParser) -> None:
    _add_hidden(grading)
    add = grading.add_argument
    add("roster", metavar="ROSTER.csv", type=_file, help="has the column id, and may have name")
    add("submissions", metavar="SUBMISSIONS", type=_folder)
    add("--out", metavar="OUT", type=_path, required=True)
    add("--jobs", metavar="N", type=_number, default=(cores.available() + 1) // 2,
        help="submissions graded at once for correctness; default: half of the cores")
    scheduler = "slurm" if shutil.which("sbatch") else "local"
    add("--slurm", dest="scheduler", action="store_const", const="slurm", default=scheduler,
        help="as Slurm job arrays: default where there is sbatch")
    add("--local", dest="scheduler", action="store_const", const="local",
        help="with GNU parallel: default elsewhere")
    add("--no-speed", dest="speed", action="store_false", help="correctness only")
    add("--no-similarity", dest="similarity", action="store_false",
        help="without the comparison of the submissions")
    add("--deadlines", metavar="FILE.json", type=_file,
        help="deadlines and what late days cost; needs --handed-in")
    add("--handed-in", metavar="FILE.csv", type=_file,
        help="when students handed in: the columns id, lab, time")
    add("--task", metavar="ID", type=_task, help="grades only this task again")
    add("--only", metavar="ID,...", help="grades only these students")


def _add_export(exporting: argparse.ArgumentParser) -> None:
    add = exporting.add_argument
    add("grades", metavar="GRADES.csv", type=_file, help="of `grade class`, edited or not")
    add("--to", choices=("moodle", "canvas"), required=True)
    add("--item", metavar="NAME", required=True, help="of the assignment, such as 'Lab 1'")
    add("--out", metavar="FILE.csv", type=_path, required=True)
    add("--like", metavar="EXPORTED.csv", type=_file, help="a file that Moodle or Canvas exported")
    add("--id", choices=tuple(gradebooks.MOODLE_IDS), default="username",
        help="what the roster's ids are in Moodle; username")
    add("--points", metavar="COLUMN", help="of GRADES.csv")


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
    """What a lost machine left undone is done again, once."""
    for _ in range(2):
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


def grade_class(given: argparse.Namespace) -> int:
    tool = "sbatch" if given.scheduler == "slurm" else "parallel"
    if not shutil.which(tool):
        raise Trouble(f"needs {tool} (Debian: apt-get install {tool})", code=3)
    os.umask(0o077)  # other students' results are nobody's business
    lock = _lock(given.out)
    logs, rules = given.out / "logs", results.rules_of(given.lab)
    students = list(results.read_roster(given.roster))
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
              turn=f"{os.getpid()}.{time.time_ns()}")
    file = logs / f"run.{os.getpid()}.json"
    run.save(file)
    os.environ["CLASS_RUN"] = run.turn  # grade: one build for all
    if rules.is_file():  # a mistake in the rules is found before anybody is graded by them
        checked = subprocess.run([run.grade, "check-rules", rules,
                                  *(["--hidden", hidden] if hidden else [])])
        if checked.returncode != 0:
            return checked.returncode
    _phase(file, run, "tests", chosen, given)
    if given.speed:
        _phase(file, run, "speed", chosen, given)
    failed = {student for student in students
              if is_unfinished(run, student, student in chosen, given.speed)}
    code = results.merge(given.roster, given.lab, given.submissions, given.out, times, failed)
    if given.similarity:  # last: it must not keep the grades back
        code = max(code, similarity.write(run, students, given.jobs))
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
    results.write(given.out, text)
    return 0


def _grade_program() -> str:
    return str(_path(os.environ.get("LABS_GRADE") or str(ROOT / "grading/grade")))


def main(words: list[str]) -> int:
    os.chdir(ROOT)
    given = _parser().parse_args(words)
    if given.command == "class":
        return grade_class(given)
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
    gradescope.write(given.zip, given.lab, given.hidden)
    return 0


if __name__ == "__main__":
    sys.exit(ended(" ".join(["grade", *sys.argv[1:2]]), lambda: main(sys.argv[1:])))
