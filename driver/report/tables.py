"""Rows of a SELECT as Markdown.

A SELECT of one column has lines of text. Others are tables: the names of columns are the heads,
NULL is a dash, and a number that is REAL has three significant digits. Some names are no heads:

    title, about        rows with one of each are a table below it, and below a paragraph about it
    column, cell        `cell` stands in the column of that name, beside what the row begins with
    nth_column          the order of these columns; otherwise that of the rows
    nth_row             which row a cell is in, if what it begins with does not tell
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from driver.rounding import digits

Cell = str | int | float | None
HIDDEN = ("title", "about", "nth_row", "nth_column", "column", "cell")


def formatted(text: str) -> str:
    """{x} is the number x with three significant digits, and {} a dash."""
    return re.sub(r"\{([-+.0-9e]*)\}",
                  lambda found: digits(float(found[1])) if found[1] else "-", text)


def range_of(low: float | None, high: float | None) -> str | None:
    """"{61} to {84}", to be formatted; one number if the two are nearly equal."""
    if low is None or high is None:
        return None
    return f"{{{low}}} to {{{high}}}" if high > 1.02 * low else f"{{{low}}}"


def markdown(names: Sequence[str], rows: Sequence[Sequence[Cell]], before: str = "") -> str:
    """The lines that follow the text `before`."""
    if len(names) == 1:
        lines = [_text(row[0]) for row in rows if row[0] is not None]
        after_table = before.rpartition("\n\n")[2].startswith("|")
        return "".join(line + "\n" for line in ([""] if lines and after_table else []) + lines)
    above = [at for at, name in enumerate(names) if name in ("title", "about")]
    made = [_table(names, list(part))
            for _, part in groupby(rows, key=lambda row: [row[at] for at in above])]
    return ("\n" if made and before and not before.endswith("\n\n") else "") + "\n".join(made)


def _table(names: Sequence[str], rows: list[Sequence[Cell]]) -> str:
    first = dict(zip(names, rows[0]))
    above = [f"**{first['title']}**" if first.get("title") else "", str(first.get("about") or "")]
    heads, cells = _across(names, rows) if "cell" in names else _along(names, rows)
    texts = [[_text(cell) for cell in row] for row in cells]
    rules = [":--" if _is_left([row[at] for row in texts], at == 0) else "--:"
             for at in range(len(heads))]
    return "".join(line + "\n" for line in [
        *(line for text in above if text for line in (formatted(text), "")),
        *(f"| {' | '.join(row)} |" for row in (heads, rules, *texts))])


def _along(names: Sequence[str], rows: list[Sequence[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    shown = [at for at, name in enumerate(names) if name not in HIDDEN]
    return [names[at] for at in shown], [[row[at] for at in shown] for row in rows]


def _across(names: Sequence[str], rows: list[Sequence[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    left, begins = _along(names, rows)
    table: dict[object, tuple[list[Cell], dict[tuple, Cell]]] = {}
    columns: dict[tuple, float] = {}
    for row, begin in zip(rows, begins):
        cell = dict(zip(names, row))
        key = cell["nth_row"] if "nth_row" in cell else tuple(begin)
        column = cell.get("nth_column"), cell["column"]
        table.setdefault(key, (begin, {}))[1][column] = cell["cell"]
        columns.setdefault(column, len(columns) if column[0] is None else column[0])
    order = sorted(columns, key=lambda column: columns[column])
    return left + [name for _, name in order], [
        begin + [of_row.get(column) for column in order] for begin, of_row in table.values()]


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return digits(cell) if isinstance(cell, float) else formatted(str(cell))


def _is_left(cells: list[str], is_first: bool) -> bool:
    """Most of its cells are words; in the first column, one of them is not a number."""
    told = [cell for cell in cells if cell != "-"]
    if is_first:
        return any(not re.fullmatch(r"[-+.\d]+", cell) for cell in told)
    words = [cell for cell in told if re.match(r"[*`]*[^\W\d_](?!.* [\d.]+$)", cell)]
    return 2 * len(words) > len(told)
