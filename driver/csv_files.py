"""The CSV files of measurements. This is their only reader: it takes a file as it should be, or
raises Trouble with the file, the line and the fault.

A file is in UTF-8 and has its header in the first line. Each row has a cell for each column. A
number has a point, and neither a unit nor separators; a time is above zero. A lab's own column
may also have words: then each of its cells begins with a letter.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

from driver.trouble import Trouble
from driver.variants import ROOT

Row = dict[str, str]

WORDS = frozenset((
    "lab", "experiment", "variant", "backend", "parameters", "cpu", "gpu", "compiler", "commit",
    "timestamp", "noise", "filter", "case", "method", "instruction_set", "scaling", "kernel",
    "metric", "picture", "dataset", "block", "step", "date"))
# A wrong result may be infinitely far off, and a picture that is right has no error.
INFINITE = frozenset(("max_abs_error", "psnr_db"))
SIGNED = frozenset(("ssim", "latency_us", "link_gb_per_s"))  # the last two are those of a fit
NONZERO = re.compile(r"width|height|channels|kernel_ms(_(min|q1|median|mean|q3|max))?")
IN_ORDER = ("kernel_ms_min", "kernel_ms_q1", "kernel_ms_median", "kernel_ms_q3", "kernel_ms_max")
RATE = ("bytes", "kernel_ms_mean", "gb_per_s")
# The columns of every experiment, in order. A lab's own come after them.
MEASURED = ("lab", "experiment", "variant", "backend", "width", "height", "channels", "parameters",
            "repeats", "kernel_ms_min", "kernel_ms_median", "kernel_ms_mean", "kernel_ms_max",
            "total_ms_mean", "cold_ms", "bytes", "gb_per_s", "percent_of_copy", "speedup_kernel",
            "speedup_total", "max_abs_error", "cpu", "threads", "gpu", "compiler", "commit",
            "timestamp", "kernel_ms_q1", "kernel_ms_q3", "spread", "total_spread", "disturbed",
            "copy_gb_per_s", "noise")
OTHERS = frozenset(("counts", "registers", "profile", "ladder_counters"))  # no experiments

_NUMBER = re.compile(r"(-?)(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
# Characters with a meaning in gnuplot, a shell, Markdown or HTML, and their stand-ins in words.
_PLAIN = str.maketrans("\"`|{}\\%", "”´¦()∖％")
_TAG = re.compile("<(?=[A-Za-z/!?])")


@lru_cache(maxsize=4096)
def plain(words: str) -> str:
    """Words as figures, tables and pages show them, in which nothing is a command or a mark."""
    return _TAG.sub("‹", words).translate(_PLAIN)


def read(file: Path, wanted: Sequence[str] = ()) -> list[Row]:
    """The rows by column."""
    header, rows = table(file, wanted)
    return [dict(zip(header, row)) for row in rows]


def table(file: Path, wanted: Sequence[str] = ()) -> tuple[list[str], list[list[str]]]:
    """The header and the rows. `wanted` are columns that the file has to have."""
    try:
        stat = file.stat()
        header, rows = _checked(file, stat.st_mtime_ns, stat.st_size)
    except OSError as error:
        raise Trouble(f"{_named(file)}: {error.strerror}") from error
    if not rows and file.suffix == ".partial":
        return [], []
    if missing := [name for name in wanted if name not in header]:
        raise Trouble(f"{_named(file)}:1: there is no column '{missing[0]}'")
    return header, rows


def _named(file: Path) -> str:
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


@lru_cache(maxsize=256)
def _checked(file: Path, _time: int, _size: int) -> tuple[list[str], list[list[str]]]:
    lines = csv.reader(io.StringIO(_text_of(file), newline=""), strict=True)
    numbered: list[tuple[int, list[str]]] = []
    try:
        numbered += ((lines.line_num, row) for row in lines if row)
    except csv.Error as error:
        raise Trouble(f"{_named(file)}:{lines.line_num}: {error}") from error
    if not numbered and file.suffix == ".partial":
        return [], []
    if not numbered:
        raise Trouble(f"{_named(file)}:1: it is empty")
    (_, header), *rows = numbered
    if fault := _fault_of_header(header):
        raise Trouble(f"{_named(file)}:1: {fault}")
    words = _columns_of_words(header, [row for _, row in rows])
    faults = list(_faults(header, rows, words))
    if faults:
        line, fault = min(faults)
        raise Trouble(f"{_named(file)}:{line}: {fault}")
    return header, [[plain(cell) if name in words else cell for name, cell in zip(header, row)]
                    for _, row in rows]


def _text_of(file: Path) -> str:
    """Without the half line that a run that was stopped left in a .partial file."""
    data = file.read_bytes()
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise Trouble(f"{_named(file)}:1: it is in UTF-16; save it in UTF-8")
    if file.suffix == ".partial":
        data = data[:data.rfind(b"\n") + 1]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Trouble(f"{_named(file)}:{line}: a byte is not UTF-8") from error
    if found := re.search(r"[\0-\x08\x0b\x0c\x0e-\x1f]", text):
        line = text.count("\n", 0, found.start()) + 1
        raise Trouble(f"{_named(file)}:{line}: it has a control character ({found[0]!r})")
    return text


def _fault_of_header(header: list[str]) -> str:
    if len(header) == 1 and re.search("[;\t]", header[0]):
        return "columns are separated by commas"
    for place, name in enumerate(header):
        if not _NAME.fullmatch(name):
            return f"column {place + 1} has no name of letters, digits and _: {name!r}"
        if name in header[:place]:
            return f"there are two columns '{name}'"
    if "noise" not in header and any(name.startswith("kernel_ms_") for name in header):
        return "there is no column 'noise', which says whether times can be compared"
    return ""


def _columns_of_words(header: list[str], rows: list[list[str]]) -> frozenset[str]:
    def begins_with_letters(place: int) -> bool:
        cells = [row[place] for row in rows if len(row) == len(header) and row[place]]
        return bool(cells) and all(cell[0].isalpha() for cell in cells) \
            and not {cell.lower() for cell in cells} <= {"nan", "inf", "infinity", "none", "null"}

    known = {*MEASURED, *INFINITE, *SIGNED}
    return WORDS | {name for place, name in enumerate(header)
                    if name not in known and not NONZERO.fullmatch(name)
                    and begins_with_letters(place)}


def _faults(header: list[str], rows: list[tuple[int, list[str]]],
            words: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The first of each column and kind, with their lines."""
    whole = [(line, row) for line, row in rows if len(row) == len(header)]
    yield from ((line, f"it has {len(row)} cells, and the header {len(header)}")
                for line, row in rows if len(row) != len(header))
    seen: dict[tuple[str, ...], int] = {}
    yield from ((line, f"it is line {seen[tuple(row)]} again")
                for line, row in whole if seen.setdefault(tuple(row), line) != line)
    for place, name in enumerate(header):
        fault_of = _fault_of_words if name in words else partial(_fault_of_number, name)
        for cell in dict.fromkeys(row[place] for _, row in whole):
            if cell and (fault := fault_of(cell)):
                line = next(line for line, row in whole if row[place] == cell)
                yield line, f"{name}: {cell[:40]!r} {fault}"
                break
        else:
            continue
        return  # times cannot be compared
    places = {name: header.index(name) for name in (*IN_ORDER, *RATE) if name in header}
    for line, row in whole:
        values = {name: float(row[place]) for name, place in places.items() if row[place]}
        if fault := _contradiction(values):
            yield line, fault


def _contradiction(values: dict[str, float]) -> str:
    times = [values[name] for name in IN_ORDER if name in values]
    if times != sorted(times):
        return f"{', '.join(IN_ORDER)} are not in order"
    if all(name in values for name in RATE):
        size, ms, rate = (values[name] for name in RATE)
        if not math.isclose(size / 1e6 / ms, rate, rel_tol=0.01):
            return f"{', '.join(RATE)} contradict each other"
    return ""


def _fault_of_words(cell: str) -> str:
    return "has a line break or a tab" if re.search(r"[\n\r\t]", cell) else ""


def _fault_of_number(name: str, cell: str) -> str:
    number = _NUMBER.fullmatch(cell)
    if not number:
        if name in INFINITE and cell in ("inf", "nan", "-nan"):
            return ""
        return "is not a number (with a point, without separators or a unit)"
    if number[1] and name not in SIGNED:
        return "is below zero"
    value = float(cell)
    if math.isinf(value):
        return "is too large"
    return "is not above zero" if value == 0 and NONZERO.fullmatch(name) else ""
