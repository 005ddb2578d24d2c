"""Compares the submissions of a class with each other: OUT/similarity.txt.

With Dolos or JPlag (LABS_JPLAG: its .jar) where they are installed, otherwise with sim_c++ (Debian:
similarity-tester). What everybody has from the given files does not count.
"""

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from driver.classes.task import Run

VARIANT = re.compile(r"([0-9]{1,3}_)?(omp|cuda)_[a-z0-9_]+\.(cpp|cu)")
MOST_BYTES, MOST_FILES = 256 * 1024, 16  # as the grader takes them
SHORT = 4  # characters of a statement that proves nothing
CONTINUED = re.compile(r"(\\|\?\?/)[^\S\n]*\n")
DIRECTIVE = re.compile(r"^[^\S\n]*#[^\S\n]*(include|pragma).*\n?", re.MULTILINE)
READS_FILES = re.compile(r"\b(include|include_next|import|embed|pragma|_Pragma)\b", re.ASCII)


def _limit() -> None:
    for what, most in ((resource.RLIMIT_CPU, 5), (resource.RLIMIT_AS, 1_000_000 * 1024),
                       (resource.RLIMIT_FSIZE, 8192 * 1024)):
        resource.setrlimit(what, (most, most))


def write_tokens(file: Path, to: Path) -> None:
    """The text of a file after the preprocessor. It expands the file's own macros, also empty ones,
    and drops comments. It must read no other file, so words by which directives name one are taken
    out first, wherever comments and continued lines put them. What it says of a file with mistakes
    counts as far as it goes."""
    text = CONTINUED.sub("", file.read_bytes().decode("latin-1"))
    text = READS_FILES.sub("_", DIRECTIVE.sub("", text))
    source = to.with_name(to.name + ".in")
    source.write_text(text, "latin-1")
    command = [*shlex.split(os.environ.get("CXX") or "g++"), "-E", "-P", "-nostdinc", "-undef",
               "-x", "c++", "-std=c++20", "-w", "-"]
    with source.open("rb") as given, to.open("wb") as out:
        try:
            subprocess.run(command, stdin=given, stdout=out, stderr=subprocess.DEVNULL, timeout=20,
                           preexec_fn=_limit)
        except (OSError, subprocess.TimeoutExpired):
            pass
    if to.stat().st_size == 0:
        shutil.copyfile(source, to)
    source.unlink()


def _handed_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [file for file in sorted(folder.iterdir())
            if VARIANT.fullmatch(file.name) and file.is_file() and not file.is_symlink()
            and file.stat().st_size <= MOST_BYTES][:MOST_FILES]


def _statements(text: str) -> list[str]:
    """With the character that ends each."""
    return re.findall(r"[^;{}]*[;{}]|[^;{}]+$", re.sub(r"\s+", " ", text))


def _body(statement: str) -> str:
    return statement.strip().rstrip(";{}").strip()


def leave_out(given: set[str], file: Path) -> None:
    """Takes statements of the given files out of a file."""
    kept = [statement for statement in _statements(file.read_text("latin-1"))
            if len(_body(statement)) < SHORT or _body(statement) not in given]
    file.write_text("\n".join(kept) + "\n", "latin-1")


def _with_sim(folder: Path, log) -> str:
    """A line per pair of files of different students: how much of the first is in the second."""
    names = sorted(str(file.relative_to(folder)) for file in (folder / "students").rglob("*.c*"))
    said = subprocess.run(["sim_c++", "-p", "-t", "40", "-w", "200", "-r", "20", "-i"], cwd=folder,
                          input="\n".join(names) + "\n", stdout=subprocess.PIPE, stderr=log,
                          text=True, errors="replace", check=True).stdout
    pairs = [line for line in said.splitlines() if "consists for" in line
             and line.split()[0].split("/")[1] != line.split()[6].split("/")[1]]
    pairs.sort(key=lambda line: -int(line.split()[3]))
    return "".join(line + "\n" for line in pairs)


def _compare(folder: Path, log) -> tuple[str, str]:
    """The name of the tool, empty if there is none, and what it says."""
    def said(*command: str) -> str:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True,
                              errors="replace", check=True).stdout
    jplag = os.environ.get("LABS_JPLAG", "")
    if shutil.which("dolos"):
        files = [str(file) for file in sorted((folder / "students").rglob("*.c*"))]
        return "dolos", said("dolos", "run", "-l", "cpp", "-f", "csv", "-o", "dolos", *files)
    if Path(jplag).is_file():
        return "jplag", said("java", "-jar", jplag, "-l", "cpp", "-r", "jplag", "students")
    if shutil.which("sim_c++"):
        return "sim", _with_sim(folder, log)
    return "", ""


def write(run: Run, students: list[str]) -> None:
    out = Path(run.out)
    folder = out / "similarity"
    shutil.rmtree(folder, ignore_errors=True)
    for student in students:  # names of folders that tell nothing to the tools
        (folder / "students" / student).mkdir(parents=True)
        for file in _handed_in(Path(run.submissions) / student):
            write_tokens(file, folder / "students" / student / file.name)
    (folder / "base").mkdir()
    starter = Path(run.grading) / "starter" / f"lab{run.lab}"
    for file in sorted(starter.rglob("*")):
        if file.suffix in (".cpp", ".cu"):
            write_tokens(file, folder / "base" / file.name)
    given = {_body(statement) for file in (folder / "base").iterdir()
             for statement in _statements(file.read_text("latin-1"))}
    for file in (folder / "students").rglob("*.c*"):
        leave_out(given, file)
    with (out / "logs" / "similarity.log").open("w") as log:
        try:
            tool, said = _compare(folder, log)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"no similarity: {error}; see {log.name}", file=sys.stderr)
            return
    if not tool:
        print("no similarity: none of dolos, JPlag and sim_c++ is installed")
        return
    report = out / "similarity.new"
    report.write_text(f"Compared with {tool}. A person decides what a similarity means.\n{said}",
                      "utf-8")
    report.replace(out / "similarity.txt")
