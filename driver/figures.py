"""Draws the figures and tables of experiments from their CSV files.

    python3 -m driver.figures draw LAB CSV_DIR OUT_DIR
    python3 -m driver.figures redraw
    python3 -m driver.figures pictures LAB PROGRAM OUT_DIR

An experiment NAME is drawn if there are CSV_DIR/NAME.csv and LAB/plots/NAME.sql or
driver/plots/shared/NAME.sql, in a scratch folder and in two steps:

1. The queries driver/plots/prelude.sql, LAB/plots/lab.sql, LAB/plots/NAME.sql and shared/NAME.sql
   run, as far as there are such files; see queries.py. Table `data` is CSV_DIR/NAME.csv,
   `csv_OTHER` CSV_DIR/OTHER.csv, `report_X` LAB/plots/report_X.csv, `listed` the variants with
   their ideas.
   They write tables (ANY.md) and the data of figures (ANY.tsv): the first column, `figure`, names
   the figure, and rows of figure F become the file F.tsv.
2. gnuplot reads style.gp and LAB/plots/NAME.gp (and shared/NAME.gp), which make F.svg.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from driver import environment, queries, timings, variants

ROOT = variants.ROOT
PLOTS = ROOT / "driver" / "plots"
OLDER_FILES_LACK = ("kernel_ms_q1", "kernel_ms_q3", "spread", "disturbed", "noise",
                    "copy_gb_per_s", "l1_bytes", "l2_bytes")
PROFILES_LACK = ("width", "height", "kernel_ms_mean", "kernel_ms_min", "kernel_ms_max",
                 "parameters", "cpu", "compiler", "method", "radius", "sigma", "gpu", "commit",
                 "timestamp", "backend", "threads", "threads_inner", "block_width", "block_height",
                 "total_ms_mean", "speedup_total")


class Failed(Exception):
    """A line that says why something could not be drawn."""


def draw(lab: str, csv: Path, out: Path) -> str:
    """Returns how many experiments were drawn; raises Failed, naming those that were not."""
    out.mkdir(parents=True, exist_ok=True)
    names = sorted({file.stem for folder in (ROOT / lab / "plots", PLOTS / "shared")
                    for file in folder.glob("*.sql") if _has_rows(csv / f"{file.stem}.csv")})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [name for name, error in zip(names, pool.map(
            lambda name: _reason(lab, name, csv, out), names)) if error]
    message = f"gnuplot scripts run: {len(names) - len(failed)}"
    if failed:
        raise Failed(f"{message}, FAILED: {' '.join(failed)}")
    return message


def redraw_reports() -> int:
    """Draws reports/ again from its CSV files, then its pages; returns the exit code."""
    from driver import pages  # which needs Jinja2

    code = 0
    for folder in sorted(path for path in ROOT.glob("reports/*/*/") if any(path.glob("*.csv"))):
        if not (ROOT / folder.parent.name / "plots").is_dir():
            continue
        with tempfile.TemporaryDirectory() as drawn:
            try:
                message = draw(folder.parent.name, folder, Path(drawn))
            except Failed as error:
                message, code = str(error), 1
            else:
                for old in (*folder.glob("*.svg"), *folder.glob("*.md")):
                    old.unlink()  # what is drawn no more would stay
                for new in Path(drawn).iterdir():
                    shutil.copyfile(new, folder / new.name)
            print(f"{folder.relative_to(ROOT)}/: {message}", flush=True)
    return pages.write_all() or code


def pictures(lab: str, program: Path, out: Path) -> None:
    """Pictures of what the lab does, before and after: those of LAB/plots/pictures.py."""
    from driver import pictures as made

    made.make(lab, program, out)


def gnuplot(*scripts: Path | str, folder: Path, **variables: Path | str) -> None:
    settings = "; ".join(f"{name} = '{value}'" for name, value in variables.items())
    # The same figures from the same data, whenever they are drawn.
    subprocess.run(["gnuplot", "-e", settings, *map(str, scripts)], cwd=folder, check=True,
                   stdout=sys.stderr, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})


def make_dark(svg: Path) -> None:
    """The style of dark pages, below the tag <svg …>."""
    text = svg.read_text("utf-8")
    svg.write_text(text.replace("\n>\n", "\n>\n" + (PLOTS / "dark.xml").read_text("utf-8"), 1),
                   "utf-8")


def _has_rows(file: Path) -> bool:
    return file.exists() and file.read_bytes().count(b"\n") > 1


def _reason(lab: str, name: str, csv: Path, out: Path) -> str:
    """Draws one experiment; returns why it could not be."""
    try:
        _draw_one(lab, name, csv.resolve(), out.resolve())
    except (sqlite3.Error, subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return str(error)
    return ""


def _draw_one(lab: str, name: str, csv: Path, out: Path) -> None:
    plots = ROOT / lab / "plots"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _query(lab, name, csv, folder)
        for file in folder.iterdir():
            if not file.stat().st_size:
                file.unlink()
        for file in list(folder.glob("*.tsv")):
            queries.split(file)
        scripts = [script for script in (plots / f"{name}.gp", PLOTS / "shared" / f"{name}.gp")
                   if script.exists()]
        gnuplot(PLOTS / "style.gp", "settings.gp", *scripts, folder=folder, PLOTS=PLOTS,
                LAB=ROOT / lab)
        for file in (*folder.glob("*.md"), *folder.glob("*.svg")):
            if file.suffix == ".svg":
                make_dark(file)
            shutil.copyfile(file, out / file.name)


def _query(lab: str, name: str, csv: Path, folder: Path) -> None:
    plots = ROOT / lab / "plots"
    database = sqlite3.connect(":memory:")
    database.create_function("noise_by", 2, timings.noise, deterministic=True)
    database.execute("create table listed (variant, idea)")
    database.executemany("insert into listed values (?, ?)",
                         ((variant.name, variant.idea) for variant in variants.listed(lab)))
    queries.load(database, "data", csv / f"{name}.csv", OLDER_FILES_LACK + PROFILES_LACK)
    for file in sorted(csv.glob("*.csv")):
        if not file.stem.endswith("_samples"):
            queries.load(database, f"csv_{file.stem}", file, OLDER_FILES_LACK)
    for file in sorted(plots.glob("report_*.csv")):
        queries.load(database, file.stem, file)
    for file in (PLOTS / "prelude.sql", plots / "lab.sql", plots / f"{name}.sql",
                 PLOTS / "shared" / f"{name}.sql", PLOTS / "settings.sql"):
        if file.exists():
            queries.run(database, file, folder)
    database.close()


def main(arguments: list[str]) -> int:
    match arguments:
        case ["draw", lab, csv, out]:
            try:
                print(draw(Path(lab).name, Path(csv), Path(out)))
            except Failed as error:
                print(error)
                return 1
        case ["redraw"]:
            return redraw_reports()
        case ["pictures", lab, program, out]:
            try:
                pictures(Path(lab).name, Path(program), Path(out))
            except (subprocess.CalledProcessError, OSError) as error:
                print(error, file=sys.stderr)
                return 1
        case _:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    environment.choose()
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
