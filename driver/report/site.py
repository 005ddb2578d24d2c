"""The site: index.html has for each lab of reports/ its pictures, and for each machine (a folder that
has device.txt) the staircase, figures, tables and CSV files. Beside it are the Markdown pages that
can be reached from it, as HTML, and the files that they link: PATH in the repository is PATH in the
site.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from driver import csv_files
from driver.report import labs, machines, markdown
from driver.trouble import Trouble
from driver.variants import ROOT

REPORTS = ROOT / "reports"
TEMPLATES = ROOT / "driver" / "templates"


@dataclass(frozen=True)
class Machine:
    name: str  # of its folders
    label: str  # the GPU or, without one, the CPU
    facts: dict[str, str]


@dataclass(frozen=True)
class Figure:
    file: str  # from the site's folder
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


def write_all(to: Path) -> None:
    """`to` has the figures and tables of reports/ already."""
    found = of_reports()
    made = [lab(page.parent, found, to) for page in pages_of_labs()]
    (to / "index.html").write_text(environment().get_template("index.html.j2").render(
        machines=found, labs=made, results=(to / "reports" / "results.md").read_text("utf-8"),
        timing=part_of(REPORTS / "README.md", "^[*][*]How it was timed", "^[*][*]The original")),
        "utf-8")
    for file in (file for each in made for file in each.files):
        _copy(ROOT / file, to)
    _write_pages(["README.md", "reports/README.md"] + [f"{lab.name}/README.md" for lab in made]
                 + [f"reports/{lab.name}/README.md" for lab in made], to)


def _copy(file: Path, to: Path) -> None:
    place = to / file.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def _write_pages(waiting: list[str], to: Path) -> None:
    """Those and all Markdown pages that they lead to, with one style."""
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
        text = source.read_text("utf-8")
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
    if not leads_to.is_file() and not is_figure:
        raise Trouble(f"{source.relative_to(ROOT)} links {path}, which is no file")
    if leads_to.suffix != ".md":
        if not is_figure:
            _copy(leads_to, to)
        return link
    waiting.append(str(leads_to.relative_to(ROOT)))
    return path.removesuffix(".md") + ".html" + hash_ + anchor


def part_of(file: Path, begin: str, end: str) -> str:
    """From the first line that matches `begin` up to the next one that matches `end`."""
    lines = file.read_text("utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if re.search(begin, line)), None)
    if first is None:
        raise ValueError(f"{file}: no line matches {begin}")
    last = next((i for i in range(first, len(lines)) if re.search(end, lines[i])), len(lines))
    return "\n".join(lines[first:last])


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


def pages_of_labs() -> list[Path]:
    """Of the labs of this tree: somebody may have taken one away, but not its reports."""
    here = labs.about()
    return [page for page in sorted(REPORTS.glob("lab*/README.md")) if page.parent.name in here]


def lab(folder: Path, all_machines: list[Machine], site: Path) -> Lab:
    page = (folder / "README.md").read_text("utf-8")
    pictures = re.findall(r"!\[([^]]*)\]\((pictures/[^)]*)\)", page)
    told = next(told for told in labs.told() if told["folder"] == folder.name)
    about = f"{told['algorithm'][0].upper()}{told['algorithm'][1:]}. Variants: {told['variants']}."
    made = Lab(folder.name, labs.title_of(folder), about, told["why"],
               [(text, f"reports/{folder.name}/{file}") for text, file in pictures])
    for machine in all_machines:
        if any((folder / machine.name).glob("*.csv")):
            made.folders.append(_folder(folder / machine.name, page, site, machine))
    for other in sorted(path for path in folder.iterdir() if path.is_dir()):
        if not (other / "device.txt").exists() and any(other.glob("*.csv")):
            made.others.append(_folder(other, page, site))
    return made


def _folder(folder: Path, page: str, site: Path, machine: Machine | None = None) -> Folder:
    drawn = site / folder.relative_to(ROOT)
    figures = [_figure(file, site) for file in _in_order(drawn, page, "svg")]
    device = folder / "device.txt"
    kernels = device.read_text("utf-8").partition("\n\n")[2].rstrip() if device.exists() else ""
    return Folder(
        machine, folder.name, _result(drawn / "staircase.md"),
        [_figure(file, site) for file in sorted(drawn.glob("staircase-*.svg"))],
        [figure for figure in figures if "/staircase-" not in figure.file],
        {file.stem: Markup(markdown.render(file.read_text("utf-8"), table=file.stem))
         for file in _in_order(drawn, page, "md")},
        kernels, [str(file.relative_to(ROOT)) for file in sorted(folder.glob("*.csv"))])


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


def _figure(file: Path, site: Path) -> Figure:
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
    return Figure(str(file.relative_to(site)), Markup(heading), width, height)
