"""The site: index.html has for each lab of reports/ its pictures, and for each machine (a folder that
has device.txt) the staircase, figures, tables and CSV files. Beside it are the Markdown pages that
can be reached from it, as HTML, and the files that they link: PATH in the repository is PATH in the
site.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from driver import csv_files
from driver.report import labs, machines, markdown
from driver.report.figures import Drawn, Figure
from driver.tree import is_of_a_lab_that_is_gone
from driver.trouble import Trouble
from driver.variants import ROOT

REPORTS = ROOT / "reports"
TIMING = REPORTS / "timing.md"
TEMPLATES = ROOT / "driver" / "templates"


@dataclass(frozen=True)
class Machine:
    name: str  # of its folders
    label: str  # the GPU or, without one, the CPU
    facts: dict[str, str]


@dataclass(frozen=True)
class Folder:
    """Figures of one machine, or others that belong together."""

    machine: Machine | None
    name: str
    result: Markup
    staircases: list[tuple[str, Figure]]  # file, what it is
    figures: list[tuple[str, Figure]]  # all others
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

    @property
    def files(self) -> list[str]:
        """Those of the repository that index.html links."""
        return [file for _, file in self.pictures] + [
            file for folder in (*self.folders, *self.others) for file in folder.csv]


def environment() -> Environment:
    made = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined,
                       trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
                       autoescape=lambda name: name is not None and name.endswith(".html.j2"))
    made.filters["markdown"] = lambda text, table="": Markup(markdown.render(text, table=table))
    return made


def write_all(to: Path, drawn: dict[Path, Drawn], pages: dict[Path, str], results: str) -> None:
    """`to` has the figures and tables of reports/ already; `results` is the README's table."""
    found = of_reports()
    made = [lab(folder, found, drawn) for folder in folders_of_labs()]
    (to / "index.html").write_text(environment().get_template("index.html.j2").render(
        machines=found, labs=made, results=results,
        timing=TIMING.read_text("utf-8").partition("\n\n")[2]), "utf-8")
    for file in (file for each in made for file in each.files):
        _copy(ROOT / file, to)
    _write_pages(["README.md", "reports/README.md"] + [f"{lab.name}/README.md" for lab in made]
                 + [f"reports/{lab.name}/README.md" for lab in made], to, pages)


def _copy(file: Path, to: Path) -> None:
    place = to / file.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def _write_pages(waiting: list[str], to: Path, pages: dict[Path, str]) -> None:
    """Those and all Markdown pages that they lead to, with one style. `pages` are the texts of
    those that the driver has written."""
    (to / "style.css").write_text("".join((TEMPLATES / name).read_text("utf-8")
                                          for name in ("style.css", "page.css")), "utf-8")
    template = environment().get_template("page.html.j2")
    done: set[str] = set()
    for name in waiting:  # which grows
        if name in done:
            continue
        done.add(name)
        source = ROOT / name
        page = to / Path(name).with_suffix(".html")
        text = pages.get(source) or source.read_text("utf-8")
        title = re.search(r"(?m)^# (.*)$", text)
        body = markdown.render(text, lambda link: _link(source, link, waiting, to))
        up = "../" * (len(Path(name).parts) - 1)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(template.render(title=title[1] if title else source.stem,
                                        body=Markup(body), style=f"{up}style.css",
                                        home=f"{up}index.html"), "utf-8")


def _link(source: Path, link: str, waiting: list[str], to: Path) -> str:
    """The target of a Markdown page's link, from its HTML page; pages are added to `waiting`, other
    files copied."""
    path, hash_, anchor = link.partition("#")
    if not path or re.match(r"\w+:", path):
        return link
    leads_to = Path(os.path.normpath(source.parent / path))
    is_figure = leads_to.suffix == ".svg" and (to / leads_to.relative_to(ROOT)).is_file()
    if is_of_a_lab_that_is_gone(str(leads_to.relative_to(ROOT))) and not leads_to.exists():
        return link
    if not leads_to.is_file() and not is_figure:
        raise Trouble(f"{source.relative_to(ROOT)} links {path}, which is no file")
    if leads_to.suffix != ".md":
        if not is_figure:
            _copy(leads_to, to)
        return link
    waiting.append(str(leads_to.relative_to(ROOT)))
    return path.removesuffix(".md") + ".html" + hash_ + anchor


def of_reports() -> list[Machine]:
    """Those with a GPU first, and of them those with results in the most labs."""
    found = sorted(machines.known(), key=lambda each: (
        not each.gpu, -len(list(REPORTS.glob(f"*/{each.name}/limit.csv")))))
    return [Machine(each.name, each.gpu or each.cpu, _facts(each)) for each in found]


def _facts(machine: machines.Machine) -> dict[str, str]:
    device = sorted(REPORTS.glob(f"*/{machine.name}/device.txt"))
    first = device[0].read_text("utf-8").split("\n\n")[0] if device else ""
    facts: dict[str, str] = {}
    for line in first.splitlines():
        key = line[:3].strip() or key
        facts[key] = f"{facts[key]}; {line[5:]}" if key in facts else line[5:]
    return facts | {"CPU": machine.cpu} | _facts_of_rows(machine.name)


def _facts_of_rows(machine: str) -> dict[str, str]:
    files = sorted(REPORTS.glob(f"*/{machine}/*.csv"))
    rows = [row for file in files for row in csv_files.read(file)]
    dates = sorted({row["timestamp"][:10] for row in rows if row.get("timestamp")})
    compilers = {row["compiler"]: None for row in rows if row.get("compiler")}
    return {"compilers": ", ".join(compilers),
            "measured": f"{' to '.join(dict.fromkeys((*dates[:1], *dates[-1:])))}: "
                        f"{len(rows)} rows in {len(files)} CSV files"}


def folders_of_labs() -> list[Path]:
    """Of the labs of this tree: somebody may have taken one away, but not its reports."""
    return [REPORTS / name for name in labs.about() if (REPORTS / name / "README.md").exists()]


def lab(folder: Path, all_machines: list[Machine], drawn: dict[Path, Drawn]) -> Lab:
    page = labs.page_of(folder).read_text("utf-8")
    pictures = re.findall(r"!\[([^]]*)\]\((pictures/[^)]*)\)", page)
    told = next(told for told in labs.told() if told["folder"] == folder.name)
    about = f"{told['algorithm'][0].upper()}{told['algorithm'][1:]}. Variants: {told['variants']}."
    made = Lab(folder.name, labs.title_of(folder), about, told["why"],
               [(text, f"reports/{folder.name}/{file}") for text, file in pictures])
    for machine in all_machines:
        if any((folder / machine.name).glob("*.csv")):
            made.folders.append(_folder(folder / machine.name, page, drawn, machine))
    for other in sorted(path for path in folder.iterdir() if path.is_dir()):
        if not (other / "device.txt").exists() and any(other.glob("*.csv")):
            made.others.append(_folder(other, page, drawn))
    return made


def _folder(folder: Path, page: str, all_drawn: dict[Path, Drawn],
            machine: Machine | None = None) -> Folder:
    place = folder.relative_to(ROOT)
    drawn = all_drawn.get(place, Drawn())
    device = folder / "device.txt"
    kernels = device.read_text("utf-8").partition("\n\n")[2].rstrip() if device.exists() else ""
    staircases, figures = ([(f"{place}/{name}", drawn.figures[name]) for name in names
                            if name.startswith("staircase-") == wanted] for names, wanted in (
        (sorted(drawn.figures), True), (_in_order(drawn.figures, page, place), False)))
    return Folder(
        machine, folder.name, Markup(markdown.render(drawn.results)), staircases, figures,
        {Path(name).stem: Markup(markdown.render(drawn.tables[name], table=Path(name).stem))
         for name in _in_order(drawn.tables, page, place)},
        kernels, [str(file.relative_to(ROOT)) for file in sorted(folder.glob("*.csv"))])


def _in_order(names: Iterable[str], page: str, folder: Path) -> list[str]:
    """Those that the lab's page names come first, in its order."""
    named = re.findall(rf"{folder.name}/([-\w]*\.\w+)", page)
    return sorted(sorted(names), key=lambda name: (named + [name]).index(name))
