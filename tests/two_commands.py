#!/usr/bin/env python3
"""How long the README's two commands take.

    tests/two_commands.py CPU          # such as "Zen 5"; nothing else should run

Runs each in a fresh clone of the last commit, without a compiler cache, and writes the seconds into
reports/commands.csv, in place of those of the same CPU. Exit code 1: a command failed.
"""

from __future__ import annotations

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CSV = ROOT / "reports" / "commands.csv"
COMMANDS = {"all": ["--install-deps"], "tests": ["--install-deps", "--no-bench"]}


def seconds_of(options: list[str]) -> int:
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("CMAKE_", "CCACHE_", "LABS_"))}
    with tempfile.TemporaryDirectory(prefix="two-commands-") as folder:
        subprocess.run(["git", "clone", "-q", str(ROOT), folder], check=True)
        start = time.monotonic()
        subprocess.run(["./run_all.sh", *options], cwd=folder, env=environment, check=True)
        return round(time.monotonic() - start)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.stderr.write(__doc__)
        return 2
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.strip()
    with CSV.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["cpu"] != sys.argv[1]]
    for name, options in COMMANDS.items():
        try:
            taken = seconds_of(options)
        except subprocess.CalledProcessError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        rows.append({"variant": name, "cpu": sys.argv[1],
                     "cores": str(len(os.sched_getaffinity(0))), "seconds": str(taken),
                     "commit": commit, "date": time.strftime("%Y-%m-%d")})
    with CSV.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
