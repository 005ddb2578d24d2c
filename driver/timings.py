"""The times in the CSV files of a benchmark."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

HOW = ("threads", "block", "grid")  # parameters that say how, not what was computed


def number(text: str | None) -> float | None:
    """All of the text as a number."""
    whole = re.fullmatch(r"\s*-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", text or "")
    return float(whole[0]) if whole else None


def noise(spread: float, disturbed: float) -> str:
    """Why a row of an older file is too noisy to be compared, "spread" or "disturbed"; newer files
    have a column for it. The harness's rule is noise() of harness/statistics.hpp.
    """
    return "spread" if spread > 0.25 else "disturbed" if disturbed > 0.7 else ""


def noise_of(row: dict[str, str]) -> str:
    if "noise" in row:
        return row["noise"]
    return noise(number(row.get("spread")) or 0, number(row.get("disturbed")) or 0)


def milliseconds(ms: float) -> str:
    """Three significant digits from 0.001 on."""
    return f"{ms:.4f}" if ms < 1 else f"{ms:.3f}" if ms < 10 else f"{ms:.2f}"


@dataclass
class Timing:
    """A variant's best row at the configuration that the summary shows."""

    kernel_ms: float
    spread: float | None = None  # interquartile range over median
    disturbed: float | None = None  # part of the repeats that other work disturbed
    speedup: float | None = None
    percent_of_copy: float | None = None
    parameters: str = ""
    elsewhere: str = ""  # the configuration, if it is not the one of the caption
    noise: str = ""  # why a ratio is not given
    too_noisy: str = ""  # "spread" or "disturbed"
    quartiles: tuple[float, float] | None = None  # of the times
    slower: str = ""  # of a `_best` variant: the rung that is faster somewhere, and where

    def why_too_noisy(self, whose: str) -> str:
        """`whose` is "its" or "seq's". "" if the times are not too noisy for a ratio."""
        if self.too_noisy == "spread":
            return f"too noisy: {whose} times spread by {100 * (self.spread or 0):.0f} %"
        if self.too_noisy == "disturbed":
            return (f"too noisy: other work disturbed {100 * (self.disturbed or 0):.0f} % of "
                    f"{whose} repeats")
        return ""

    @property
    def milliseconds(self) -> str:
        """"12.3 ± 4 %"."""
        ms = milliseconds(self.kernel_ms)
        return ms if self.spread is None else f"{ms} ± {100 * self.spread:.0f} %"

    @property
    def numbers(self) -> list[str]:
        def digits(value: float | None, count: int) -> str:
            return "-" if value is None else f"{value:.{count}f}"
        return [self.milliseconds, digits(self.speedup, 2), digits(self.percent_of_copy, 1)]


NUMBER_COLUMNS = ("kernel ms", "speedup", "% of copy")  # of Timing.numbers


@dataclass
class Timings:
    caption: str = ""  # which configuration was chosen
    baseline: str = ""  # the sequential variant of the speedups there
    machine: str = ""  # CPU, GPU and compiler
    fastest: dict[str, Timing] = field(default_factory=dict)  # by variant

    @property
    def noise(self) -> str:
        """More than a third of the rows lack a ratio because of noise."""
        noisy = sum(bool(timing.noise) for timing in self.fastest.values())
        too_noisy = 3 * noisy > len(self.fastest)
        return "this run is too noisy to rank its variants" if too_noisy else ""

    def __str__(self) -> str:
        return (f"{self.caption}; each variant with its best block size and thread count; trimmed "
                f"mean{'; ' + self.noise if self.noise else ''}.")


@dataclass
class _Row:
    variant: str
    backend: str
    configuration: str
    values: int  # width x height x channels
    timing: Timing
    machine: str
    copy_measured: bool


def read_csv(path: Path) -> list[dict[str, str]]:
    """Without the half line that an interrupted run may have left."""
    with path.open(encoding="utf-8", errors="ignore", newline="") as lines:
        rows = list(csv.reader(lines))
    return [dict(zip(rows[0], row)) for row in rows[1:] if len(row) == len(rows[0])]


def values_of(row: dict[str, str]) -> int:
    """How many the image has."""
    return math.prod(int(number(row.get(name)) or 0) for name in ("width", "height", "channels"))


def _row_of(row: dict[str, str]) -> _Row | None:
    """Nothing for one that was wrong and not timed, or in a file with other columns (samples)."""
    ms = number(row.get("kernel_ms_mean"))
    if ms is None or "experiment" not in row:
        return None
    work = [pair for pair in row["parameters"].split(";") if pair and not pair.startswith(HOW)]
    size = f"{row['width']}x{row['height']}x{row['channels']}"
    configuration = ", ".join([row["experiment"], size] + ([";".join(work)] if work else []))
    timing = Timing(ms, number(row.get("spread")), number(row.get("disturbed")),
                    number(row["speedup_kernel"]), number(row["percent_of_copy"]),
                    row["parameters"], too_noisy=noise_of(row), quartiles=_quartiles(row))
    return _Row(row["variant"], row["backend"], configuration, values_of(row), timing,
                f"{row['cpu']}; GPU: {row['gpu']}; {row['compiler']}",
                number(row.get("copy_gb_per_s")) is not None)


def _quartiles(row: dict[str, str]) -> tuple[float, float] | None:
    low, high = number(row.get("kernel_ms_q1")), number(row.get("kernel_ms_q3"))
    return None if low is None or high is None else (low, high)


def _slower_than_rungs(best: str, rows: list[_Row]) -> str:
    """"slower than omp_simd at ladder, 1024x1024x1 (0.3600 ms, 0.2100 ms)", if three quarters of
    the times of the variant that is meant to be fastest exceed three quarters of the times of a
    rung that runs on the same processor. Of several places, the worst.
    """
    kinds = ("cuda",) if best.startswith("cuda") else ("seq", "omp")
    fastest: dict[tuple[str, str], _Row] = {}  # by configuration and variant, of all thread counts
    for row in rows:
        if row.timing.quartiles and (row.variant == best or row.backend in kinds):
            key = (row.configuration, row.variant)
            fastest[key] = min(fastest.get(key, row), row, key=lambda row: row.timing.kernel_ms)
    found = [(0., "")]
    for (configuration, variant), row in fastest.items():
        ours = fastest.get((configuration, best))
        if not ours or ours is row or ours.timing.too_noisy or row.timing.too_noisy:
            continue
        if ours.timing.quartiles[0] > row.timing.quartiles[1]:
            mine, theirs = ours.timing.kernel_ms, row.timing.kernel_ms
            found.append((mine / theirs, f"slower than {variant} at {configuration} "
                                         f"({milliseconds(mine)} ms, {milliseconds(theirs)} ms)"))
    return max(found)[1]


def _read_all(folder: Path, experiment: str) -> list[_Row]:
    files = sorted(file for file in folder.glob("*") if file.suffix in (".csv", ".partial"))
    rows = (row for file in files for row in read_csv(file)
            if experiment in ("", row.get("experiment")))
    return [found for row in rows if (found := _row_of(row))]


def _hold_back_ratios(timing: Timing, baseline: _Row | None, copy_measured: bool) -> None:
    """Leaves out ratios if this row, or the sequential row, is too noisy. The benchmark may have
    left out the rate of the copy for the same reason.
    """
    timing.noise = timing.why_too_noisy("its")
    if timing.noise:
        timing.percent_of_copy = None
    elif baseline:
        timing.noise = baseline.timing.why_too_noisy(baseline.variant + "'s")
    if timing.noise:
        timing.speedup = None
    elif copy_measured and timing.percent_of_copy is None:
        timing.noise = "too noisy: the copy that was measured beside it"


def read_timings(folder: Path, experiment: str = "") -> Timings:
    """Chooses the largest image in the CSV files and the configuration of it that most variants
    have. A variant without a row there is shown at its own largest image. `experiment`: only its
    rows.
    """
    rows = _read_all(folder, experiment)
    if not rows:
        return Timings()
    variants: dict[str, set[str]] = {}
    baselines: dict[str, _Row] = {}  # the first sequential row of a configuration
    for row in rows:
        variants.setdefault(row.configuration, set()).add(row.variant)
        if row.backend == "seq":
            baselines.setdefault(row.configuration, row)
    shown = max(rows, key=lambda row: (row.values, len(variants[row.configuration])))
    timings = Timings(shown.configuration, machine=shown.machine)
    if shown.configuration in baselines:
        timings.baseline = baselines[shown.configuration].variant

    best: dict[str, _Row] = {}
    for row in rows:
        best[row.variant] = max(best.get(row.variant, row), row, key=lambda row: (
            row.configuration == timings.caption, row.values, -row.timing.kernel_ms))
    for variant, row in best.items():
        timing = replace(row.timing)
        _hold_back_ratios(timing, baselines.get(row.configuration), row.copy_measured)
        if variant.endswith("_best"):
            timing.slower = _slower_than_rungs(variant, rows)
        if row.configuration != timings.caption:
            timing.elsewhere = row.configuration
        timings.fastest[variant] = timing
    return timings
