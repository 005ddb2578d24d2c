"""Writes the pages that show what was measured, after figures and tables were drawn into the folder
of the site (`python3 -m driver.report.pages` takes those of the last `./run_all.sh figures`):

- NAME.md from each template NAME.md.j2 of reports/, README.md from driver/templates/README.md.j2;
  prose.py says what a template may use. <!-- begin: PATH --> and <!-- end --> have that file
  between them, in templates and in every other page: of the site, where it has been drawn, or of the
  repository;
- for each lab of reports/ a page with all its tables, tables.md, and a README.md where there is
  none;
- beside these pages, the figures that they show.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from driver.report import headlines, labs, machines, prose
from driver.trouble import Trouble, ended
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
    """A page that cannot be written, and why."""


def write_all(drawn: Path) -> int:
    """`drawn` is the folder of the site. Returns the exit code: 1 if a page could not be written."""
    if not any(ROOT.glob("reports/*/*/*.csv")):
        return 0  # a tree for students
    for folder in sorted({file.parents[1] for file in ROOT.glob("reports/lab*/*/*.csv")}):
        _begin(folder)
    errors: list[str] = []
    for name, table in (("results", headlines.tables), ("machines", headlines.table_of_machines)):
        try:
            (drawn / "reports" / f"{name}.md").write_text(table(), "utf-8")
        except Trouble as error:
            errors.append(f"reports/{name}.md: {error}")
    texts: dict[Path, str] = {}
    for page, template in sorted(_pages().items(), key=lambda item: (item[1] == TABLES, item[0])):
        try:  # pages of tables come last: they link the figures of the others
            variables = (_tables_of(page.parent, drawn, _figures(texts, drawn))
                         if template == TABLES else
                         {"labs": labs.told()} if template == README else {})
            text = prose.render(template, **variables) if template else page.read_text("utf-8")
            texts[page] = with_tables(text, page, drawn)
        except (prose.False_, Stale) as error:
            errors.append(str(error))
        except Trouble as error:
            errors.append(f"{page.relative_to(ROOT)}: {error}")
        except UnicodeDecodeError:
            errors.append(f"{page.relative_to(ROOT)}: it is not UTF-8")
    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        return 1
    for page, text in texts.items():
        write(page, text)
    _copy_figures(_figures(texts, drawn), drawn)
    return 0


def _begin(folder: Path) -> None:
    """The page of a lab that has been measured for the first time."""
    page, about = folder / "README.md", labs.about().get(folder.name)
    if about and not page.exists() and not page.with_name("README.md.j2").exists():
        page.write_text(f"# {about['name']}, measured\n\n{NEW_PAGE}", "utf-8")


def _figures(texts: dict[Path, str], drawn: Path) -> set[Path]:
    """The figures that pages show, in the site and in the repository: reports/LAB/MACHINE/F.svg."""
    shown = {(page.parent / name).resolve() for page, text in texts.items()
             for name in re.findall(r"\]\(([^)\s]+\.svg)\)", text)}
    return {file.relative_to(ROOT) for file in shown
            if file.is_relative_to(ROOT) and (drawn / file.relative_to(ROOT)).exists()}


def _copy_figures(shown: set[Path], drawn: Path) -> None:
    for folder in drawn.glob("reports/*/*/"):
        for old in (ROOT / folder.relative_to(drawn)).glob("*.svg"):
            if old.relative_to(ROOT) not in shown:
                old.unlink()
    for figure in shown:
        shutil.copyfile(drawn / figure, ROOT / figure)


def _pages() -> dict[Path, Path | None]:
    """Each page with its template, if it has one."""
    pages: dict[Path, Path | None] = {page: None for place in PLACES for page in ROOT.glob(place)}
    pages |= {template.with_suffix(""): template for template in ROOT.glob("reports/**/*.md.j2")}
    pages |= {page.with_name("tables.md"): TABLES for page in ROOT.glob("reports/lab*/README.md")}
    if README.exists():
        pages[ROOT / "README.md"] = README
    return pages


def _tables_of(folder: Path, drawn: Path, shown: set[Path]) -> dict[str, object]:
    """The folders of a lab's machines, with labels, for tables.md.j2."""
    labels = {machine.name: machine.gpu or machine.cpu for machine in machines.known()}
    folders = [{"name": each.name, "label": labels.get(each.name, each.name),
                "figures": sorted(file.name for file in shown
                                  if file.parent == each.relative_to(ROOT)),
                "tables": sorted(file.name
                                 for file in (drawn / each.relative_to(ROOT)).glob("*.md"))}
               for each in sorted(folder.iterdir()) if any(each.glob("*.csv"))]
    return {"lab": folder.name, "title": labs.title_of(folder), "folders": folders,
            "made": "`./run_all.sh figures` makes this page from the CSV files."}


def write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
        print(f"{file.relative_to(ROOT)}: written")


def with_tables(text: str, page: Path, drawn: Path) -> str:
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
            inside = True
            table = next((file for file in (drawn / found[1], ROOT / found[1]) if file.exists()),
                         ROOT / found[1])
            if not table.exists() or not table.read_text("utf-8"):
                raise Stale(f"{page.relative_to(ROOT)}: nothing to read in {found[1]}")
            out += table.read_text("utf-8").splitlines()
    if inside:
        raise Stale(f'{page.relative_to(ROOT)}: "<!-- end -->" is missing')
    return "\n".join(out) + "\n" if out else ""


def _main() -> int:
    drawn = ROOT / "site"
    if not drawn.exists():
        raise Trouble("nothing has been drawn; ./run_all.sh figures does both")
    return write_all(drawn)


if __name__ == "__main__":
    sys.exit(ended("pages", _main))
