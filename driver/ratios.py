"""The ratio of the times of two variants, and the range in which it lies.

Other work makes a repeat slower, never faster. So if some repeats were undisturbed, only these
count: their median, and the interval around it that narrows with the number of repeats. If there
are none, the time lies between the shortest repeat and the median of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

LEAST_QUIET = 5  # undisturbed repeats
NOTCH = 1.57  # times quartile range / sqrt(count): 95 % of medians (McGill, Tukey, Larsen 1978)
SAME = 0.02  # a range that is narrower is not shown


@dataclass(frozen=True)
class Time:
    ms: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratio:
    """How many times as fast one variant is as another."""

    value: float
    low: float
    high: float

    @property
    def is_sure(self) -> bool:
        return self.high - self.low <= 2 * SAME * self.value

    @property
    def range(self) -> str:
        """"1.30 to 1.60"; or "1.45" where the range is narrow."""
        return f"{self.value:.2f}" if self.is_sure else f"{self.low:.2f} to {self.high:.2f}"


def _quantile(ordered: list[float], part: float) -> float:
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def around(median: float, quartiles: float, count: float) -> Time:
    """`quartiles` is the distance between the two."""
    half = NOTCH * quartiles / math.sqrt(max(count, 1))
    return Time(median, max(median - half, 0.01 * median), median + half)


def time_of(repeats: Iterable[tuple[float, bool]]) -> Time:
    """Of at least one repeat: (ms, disturbed)."""
    repeats = list(repeats)
    quiet = sorted(ms for ms, disturbed in repeats if not disturbed)
    if len(quiet) >= LEAST_QUIET:
        quartiles = _quantile(quiet, 0.75) - _quantile(quiet, 0.25)
        return around(_quantile(quiet, 0.5), quartiles, len(quiet))
    every = sorted(ms for ms, _ in repeats)
    return Time(_quantile(every, 0.25), every[0], _quantile(every, 0.5))


def ratio(mine: Time, other: Time) -> Ratio:
    """How many times as fast `mine` is as `other`."""
    return Ratio(other.ms / mine.ms, other.low / mine.high, other.high / mine.low)
