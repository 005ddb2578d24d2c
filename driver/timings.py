"""The times in the CSV files of a benchmark."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from driver import csv_files, ratios
from driver.csv_files import MEASURED
from driver.ratios import Ratio, Time

HOW = ("threads", "block", "grid")  # parameters that say how, not what was computed


def number(text: str | None) -> float | None:
    """All of the text as a number."""
    whole = re.fullmatch(r"\s*-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", text or "", re.ASCII)
    return float(whole[0]) if whole and math.isfinite(float(whole[0])) else None


def work_of(parameters: str) -> str:
    """The parameters that say what was computed."""
    return ";".join(pair for pair in parameters.split(";") if pair and not pair.startswith(HOW))


def noise(spread: float, disturbed: float) -> str:
    """Why times are noisy, "spread" or "disturbed", as noise() of harness/statistics.hpp says it:
    for whole calls, whose spread is a column, and for the half of the rule about spread.
    """
    return "spread" if spread > 0.25 else "disturbed" if disturbed > 0.7 else ""


def milliseconds(ms: float) -> str:
    """Three significant digits from 0.001 on."""
    return f"{ms:.4f}" if ms < 1 else f"{ms:.3f}" if ms < 10 else f"{ms:.2f}"


@dataclass
class Timing:
    """A variant's best row at the configuration that the summary shows."""

    kernel_ms: float
    spread: float | None = None  # interquartile range over median
    disturbed: float | None = None  # part of the repeats that other work disturbed
    ratio: Ratio | None = None  # to the sequential variant
    percent_of_copy: float | None = None
    parameters: str = ""
    elsewhere: str = ""  # the configuration, if it is not the one of the caption
    noise: str = ""  # why the ratio is a range, or that to the copy is not given
    noisy: str = ""  # "spread" or "disturbed"
    time: Time | None = None  # of an undisturbed repeat
    slower: str = ""  # of a `_best` variant: the rung that is faster somewhere, and where

    def why_noisy(self, whose: str) -> str:
        """`whose` is "its" or "seq's". "" if the times are not noisy."""
        if self.noisy == "spread":
            return f"noisy: {whose} times spread by {100 * (self.spread or 0):.0f} %"
        if self.noisy == "disturbed":
            return (f"noisy: other work disturbed {100 * (self.disturbed or 0):.0f} % of "
                    f"{whose} repeats")
        return ""

    @property
    def speedup(self) -> float | None:
        return self.ratio and self.ratio.value

    @property
    def mark(self) -> str:
        """The noise, with the range of the ratio."""
        range = f" (speedup {self.ratio.range})" if self.ratio and not self.ratio.is_sure else ""
        return self.noise and self.noise + range

    @property
    def milliseconds(self) -> str:
        """"12.3 ± 4 %"."""
        ms = milliseconds(self.kernel_ms)
        return ms if self.spread is None else f"{ms} ± {100 * self.spread:.0f} %"

    @property
    def numbers(self) -> list[str]:
        return [column(self) for column in COLUMNS.values()]


def _digits(value: float | None, count: int) -> str:
    return "-" if value is None else f"{value:.{count}f}"


# The numbers in the tables of a run: a line here is a column of the terminal, summary.md and the
# page.
COLUMNS: dict[str, Callable[[Timing], str]] = {
    "kernel ms": lambda timing: timing.milliseconds,
    "speedup": lambda timing: ("~" if timing.noise and timing.ratio else "")
    + _digits(timing.speedup, 2),
    "% of copy": lambda timing: _digits(timing.percent_of_copy, 1),
}


@dataclass
class Timings:
    caption: str = ""  # which configuration was chosen
    baseline: str = ""  # the sequential variant of the speedups there
    machine: str = ""  # CPU, GPU and compiler
    fastest: dict[str, Timing] = field(default_factory=dict)  # by variant

    @property
    def noise(self) -> str:
        """More than a third of the rows are noisy."""
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


def has_values(row: dict[str, str], where: dict[str, str] | None) -> bool:
    return all(row.get(column, "") == value for column, value in (where or {}).items())


def values_of(row: dict[str, str]) -> int:
    """The number of values of the image."""
    return math.prod(int(number(row.get(name)) or 0) for name in ("width", "height", "channels"))


def _repeats(file: Path) -> dict[str, list[tuple[float, bool]]]:
    """(ms, disturbed) of each repeat, by the number of the row in the experiment's file."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for row in csv_files.read(file, ("row", "kernel_ms", "disturbed")) if file.exists() else []:
        if (ms := number(row["kernel_ms"])) is not None:
            found.setdefault(row["row"], []).append((ms, row["disturbed"] == "1"))
    return found


def _work(row: dict[str, str]) -> tuple:
    """What was measured."""
    return tuple(row[name] for name in ("experiment", "variant", "width", "height", "channels",
                                        "parameters", *list(row)[len(MEASURED):]))


def _time_of(row: dict[str, str], repeats: list[tuple[float, bool]]) -> Time | None:
    """Nothing for a row that was wrong and not timed."""
    if repeats:
        return ratios.time_of(repeats)
    median, q1, q3, count = (number(row[name]) for name in (
        "kernel_ms_median", "kernel_ms_q1", "kernel_ms_q3", "repeats"))
    return None if median is None else ratios.around(median, (q3 or 0) - (q1 or 0), count or 1)


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*") if file.suffix in (".csv", ".partial")
                  and not file.name.partition(".")[0].endswith("_samples"))


def timed_rows(folder: Path, experiment: str = "") -> Iterator[tuple[dict[str, str], Time]]:
    """The rows of the files in `folder`, csv/ of a lab, with their times. Repeats of the same work
    that were measured later, in the folders of more/ beside it, count too.
    """
    rows = []
    of_work: dict[tuple, list[tuple[float, bool]]] = {}
    for file in [*_files(folder), *(file for later in sorted(folder.parent.glob("more/*"))
                                    for file in _files(later))]:
        repeats = _repeats(file.with_name(file.name.partition(".")[0] + "_samples.csv"))
        for count, row in enumerate(csv_files.read(file, MEASURED), start=1):
            if experiment in ("", row["experiment"]):
                of_work.setdefault(_work(row), []).extend(repeats.get(str(count), []))
                rows += [row] if file.parent == folder else []
    for row in rows:
        if time := _time_of(row, of_work[_work(row)]):
            yield row, time


def _row_of(row: dict[str, str], time: Time) -> _Row | None:
    """Returns nothing for a row that was wrong and not timed."""
    ms = number(row["kernel_ms_mean"])
    if ms is None:
        return None
    work = work_of(row["parameters"])
    size = f"{row['width']}x{row['height']}x{row['channels']}"
    configuration = ", ".join([row["experiment"], size] + ([work] if work else []))
    timing = Timing(ms, number(row["spread"]), number(row["disturbed"]), None,
                    number(row["percent_of_copy"]), row["parameters"], noisy=row["noise"],
                    time=time)
    return _Row(row["variant"], row["backend"], configuration, values_of(row), timing,
                f"{row['cpu']}; GPU: {row['gpu']}; {row['compiler']}",
                number(row["copy_gb_per_s"]) is not None)


def _slower_than_rungs(best: str, rows: list[_Row]) -> str:
    """"slower than omp_simd at ladder, 1024x1024x1 (0.3600 ms, 0.2100 ms)", if the
    range of the time of the variant that is meant to be fastest lies above that of a rung that
    runs on the same processor. Of several places, the worst.
    """
    kinds = ("cuda",) if best.startswith("cuda") else ("seq", "omp")
    fastest: dict[tuple[str, str], _Row] = {}  # by configuration and variant, of all thread counts
    for row in rows:
        if row.timing.time and (row.variant == best or row.backend in kinds):
            key = (row.configuration, row.variant)
            fastest[key] = min(fastest.get(key, row), row, key=lambda row: row.timing.kernel_ms)
    found = [(0., "")]
    for (configuration, variant), row in fastest.items():
        ours = fastest.get((configuration, best))
        if not ours or ours is row or ours.timing.noisy or row.timing.noisy:
            continue
        if ours.timing.time.low > row.timing.time.high:
            mine, theirs = ours.timing.kernel_ms, row.timing.kernel_ms
            found.append((mine / theirs, f"slower than {variant} at {configuration} "
                                         f"({milliseconds(mine)} ms, {milliseconds(theirs)} ms)"))
    return max(found)[1]


def _compare(timing: Timing, baseline: _Row | None, copy_measured: bool) -> None:
    """Sets the ratio, and marks it if this row or the sequential row is noisy. The benchmark may
    have left out the rate of the copy for the same reason.
    """
    timing.noise = timing.why_noisy("its")
    if timing.noise:
        timing.percent_of_copy = None
    elif baseline:
        timing.noise = baseline.timing.why_noisy(baseline.variant + "'s")
    if baseline:
        timing.ratio = ratios.ratio(timing.time, baseline.timing.time)
    if not timing.noise and copy_measured and timing.percent_of_copy is None:
        timing.noise = "noisy: the copy that was measured beside it"


def read_timings(folder: Path, experiment: str = "",
                 where: dict[str, str] | None = None) -> Timings:
    """Chooses the largest image in the CSV files and the configuration of it that most variants
    have. A variant without a row there is shown at its own largest image. `experiment`: only its
    rows; `where`: only those with these values of columns.
    """
    rows = [found for row, time in timed_rows(folder, experiment)
            if has_values(row, where) and (found := _row_of(row, time))]
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
        _compare(timing, baselines.get(row.configuration), row.copy_measured)
        if variant.endswith("_best"):
            timing.slower = _slower_than_rungs(variant, rows)
        if row.configuration != timings.caption:
            timing.elsewhere = row.configuration
        timings.fastest[variant] = timing
    return timings
