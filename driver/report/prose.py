"""Sentences whose numbers come from the CSV files of reports/: Jinja2 templates in which

    {% set ladder = rows("lab5-threshold/h200/ladder", filter="gauss3") %}
    `cuda_best` takes {{ ladder("cuda_best") }} ms, {{ ladder("cuda_best", "percent_of_copy") | two
    }} % of the rate of a copy, and is {{ times(ladder("cuda_words"), ladder("cuda_best")) | two }}
    times as fast as `cuda_words`{{ claim(ladder("cuda_best") < ladder("peer_npp")) }}.

A value that is missing, ambiguous or too noisy, and a claim that is false, end the command with the
template's line, and with the rows that were compared there. A claim compares with all that its
sentence names: fastest(), least(), greatest(), gains() and no_faster() take every row of a filter.
Numbers have three significant digits, or as many as a filter says.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from driver.report.rows import False_, false, forget_compared, machine, rows
from driver.rounding import digits
from driver.trouble import Trouble
from driver.variants import ROOT


def times(slow: float, fast: float) -> float:
    """The ratio of both times. Fails if `fast` is not the shorter one."""
    if slow < fast:
        raise false(f"{slow:g} ms is no longer than {fast:g} ms")
    return slow / fast


def more(long: float, short: float) -> float:
    """The percentage by which `long` is longer."""
    return 100 * (times(long, short) - 1)


def less(short: float, long: float) -> float:
    """The percentage by which `short` is shorter."""
    return 100 * (1 - 1 / times(long, short))


def claim(holds: bool, text: str = "") -> str:
    if not holds:
        raise false(f"this is not so{f' ({text})' if text else ''}")
    forget_compared(here_only=True)
    return text


def faster(ratios: Iterable[float], other: str) -> str:
    """"1.2 to 1.4 times as fast as other", or "as fast as other", where the range crosses 1."""
    low, high = min(ratios), max(ratios)
    if low <= 1 <= high:
        return f"as fast as {other} (equal: {digits(low, 2)} to {digits(high, 2)} times)"
    if high < 1:
        raise false(f"{high:g} times as fast as {other} is slower")
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
    made.globals.update(rows=rows, machine=machine, times=times, more=more, less=less, claim=claim,
                        faster=faster, both=both, span=span, digits=digits, min=min, max=max)
    made.filters.update(
        one=lambda x: digits(x, 1), two=lambda x: digits(x, 2), three=lambda x: digits(x, 3),
        whole=lambda x: f"{x:.0f}", span=span, span3=lambda values: span(values, 3))
    return made


def render(template: Path, **variables: object) -> str:
    """Raises False_ with the template's line."""
    name = str(template.relative_to(ROOT))
    forget_compared()
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
