"""The ratio of the times of two variants, and the range in which it lies.

Other work makes a repeat slower, never faster. So if some repeats were undisturbed, only these
count: their median, and the interval around it that narrows with the number of repeats. If there
are none, the time lies between the shortest repeat and the median of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

LEAST_QUIET = 5  # undisturbed repeats
NOTCH = 1.57  # times quartile range / sqrt(count): 95 % of medians (McGill, Tukey, Larsen 1978)
SAME = 0.02  # a range that is narrower is not shown


@dataclass(frozen=True)
class Time:
    ms: float
    low: float
    high: float
    repeats: tuple[tuple[float, bool], ...] = field(default=(), compare=False, repr=False)


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


def _notch(median: float, quartiles: float, count: float) -> tuple[float, float]:
    """`quartiles` is the distance between the two."""
    half = NOTCH * quartiles / math.sqrt(max(count, 1))
    return max(median - half, 0.01 * median), median + half


def around(median: float, quartiles: float, count: float) -> Time:
    return Time(median, *_notch(median, quartiles, count))


def time_of(repeats: Iterable[tuple[float, bool]]) -> Time:
    """Of at least one repeat: (ms, disturbed)."""
    repeats = list(repeats)
    quiet = sorted(ms for ms, disturbed in repeats if not disturbed)
    if len(quiet) >= LEAST_QUIET:
        quartiles = _quantile(quiet, 0.75) - _quantile(quiet, 0.25)
        return Time(_quantile(quiet, 0.5), *_notch(_quantile(quiet, 0.5), quartiles, len(quiet)),
                    tuple(repeats))
    every = sorted(ms for ms, _ in repeats)
    return Time(_quantile(every, 0.25), every[0], _quantile(every, 0.5), tuple(repeats))


def ratio(mine: Time, other: Time) -> Ratio:
    """How many times as fast `mine` is as `other`."""
    return Ratio(other.ms / mine.ms, other.low / mine.high, other.high / mine.low)


def of_rounds(mine: Time, other: Time) -> Ratio:
    """The median of the rounds' ratios, where variants were measured in turns: what makes a whole
    round slow does not change its ratio. It would change that of two medians, which may be of
    different rounds. So points are given by this one."""
    rounds = sorted(theirs / ours for (ours, disturbed), (theirs, also)
                    in zip(mine.repeats, other.repeats) if not disturbed and not also)
    if len(rounds) < LEAST_QUIET:
        return ratio(mine, other)
    median, quartiles = _quantile(rounds, 0.5), _quantile(rounds, 0.75) - _quantile(rounds, 0.25)
    return Ratio(median, *_notch(median, quartiles, len(rounds)))
