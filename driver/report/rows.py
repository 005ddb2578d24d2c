"""Rows of the CSV files of reports/, as the templates of pages ask for them. A value that is
missing, ambiguous or too noisy is a False_, which names the file and the filter.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from driver import csv_files
from driver.timings import noise
from driver.variants import ROOT

Row = dict[str, str]
TIMED = ("kernel_ms", "total_ms", "gb_per_s", "percent_of_copy", "speedup")


class False_(Exception):
    """A statement of a template is false: says where, and why."""


class Rows:
    """Some rows of a CSV file, or of those of a machine."""

    def __init__(self, name: str, rows: list[Row]) -> None:
        self.name, self.rows = name, rows

    def where(self, **wanted: object) -> Rows:
        return Rows(self.name + "".join(f", {key} {value}" for key, value in wanted.items()),
                    [row for row in self.rows if all(_is(row, *want) for want in wanted.items())])

    def of(self, *prefixes: str) -> Rows:
        """Those of variants whose names begin so, as "peer_": the libraries."""
        return Rows(f"{self.name}, {' '.join(prefixes)}",
                    [row for row in self.rows if row["variant"].startswith(prefixes)])

    def but(self, *variants: str) -> Rows:
        """Those of all other variants."""
        return Rows(f"{self.name}, but {' '.join(variants)}",
                    [row for row in self.rows if row["variant"] not in variants])

    def on_cpu(self) -> Rows:
        return Rows(f"{self.name}, on the CPU",
                    [row for row in self.rows if "threads=" in row["parameters"]])

    def steady(self) -> Rows:
        """Also rows that other work disturbed, if their repeats spread little: with a thread on
        every core, other work is always on one of them. Such a speedup is at least what it says."""
        return Rows(self.name, [row | {"noise": noise(float(row["spread"] or 0), 0)}
                                for row in self.rows])

    def __call__(self, variant: str, column: str = "kernel_ms_mean", **wanted: object) -> float:
        """The value in the only row of the variant."""
        found = self.where(variant=variant, **wanted)
        if len(found.rows) != 1:
            raise False_(f"{found.name}: {len(found.rows)} rows instead of one")
        return found.all(column)[0]

    def all(self, column: str = "kernel_ms_mean", **wanted: object) -> list[float]:
        """The values in all rows that have one and are not too noisy; there has to be one."""
        found = self.where(**wanted)
        steady = [row for row in found.rows if row.get(column) and not _is_noisy(row, column)]
        if not steady:
            raise False_(f"{found.name}: no row has a steady {column}")
        found._note(column, steady)
        return [float(row[column]) for row in steady]

    def _note(self, column: str, rows: list[Row]) -> None:
        """Remembers what a false claim names: the rows with the least and the greatest value."""
        ordered = sorted(rows, key=lambda row: float(row[column]))
        for row in (ordered[0], *ordered[1:][-1:]):
            _compared.append((_place(), f"{self.name}: {column} {float(row[column]):g}"
                              + ("" if len(rows) == 1 else f" of {_called(row)}")))

    def _ordered(self, column: str, wanted: dict[str, object]) -> list[Row]:
        """By value, the noisy ones too."""
        found = self.where(**wanted)
        valued = [row for row in found.rows if row.get(column)]
        if not valued:
            raise False_(f"{found.name}: no row has a {column}")
        found._note(column, valued)
        return sorted(valued, key=lambda row: float(row[column]))

    def least(self, column: str = "kernel_ms_mean", **wanted: object) -> float:
        """Of all rows, the noisy ones too: for "less than every"."""
        return float(self._ordered(column, wanted)[0][column])

    def greatest(self, column: str = "kernel_ms_mean", **wanted: object) -> float:
        return float(self._ordered(column, wanted)[-1][column])

    def fastest(self, **wanted: object) -> str:
        """The variant with the least time of all rows, the noisy ones too."""
        return self._ordered("kernel_ms_mean", wanted)[0]["variant"]

    def column(self, name: str) -> list[str]:
        """Each text in it once."""
        return list(dict.fromkeys(row[name] for row in self.rows))

    def oldest(self) -> list[str]:
        """The files of a machine that were measured on the first day."""
        day = min(row["timestamp"][:10] for row in self.rows)
        return Rows("", [row for row in self.rows if row["timestamp"][:10] == day]).column("file")

    def gains(self, *prefixes: str) -> dict[str, float]:
        """How many times as fast each rung is as the one before it in the file, the largest first.
        In the file of an experiment, rungs are in the order of the ladder."""
        rungs = self.of(*prefixes).column("variant")
        gains = {rung: self.least(variant=before) / self.least(variant=rung)
                 for before, rung in zip(rungs, rungs[1:])}
        return dict(sorted(gains.items(), key=lambda item: -item[1]))

    def no_faster(self, *prefixes: str) -> list[str]:
        """The rungs that are no faster than the best one before them."""
        rungs = self.of(*prefixes).column("variant")
        ms = [self.least(variant=rung) for rung in rungs]
        return [rung for nth, rung in enumerate(rungs) if ms[nth] >= min(ms[:nth] or [math.inf])]

    def share(self, variant: str, **wanted: object) -> float:
        """Percent of the best rate of a copy of as many bytes, by any number of threads on the CPU:
        as in the staircase."""
        copies = self.where(bytes=self(variant, "bytes", **wanted)).all("copy_gb_per_s")
        return 100 * self(variant, "gb_per_s", **wanted) / max(copies)

    def cpu_growth(self, variant: str, threads: int) -> float:
        """Of `scaling`: the CPU time of all threads over the time of one thread alone."""
        busy = 1 - self(variant, "idle_percent", threads=threads) / 100
        return threads * self(variant, threads=threads) * busy / self(variant, threads=1)

    def best(self, variant: str, column: str = "kernel_ms_mean", **wanted: object) -> float:
        return min(self.all(column, variant=variant, **wanted))

    def mean(self, column: str = "kernel_ms_mean", **wanted: object) -> float:
        values = self.all(column, **wanted)
        return sum(values) / len(values)

    def total(self, column: str, **wanted: object) -> float:
        return sum(self.all(column, **wanted))

    def pooled_psnr(self, **wanted: object) -> float:
        """dB, of the mean of the squared errors of all pictures."""
        return -10 * math.log10(Rows(self.name, [
            row | {"error": str(10 ** (-float(row["psnr_db"]) / 10))}
            for row in self.where(**wanted).rows]).mean("error"))

    def count(self, **wanted: object) -> int:
        found = self.where(**wanted)
        _compared.append((_place(), f"{found.name}: {len(found.rows)} rows"))
        return len(found.rows)

    def noisy(self, **wanted: object) -> int:
        found = self.where(**wanted)
        noisy = [row for row in found.rows if row["noise"]]
        _compared.append((_place(), f"{found.name}: {len(noisy)} rows are too noisy"
                          + "".join(f", as {_called(row)}" for row in noisy[:1])))
        return len(noisy)

    def measured(self) -> str:
        """The commits and the days: "27f2f7c of 2026-11-22"."""
        days = {row["timestamp"][:10] for row in self.rows}
        return f"{', '.join(sorted(self.column('commit')))} of {_span(days)}"


def _span(texts: Iterable[str]) -> str:
    """"first to last", or the only one."""
    return " to ".join(dict.fromkeys((min(texts), max(texts))))


def _called(row: Row) -> str:
    """"cuda_best, 256x256, filter=gauss3", with its file in rows of a machine."""
    size = f"{row['width']}x{row['height']}" if "width" in row else ""
    return ", ".join(filter(None, (row.get("file"), row["variant"], size, row.get("case"),
                                   row.get("parameters"))))


def _is(row: Row, key: str, value: object) -> bool:
    if key == "size":
        return f"{row['width']}x{row['height']}" == value
    if key not in row:
        parameters = dict(part.partition("=")[::2] for part in row["parameters"].split(";"))
        return parameters.get(key) == str(value)
    cell = row[key]
    return cell == str(value) or isinstance(value, (int, float)) and cell != "" \
        and float(cell) == value


def _is_noisy(row: Row, column: str) -> bool:
    """The noise of a row is that of its kernels; whole calls may be steady all the same."""
    if column.startswith("total_ms") and row["backend"] == "cuda" and row.get("total_spread"):
        return bool(noise(float(row["total_spread"]), 0))
    return column.startswith(TIMED) and bool(row.get("noise"))


# The values that were asked for, each with the place in the template.
_compared: list[tuple[object, str]] = []


def forget_compared(here_only: bool = False) -> None:
    """Where a template begins; or those of a claim that holds, which a loop may make again."""
    here = _place()
    _compared[:] = [each for each in _compared if here_only and each[0] != here]


def _place() -> object:
    """Of the statement of the template that is executed, though a macro may be."""
    frame, place = sys._getframe(), None
    while frame:
        if frame.f_code.co_filename.endswith(".j2"):
            place = frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return place


def false(text: str) -> False_:
    """With the values that its statement compared, or with the last ones that were asked for."""
    here = _place()
    values = dict.fromkeys([value for place, value in _compared if place == here]
                           or [value for _, value in _compared[-6:]])
    return False_(f"{text}{': ' if values else ''}{'; '.join(values)}")


def rows(name: str, **wanted: object) -> Rows:
    """Those of reports/NAME.csv."""
    file = ROOT / "reports" / f"{name}.csv"
    if not file.exists():
        raise False_(f"there is no reports/{name}.csv")
    return Rows(f"reports/{name}.csv", csv_files.read(file)).where(**wanted)


def machine(name: str) -> Rows:
    """Those of all experiments of reports/NAME/, as "LAB/h200"; * is any machine."""
    files = [file for file in sorted((ROOT / "reports").glob(f"{name}/*.csv"))
             if file.stem not in csv_files.OTHERS and file.stem != "other_runs"]
    if not files:
        raise False_(f"there is no experiment in reports/{name}/")
    return Rows(f"reports/{name}/", [row | {"file": str(file.relative_to(ROOT))}
                                     for file in files for row in csv_files.read(file)])
