"""Compares the submissions of a class with each other: OUT/similarity.txt.

`grade preprocess` writes what the compiler sees of each file, in the grading's sandbox, so neither
macros nor conditions hide anything, and no file that a student names is read here. Of each token one
spelling is left (tokens.py). Then Dolos, JPlag (LABS_JPLAG: its .jar) or sim_c++ (Debian:
similarity-tester) compares. What everybody has from stubs and from headers does not count. A file
that is a given one under another name is named as well.
"""

import hashlib
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

from driver.classes import given
from driver.classes.results import read_results
from driver.classes.task import Run, end_with_parent
from driver.classes.tokens import GRAM, runs, statements

MOST_ALIKE = 4  # sim_c++ takes time with the cube of the length of a repetition: so often a run counts
WINDOW = 800  # tokens: parts of a longer file are compared, each begins in the middle of the last
MOST_TOKENS, MOST_BYTES = 60_000, 16 << 20  # of a file: its own, and after the preprocessor
MOST_SECONDS = 300  # of the tool
LEAST_PERCENT = 40  # that is said


def _limit() -> None:
    end_with_parent()
    for what, most in ((resource.RLIMIT_CPU, MOST_SECONDS), (resource.RLIMIT_AS, 4 << 30),
                       (resource.RLIMIT_FSIZE, 64 << 20)):
        resource.setrlimit(what, (most, most))


def thinned(tokens: list[str]) -> list[str]:
    """Without what repeats itself."""
    seen: Counter[tuple[str, ...]] = Counter()
    kept = tokens[:GRAM - 1]
    for last, token in zip(runs(tokens), tokens[GRAM - 1:]):
        seen[last] += 1
        if seen[last] <= MOST_ALIKE:
            kept.append(token)
    return kept


def windows(tokens: list[str]) -> list[list[str]]:
    return [tokens[begin:begin + WINDOW]
            for begin in range(0, max(len(tokens) - WINDOW // 2, 1), WINDOW // 2)]


def split_up(file: Path, known: given.Given) -> tuple[str, list[str]]:
    """Replaces a file by windows of what is the student's own: FILE, or FILE.1, FILE.2, ... before the
    extension. Returns why it is not compared, or "", and what given files it is."""
    if file.stat().st_size > MOST_BYTES:
        file.unlink()
        return f"it has more than {MOST_BYTES >> 20} MB after the preprocessor", []
    own = known.without_headers(statements(file))
    if len(" ".join(own).split()) < GRAM:
        file.unlink()
        return f"it has fewer than {GRAM} tokens", []
    same = known.same(file.name, own)
    kept = [statement for statement in known.without_stubs(own) if not statement.startswith("#")]
    tokens = thinned(" ".join(kept).split())
    file.unlink()
    if len(tokens) > MOST_TOKENS:
        return f"it has more than {MOST_TOKENS} tokens", same
    parts = windows(tokens)
    for number, part in enumerate(parts, start=1):
        name = file.with_suffix(f".{number}{file.suffix}") if len(parts) > 1 else file
        # A statement a line: they are what a person reads beside each other.
        name.write_text(re.sub(r" ?([;{}])", "\\1\n", " ".join(part)) + "\n", "ascii")
    return "", same


def other_texts(texts: Path, graded: Path) -> list[str]:
    """The files whose text is not the one that the grader compiled: a header or a folder may be there
    for the preprocessor once, and not the next time. nvcc keeps its text to itself."""
    found = []
    variants = (read_results(graded / "results.json") or {}).get("extra_data", {}).get("variants", [])
    for variant in variants:
        if not variant.get("text") or variant["gpu"] not in ("", "emulated"):
            continue  # it was not compiled, or nvcc did
        text = texts / variant["file"]
        if text.is_file():
            own = hashlib.blake2b(text.read_bytes(), digest_size=32).hexdigest()
            if own != variant["text"]:
                text.unlink()
                found.append(f"{text.name}: the preprocessor gives another text than in its grading")
    return found


def _with_sim(folder: Path, log) -> str:
    """A line per pair of files of different students: how much of the first, or of a window of it, is
    in the second. The tool divides this among the windows of the second."""
    names = sorted(str(file.relative_to(folder)) for file in (folder / "students").rglob("*.c*"))
    said = subprocess.run(["sim_c++", "-p", "-t", "1", "-w", "200", "-r", str(GRAM), "-i"], cwd=folder,
                          input="\n".join(names) + "\n", stdout=subprocess.PIPE, stderr=log,
                          text=True, errors="replace", check=True, timeout=MOST_SECONDS,
                          preexec_fn=_limit).stdout
    of_windows: Counter[tuple[str, str]] = Counter()
    for line in said.splitlines():
        found = re.fullmatch(r"(\S+) consists for (\d+) % of (\S+) material", line.strip())
        if found and found[1].split("/")[1] != found[3].split("/")[1]:
            of_windows[found[1], _file(found[3])] += int(found[2])
    most: Counter[tuple[str, str]] = Counter()
    for (window, other), percent in of_windows.items():
        most[_file(window), other] = max(most[_file(window), other], min(percent, 100))
    return "".join(f"{one} consists for {percent} % of {other} material\n"
                   for (one, other), percent in most.most_common() if percent >= LEAST_PERCENT)


def _file(window: str) -> str:
    return re.sub(r"\.\d+(\.\w+)$", r"\1", window)


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


def write(run: Run, students: list[str], at_once: int = 1) -> dict[str, list[str]] | None:
    """The files that were graded and not compared, with the reasons, by student. None if the tool has
    compared nothing."""
    out = Path(run.out)
    folder, report = out / "similarity", out / "similarity.txt"
    shutil.rmtree(folder, ignore_errors=True)
    report.unlink(missing_ok=True)
    handed_in = [student for student in students if (Path(run.submissions) / student).is_dir()
                 and not (Path(run.submissions) / student).is_symlink()]
    known = given.Given(run, folder / "base")

    def prepare(student: str) -> tuple[list[str], str]:
        to = folder / "students" / student
        missing = given.preprocess(run, Path(run.submissions) / student, to).splitlines()
        missing += other_texts(to, run.student(student) / "tests")
        said = ""
        for file in sorted(to.glob("*.c*")):
            why, same = split_up(file, known)
            missing += [f"{file.name}: {why}"] if why else []
            said += "".join(f"students/{student}/{file.name} is the given {name}, or has it in it\n"
                            for name in same)
        return missing, said
    with ThreadPoolExecutor(at_once) as pool:
        found = dict(zip(handed_in, pool.map(prepare, handed_in)))
    missing = {student: lines for student, (lines, _) in found.items() if lines}
    with (out / "logs" / "similarity.log").open("w") as log:
        try:
            tool, said = _compare(folder, log)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"no similarity: {error}; see {log.name}", file=sys.stderr)
            return None
    if not tool:
        print("no similarity: none of dolos, JPlag and sim_c++ is installed; --no-similarity does "
              "without", file=sys.stderr)
        return None
    new = out / "similarity.new"
    new.write_text(f"Compared with {tool}. A person decides what a similarity means.\n{said}"
                   + "".join(said for _, said in found.values())
                   + "".join(f"not compared: {student}/{line}\n"
                             for student, lines in missing.items() for line in lines), "utf-8")
    new.replace(report)
    return missing
