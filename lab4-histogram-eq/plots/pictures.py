"""The eight pictures of the experiment `images` and their histograms before and after equalization,
all of them on one sheet, before-after.png, the histograms of the first as a figure, histograms.svg,
and the first picture as low-contrast-before.png and -after.png. The larger ones, of up to 12
megapixels, are on the sheet only, where every n-th of their pixels is shown.
"""

import os
import shutil
import sqlite3
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from driver.report import figures, queries

LAB = Path(__file__).parent
CELL = 256  # of the sheet, in pixels
# Label and size in the original report (004), and the scene that plays the picture.
PICTURES = (
    ("lc", 256, 256, "low-contrast"), ("di", 1344, 768, "dark-interior"), ("f", 1280, 813, "foggy"),
    ("o", 608, 406, "overexposed"), ("u", 1024, 683, "underexposed"),
    ("o", 3680, 2760, "overexposed"), ("u", 3680, 2760, "underexposed"),
    ("hr", 3072, 4096, "landscape"))


def make(album):
    with album.scratch() as folder:
        equalized = album.within(folder)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda picture: _equalize(equalized, *picture), PICTURES))
            rows = [(label, width, height, scene, when, -(-max(width, height) // CELL),
                     f"{label}-{width}x{height}-{when}.png")
                    for label, width, height, scene in PICTURES for when in ("before", "after")]
            counts = list(pool.map(lambda row: _levels(folder, row[-1], row[-2]), rows))
        _query(folder, rows, [count for picture in counts for count in picture])
        figures.gnuplot(figures.PLOTS / "sheet.gp", "settings.gp", LAB / "pictures.gp",
                        folder=folder, PLOTS=figures.PLOTS, OUT_DIR=".")
        figures.gnuplot(figures.PLOTS / "style.gp", LAB / "histograms.gp", folder=folder,
                        PLOTS=figures.PLOTS)
        figures.make_dark(Path(folder, "histograms.svg"))
        for when in ("before", "after"):
            shutil.copy(Path(folder, f"lc-256x256-{when}.png"),
                        album.out / f"low-contrast-{when}.png")
        for name in ("before-after.png", "histograms.svg"):
            shutil.copy(Path(folder, name), album.out / name)


def _equalize(album, label, width, height, scene):
    name = f"{label}-{width}x{height}"
    album.picture(f"{name}-after.png", f"scene:{scene}:{width}x{height}", "--save-input",
                  str(album.out / f"{name}-before.png"))


def _levels(folder, png, step):
    """The counts of the levels, of every n-th pixel where a picture is larger than a cell of the
    sheet: a mean of n x n pixels would have levels that the picture has not.
    """
    plot = f"set table; plot '{png}' binary filetype=png every {step}:{step} using 1 with image"
    table = subprocess.run(["gnuplot", "-e", plot], cwd=folder, check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    lines = (line.split() for line in table.splitlines() if not line.startswith("#"))
    levels = Counter(int(float(fields[2])) for fields in lines if len(fields) >= 3)
    return [(png, level, n) for level, n in sorted(levels.items())]


def _query(folder, rows, counts):
    database = sqlite3.connect(":memory:")
    database.execute("create table pictures (label, width integer, height integer, scene, moment,"
                     " step integer, png)")
    database.execute("create table counts (png, level integer, n integer)")
    database.executemany("insert into pictures values (?, ?, ?, ?, ?, ?, ?)", rows)
    database.executemany("insert into counts values (?, ?, ?)", counts)
    outputs = {}
    queries.run(database, LAB / "pictures.sql", outputs)
    for name, text in outputs.items():
        (Path(folder) / name).write_text(text, "utf-8")
