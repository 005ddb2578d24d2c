#!/usr/bin/env python3
"""Tests the verdicts: variants with known mistakes, and whether the message names the mistake.

    tests/verdicts.py [BUILD_DIR] [--labs 1,2] [--variant NAME] [--turn K/N] [--results FILE]
                      [--table FILE]

Each mistake of labN-name/assignment/mistakes.py is an edit of a variant. Without BUILD_DIR, it is
only tried whether the variants still have the texts that are edited. With it (build-all of
run_all.sh, with the lab's tests built), the edited file is compiled and linked with the lab's tests,
which then run as `run_all.sh --variant` runs them; an OpenMP variant whose mistake they do not name
also runs under ThreadSanitizer, as the test `races` does, and then a CPU variant under
AddressSanitizer. --turn 0/8 takes every eighth mistake of each lab.

A message names the cause, has only the symptom, or names a wrong cause ("looks like" and another
mistake). A variant that passes is called right. A passage that a message cites has to be in the
handout. Exit code 0: each mistake is named; 1: one is not; 2: bad usage. --results adds each result
to a file as a line of JSON; --table writes a Markdown page of the results in that file: of each
mistake that the labs have now, the last result, and how many of them have none.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from driver.run import sanitized  # noqa: E402
from driver.variants import listed  # noqa: E402
import mistakes  # noqa: E402
from mistakes import Case  # noqa: E402

NAMED, SYMPTOM, NOTHING = "named", "symptom", "nothing"
RIGHT, WRONG_CAUSE, NOT_BUILT = "called right", "wrong cause", "not built"
NO_PASSAGE = "no passage"
TIME_LIMIT_S = 100


class Build:
    """The commands that built a lab's tests."""

    def __init__(self, folder: pathlib.Path, lab: str) -> None:
        self.folder = folder.resolve()
        self.programs = self.folder / lab
        self.lab = lab

    def commands(self, target: str) -> list[str]:
        """The commands that make a target, in order."""
        result = subprocess.run(["ninja", "-C", str(self.folder), "-t", "commands", target],
                                capture_output=True, text=True, check=True)
        return [line for line in result.stdout.splitlines() if not line.startswith("ninja: ")]

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the build."""
        return subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def program(self) -> str:
        """The name of the lab's tests."""
        return json.loads((self.programs / "facts.json").read_text())["program"] + "_tests"


def number_of(lab: str) -> str:
    """1 of lab1-convolution."""
    return lab.removeprefix("lab").partition("-")[0]


def file_of(lab: str, variant: str) -> pathlib.Path:
    """The file of a variant."""
    files = [ROOT / found.file for found in listed(lab) if found.name == variant]
    if len(files) != 1:
        raise SystemExit(f"{lab}: {len(files)} files of the variant '{variant}'")
    return files[0]


def compile_edited(build: Build, target: str, original: pathlib.Path, edited: pathlib.Path,
                   output: pathlib.Path) -> str:
    """Compiles the edited file as `target` compiles the original. Returns the object of the
    original, or "" if the edited file does not compile."""
    for command in build.commands(target):
        if original.name not in command or (" -c " not in command and "cuda_to_cpp" not in command):
            continue
        if "cuda_to_cpp" in command:
            translated = edited.with_suffix(".cu.cpp")
            words = shlex.split(command.split("&&")[-1])
            if build.run(shlex.join([words[0], str(edited), str(translated)])).returncode != 0:
                return ""
            continue
        words = shlex.split(command)
        place = words.index("-o") + 1
        object_file = words[place]
        words[place] = str(output)
        words[words.index("-c") + 1] = str(edited.with_suffix(".cu.cpp") if edited.suffix == ".cu"
                                           else edited)
        words[words.index("-MF") + 1] = str(output) + ".d"
        words += ["-w", f"-I{original.parent}"]
        if words[0].endswith("ccache"):
            words = words[1:]
        result = build.run(shlex.join(words))
        if result.returncode != 0:
            print(result.stderr[-600:], file=sys.stderr)
            return ""
        return object_file
    raise SystemExit(f"no command compiles {original.name} for {target}")


def link(build: Build, target: str, old_object: str, new_object: pathlib.Path,
         output: pathlib.Path) -> bool:
    """Links a program as `target`, with another object."""
    words = shlex.split(build.commands(target)[-1].split(" && ")[1])
    words = [str(new_object) if word == old_object else word for word in words]
    words[words.index("-o") + 1] = str(output)
    return build.run(shlex.join(words)).returncode == 0


def tests_of(build: Build, program: pathlib.Path, variant: str, filters: str,
             races: pathlib.Path, more: Mapping[str, str] | None = None) -> tuple[bool, str]:
    """Whether the tests passed, and their output."""
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", LABS_RACES=str(races),
                       **(more or {}))
    try:
        result = subprocess.run([str(program), f"--gtest_filter={filters.format(variant)}",
                                 "--gtest_fail_fast"], cwd=program.parent, env=environment,
                                capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return False, "timeout"
    return result.returncode == 0, result.stdout + result.stderr


def message_in(output: str) -> str:
    """The line that a student reads first."""
    found = re.search(r"^.*\bWRONG .*$", output, re.MULTILINE)
    if not found:  # a rank that ended
        found = re.search(r"^\S+ on \d+x\d+x\d+ \(.*$", output, re.MULTILINE)
    if found:
        return found.group(0)
    found = re.search(r"^not checked: .*$", output, re.MULTILINE)
    if found:
        return found.group(0)
    return "timeout" if output == "timeout" else output.strip().splitlines()[-1][:200]


def passage_is_there(output: str) -> bool:
    """False if the message names a passage of a page, and the page has it no more."""
    found = re.search(r'^ *explained in (\S+?)(?:, "([^"]*)": (.*))?$', output, re.MULTILINE)
    if not found:
        return True
    text = " ".join((ROOT / found[1]).read_text().split())
    return not found[2] or (f"## {found[2]}" in text and " ".join(found[3].split()) in text)


def judged(case: Case, passed: bool, message: str) -> str:
    """How the message judges a mistake."""
    if passed:
        return RIGHT
    if case.cause in message:
        return NAMED
    if "looks like: " in message and "two runs differ" not in message:
        return WRONG_CAUSE
    return SYMPTOM if message.startswith("WRONG ") else NOTHING


def access_in(build: Build, case: Case, original: pathlib.Path, edited: pathlib.Path,
              output: str) -> str:
    """The access out of bounds of which AddressSanitizer knows in the test that failed."""
    target = f"{build.lab}-{case.variant}-sanitized"
    program, new = edited.parent / target, edited.parent / "sanitized.o"
    build.run(f"cmake --build . --target {target}")
    old = compile_edited(build, target + "-object", original, edited, new)
    test = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    if not test or not old or not link(build, target, old, new, program):
        return ""
    causes = (sanitized.cause_in(tests_of(build, program, "", test[-1], program.parent, more)[1],
                                 message_in(output))
              for more in sanitized.ENVIRONMENTS)
    return next(filter(None, causes), "")


def try_case(build: Build, case: Case, folder: pathlib.Path) -> tuple[str, str]:
    """The verdict on a case, and the message."""
    original = file_of(build.lab, case.variant)
    edited = folder / "ladder" / original.name
    edited.parent.mkdir(exist_ok=True)
    edited.write_text(case.applied_to(original.read_text()))
    program = folder / build.program()
    target = f"{build.lab}-{case.variant}"
    old = compile_edited(build, target, original, edited, folder / "edited.o")
    if not old or not link(build, build.program(), old, folder / "edited.o", program):
        return NOT_BUILT, ""
    passed, output = tests_of(build, program, case.variant, "*/{0}:-*.races/*", folder)
    first = "" if passed else output
    named = not passed and judged(case, passed, message_in(output)) == NAMED
    if case.variant.startswith("omp_") and not named:
        races = folder / case.variant
        # The program that it is linked into has to exist.
        build.run(f"cmake --build . --target {target}-races")
        old = compile_edited(build, target + "-races-object", original, edited,
                             folder / "races.o")
        if not old or not link(build, target + "-races", old, folder / "races.o", races):
            return NOT_BUILT, ""
        no_race, race_output = tests_of(build, program, case.variant, "*.races/{0}", folder)
        if "not checked: " in race_output and "two calls with the same input" not in race_output:
            raise SystemExit(message_in(race_output))
        if not no_race:
            passed, output = no_race, race_output
    message = message_in(output)
    if not passed and judged(case, passed, message) != NAMED and original.suffix == ".cpp":
        access = access_in(build, case, original, edited, first)
        message = sanitized.with_cause(message_in(first), access) if access else message
    if not passage_is_there(output):
        return NO_PASSAGE, message + output.partition("explained in")[2].partition("\n")[0]
    return judged(case, passed, message), message


def turn(text: str) -> slice:
    """Every Nth from number K on, of "K/N"."""
    first, step = map(int, text.split("/"))
    if not 0 <= first < step:
        raise ValueError(text)
    return slice(first, None, step)


def known_mistakes() -> list[tuple[str, str, str]]:
    """Number of the lab, variant and cause of each mistake, in order."""
    return [(number_of(lab), case.variant, case.cause) for lab in mistakes.labs()
            for case in mistakes.cases_of(lab)]


def last_results(results: list[dict[str, str]]) -> list[tuple[tuple[str, str, str], str]]:
    """Each known mistake that has a result, with the last one. Mistakes of one variant that have
    the same cause take the last of their results, in order."""
    found: dict[tuple[str, str, str], list[str]] = collections.defaultdict(list)
    for result in results:
        found[result["lab"], result["variant"], result["cause"]].append(result["kind"])
    known = known_mistakes()
    taken = {one: found[one][-known.count(one):] for one in known}
    return [(one, taken[one].pop(0)) for one in known if taken[one]]


def page(results: list[dict[str, str]]) -> str:
    """The results in Markdown."""
    last = last_results(results)
    kinds = [NAMED, SYMPTOM, NOTHING, WRONG_CAUSE, NO_PASSAGE, RIGHT, NOT_BUILT]
    rows = [(lab, [kind for (of_lab, _, _), kind in last if of_lab == lab])
            for lab in map(number_of, mistakes.labs())]
    rows.append(("all", [kind for _, kind in last]))
    lines = ["# What a verdict says of known mistakes", "",
             f"`tests/verdicts.py` tried {len(last)} of the {len(known_mistakes())} mistakes of "
             "`labN-name/assignment/mistakes.py`.", "",
             "| lab | " + " | ".join(kinds) + " |", "| --- |" + " --: |" * len(kinds)]
    lines += [f"| {name} | " + " | ".join(str(of_row.count(kind)) for kind in kinds) + " |"
              for name, of_row in rows]
    lines += ["", "| variant | mistake | verdict |", "| --- | --- | --- |"]
    lines += [f"| lab {lab}, `{variant}` | {cause} | {kind} |"
              for (lab, variant, cause), kind in last]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the verdicts on known mistakes.")
    parser.add_argument("build", type=pathlib.Path, nargs="?", help="a folder with the lab's tests")
    parser.add_argument("--labs", default="", help="numbers, with commas")
    parser.add_argument("--variant", default="", help="only mistakes of this variant")
    parser.add_argument("--cause", default="", help="only mistakes whose cause contains this text")
    parser.add_argument("--turn", type=turn, default="0/1", metavar="K/N",
                        help="every Nth mistake of each lab, from number K on")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE",
                        help="add each result to it, as a line of JSON")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE",
                        help="write a page of all results in the file of --results")
    options = parser.parse_args()
    if options.table and not options.results:
        parser.error("--table needs --results")
    if options.table and not options.build and not options.results.is_file():
        parser.error(f"there is no file {options.results}")
    total: collections.Counter[str] = collections.Counter()
    labs = [mistakes.lab_numbered(number) for number in options.labs.split(",") if number]
    for name in labs or mistakes.labs():
        lab, cases = number_of(name), mistakes.cases_of(name)
        if not options.build:
            for case in cases:
                case.applied_to(file_of(name, case.variant).read_text())
            continue
        build = Build(options.build, name)
        for case in cases[options.turn]:
            if options.variant not in ("", case.variant) or options.cause not in case.cause:
                continue
            with tempfile.TemporaryDirectory() as folder:
                kind, message = try_case(build, case, pathlib.Path(folder))
            total[kind] += 1
            if options.results:
                with options.results.open("a") as file:
                    file.write(json.dumps({"lab": lab, "variant": case.variant,
                                           "cause": case.cause, "kind": kind,
                                           "message": message}) + "\n")
            print(f"{kind:12} lab {lab} {case.variant}: {case.cause}", flush=True)
            if kind != NAMED:
                print(f"             {message[:400]}", flush=True)
    if options.table:
        lines = options.results.read_text().splitlines()
        options.table.write_text(page([json.loads(line) for line in lines]))
    if not options.build:
        return 0
    print(", ".join(f"{number} {kind}" for kind, number in total.most_common()))
    return 0 if set(total) == {NAMED} else 1


if __name__ == "__main__":
    sys.exit(main())
