"""reports/index.html: for each lab of reports/ its pictures, and for each machine (a folder that
has device.txt) the staircase, figures, tables and CSV files. The Markdown pages that can be reached
from it are in reports/pages/ as HTML.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from driver import csv_files, labs, machines, markdown
from driver.trouble import Trouble
from driver.variants import ROOT

REPORTS = ROOT / "reports"
PAGES = REPORTS / "pages"
TEMPLATES = ROOT / "driver" / "templates"


@dataclass(frozen=True)
class Machine:
    name: str  # of its folders
    label: str  # the GPU or, without one, the CPU
    facts: dict[str, str]


@dataclass(frozen=True)
class Figure:
    file: str  # from reports/
    heading: str
    width: str
    height: str


@dataclass(frozen=True)
class Folder:
    """Figures of one machine, or others that belong together."""

    machine: Machine | None
    name: str
    result: Markup
    staircases: list[Figure]
    figures: list[Figure]
    tables: dict[str, Markup]
    kernels: str
    csv: list[str]


@dataclass(frozen=True)
class Lab:
    name: str
    title: str
    about: str
    why: dict[str, str]  # of the staircases, by their machine
    pictures: list[tuple[str, str]]  # text, file
    folders: list[Folder] = field(default_factory=list)
    others: list[Folder] = field(default_factory=list)


def environment() -> Environment:
    made = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined,
                       trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
                       autoescape=lambda name: name is not None and name.endswith(".html.j2"))
    made.filters["markdown"] = lambda text, table="": Markup(markdown.render(text, table=table))
    return made


def write_all() -> None:
    found = of_reports()
    made = [lab(page.parent, found) for page in sorted(REPORTS.glob("lab*/README.md"))]
    _write(REPORTS / "index.html", environment().get_template("index.html.j2").render(
        machines=found, labs=made, results=(REPORTS / "results.md").read_text("utf-8"),
        timing=part_of(REPORTS / "README.md", "^[*][*]How it was timed", "^[*][*]The original")))
    _write_pages(["README.md", "docs/targets.md", "reports/README.md"]
                 + [f"{lab.name}/README.md" for lab in made]
                 + [f"reports/{lab.name}/README.md" for lab in made])


def _write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def _write_pages(waiting: list[str]) -> None:
    """Those and all Markdown pages that they lead to, each as PAGES/PATH.html, with one style."""
    style = PAGES / "style.css"
    _write(style, "".join((TEMPLATES / name).read_text("utf-8")
                          for name in ("style.css", "page.css")))
    template = environment().get_template("page.html.j2")
    done: set[Path] = set()
    for name in waiting:  # which grows
        source = ROOT / name
        target = _page_of(source)
        if target not in done:
            done.add(target)
            text = source.read_text("utf-8")
            title = re.search(r"(?m)^# (.*)$", text)
            body = markdown.render(text, lambda to: _link(source, to, waiting))
            _write(target, template.render(
                title=title[1] if title else source.stem, body=Markup(body),
                style=os.path.relpath(style, target.parent),
                home=os.path.relpath(REPORTS / "index.html", target.parent)))
    for old in PAGES.rglob("*.html"):
        if old not in done:
            old.unlink()


def _link(source: Path, to: str, waiting: list[str]) -> str:
    """The target of a Markdown page's link, from its HTML page; pages are added to `waiting`."""
    path, _, anchor = to.partition("#")
    if not path or re.match(r"\w+:", path):
        return to
    leads_to = (source.parent / path).resolve()
    if leads_to.suffix == ".md" and leads_to.exists():
        waiting.append(str(leads_to.relative_to(ROOT)))
        leads_to = _page_of(leads_to)
    return os.path.relpath(leads_to, _page_of(source).parent) + ("#" + anchor if anchor else "")


def _page_of(source: Path) -> Path:
    return (PAGES / source.relative_to(ROOT)).with_suffix(".html")


def part_of(file: Path, begin: str, end: str) -> str:
    """From the first line that matches `begin` up to the next one that matches `end`."""
    lines = file.read_text("utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if re.search(begin, line)), None)
    if first is None:
        raise ValueError(f"{file}: no line matches {begin}")
    last = next((i for i in range(first, len(lines)) if re.search(end, lines[i])), len(lines))
    return "\n".join(lines[first:last])


def of_reports() -> list[Machine]:
    """Those with a GPU first."""
    return [Machine(each.name, each.gpu or each.cpu, _facts(each)) for each in machines.known()]


def _facts(machine: machines.Machine) -> dict[str, str]:
    device = sorted(REPORTS.glob(f"*/{machine.name}/device.txt"))
    first = device[0].read_text("utf-8").split("\n\n")[0] if device else ""
    facts: dict[str, str] = {}
    for line in first.splitlines():
        key = line[:3].strip() or key
        facts[key] = f"{facts[key]}; {line[5:]}" if key in facts else line[5:]
    return facts | {"CPU": machine.cpu} | _facts_of_rows(machine.name)


def _facts_of_rows(machine: str) -> dict[str, str]:
    files = [file for file in sorted(REPORTS.glob(f"*/{machine}/*.csv")) if _is_main(file)]
    rows = [row for file in files for row in csv_files.read(file)]
    dates = sorted({row["timestamp"][:10] for row in rows if row.get("timestamp")})
    compilers = {row["compiler"]: None for row in rows if row.get("compiler")}
    return {"compilers": ", ".join(compilers),
            "measured": f"{' to '.join(dict.fromkeys((*dates[:1], *dates[-1:])))}: "
                        f"{len(rows)} rows in {len(files)} CSV files"}


def _is_main(file: Path) -> bool:
    return not file.stem.endswith("_samples")


def lab(folder: Path, all_machines: list[Machine]) -> Lab:
    page = (folder / "README.md").read_text("utf-8")
    pictures = re.findall(r"!\[([^]]*)\]\((pictures/[^)]*)\)", page)
    told = next(told for told in labs.told() if told["folder"] == folder.name)
    made = Lab(folder.name, title_of(folder), f"{told['algorithm']}. Variants: {told['variants']}.",
               told["why"],
               [(text, f"{folder.name}/{file}") for text, file in pictures])
    for machine in all_machines:
        if any((folder / machine.name).glob("*.csv")):
            made.folders.append(_folder(folder / machine.name, page, machine))
    for other in sorted(path for path in folder.iterdir() if path.is_dir()):
        if not (other / "device.txt").exists() and any(other.glob("*.csv")):
            made.others.append(_folder(other, page))
    return made


def title_of(folder: Path) -> str:
    page = folder / "README.md"
    found = re.search(r"(?m)^# (.*), measured$", page.read_text("utf-8"))
    if not found:
        raise Trouble(f'{page}: there is no heading "# …, measured"')
    return found[1]


def _folder(folder: Path, page: str, machine: Machine | None = None) -> Folder:
    figures = [_figure(file) for file in _in_order(folder, page, "svg")]
    device = folder / "device.txt"
    kernels = device.read_text("utf-8").partition("\n\n")[2].rstrip() if device.exists() else ""
    return Folder(
        machine, folder.name, _result(folder / "staircase.md"),
        [_figure(file) for file in sorted(folder.glob("staircase-*.svg"))],
        [figure for figure in figures if "/staircase-" not in figure.file],
        {file.stem: Markup(markdown.render(file.read_text("utf-8"), table=file.stem))
         for file in _in_order(folder, page, "md")},
        kernels, [str(file.relative_to(REPORTS)) for file in sorted(folder.glob("*.csv"))])


def _in_order(folder: Path, page: str, ending: str) -> list[Path]:
    """The files of the folder, in the order in which the lab's page names them."""
    named = re.findall(rf"{folder.name}/([-\w]*\.{ending})", page)
    names = dict.fromkeys([*named, *sorted(file.name for file in folder.glob(f"*.{ending}"))])
    return [folder / name for name in names if (folder / name).exists()]


def _result(staircase: Path) -> Markup:
    """The results in sentences, which stand above the table of the ladder."""
    out, work = [], ""
    for line in staircase.read_text("utf-8").splitlines() if staircase.exists() else []:
        if line.startswith("**"):
            work = line
        elif line.startswith("`"):
            out.append(f"{work}: {line}")
    return Markup(markdown.render("\n\n".join(out)))


def _figure(file: Path) -> Figure:
    """Its topmost text is its heading; the next one says what it was measured on."""
    svg = file.read_text("utf-8")
    texts: list[tuple[float, str]] = []
    for line in svg.splitlines():
        if "translate(" in line:
            y = float(re.search(r"translate\([^,]*,([-.\d]*)", line)[1])
        if found := re.search("<text>(.*)</text>", line):
            texts.append((y, found[1]))
    width, height = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups()
    heading = min(texts, key=lambda text: text[0])[1].replace('"', "") if texts else file.stem
    return Figure(str(file.relative_to(REPORTS)), Markup(heading), width, height)
