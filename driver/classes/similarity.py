"""Compares the submissions of a class with each other: OUT/similarity.txt.

`grade preprocess` writes what the compiler sees of each file, in the grading's sandbox, so neither
macros nor conditions hide anything, and no file that a student names is read here. Then Dolos, JPlag
(LABS_JPLAG: its .jar) or sim_c++ (Debian: similarity-tester) compares. What everybody has from the
given files and from headers does not count.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from driver.tools import starter
from driver.classes.handin import lab_folder
from driver.classes.task import Run, end_with_parent

TOKEN = re.compile(r"[A-Za-z_]\w*|[0-9][\w.]*|\S")
# sim_c++ takes time with the cube of the length of a repetition, and takes all names for the same. So
# of each run of GRAM kinds of tokens in a file, MOST_ALIKE count, and MOST_TOKENS in all. It looks for
# runs of this length.
GRAM, MOST_ALIKE, MOST_TOKENS = 20, 4, 20000
KEYWORDS = frozenset("auto bool break case char class const continue do double else float for if int "
                     "long namespace return short signed sizeof static struct switch template "
                     "typename unsigned using void while".split())
MOST_SECONDS = 300  # of the tool
AT_ONCE = 16  # files that are taken of one folder
USUAL = ("bits/stdc++.h", "omp.h", "immintrin.h", "pthread.h", "unistd.h")


def _limit() -> None:
    end_with_parent()
    for what, most in ((resource.RLIMIT_CPU, MOST_SECONDS), (resource.RLIMIT_AS, 4 << 30),
                       (resource.RLIMIT_FSIZE, 64 << 20)):
        resource.setrlimit(what, (most, most))


def _preprocessed(run: Run, submission: Path, to: Path) -> str:
    """What could not be preprocessed, and why: a line for each file."""
    done = subprocess.run([run.grade, "preprocess", submission, "--lab", run.lab, "--out", to],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          preexec_fn=end_with_parent)
    if done.returncode != 0 and not done.stdout:
        return f"exit code {done.returncode}\n"
    return done.stdout


def _statements(file: Path) -> list[str]:
    """Without directives, with the character that ends each."""
    text = re.sub(r"^#.*\n?", "", file.read_text("latin-1"), flags=re.MULTILINE)
    return re.findall(r"[^;{}]*[;{}]|[^;{}]+$", re.sub(r"\s+", " ", text))


def _body(statement: str) -> str:
    return statement.strip().rstrip(";{}").strip()


def thinned(text: str) -> str:
    """The tokens, without what repeats itself."""
    kept: list[str] = []
    seen: Counter[tuple[str, ...]] = Counter()
    last: tuple[str, ...] = ()
    for token in TOKEN.findall(text):
        is_name = re.match(r"\w", token) and token not in KEYWORDS
        last = (*last[1 - GRAM:], "name" if is_name else token)
        seen[last] += 1
        if len(last) < GRAM or seen[last] <= MOST_ALIKE:
            kept.append(token)
            if len(kept) == MOST_TOKENS:
                break
    return " ".join(kept)


def leave_out(given: set[str], file: Path) -> None:
    """Takes statements of the given files out of a file."""
    kept = [statement for statement in _statements(file) if _body(statement) not in given]
    # A statement a line: they are what a person reads beside each other.
    file.write_text(re.sub(r" ?([;{}])", "\\1\n", thinned(" ".join(kept))) + "\n", "latin-1")


def _given(run: Run, folder: Path) -> set[str]:
    """Statements of the stubs and of all headers."""
    handed_out = Path(run.assignment) / "starter/ladder"
    with tempfile.TemporaryDirectory() as scratch:
        api = Path(scratch, "api")
        starter.write_headers(lab_folder(run.lab).name, api)
        roots = [api / "common/include", api / "emulation/include", api / lab_folder(run.lab).name]
        headers = [file.relative_to(root).as_posix() for root in roots
                   for file in sorted(root.rglob("*")) if file.is_file()]
        for number, header in enumerate([*USUAL, *USUAL, *headers]):
            of_kernels = number < len(USUAL) or header.endswith(".cuh") or header.startswith("cu")
            name = f"cuda_h{number}.cu" if of_kernels else f"omp_h{number}.cpp"
            file = Path(scratch, f"headers{number // AT_ONCE}", name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"#include <{header}>\n")
        for source in [handed_out, *sorted(Path(scratch).glob("headers*"))]:
            if source.is_dir():
                _preprocessed(run, source, folder / source.name)
    given = {_body(statement) for file in folder.rglob("*.c*") for statement in _statements(file)}
    return given | {""}  # alone, a bracket proves nothing


def _with_sim(folder: Path, log) -> str:
    """A line per pair of files of different students: how much of the first is in the second."""
    names = sorted(str(file.relative_to(folder)) for file in (folder / "students").rglob("*.c*"))
    said = subprocess.run(["sim_c++", "-p", "-t", "40", "-w", "200", "-r", str(GRAM), "-i"], cwd=folder,
                          input="\n".join(names) + "\n", stdout=subprocess.PIPE, stderr=log,
                          text=True, errors="replace", check=True, timeout=MOST_SECONDS,
                          preexec_fn=_limit).stdout
    pairs = [line for line in said.splitlines() if "consists for" in line
             and line.split()[0].split("/")[1] != line.split()[6].split("/")[1]]
    pairs.sort(key=lambda line: -int(line.split()[3]))
    return "".join(line + "\n" for line in pairs)


def _compare(folder: Path, log) -> tuple[str, str]:
    """The name of the tool, empty if there is none, and what it says."""
    def said(*command: str) -> str:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True,
                              errors="replace", check=True, timeout=MOST_SECONDS,
                              preexec_fn=end_with_parent).stdout
    jplag = os.environ.get("LABS_JPLAG", "")
    files = [str(file) for file in sorted((folder / "students").rglob("*.c*"))]
    if not files:
        return "no tool, because there is nothing to compare", ""
    if shutil.which("dolos"):
        return "dolos", said("dolos", "run", "-l", "cpp", "-f", "csv", "-o", "dolos", *files)
    if Path(jplag).is_file():
        return "jplag", said("java", "-jar", jplag, "-l", "cpp", "-r", "jplag", "students")
    if shutil.which("sim_c++"):
        return "sim", _with_sim(folder, log)
    return "", ""


def write(run: Run, students: list[str], at_once: int = 1) -> int:
    """Returns 1 if the tool did not compare them."""
    out = Path(run.out)
    folder = out / "similarity"
    shutil.rmtree(folder, ignore_errors=True)
    handed_in = [student for student in students if (Path(run.submissions) / student).is_dir()
                 and not (Path(run.submissions) / student).is_symlink()]

    def prepare(student: str) -> str:
        said = _preprocessed(run, Path(run.submissions) / student, folder / "students" / student)
        for file in (folder / "students" / student).glob("*.c*"):
            leave_out(given, file)
        return "".join(f"not compared: {student}/{line}\n" for line in said.splitlines())
    given = _given(run, folder / "base")
    with ThreadPoolExecutor(at_once) as pool:
        missing = "".join(pool.map(prepare, handed_in))
    with (out / "logs" / "similarity.log").open("w") as log:
        try:
            tool, said = _compare(folder, log)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"no similarity: {error}; see {log.name}", file=sys.stderr)
            return 1
    if not tool:
        print("no similarity: none of dolos, JPlag and sim_c++ is installed", file=sys.stderr)
        return 0
    report = out / "similarity.new"
    report.write_text(f"Compared with {tool}. A person decides what a similarity means.\n{said}"
                      f"{missing}", "utf-8")
    report.replace(out / "similarity.txt")
    return 0
