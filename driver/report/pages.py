"""Writes the pages that show what was measured, after figures and tables were drawn:

- NAME.md from each template NAME.md.j2 of reports/, README.md from driver/templates/README.md.j2;
  prose.py says what a template may use. <!-- begin: PATH --> and <!-- end --> have that table or
  file between them, in templates and in every other page;
- for each lab of reports/ a page with all its tables, tables.md, and a README.md where there is
  none;
- beside these pages, the figures that they show.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from driver.report import headlines, labs, machines, prose
from driver.report.figures import Drawn
from driver.texts import read_text
from driver.tree import all_labs, is_of_a_lab_that_is_gone
from driver.trouble import Trouble
from driver.variants import ROOT

PLACES = ("*.md", "lab*/*.md", "common/*.md", "docs/*.md", "driver/*.md", "harness/*.md",
          "reports/*.md", "reports/*/*.md", "reports/*/*/*.md")
README = ROOT / "driver" / "templates" / "README.md.j2"
TABLES = ROOT / "driver" / "templates" / "tables.md.j2"

NEW_PAGE = """\
`./run_all.sh measure` fills a folder for each machine, and `./run_all.sh figures` draws it ([how to
measure](../../CONTRIBUTING.md#measure-and-submit-data)).
"""


class Stale(Exception):
    """Pages that cannot be written, a line for each, and why."""


def write_all(site: Path, drawn: dict[Path, Drawn]) -> tuple[dict[Path, str], str]:
    """`drawn` are the folders of reports/. Returns the pages, and the table of results."""
    for folder in sorted({file.parents[1] for file in ROOT.glob("reports/lab*/*/*.csv")}):
        _begin(folder)
    errors: list[str] = []
    tables = {f"{folder}/{name}": text for folder, made in drawn.items()
              for name, text in made.tables.items()}
    for name, table in (("results", headlines.tables), ("machines", headlines.table_of_machines)):
        try:
            tables[f"reports/{name}.md"] = table()
        except Trouble as error:
            errors.append(f"reports/{name}.md: {error}")
    figures = {ROOT / folder / name for folder, made in drawn.items() for name in made.figures}
    texts: dict[Path, str] = {}
    for page, template in sorted(_pages().items(), key=lambda item: (item[1] == TABLES, item[0])):
        try:  # pages of tables come last: they link the figures of the others
            variables = (_tables_of(page.parent, drawn, figures & _linked(texts))
                         if template == TABLES else
                         {"labs": labs.told()} if template == README else {})
            text = prose.render(template, **variables) if template else page.read_text("utf-8")
            texts[page] = with_tables(text, page, tables)
        except (prose.False_, Stale) as error:
            errors.append(str(error))
        except Trouble as error:
            errors.append(f"{page.relative_to(ROOT)}: {error}")
        except UnicodeDecodeError:
            errors.append(f"{page.relative_to(ROOT)}: it is not UTF-8")
    if errors:
        raise Stale("\n".join(errors))
    for page, text in texts.items():
        write(page, text)
    shown = figures & _linked(texts)
    for folder in drawn:
        for old in set((ROOT / folder).glob("*.svg")) - shown:
            old.unlink()
    for figure in shown:
        shutil.copyfile(site / figure.relative_to(ROOT), figure)
    return texts, tables["reports/results.md"]


def _begin(folder: Path) -> None:
    """The page of a lab that has been measured for the first time."""
    page, about = folder / "README.md", labs.about().get(folder.name)
    if about and not page.exists() and not page.with_name("README.md.j2").exists():
        page.write_text(f"# {about['name']}, measured\n\n{NEW_PAGE}", "utf-8")


def _linked(texts: dict[Path, str]) -> set[Path]:
    """The figures that pages link."""
    return {(page.parent / name).resolve() for page, text in texts.items()
            for name in re.findall(r"\]\(([^)\s]+\.svg)\)", text)}


def _pages() -> dict[Path, Path | None]:
    """Each page with its template, if it has one."""
    pages: dict[Path, Path | None] = {page: None for place in PLACES for page in ROOT.glob(place)}
    pages |= {template.with_suffix(""): template for template in ROOT.glob("reports/**/*.md.j2")}
    pages |= {page.with_name("tables.md"): TABLES for page in ROOT.glob("reports/lab*/README.md")
              if page.parent.name in all_labs()}
    if README.exists():
        pages[ROOT / "README.md"] = README
    return pages


def _tables_of(folder: Path, drawn: dict[Path, Drawn], shown: set[Path]) -> dict[str, object]:
    """The folders of a lab's machines, with labels, for tables.md.j2."""
    labels = {machine.name: machine.gpu or machine.cpu for machine in machines.known()}
    folders = [{"name": each.name, "label": labels.get(each.name, each.name),
                "figures": sorted(file.name for file in shown if file.parent == each),
                "tables": sorted(drawn.get(each.relative_to(ROOT), Drawn()).tables)}
               for each in sorted(folder.iterdir()) if any(each.glob("*.csv"))]
    return {"lab": folder.name, "title": labs.title_of(folder), "folders": folders,
            "made": "`./run_all.sh figures` makes this page from the CSV files."}


def write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
        print(f"{file.relative_to(ROOT)}: written")


def with_tables(text: str, page: Path, tables: dict[str, str]) -> str:
    """Those of a lab that is gone stay."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("<!-- end -->"):
            inside = False
        if not inside:
            out.append(line)
        if found := re.match(r"<!-- begin: (\S+) -->", line):
            if inside:
                raise Stale(f'{page.relative_to(ROOT)}: "<!-- end -->" is missing')
            table = tables.get(found[1]) or read_text(ROOT / found[1])
            inside = bool(table)
            if not table and not is_of_a_lab_that_is_gone(found[1]):
                raise Stale(f"{page.relative_to(ROOT)}: nothing to read in {found[1]}")
            out += table.splitlines()
    if inside:
        raise Stale(f'{page.relative_to(ROOT)}: "<!-- end -->" is missing')
    return "\n".join(out) + "\n" if out else ""
