"""Profiles the CUDA variants of a lab with Nsight Compute.

python3 -m driver.tools.profile PROGRAM CSV_DIR                all of them, into CSV_DIR/profile.csv
python3 -m driver.tools.profile PROGRAM VARIANT OTHER [INPUT]  two of them, side by side

The input is scene:landscape:1920x1080 unless given. A variant launches its kernels several times;
the last launch of each kernel counts, when all is warm. The CSV has a row per kernel. Side by side
are the kernels that take the most time. Exit code 77 where there is no ncu, no GPU, or no
permission to read its counters.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from driver.tools import ncu
from driver.tools.ncu import Launch, Program
from driver.trouble import ended

SOURCE = "scene:landscape:1920x1080"
TIME = "gpu__time_duration.sum"  # in ns
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
SECTORS = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
OPERATIONS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"

# Columns of the CSV: their metrics, and what to divide by.
COLUMNS = {
    "memory_percent": ("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "compute_percent": ("sm__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "dram_gb_per_s": ("dram__bytes.sum.per_second", 1e9),
    "l1_hit_percent": ("l1tex__t_sector_hit_rate.pct", 1),
    "sectors_per_request": (SECTORS.format("ld"), 1),
    "occupancy_percent": ("sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "registers": ("launch__registers_per_thread", 1),
    "stall_long_scoreboard": (STALL.format("long_scoreboard"), 1),
    "duration_ms": (TIME, 1e6),
    "l1_bytes": ("l1tex__t_bytes.sum", 1),
    "l2_bytes": ("lts__t_bytes.sum", 1),
    "dram_bytes": ("dram__bytes.sum", 1),
}
FLOP = {OPERATIONS.format("fadd"): 1, OPERATIONS.format("fmul"): 1, OPERATIONS.format("ffma"): 2}

# Lines side by side; of the stalls, the three longest of either variant.
LINES = {
    "time, us": (TIME, 1e3),
    "registers per thread": ("launch__registers_per_thread", 1),
    "warps active, %": ("sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "issue slots used, %": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1),
    "instructions": ("smsp__inst_executed.sum", 1),
    "sectors per request, loads": (SECTORS.format("ld"), 1),
    "sectors per request, stores": (SECTORS.format("st"), 1),
    "bank conflicts, loads": (CONFLICTS.format("ld"), 1),
    "bank conflicts, stores": (CONFLICTS.format("st"), 1),
    "L2, bytes": ("lts__t_bytes.sum", 1),
    "DRAM, bytes": ("dram__bytes.sum", 1),
}
STALLS = {f"stall: {stall.replace('_', ' ')}": (STALL.format(stall), 1) for stall in (
    "barrier", "drain", "lg_throttle", "long_scoreboard", "math_pipe_throttle",
    "mio_throttle", "no_instruction", "not_selected", "short_scoreboard", "wait")}
LONGEST = 3


def last_of_each(launches: Sequence[Launch]) -> list[Launch]:
    return list({launch.kernel: launch for launch in launches}.values())


def value_of(launch: Launch, metric: str, divisor: float) -> float | None:
    value = launch.values.get(metric)
    return None if value is None else value / divisor


# --- All variants, as CSV -------------------------------------------------------------------------


def rows_of(variant: str, launches: Sequence[Launch], facts: Sequence[str]) -> list[list[str]]:
    def cells(launch: Launch):
        for metric, divisor in COLUMNS.values():
            value = value_of(launch, metric, divisor)
            yield "" if value is None else f"{value:.6g}"
        yield f"{sum(launch.values.get(metric, 0) * times for metric, times in FLOP.items()):.6g}"
    return [[variant, launch.kernel, *cells(launch), *facts] for launch in last_of_each(launches)]


def write_csv(program: Program, folder: Path) -> None:
    metrics = [*(metric for metric, _ in COLUMNS.values()), *FLOP]
    rows = []
    for variant in program.cuda_variants:
        try:
            launches = ncu.launches(program, variant, SOURCE, metrics)
        except ncu.Refused as refused:
            print(f"profile: left out: {refused}", file=sys.stderr)
            continue
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        rows += rows_of(variant, launches, [program.gpu, program.commit, now])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "profile.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["variant", "kernel", *COLUMNS, "flop", "gpu", "commit", "timestamp"])
        writer.writerows(rows)
    print(f"profile: {len(rows)} kernels in {folder}/profile.csv")


# --- Two variants side by side --------------------------------------------------------------------


def text_of(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def line(name: str, first: float | None, second: float | None) -> str:
    ratio = f"{first / second:.2f}" if first is not None and second else "-"
    return f"{name:<30}{text_of(first):>24}{text_of(second):>24}{ratio:>8}\n"


def side_by_side(names: Sequence[str], both: Sequence[Sequence[Launch]]) -> str:
    """`both` has the launches of each of the two variants."""
    kernels = [last_of_each(launches) for launches in both]
    longest = [max(of, key=lambda launch: launch.values.get(TIME, 0)) for of in kernels]
    sums = [sum(launch.values.get(TIME, 0) for launch in of) / 1e3 for of in kernels]
    text = f"{'':<30}{names[0]:>24}{names[1]:>24}{'ratio':>8}\n"
    text += f"{'kernel':<30}{longest[0].kernel:>24}{longest[1].kernel:>24}\n"
    text += line("all kernels, us", *sums)
    stalls = {name for launch in longest
              for name in sorted((name for name in STALLS if STALLS[name][0] in launch.values),
                                 key=lambda name: -launch.values[STALLS[name][0]])[:LONGEST]}
    for name, (metric, divisor) in (LINES | STALLS).items():
        if name in LINES or name in stalls:
            text += line(name, *(value_of(launch, metric, divisor) for launch in longest))
    return text + ("A stall is the average number of warps that wait for this reason while one "
                   "issues.")


def print_beside(program: Program, names: Sequence[str], source: str) -> None:
    for name in names:
        if name not in program.cuda_variants:
            raise ncu.Refused(f"'{name}' is not a CUDA variant of {program.file}")
    metrics = [metric for metric, _ in (LINES | STALLS).values()]
    print(side_by_side(names, [ncu.launches(program, name, source, metrics) for name in names]))


def main(words: Sequence[str]) -> int:
    if not 2 <= len(words) <= 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    file = Path(words[0]).resolve()
    if not file.is_file():
        raise ncu.Refused(f"there is no program '{file}'")
    program = ncu.program_of(file)
    ncu.require_counters(program)
    if len(words) == 2:
        write_csv(program, Path(words[1]))
    else:
        print_beside(program, words[1:3], words[3] if len(words) == 4 else SOURCE)
    return 0


if __name__ == "__main__":
    sys.exit(ended("profile", lambda: main(sys.argv[1:])))
