"""The command lines of `grade class`, `course`, `export`, `calibrate`, `rehearse`, `gradescope`, and
what --help says of the others, which grade_check reads (grading/src/check/main.cpp)."""

import argparse
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from driver import cores
from driver.classes import gradebooks, gradescope
from driver.trouble import Trouble

CALLER = Path(os.environ.pop("LABS_CALLER", os.getcwd()))  # where the user is
SHORTLY = {"check": "grades one submission", "preprocess": "writes what the compiler sees of one",
           "check-rules": "looks for mistakes in the points of a lab",
           "collect": "takes hand-ins from clones, zips and archives",
           "class": "grades all students of a roster", "course": "all labs on one page",
           "export": "a file for Moodle's or Canvas's gradebook",
           "calibrate": "thresholds for the speeds on this machine",
           "rehearse": "a course with made-up students",
           "gradescope": "writes the zip file of Gradescope's autograder"}
OF_CHECK = """\
SUBMISSION has the variants' files, NN_omp_NAME.cpp and NN_cuda_NAME.cu, and answers.txt. OUT gets
results.json, feedback.html and junit.xml. docs/grading.md describes all of it.

From the environment: LABS_GRADE_BUILD, the folder of the build; LABS_GRADE_JOBS, its processes;
LABS_GRADE_GPU=off|copies; LABS_GRADE_MODE=bubblewrap|gradescope.
Exit code: 0 graded, 1 not graded, 2 bad usage, 3 the machine is at fault."""
OF_CHECK_RULES = """\
Names unknown keys, variants and tests that there are not, and points that do not add up to 100."""
OF_PREPROCESS = """\
OUT gets a text for each file, as the compiler sees it; `grade class` compares these."""
OF_A_CLASS = """\
SUBMISSIONS has a folder with the variants' files for each id. Correctness is graded in parallel;
then speed, one submission at a time. OUT gets grades.csv, index.html, leaderboard.html (with the
pseudonyms of pseudonyms.csv), junit.xml, explanations/, similarity.txt and students/ID/. What is
graded already is not graded again unless the submission, the hidden tests, the lab or the grader
differ, so an interrupted run continues where it was. Where only the rules (points.json) differ,
points are counted again, which takes seconds. --task D grades this task of all again, and keeps
what was found of the others; with --only, of these students. Points that a person gives are read
from by_hand.csv beside ROSTER.csv: id, lab, task, points, comment.

From the environment: LABS_SBATCH, more options for sbatch.
Exit code: 0 all were graded, 1 some were not, 2 bad usage, 3 a tool is missing."""
OF_COLLECT = """\
SOURCE is a folder of clones (GitHub Classroom: ASSIGNMENT-USERNAME), of folders or of zip archives, or
the archive of all submissions of Moodle or Canvas. OUT gets a folder with the files of the lab's
tasks for each id, as `grade class` takes them; collected.csv, what was taken from where; times.csv,
for --handed-in: the time of the last commit, or the one given here. An earlier hand-in of a student
in OUT is replaced, or stays where there is none in SOURCE.

Whose they are: by id, the roster's column github_username, or name. With --like, by the numbers in
Moodle's grading worksheet or Canvas's gradebook.
Exit code: 0 all were taken, 1 something that may be a hand-in was not, 2 bad usage."""
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


def path(text: str) -> Path:
    return (CALLER / text).resolve()


def _existing(what: str, is_right: Callable[[Path], bool]) -> Callable[[str], Path]:
    def parsed(text: str) -> Path:
        if not text or not is_right(path(text)):
            raise argparse.ArgumentTypeError(f"there is no {what}'{text}'")
        return path(text)
    return parsed


def _like(pattern: str, wanted: str) -> Callable[[str], str]:
    def parsed(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"needs {wanted}, not '{text}'")
        return text
    return parsed


_file = _existing("file ", Path.is_file)
_there = _existing("", Path.exists)
_lab = _like("[1-9]", "the number of a lab")
_task = _like("[A-Za-z0-9]+", "the id of a task, such as D")


def _folder(text: str) -> Path:
    if text and path(text).is_file():
        raise argparse.ArgumentTypeError(f"'{text}' is no folder; see `grade collect` for archives")
    return _existing("folder ", Path.is_dir)(text)


def _zip(text: str) -> Path:
    return path(_like(r".*\.zip", "the name of a zip file")(text))


def _graded(text: str) -> tuple[str, Path]:
    lab, _, folder = text.partition("=")
    return _lab(lab), _folder(folder)


def _number(text: str) -> int:
    return int(_like("[1-9][0-9]*", "a number from 1")(text))


def parser_of_all() -> argparse.ArgumentParser:
    parser = _Parser(prog="grade")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, notes: str, of_a_lab: bool = True) -> argparse.ArgumentParser:
        added = commands.add_parser(name, epilog=notes, allow_abbrev=False, help=SHORTLY[name],
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        if of_a_lab:
            added.add_argument("--lab", metavar="N", type=_lab, required=True)
        return added
    _describe_grade_check(command)
    add = command("collect", OF_COLLECT).add_argument
    add("roster", metavar="ROSTER.csv", type=_file, help="as for `grade class`")
    add("source", metavar="SOURCE", type=_there)
    add("--out", metavar="OUT", type=path, required=True)
    add("--like", metavar="EXPORTED.csv", type=_file, help="a file that Moodle or Canvas exported")
    add("--id", choices=tuple(gradebooks.MOODLE_IDS), default="username",
        help="what the roster's ids are in Moodle; username")
    add("--handed-in", metavar="FILE.csv", type=_file,
        help="when students handed in: id, lab, time; or the grades of GitHub Classroom")
    _add_class(command("class", OF_A_CLASS))
    add = command("course", OF_COURSE, of_a_lab=False).add_argument
    add("roster", metavar="ROSTER.csv", type=_file, help="as for `grade class`")
    add("graded", metavar="N=GRADED", type=_graded, nargs="+")
    add("--out", metavar="OUT", type=path, required=True)
    _add_export(command("export", OF_EXPORT, of_a_lab=False))
    add = command("calibrate", OF_CALIBRATE).add_argument
    add("--runs", metavar="N", type=_number, default=5, help="measurements of each speed; 5")
    add("--out", metavar="FILE.json", type=path, help="for the rules with the thresholds")
    add = command("rehearse", OF_REHEARSE, of_a_lab=False).add_argument
    add("--labs", metavar="N,...", help="default: all that have rules")
    add("--out", metavar="DIR", type=path, required=True, help="an empty or new folder")
    add("--no-speed", dest="more", action="append_const", const="--no-speed", default=[],
        help="correctness only")
    gradescope_parser = command("gradescope", OF_GRADESCOPE)
    gradescope_parser.add_argument("zip", metavar="AUTOGRADER.zip", type=_zip)
    _add_hidden(gradescope_parser)
    add = gradescope_parser.add_argument
    add("--hidden-visibility", choices=gradescope.VISIBILITIES, default="visible",
        help="when students see whether they pass tests that they do not have; visible: at once")
    add("--leaderboard", action="store_true", help="with the speedups of the tasks for speed")
    return parser


def _describe_grade_check(command: Callable[..., argparse.ArgumentParser]) -> None:
    """For --help alone: it has to need no build."""
    check = command("check", OF_CHECK)
    check.add_argument("submission", metavar="SUBMISSION")
    preprocess = command("preprocess", OF_PREPROCESS)
    preprocess.add_argument("submission", metavar="SUBMISSION")
    for parser in (check, preprocess):
        parser.add_argument("--out", metavar="OUT", required=True)
    rules = command("check-rules", OF_CHECK_RULES, of_a_lab=False)
    rules.add_argument("files", metavar="FILE.json", nargs="+",
                       help="such as labN-name/assignment/points.json")
    for parser in (check, rules):
        _add_hidden(parser)
    add = check.add_argument
    add("--part", choices=("all", "tests", "speed"), default="all",
        help="only the tests, which may run beside others, or the speed")
    add("--tested", metavar="DIR", help="with --part speed: the output of --part tests for the same "
        "files, to which the speeds are added")
    add("--task", metavar="ID", help="grades this task only; needs --keep")
    add("--keep", metavar="DIR", help="an earlier output of the same --part and files: only points "
        "are counted again, but with --task")
    add("--seed", metavar="SEED", help="repeats the inputs of a grading: its seed")
    add("--class-seed", metavar="N", help="of the random tests: those of a class have the same")
    add("--test-seconds", metavar="S", help="a test's time; 60")
    add("--submission-seconds", metavar="S", help="the time for all files together; 600")


def _add_hidden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hidden", metavar="FOLDER", type=_folder,
                        help="tests that students do not have: .cpp files")


def _add_class(grading: argparse.ArgumentParser) -> None:
    _add_hidden(grading)
    add = grading.add_argument
    add("roster", metavar="ROSTER.csv", type=_file, help="has the column id, and may have name")
    add("submissions", metavar="SUBMISSIONS", type=_folder)
    add("--out", metavar="OUT", type=path, required=True)
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
    add("--handed-in", metavar="FILE.csv", type=_file, action="append",
        help="when students handed in: the columns id, lab, time; may be given for each lab")
    add("--task", metavar="ID", type=_task, help="grades only this task again")
    add("--only", metavar="ID,...", help="grades only these students")


def _add_export(exporting: argparse.ArgumentParser) -> None:
    add = exporting.add_argument
    add("grades", metavar="GRADES.csv", type=_file, help="of `grade class`, edited or not")
    add("--to", choices=("moodle", "canvas"), required=True)
    add("--item", metavar="NAME", required=True, help="of the assignment, such as 'Lab 1'")
    add("--out", metavar="FILE.csv", type=path, required=True)
    add("--like", metavar="EXPORTED.csv", type=_file, help="a file that Moodle or Canvas exported")
    add("--id", choices=tuple(gradebooks.MOODLE_IDS), default="username",
        help="what the roster's ids are in Moodle; username")
    add("--points", metavar="COLUMN", help="of GRADES.csv")
