"""Sentences whose numbers come from the CSV files of reports/: Jinja2 templates in which

    {% set ladder = rows("lab1-convolution/h200/ladder", filter="gauss3") %}
    `cuda_best` takes {{ ladder("cuda_best") }} ms, {{ ladder("cuda_best", "percent_of_copy") | two
    }} % of the rate of a copy, and is {{ times(ladder("cuda_words"), ladder("cuda_best")) | two }}
    times as fast as `cuda_words`{{ claim(ladder("cuda_best") < ladder("peer_npp")) }}.

A value that is missing, ambiguous or too noisy, and a claim that is false, end the command with the
template's line, and with the rows that were compared there. Numbers have three significant digits, or as many as a filter says.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from driver import csv_files
from driver.rounding import digits
from driver.timings import noise
from driver.trouble import Trouble
from driver.variants import ROOT

Row = dict[str, str]
TIMED = ("kernel_ms", "total_ms", "gb_per_s", "percent_of_copy", "speedup")


class False_(Exception):
    """A statement of a template is false: says where, and why."""


class Rows:
    """Some rows of a CSV file."""

    def __init__(self, name: str, rows: list[Row]) -> None:
        self.name, self.rows = name, rows

    def where(self, **wanted: object) -> Rows:
        return Rows(self.name + "".join(f", {key} {value}" for key, value in wanted.items()),
                    [row for row in self.rows if all(_is(row, *want) for want in wanted.items())])

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
        value = found.all(column)[0]
        _compared.append((_place(), f"{found.name}: {column} {value:g}"))
        return value

    def all(self, column: str = "kernel_ms_mean", **wanted: object) -> list[float]:
        """The values in all rows that have one and are not too noisy; there has to be one."""
        found = self.where(**wanted)
        values = [float(row[column]) for row in found.rows
                  if row.get(column) and not _is_noisy(row, column)]
        if not values:
            raise False_(f"{found.name}: no row has a steady {column}")
        return values

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

    def count(self, **wanted: object) -> int:
        return len(self.where(**wanted).rows)

    def noisy(self, **wanted: object) -> int:
        return sum(bool(row["noise"]) for row in self.where(**wanted).rows)


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


def _place() -> object:
    """Of the statement of the template that is executed, though a macro may be."""
    frame, place = sys._getframe(), None
    while frame:
        if frame.f_code.co_filename.endswith(".j2"):
            place = frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return place


def _false(text: str) -> False_:
    """With the values that its statement compared."""
    here = _place()
    values = dict.fromkeys(value for place, value in _compared if place == here)
    return False_(f"{text}{': ' if values else ''}{'; '.join(values)}")


@lru_cache
def _read(file: Path) -> list[Row]:
    return csv_files.read(file)


def rows(name: str, **wanted: object) -> Rows:
    """Those of reports/NAME.csv."""
    file = ROOT / "reports" / f"{name}.csv"
    if not file.exists():
        raise False_(f"there is no reports/{name}.csv")
    return Rows(f"reports/{name}.csv", _read(file)).where(**wanted)


def times(slow: float, fast: float) -> float:
    """The ratio of both times. Fails if `fast` is not the shorter one."""
    if slow < fast:
        raise _false(f"{slow:g} ms is no longer than {fast:g} ms")
    return slow / fast


def more(long: float, short: float) -> float:
    """The percentage by which `long` is longer."""
    return 100 * (times(long, short) - 1)


def less(short: float, long: float) -> float:
    """The percentage by which `short` is shorter."""
    return 100 * (1 - 1 / times(long, short))


def claim(holds: bool, text: str = "") -> str:
    if not holds:
        raise _false(f"this is not so{f' ({text})' if text else ''}")
    return text


def faster(ratios: Iterable[float], other: str) -> str:
    """"1.2 to 1.4 times as fast as other", or "as fast as other", where the range crosses 1."""
    low, high = min(ratios), max(ratios)
    if low <= 1 <= high:
        return f"as fast as {other} (equal: {digits(low, 2)} to {digits(high, 2)} times)"
    if high < 1:
        raise _false(f"{high:g} times as fast as {other} is slower")
    return f"{span([low, high])} times as fast as {other}"


def both(first: float, second: float) -> str:
    """"2.2 and 2.5", or "2.5" if both are that."""
    return " and ".join(dict.fromkeys((digits(first, 2), digits(second, 2))))


def span(values: Iterable[float], n: int = 2) -> str:
    low, high = digits(min(values), n), digits(max(values), n)
    return low if low == high else f"{low} to {high}"


def environment() -> Environment:
    made = Environment(loader=FileSystemLoader(ROOT), undefined=StrictUndefined, trim_blocks=True,
                       lstrip_blocks=True, keep_trailing_newline=True,
                       finalize=lambda x: digits(x, 3) if isinstance(x, float) else x)
    made.globals.update(rows=rows, times=times, more=more, less=less, claim=claim, faster=faster,
                        both=both, span=span, digits=digits, min=min, max=max)
    made.filters.update(
        one=lambda x: digits(x, 1), two=lambda x: digits(x, 2), three=lambda x: digits(x, 3),
        whole=lambda x: f"{x:.0f}", span=span, span3=lambda values: span(values, 3),
        us=lambda ms: 1000 * ms)
    return made


def render(template: Path, **variables: object) -> str:
    """Raises False_ with the template's line."""
    name = str(template.relative_to(ROOT))
    _compared.clear()
    try:
        return wrapped(environment().get_template(name).render(**variables))
    except (False_, Trouble, TemplateError, ArithmeticError, TypeError, ValueError,
            KeyError) as error:
        line = _line(error, template)
        raise False_(f"{name}:{line}: {error}" if line else f"{name}: {error}") from error


def wrapped(markdown: str) -> str:
    """Paragraphs and items of lists in lines of at most 100 characters; at most one blank line."""
    out: list[str] = []
    words: list[str] = []
    indent, in_code = "", False

    def flush() -> None:
        out.extend(textwrap.wrap(" ".join(words), 100, subsequent_indent=indent,
                                 break_long_words=False, break_on_hyphens=False))
        words.clear()

    for line in markdown.splitlines():
        item = re.match(r"- |\d+\. ", line)
        fence = line.startswith("```")
        if in_code or fence or not line.strip() or re.match(r"[|#!<]|\[[\w./-]+\]$", line):
            flush()
            if in_code or line.strip() or out[-1:] != [""]:
                out.append(line)
            in_code ^= fence
            indent = ""
            continue
        if item:
            flush()
            indent = " " * len(item[0])
        words += line.split()
    flush()
    return "\n".join(out).lstrip("\n") + "\n"


def _line(error: Exception, template: Path) -> int:
    """Where a macro was called, rather than its own line."""
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == str(template):
            return trace.tb_lineno
        trace = trace.tb_next
    return getattr(error, "lineno", 0) or 0
