"""Reads files that others wrote, so that nothing in them ends the driver with a traceback."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from driver.trouble import Trouble, described


def read_text(path: Path) -> str:
    """Empty if there is no such file. Bytes that are not UTF-8 become U+FFFD. Lines end with "\\n",
    and there is no byte order mark.
    """
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read()


def read_json(path: Path, kind: type = dict):
    """A value of that kind. Raises Trouble, also where there is no such file."""
    try:
        found = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise Trouble(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(found, kind):
        raise Trouble(f"{path}: expected {'an object' if kind is dict else 'a list'}")
    return found


def json_of(path: Path, kind: type = dict):
    """A value of that kind, empty if there is none."""
    try:
        return read_json(path, kind)
    except Trouble:
        return kind()


def read_table(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """A CSV file that a person or another program made: the header, and the rows by column with the
    numbers of their lines. Missing cells are empty; more than the header has are refused, unless
    they are empty too: a comma in a text would cut it.
    """
    try:
        if path.read_bytes()[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            raise Trouble(f"{path}: it is in UTF-16; save it in UTF-8")
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = csv.reader(file, strict=True)
            rows = [(lines.line_num, row) for row in lines if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Trouble(f"{path}: cannot be read as CSV in UTF-8: {error}") from error
    header = rows[0][1] if rows else []
    if twice := [name for name in header if name and header.count(name) > 1]:
        raise Trouble(f"{path}:1: there are two columns '{twice[0]}'")
    for line, row in rows[1:]:
        if any(cell.strip() for cell in row[len(header):]):
            raise Trouble(f"{path}:{line}: there are {len(row)} cells, and {len(header)} columns: a "
                          "text with a comma needs quotation marks")
    return header, [(line, dict(zip(header, row + [""] * len(header)))) for line, row in rows[1:]]


@contextmanager
def as_expected(file: Path | str) -> Iterator[None]:
    """Around code that takes fields of `file` for what they ought to be."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Trouble(f"{file}: it is not as expected: {described(error)}") from error


def objects_in(value: object) -> list[dict]:
    """Those in a list; none if it is something else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
