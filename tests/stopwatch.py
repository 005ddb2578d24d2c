#!/usr/bin/env python3
"""How long a student waits: edits of variants, one after the other, each with run_all.sh --variant.

    tests/stopwatch.py TREE [--lab 1] [--count 20] [--first 0]

Wrong edits are those of tests/mistakes/, right ones add a line that changes nothing. The files of
TREE are edited in place and restored at the end. Its build folder has to be there already, and
nothing else should run. The compiler cache is off. Prints for each edit the seconds to the first
failure and to the verdict, then medians and worst times by kind. Exit code 1: a verdict did not
come, or a right edit is called wrong, or a wrong one right.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

FAILURE = re.compile(r"\[ *\d+ s\] \w+: [\w ]+, in ")


def edits(lab: str, count: int) -> list[tuple[str, str, object]]:
    """(kind, variant, mistake or None), the four kinds in turns; mistakes from the whole list."""
    cases = importlib.import_module(f"mistakes.lab{lab}").CASES
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


def run(tree: pathlib.Path, lab: str, variant: str) -> tuple[float, float, str]:
    """Seconds to the first failure (0: none) and to the verdict, and its first line."""
    start = time.monotonic()
    environment = dict(os.environ, CCACHE_DISABLE="1")
    failure, verdict, text = 0.0, 0.0, ""
    with subprocess.Popen(["./run_all.sh", "--labs", lab, "--variant", variant], cwd=tree,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        for line in process.stdout or ():
            now = time.monotonic() - start
            if FAILURE.match(line) and not failure:
                failure = now
            if line.startswith(f"{variant}: "):
                verdict, text = now, line.strip()
    return failure, verdict, text


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the time from an edit to the verdict.")
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--lab", default="1")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="begin with the edit of this number")
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {}
    surprises = 0
    chosen = edits(options.lab, options.first + options.count)
    for number, (kind, variant, case) in itertools.islice(enumerate(chosen), options.first, None):
        file = file_of(options.tree, options.lab, variant)
        text = file.read_text()
        try:
            file.write_text(case.applied_to(text) if case
                            else f"{text}\nstatic_assert({number} >= 0);\n")
            failure, verdict, said = run(options.tree, options.lab, variant)
        finally:
            file.write_text(text)
        times.setdefault(kind, []).append((failure, verdict))
        surprises += said.startswith(f"{variant}: right") != (case is None)
        print(f"{kind:10} {variant:16} {failure:6.1f} {verdict:6.1f}  {said[:90]}", flush=True)
    print(f"\n{'kind':10} {'count':>5}  first failure: median worst    verdict: median worst")
    for kind, pairs in sorted(times.items()):
        failures = [failure for failure, _ in pairs if failure] or [0.0]
        verdicts = [verdict for _, verdict in pairs]
        print(f"{kind:10} {len(pairs):5} {statistics.median(failures):22.1f} "
              f"{max(failures):5.1f} {statistics.median(verdicts):18.1f} {max(verdicts):5.1f}")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
