"""Writes the pages that show what was measured, after figures and tables were drawn: README and
report pages from their templates, tables into Markdown pages, and reports/index.html.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from driver import headlines, site
from driver.variants import ROOT

PLACES = ("*.md", "lab*/*.md", "common/*.md", "docs/*.md", "driver/*.md", "harness/*.md",
          "reports/*.md", "reports/*/*.md", "reports/*/*/*.md")


class Stale(Exception):
    """A page that cannot be written, and why."""


def write_all() -> int:
    """Returns the exit code: 1 if a page could not be written."""
    code = 0
    write(ROOT / "reports" / "results.md", headlines.table())
    for page in sorted({page for place in PLACES for page in ROOT.glob(place)}):
        try:
            if write(page, with_tables(page)):
                print(f"{page.relative_to(ROOT)}: tables refreshed")
        except Stale as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            code = 1
    if code == 0:
        site.write_all()
    return code


def write(file: Path, text: str) -> bool:
    """Whether the file has changed."""
    if file.exists() and file.read_text("utf-8") == text:
        return False
    file.write_text(text, "utf-8")
    return True


def with_tables(page: Path) -> str:
    """The page with each file that it names between <!-- begin: PATH --> and <!-- end -->."""
    out: list[str] = []
    inside = False
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("<!-- end -->"):
            inside = False
        if not inside:
            out.append(line)
        if found := re.match(r"<!-- begin: (\S+) -->", line):
            if inside:
                raise Stale('"<!-- end -->" is missing')
            inside = True
            table = ROOT / found[1]
            if not table.exists() or not table.read_text("utf-8"):
                raise Stale(f"nothing to read in {found[1]}")
            out += table.read_text("utf-8").splitlines()
    if inside:
        raise Stale('"<!-- end -->" is missing')
    return "\n".join(out) + "\n" if out else ""
