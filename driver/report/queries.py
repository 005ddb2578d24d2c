"""Runs the queries of an experiment: SQL over its CSV files, to rows for gnuplot and tables.

A query file is SQL. A comment line `-- output: NAME` says where the rows of the SELECTs after it
go: to NAME.tsv with a header, separated by tabs; to NAME.md as tables.py makes Markdown of them; to
any other text as they are. In these texts {x} becomes the number x with three significant digits,
and {} a dash.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from driver import csv_files, timings
from driver.report import tables
from driver.trouble import Trouble

OUTPUT = re.compile(r"-- output: (\S+)\n?")
FIGURE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")  # which names its file, also in a shell


def connect() -> sqlite3.Connection:
    """An empty database, in which queries have the rules of the driver."""
    database = sqlite3.connect(":memory:")
    for name, function, arguments in (("noise_by", timings.noise, 2),
                                      ("work_of", timings.work_of, 1),
                                      ("range_of", tables.range_of, 2)):
        database.create_function(name, arguments, function, deterministic=True)
    return database


def load(database: sqlite3.Connection, table: str, header: Sequence[str],
         rows: Sequence[Sequence[str]], lacking: Sequence[str] = ()) -> None:
    """Makes a table of a CSV file. Empty fields are NULL, like the columns that it may be lacking.
    Numbers are REAL, so that no division is one of integers.
    """
    columns = [*header, *(column for column in lacking if column not in header)]
    types = [f'"{c}" {"text" if c in csv_files.WORDS else "real"}' for c in columns]
    database.execute(f"create table {table} ({', '.join(types)})")
    missing = [None] * (len(columns) - len(header))
    database.executemany(f"insert into {table} values ({', '.join('?' * len(columns))})",
                         ([cell or None for cell in row] + missing for row in rows))


def run(database: sqlite3.Connection, file: Path, outputs: dict[str, str]) -> None:
    """Executes the statements of a file; what they select is added to `outputs`, by name."""
    output = statement = ""
    for line in file.read_text("utf-8").splitlines(keepends=True):
        if found := OUTPUT.fullmatch(line):
            output = found[1]
            outputs.setdefault(output, "")
            continue
        statement += line
        if sqlite3.complete_statement(statement):
            cursor = database.execute(statement)
            if cursor.description and output:
                outputs[output] = _with_rows(cursor, output, outputs[output])
            statement = ""
    if re.sub(r"--[^\n]*|\s", "", statement):
        raise sqlite3.OperationalError(f"{file}: the last statement has no semicolon")


def _with_rows(cursor: sqlite3.Cursor, output: str, text: str) -> str:
    names = [column[0] for column in cursor.description]
    if output.endswith(".md"):
        return text + tables.markdown(names, cursor.fetchall(), text)
    rows = [_as_text(row) for row in cursor]
    if output.endswith(".tsv") and rows and not text:
        rows.insert(0, "\t".join(names))
    return text + "".join(tables.formatted(row) + "\n" for row in rows)


def _as_text(row: tuple) -> str:
    return "\t".join("" if cell is None else _number(cell) if isinstance(cell, float) else str(cell)
                     for cell in row)


def _number(x: float) -> str:
    """With 15 digits: the last ones of a quotient are noise."""
    text = f"{x:.15g}"
    mantissa, e, exponent = text.partition("e")
    return text if "." in mantissa or "n" in text else f"{mantissa}.0{e}{exponent}"


def by_figure(text: str) -> dict[str, str]:
    """Rows whose first column, `figure`, is F are in F.tsv, each with the header."""
    header, *rows = text.splitlines(keepends=True)
    figures: dict[str, str] = {}
    for row in rows:
        name = row.split("\t", 1)[0].rstrip("\n")
        if not FIGURE.fullmatch(name):
            raise Trouble(f"a figure cannot be named {name!r}")
        figures[f"{name}.tsv"] = figures.get(f"{name}.tsv", header) + row
    return figures
