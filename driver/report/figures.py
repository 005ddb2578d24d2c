"""Draws the figures and tables of experiments from their CSV files.

    python3 -m driver.report.figures draw LAB CSV_DIR OUT_DIR
    python3 -m driver.report.figures pictures LAB PROGRAM OUT_DIR

An experiment NAME is drawn if there are CSV_DIR/NAME.csv and LAB/plots/NAME.sql or
driver/plots/shared/NAME.sql, in a scratch folder and in two steps:

1. The queries driver/plots/prelude.sql, LAB/plots/lab.sql, LAB/plots/NAME.sql and shared/NAME.sql
   run, as far as there are such files; see queries.py. Table `data` is CSV_DIR/NAME.csv,
   `csv_OTHER` CSV_DIR/OTHER.csv, `report_X` LAB/plots/report_X.csv, `listed` the variants with
   their ideas. csv_files.py has checked what is in them: no cell is a command.
   They make tables (ANY.md), results in sentences (`results`), and the data of figures (ANY.tsv):
   the first column, `figure`, names the figure, and rows of figure F become the file F.tsv.
2. gnuplot reads style.gp and LAB/plots/NAME.gp (and shared/NAME.gp), which make F.svg.

redraw_reports() draws those of reports/ into the ignored folder site/, where F.gp and its data lie
beside F.svg: `gnuplot F.gp` draws that figure again, also in a copy of the folder. pages.py copies
what the repository's pages show.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from driver import csv_files, environment, variants
from driver.report import machines, queries
from driver.tree import all_labs
from driver.trouble import Trouble, ended

ROOT = variants.ROOT
PLOTS = ROOT / "driver" / "plots"
SITE = ROOT / "site"
FIGURES = "figures.json"  # those in a folder of a run, for its page
# Columns that a lab's queries name and a profile lacks.
PROFILES_LACK = (*csv_files.MEASURED, "method", "radius", "sigma", "threads_inner", "block_width",
                 "block_height")


class Failed(Exception):
    """A line that says why something could not be drawn."""


@dataclass(frozen=True)
class Figure:
    heading: str
    height: int  # in pixels


@dataclass
class Drawn:
    """What was drawn from a folder of CSV files, by the names of the files."""

    tables: dict[str, str] = field(default_factory=dict)  # Markdown
    figures: dict[str, Figure] = field(default_factory=dict)
    results: str = ""  # in sentences, as Markdown
    experiments: int = 0

    def __add__(self, other: Drawn) -> Drawn:
        return Drawn(self.tables | other.tables, self.figures | other.figures,
                     self.results + other.results, self.experiments + other.experiments)

    def __str__(self) -> str:
        return f"gnuplot scripts run: {self.experiments}"


def draw(lab: str, csv: Path, out: Path, for_site: bool = False) -> Drawn:
    """Raises Failed, naming the experiments that could not be drawn. For the site, OUT also gets
    what gnuplot needs to draw each figure alone, otherwise FIGURES. Elsewhere, a file without rows
    is one whose variants cannot run here.
    """
    out.mkdir(parents=True, exist_ok=True)
    if for_site:
        for scripts, to in ((PLOTS, out / "plots"),
                            (ROOT / lab / "plots", out / "plots/lab/plots")):
            to.mkdir(parents=True, exist_ok=True)
            for script in scripts.glob("*.gp"):
                shutil.copy(script, to)
    names = sorted({file.stem for folder in (ROOT / lab / "plots", PLOTS / "shared")
                    for file in folder.glob("*.sql") if (csv / f"{file.stem}.csv").exists()})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = dict(zip(names, pool.map(lambda name: _draws(lab, name, csv, out, for_site),
                                         names)))
    made = sum(filter(None, drawn.values()), Drawn())
    if not for_site:
        (out / FIGURES).write_text(json.dumps({name: asdict(figure) for name, figure
                                               in sorted(made.figures.items())}), "utf-8")
    if failed := [name for name, each in drawn.items() if each is None]:
        raise Failed(f"{made}, FAILED: {' '.join(failed)}")
    return made


def redraw_reports() -> int:
    """Draws reports/ from its CSV files and writes the pages; returns the exit code. If something
    cannot be drawn, all files stay as they are."""
    from driver.report import pages, site as html  # which need Jinja2 and markdown-it-py

    machines.refuse_unknown()
    with tempfile.TemporaryDirectory(prefix=".site-", dir=ROOT) as scratch:
        site, drawn, code = Path(scratch) / "site", {}, 0
        for folder in sorted(path for path in ROOT.glob("reports/*/*/") if any(path.glob("*.csv"))):
            lab = folder.parent.name
            if not (ROOT / lab / "plots").is_dir():
                continue
            try:
                made = draw(lab, folder, site / folder.relative_to(ROOT), for_site=True)
                drawn[folder.relative_to(ROOT)] = message = made
            except Failed as error:
                message, code = error, 1
            print(f"{folder.relative_to(ROOT)}/: {message}", flush=True)
        if code or not drawn:
            return code
        try:
            html.write_all(site, drawn, *pages.write_all(site, drawn))
        except pages.Stale as error:
            print(error, file=sys.stderr)
            return 1
        shutil.rmtree(SITE, ignore_errors=True)
        site.rename(SITE)
    return 0


def quoted(value: Path | str) -> str:
    """As a string of gnuplot, in which nothing is a command, an escape or a mark."""
    return "'" + str(value).replace("'", "''") + "'"


def gnuplot(*scripts: Path | str, folder: Path, **variables: Path | str) -> dict[str, Figure]:
    """Draws figures, and says which: see begin.gp."""
    settings = "; ".join(f"{name} = {quoted(value)}" for name, value in variables.items())
    # The same figures from the same data, whenever they are drawn.
    told = subprocess.run(["gnuplot", "-e", f"{settings}; TELLS = 1", *map(str, scripts)],
                          cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
                          encoding="utf-8", env={**os.environ, "SOURCE_DATE_EPOCH": "0"}).stdout
    return {name: Figure(heading or name, int(height)) for name, height, heading in
            (line.split("\t", 2) for line in told.splitlines())}


def make_dark(svg: Path) -> None:
    """The style of dark pages, below the tag <svg …>."""
    text = svg.read_text("utf-8")
    svg.write_text(text.replace("\n>\n", "\n>\n" + (PLOTS / "dark.xml").read_text("utf-8"), 1),
                   "utf-8")


def _draws(lab: str, name: str, csv: Path, out: Path, for_site: bool) -> Drawn | None:
    """Of one experiment. None: it could not be drawn."""
    try:
        if _table(lab, csv / f"{name}.csv")[1]:
            return _draw_one(lab, name, csv.resolve(), out.resolve(), for_site)
        if for_site:
            raise Trouble(f"{csv / name}.csv: it has no rows")
        return Drawn()
    except (Trouble, sqlite3.Error, subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None


def _table(lab: str, file: Path) -> tuple[list[str], list[list[str]]]:
    """Checked; that of an experiment has no rows of other labs and experiments."""
    is_experiment = file.stem not in csv_files.OTHERS
    header, rows = csv_files.table(file, csv_files.MEASURED if is_experiment else ("variant",))
    known = [name for name in header if name in csv_files.MEASURED]
    if is_experiment and known != list(csv_files.MEASURED):
        place = next(place for place, name in enumerate(csv_files.MEASURED) if known[place] != name)
        raise Trouble(f"{file}:1: '{known[place]}' is in place of '{csv_files.MEASURED[place]}'")
    for column, wanted in (("lab", lab), ("experiment", file.stem)) if is_experiment else ():
        for row in rows:
            if (found := row[header.index(column)]) != wanted:
                raise Trouble(f"{file}: a row is of {column} '{found}', not '{wanted}'")
    return header, rows


def _draw_one(lab: str, name: str, csv: Path, out: Path, for_site: bool) -> Drawn:
    outputs = _query(lab, name, csv)
    scripts = [script for script in (ROOT / lab / "plots" / f"{name}.gp",
                                     PLOTS / "shared" / f"{name}.gp") if script.exists()]
    settings = {file: text for file, text in outputs.items() if file.endswith(".gp")}
    data = {file: rows for output, text in outputs.items() if output.endswith(".tsv")
            for file, rows in queries.by_figure(text).items()}
    tables = {file: text for file, text in outputs.items() if file.endswith(".md")}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _write(folder, settings | data)
        drawn = gnuplot(PLOTS / "style.gp", *settings, *scripts, folder=folder, PLOTS=PLOTS,
                        LAB=ROOT / lab)
        for figure in drawn:
            make_dark(folder / f"{figure}.svg")
            shutil.copyfile(folder / f"{figure}.svg", out / f"{figure}.svg")
    _write(out, tables)
    if for_site:  # beside each figure, its script and the data of its experiment
        text = "".join((*settings.values(), *(file.read_text("utf-8") for file in scripts)))
        _write(out, data | {f"{figure}.gp":
            f"# Draws {figure}.svg, in this folder: gnuplot {figure}.gp\n"
            f'PLOTS = "plots"; LAB = "plots/lab"; ONLY = "{figure}"\n'
            f'load PLOTS."/style.gp"\n{text}' for figure in drawn})
    return Drawn(tables, {f"{name}.svg": figure for name, figure in drawn.items()},
                 outputs.get("results", ""), 1)


def _write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


def _query(lab: str, name: str, csv: Path) -> dict[str, str]:
    """The outputs that are not empty."""
    plots = ROOT / lab / "plots"
    database = queries.connect()
    database.execute("create table listed (variant, idea)")
    database.executemany("insert into listed values (?, ?)",
                         ((variant.name, csv_files.plain(variant.idea))
                          for variant in variants.listed(lab)))
    scripts = [file for file in (PLOTS / "prelude.sql", plots / "lab.sql", plots / f"{name}.sql",
                                 PLOTS / "shared" / f"{name}.sql", PLOTS / "settings.sql")
               if file.exists()]
    queries.load(database, "data", *_table(lab, csv / f"{name}.csv"),
                 PROFILES_LACK if name in csv_files.OTHERS else ())
    for other in sorted({other for script in scripts
                         for other in re.findall(r"\bcsv_(\w+)", script.read_text("utf-8"))
                         if (csv / f"{other}.csv").exists()}):
        queries.load(database, f"csv_{other}", *_table(lab, csv / f"{other}.csv"))
    for file in sorted(plots.glob("report_*.csv")):
        queries.load(database, file.stem, *csv_files.table(file))
    outputs: dict[str, str] = {}
    for script in scripts:
        queries.run(database, script, outputs)
    database.close()
    return {output: text for output, text in outputs.items() if text}


def _require(lab: str) -> None:
    if not (ROOT / lab / "plots").is_dir():
        raise Trouble(f"there is no lab '{lab}'; there are: {' '.join(all_labs())}")


def main(arguments: list[str]) -> int:
    match arguments:
        case ["draw", lab, csv, out]:
            _require(Path(lab).name)
            if not any(Path(csv).glob("*.csv")):
                raise Trouble(f"there is no CSV file in '{csv}'" if Path(csv).is_dir()
                              else f"there is no folder '{csv}'")
            try:
                print(draw(Path(lab).name, Path(csv), Path(out)))
            except Failed as error:
                print(error)
                return 1
        case ["pictures", lab, program, out]:
            from driver.report import pictures

            _require(Path(lab).name)
            try:
                pictures.make(Path(lab).name, Path(program), Path(out))
            except (subprocess.CalledProcessError, OSError) as error:
                print(error, file=sys.stderr)
                return 1
        case _:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    environment.choose()
    sys.exit(ended("figures", lambda: main(sys.argv[1:])))
