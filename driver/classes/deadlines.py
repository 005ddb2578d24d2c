"""Deadlines and late days: what is left of the points of a hand-in that came late.

A file like

    {"grace_minutes": 10, "free_days": 3, "percent_per_day": 10, "least_percent": 40, "last_day": 5,
     "labs": {"1": "2026-11-02T23:59:00+01:00", "2": "2026-11-23T23:59:00+01:00"},
     "extensions": {"ada": {"1": "2026-11-04T23:59:00+01:00"}}}

and a table of hand-ins with the columns id, lab, time; the last one of a student and lab counts.
A late day begins when the grace is over, and every 24 hours after the deadline. Each student has
free_days for all labs together, which the labs use up in the order of their deadlines. Each other
day takes percent_per_day of the points, until least_percent are left. After last_day days, none are.
"""

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from driver import texts
from driver.trouble import Trouble

_NUMBERS = {"grace_minutes": 0, "free_days": 0, "percent_per_day": 10, "least_percent": 0,
            "last_day": 7}
_PERCENT = ("percent_per_day", "least_percent")
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """What becomes of a hand-in."""

    days: int | None  # late; nothing where no time is known
    free: int = 0  # of them, free days
    kept: float = 100  # percent of the points

    def of(self, points: float) -> float:
        return points * self.kept / 100


def time_of(text: object, where: str) -> datetime:
    try:
        time = datetime.fromisoformat(str(text).strip().replace("Z", "+00:00"))
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise Trouble(f"{where}: expected a time like 2026-11-02T23:59:00+01:00, not '{text}'")
    return time


@dataclass
class Deadlines:
    labs: dict[str, datetime]
    numbers: dict[str, float] = field(default_factory=lambda: dict(_NUMBERS))
    extensions: dict[str, dict[str, datetime]] = field(default_factory=dict)
    handed_in: dict[tuple[str, str], datetime] = field(default_factory=dict)

    def due(self, student: str, lab: str) -> datetime:
        return self.extensions.get(student, {}).get(lab, self.labs[lab])

    def _days(self, student: str, lab: str) -> int | None:
        time = self.handed_in.get((student, lab))
        if time is None:
            return None
        late = time - self.due(student, lab)
        if late <= timedelta(minutes=self.numbers["grace_minutes"]):
            return 0
        return math.ceil(late / _DAY)

    def late(self, student: str, lab: str) -> Late:
        """Free days are those that the labs with earlier deadlines have left."""
        free = int(self.numbers["free_days"])
        for earlier in sorted(self.labs, key=lambda one: (self.labs[one], one)):
            days = self._days(student, earlier)
            lost = days is not None and days > self.numbers["last_day"]
            used = 0 if days is None or lost else min(days, free)
            free -= used
            if earlier == lab:
                if days is None or lost:
                    return Late(days, 0, 0 if lost else 100)
                percent = (days - used) * self.numbers["percent_per_day"]
                return Late(days, used, max(self.numbers["least_percent"], 100 - percent))
        raise Trouble(f"the deadlines have none of lab {lab}")


def _checked(read: dict, path: Path) -> None:
    """Raises Trouble at the first mistake, so that nobody loses points by one."""
    if not isinstance(read, dict) or not isinstance(read.get("labs"), dict) or not read["labs"]:
        raise Trouble(f"{path}: expected deadlines by lab in 'labs'")
    for name, value in read.items():
        if name in _NUMBERS:
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
                raise Trouble(f"{path}: '{name}' has to be a number from 0, not {value!r}")
            if name in _PERCENT and value > 100:
                raise Trouble(f"{path}: '{name}' has to be 0 to 100 percent, not {value!r}")
        elif name not in ("labs", "extensions"):
            raise Trouble(f"{path}: unknown key '{name}'; known are: labs, extensions, "
                          f"{', '.join(_NUMBERS)}")
    if not isinstance(read.get("extensions", {}), dict):
        raise Trouble(f"{path}: expected students by id in 'extensions'")
    for student, times in read.get("extensions", {}).items():
        for lab in times if isinstance(times, dict) else [times]:
            if lab not in read["labs"]:
                raise Trouble(f"{path}: {student} has an extension of lab '{lab}', which has no "
                              "deadline")


def _read_times(path: Path, labs: dict, times: dict[tuple[str, str], datetime]) -> None:
    header, rows = texts.read_table(path)
    if not {"id", "lab", "time"} <= set(header):
        raise Trouble(f"{path}:1: expected the columns id, lab, time")
    for line, row in rows:
        if row["lab"] not in labs:
            raise Trouble(f"{path}:{line}: lab '{row['lab']}' has no deadline")
        place = row["id"].removeprefix("'"), row["lab"]  # of a text like a formula
        time = time_of(row["time"], f"{path}:{line}")
        times[place] = max(time, times.get(place, time))


def read(path: Path, handed_in: list[Path]) -> Deadlines:
    found = texts.read_json(path)
    _checked(found, path)
    labs = {lab: time_of(time, f"{path}: lab {lab}") for lab, time in found["labs"].items()}
    extensions = {student: {lab: time_of(time, f"{path}: {student}") for lab, time in times.items()}
                  for student, times in found.get("extensions", {}).items()}
    numbers = {name: found.get(name, usual) for name, usual in _NUMBERS.items()}
    times: dict[tuple[str, str], datetime] = {}
    for file in handed_in:
        _read_times(file, labs, times)
    return Deadlines(labs, numbers, extensions, times)
