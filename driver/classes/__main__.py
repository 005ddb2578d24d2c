"""The command lines of `grade class` and `grade gradescope`."""

import argparse
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
from driver.classes import gradescope, results, similarity
from driver.classes.task import Run, to_do
from driver.tree import ROOT
from driver.trouble import Trouble

TASK = [sys.executable, "-m", "driver.classes.task"]
CALLER = Path(os.environ.pop("LABS_CALLER", os.getcwd()))  # where the user is
OF_A_CLASS = """\
SUBMISSIONS has a folder with the variants' files for each id. Correctness is graded in parallel;
then speed, one submission at a time. OUT gets grades.csv, index.html, leaderboard.html (with the
pseudonyms of pseudonyms.csv), junit.xml, similarity.txt and students/ID/. What is graded already is
not graded again unless the submission, the hidden tests, the rules (grading/labN.json) or the lab
differ, so an interrupted run continues where it was.

From the environment: LABS_SBATCH, more options for sbatch.
Exit code: 0 all were graded, 1 some were not, 2 bad usage, 3 a tool is missing."""
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


def _number(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"needs a number from 1, not '{text}'")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="grade")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, notes: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, epilog=notes, allow_abbrev=False,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        added.add_argument("--lab", metavar="N", type=_lab, required=True)
        added.add_argument("--hidden", metavar="FOLDER", type=_folder,
                           help="hidden tests, as for `grade check`")
        return added
    grading = command("class", OF_A_CLASS)
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
    command("gradescope", OF_GRADESCOPE).add_argument("zip", metavar="AUTOGRADER.zip", type=_zip)
    return parser


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
                   stdin=open(run.todo, encoding="utf-8"))


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
    grading, logs = ROOT / "grading", given.out / "logs"
    students = list(results.read_roster(given.roster))
    (given.out / "ids").write_text("".join(f"{student}\n" for student in students), "utf-8")
    hidden = str(given.hidden or "")
    run = Run(submissions=str(given.submissions), out=str(given.out), lab=given.lab, hidden=hidden,
              seed=_seed(given.out / "seed"), grading=str(grading),
              grade=str(_path(os.environ.get("LABS_GRADE") or str(grading / "grade"))),
              todo=str(logs / f"todo.{os.getpid()}"))
    file = logs / f"run.{os.getpid()}.json"
    run.save(file)
    os.environ["CLASS_RUN"] = f"{os.getpid()}.{time.time_ns()}"  # grade: one build for all
    rules = grading / f"lab{given.lab}.json"
    if rules.is_file():  # a mistake in the rules is found before anybody is graded by them
        checked = subprocess.run([run.grade, "check-rules", rules,
                                  *(["--hidden", hidden] if hidden else [])])
        if checked.returncode != 0:
            return checked.returncode
    _phase(file, run, "tests", students, given)
    if given.speed:
        _phase(file, run, "speed", students, given)
    if given.similarity:
        similarity.write(run, students)
    code = results.merge(given.roster, given.lab, given.submissions, given.out)
    lock.close()
    return code


def main(words: list[str]) -> int:
    os.chdir(ROOT)
    name = " ".join(["grade", *words[:1]])
    try:
        given = _parser().parse_args(words)
        if given.command == "class":
            return grade_class(given)
        gradescope.write(given.zip, given.lab, given.hidden)
        return 0
    except Trouble as trouble:
        print(f"{name}: {trouble}", file=sys.stderr)
        return trouble.code
    except (OSError, KeyError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
