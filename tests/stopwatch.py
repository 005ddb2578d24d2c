#!/usr/bin/env python3
"""How long a student waits: edits of variants, one after the other, each with run_all.sh --variant.

    tests/stopwatch.py TREE [--lab 1] [--count 20] [--first 0]

Wrong edits are those of labN-name/assignment/mistakes.py, right ones add a line that changes
nothing. The files of TREE are edited in place and restored; the restored file is compiled before
the next edit, which is not timed, so that each time is that of one edit. Its build folder has to be
there already, and nothing else should run. The compiler cache is off. Prints for each edit the
seconds to the first failure and to the verdict, and the CPU time of all programs, which other work
hardly changes; then medians and worst times by kind. Where points are uncertain, the verdict is the
line before measuring on. Exit code 1: a verdict did not come, or a right edit is called wrong, or a
wrong one right.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import mistakes  # noqa: E402

FAILURE = re.compile(r"\[ *\d+ s\] \w+: [\w ]+, in ")


def edits(lab: str, count: int) -> list[tuple[str, str, object]]:
    """(kind, variant, mistake or None), the four kinds in turns; mistakes from the whole list."""
    cases = mistakes.cases_of(mistakes.lab_numbered(lab))
    by_backend = {backend: [case for case in cases if case.variant.startswith(backend)]
                  for backend in ("omp", "cuda")}
    chosen = []
    for turn in range(count):
        backend = ("omp", "cuda")[turn % 2]
        some = by_backend[backend]
        case = some[turn // 2 * 5 % len(some)]
        wrong = turn // 2 % 2 == 0
        chosen.append((f"{'wrong' if wrong else 'right'} {backend}", case.variant,
                       case if wrong else None))
    return chosen


def file_of(tree: pathlib.Path, lab: str, variant: str) -> pathlib.Path:
    return next(file for file in tree.glob(f"lab{lab}-*/ladder/*")
                if re.fullmatch(rf"\d+_{variant}\.(cpp|cu)", file.name))


def build_restored(tree: pathlib.Path, lab: str, variant: str) -> None:
    name = next(tree.glob(f"lab{lab}-*")).name
    races = [f"{name}-{variant}-races"] if variant.startswith("omp_") else []
    program = json.loads((tree / "build-all" / name / "facts.json").read_text("utf-8"))["program"]
    subprocess.run(["cmake", "--build", tree / "build-all" / name, "--target",
                    f"{program}_tests", *races], check=True, stdout=subprocess.DEVNULL)


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(tree: pathlib.Path, lab: str, variant: str) -> tuple[float, float, str]:
    """Seconds to the first failure (0: none) and to the verdict, and its first line."""
    start = time.monotonic()
    so_far = re.compile(rf"\[ *\d+ s\] {variant}: right, ")
    environment = dict(os.environ, CCACHE_DISABLE="1")
    failure, verdict, text = 0.0, 0.0, ""
    with subprocess.Popen(["./run_all.sh", "--labs", lab, "--variant", variant], cwd=tree,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        for line in process.stdout or ():
            now = time.monotonic() - start
            if FAILURE.match(line) and not failure:
                failure = now
            if so_far.match(line) or (line.startswith(f"{variant}: ") and not verdict):
                verdict = now
            if line.startswith(f"{variant}: "):
                text = line.strip()
    return failure, verdict, text


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the time from an edit to the verdict.")
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--lab", default="1")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="begin with the edit of this number")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # restores the file first
    times: dict[str, list[tuple[float, float, float]]] = {}
    surprises = 0
    chosen = edits(options.lab, options.first + options.count)
    for number, (kind, variant, case) in itertools.islice(enumerate(chosen), options.first, None):
        file = file_of(options.tree, options.lab, variant)
        text, before = file.read_text(), cpu_seconds()
        try:
            file.write_text(case.applied_to(text) if case
                            else f"{text}\nstatic_assert({number} >= 0);\n")
            failure, verdict, said = run(options.tree, options.lab, variant)
        finally:
            file.write_text(text)
        cpu = cpu_seconds() - before
        build_restored(options.tree, options.lab, variant)
        times.setdefault(kind, []).append((failure, verdict, cpu))
        surprises += said.startswith(f"{variant}: right") != (case is None)
        print(f"{kind:10} {variant:16} {failure:6.1f} {verdict:6.1f} {cpu:6.1f}  {said[:90]}",
              flush=True)
    print(f"\n{'median, worst s':16} {'first failure':>13} {'verdict':>13} {'CPU':>13}")
    for kind, taken in sorted(times.items()):
        columns = [[one for one in column if one] or [0.0] for column in zip(*taken)]
        print(f"{len(taken):3} {kind:12}", *(f"{statistics.median(column):7.1f} {max(column):5.1f}"
                                             for column in columns))
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
