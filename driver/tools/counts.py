"""Compares the memory accesses that the emulation counts with those of Nsight Compute.

python3 -m driver.tools.counts PROGRAM EMULATED_PROGRAM [INPUT]
python3 -m driver.tools.counts COUNTS.csv EMULATED_PROGRAM [INPUT]

PROGRAM runs on the GPU; EMULATED_PROGRAM is the lab's built with -DLABS_CUDA=EMULATE. Prints CSV: a
row per kernel and metric of each CUDA variant, summed over the kernel's launches in one call of the
variant. `ratio` is the emulation's count divided by Nsight Compute's. With an earlier output in
place of PROGRAM, Nsight Compute's counts are those of that file: the emulation has changed, and
there is no GPU.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from driver import csv_files
from driver.tools import ncu
from driver.tools.ncu import Program
from driver.trouble import ended

SOURCE = "scene:landscape:480x270"
LIMIT = 300  # seconds for one emulated variant
HEADS = ("variant", "kernel", "metric", "emulated", "nsight_compute", "ratio")
Counts = dict[tuple[str, str], int]  # by kernel and metric


@dataclass(frozen=True)
class Emulated:
    launches: dict[str, int]  # of each kernel, in one call of the variant
    counts: Counts


def emulated(program: Path, variant: str, source: str) -> Emulated:
    """Raises ncu.Refused."""
    with tempfile.TemporaryDirectory() as scratch:
        events = Path(scratch) / "events.jsonl"
        try:
            done = subprocess.run(
                [program, "run", source, "--variant", variant, "--explain",
                 "--output", f"{scratch}/out.png"], capture_output=True, text=True, check=False,
                timeout=LIMIT, env={**os.environ, "LABS_EVENTS": str(events)})
        except subprocess.TimeoutExpired:
            raise ncu.Refused(f"{variant}: it takes more than {LIMIT} s") from None
        if done.returncode != 0:
            raise ncu.Refused(f"{variant}: {ncu.last_line(done.stderr)}")
        return emulated_of(events.read_text("utf-8").splitlines())


def emulated_of(lines: Sequence[str]) -> Emulated:
    """From the events of `run --explain`."""
    found = Emulated({}, {})
    for event in map(json.loads, lines):
        if event["event"] != "kernel":
            continue
        found.launches[event["kernel"]] = event["launches"]
        for metric, value in event["metrics"].items():
            if value > 0 or event["metrics"].get(_wavefronts_beside(metric), 0) > 0:
                found.counts[event["kernel"], metric + ".sum"] = value
    return found


def _wavefronts_beside(conflicts: str) -> str:
    """The metric of the accesses that may have bank conflicts: without any, zero is a count."""
    return conflicts.replace("bank_conflicts_pipe_lsu", "pipe_lsu_wavefronts")


def measured(program: Program, variant: str, source: str, of: Emulated) -> Counts:
    """By Nsight Compute, of the first launches. Raises ncu.Refused, ncu.NoCounters.

    An atomic function whose result is not used is a reduction, which has counters of its own.
    """
    wanted = sorted({name for _, metric in of.counts
                     for name in (metric, metric.replace("_op_atom", "_op_red"))})
    sums: Counts = {}
    seen: dict[str, int] = {}
    for launch in ncu.launches(program, variant, source, wanted):
        seen[launch.kernel] = seen.get(launch.kernel, 0) + 1
        if seen[launch.kernel] > of.launches.get(launch.kernel, 0):
            continue
        for metric, value in launch.values.items():
            key = launch.kernel, metric.replace("_op_red", "_op_atom")
            sums[key] = sums.get(key, 0) + int(value)
    return sums


def from_file(file: Path, variant: str) -> Counts:
    return {(row["kernel"], row["metric"]): int(float(row["nsight_compute"]))
            for row in csv_files.read(file, HEADS) if row["variant"] == variant
            and row["nsight_compute"]}


def rows_of(variant: str, counted: Counts, by_ncu: Counts) -> list[tuple]:
    """A zero that Nsight Compute was not asked for has no row."""
    rows = []
    for (kernel, metric), count in counted.items():
        if (other := by_ncu.get((kernel, metric))) is not None or count > 0:
            rows.append((variant, kernel, metric, count, "" if other is None else other,
                         f"{count / other:.4f}" if other else ""))
    return rows


def compare(program: Path, emulation: Path, source: str) -> None:
    on_gpu = None if program.suffix == ".csv" else ncu.program_of(program)
    if on_gpu:
        ncu.require_counters(on_gpu)
    variants = ncu.program_of(emulation).cuda_variants
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    for variant in variants:
        try:
            counted = emulated(emulation, variant, source)
            by_ncu = (measured(on_gpu, variant, source, counted) if on_gpu
                      else from_file(program, variant))
        except ncu.Refused as refused:
            print(f"counts: left out: {refused}", file=sys.stderr)
            continue
        writer.writerows(rows_of(variant, counted.counts, by_ncu))


def main(words: Sequence[str]) -> int:
    if not 2 <= len(words) <= 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for file in words[:2]:
        if not Path(file).is_file():
            print(f"counts: there is no file '{file}'", file=sys.stderr)
            return 2
    try:
        compare(Path(words[0]).resolve(), Path(words[1]).resolve(),
                words[2] if len(words) == 3 else SOURCE)
    except ncu.Refused as refused:
        print(f"counts: {refused}", file=sys.stderr)
        return 2
    except ncu.NoCounters as reason:
        print(f"counts: {reason}", file=sys.stderr)
        return ncu.CANNOT_RUN
    return 0


if __name__ == "__main__":
    sys.exit(ended("counts", lambda: main(sys.argv[1:])))
