#!/usr/bin/env python3
"""Numbers in prose come from CSV files: in a copy of the tree, one time changes by 10 %, and the
sentence that rests on it has to change, or the command that writes pages has to fail. A time that
makes a claim false has to end the command with its variant and its file.
"""

import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from driver.csv_files import IN_ORDER  # noqa: E402

LAB1, LAB2, LAB3, LAB4 = sorted(path.name for path in ROOT.glob("lab[1-4]-*"))
LARGE = {"width": "7680", "height": "4320"}
SQUARE = {"width": "8192", "height": "8192"}
# The file to change, the row of it (a part of its parameters, or the value of a column), and a file
# that has a sentence with this time.
CHANGES = (
    (f"{LAB1}/h200/ladder",
     {"variant": "cuda_best", "parameters": "filter=gauss3;"},
     f"reports/{LAB1}/README.md"),
    (f"{LAB1}/h200/limit",
     LARGE | {"variant": "cuda_best", "filter": "gauss5"},
     f"reports/{LAB1}/README.md"),
    (f"{LAB1}/cpu-zen5-2core/ladder",
     {"variant": "omp_simd", "filter": "gauss3"},
     f"reports/{LAB1}/README.md"),
    (f"{LAB1}/h200/constant_memory", {"variant": "cuda_per_pixel", "mask_size": "3"},
     f"reports/{LAB1}/README.md"),
    (f"{LAB2}/h200/ladder",
     {"variant": "cuda_scan", "max_pixel": "31"},
     f"reports/{LAB2}/README.md"),
    (f"{LAB2}/cpu-zen5-2core/limit",
     SQUARE | {"variant": "omp_best", "case": "32-bit"},
     f"reports/{LAB2}/README.md"),
    (f"{LAB3}/h200/limit", LARGE | {"variant": "peer_cvcuda", "method": "bicubic"},
     f"reports/{LAB3}/README.md"),
    (f"{LAB3}/h200/ladder",
     LARGE | {"variant": "cuda_shared", "method": "gauss"},
     f"reports/{LAB3}/README.md"),
    (f"{LAB4}/h200/ladder",
     {"variant": "cuda_vectors"},
     f"reports/{LAB4}/README.md"),
    (f"{LAB4}/h200/pipeline",
     {"variant": "cuda_streamed", "case": "hr 3072x4096"},
     f"reports/{LAB4}/README.md"),
    (f"{LAB4}/cpu-zen5-2core/contention",
     {"variant": "omp_best", "case": "uniform"},
     f"reports/{LAB4}/README.md"),
)
# A row of which a fifth of the time contradicts "than every other", "the fastest" or "the largest".
CONTRADICTIONS = (
    (f"{LAB4}/h200/occupancy", {"variant": "cuda_cooperative", "case": "32x32"}),
    (f"{LAB4}/cpu-zen5-2core/limit", LARGE | {"variant": "peer_opencv", "case": "landscape"}),
    (f"{LAB1}/cpu-zen5-2core/limit", LARGE | {"variant": "peer_ipp", "filter": "gauss5"}),
    (f"{LAB1}/cpu-zen5-2core/limit", {"variant": "peer_halide", "filter": "gauss5", "width": "16"}),
    (f"{LAB3}/h200/ladder", LARGE | {"variant": "cuda_phases", "method": "gauss"}),
    (f"{LAB2}/h200/block_sizes", {"variant": "cuda_global", "width": "500",
                                  "parameters": "block=32x32"}),
)
TIMES = (*IN_ORDER, "kernel_ms_mean", "total_ms_mean")


def scaled(file: Path, wanted: dict[str, str], factor: float) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    chosen = [row for row in rows if all(
        value == row[column] or column == "parameters" and value in row[column]
        for column, value in wanted.items())]
    assert len(chosen) == 1, f"{file}: {len(chosen)} rows have {wanted}"
    for column in TIMES:
        chosen[0][column] = str(float(chosen[0][column]) * factor)
    chosen[0]["gb_per_s"] = str(float(chosen[0]["gb_per_s"]) / factor)
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def copy_tree(to: Path) -> None:
    names = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to / name)


def python(tree: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *words], cwd=tree, capture_output=True, text=True)


def rendered(tree: Path, page: str) -> subprocess.CompletedProcess:
    """The sentences of a page."""
    return python(tree, "-c", "from driver.report import prose\n"
                  f"print(prose.render(prose.ROOT / '{page}.j2'))")


def check_changes() -> int:
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        copy_tree(tree)
        done = python(tree, "-m", "driver", "figures")
        if done.returncode or "written" in done.stdout:
            print(f"the pages are not those of the data:\n{done.stdout}{done.stderr}")
            return 1
        for name, row, page in CHANGES:
            file = tree / "reports" / f"{name}.csv"
            original = file.read_bytes()
            scaled(file, row, 1.1)
            done = rendered(tree, page)
            how = "the command fails" if done.returncode else \
                "the sentence changes" if done.stdout.rstrip() != (tree / page).read_text(
                    "utf-8").rstrip() else ""
            print(f"{name}, {row['variant']}: {how or 'NOTHING HAPPENS'} ({page})")
            bad += not how
            file.write_bytes(original)
        for name, row in CONTRADICTIONS:
            file = tree / "reports" / f"{name}.csv"
            original = file.read_bytes()
            scaled(file, row, 0.2)
            done = rendered(tree, f"reports/{name.partition('/')[0]}/README.md")
            is_named = all(re.search(rf"this is not so.*{word}\b", done.stderr)
                           for word in (f"reports/{name}.csv", row["variant"]))
            print(f"{name}, {row['variant']}: {'the claim names it' if is_named else 'NOT NAMED'}")
            bad += not is_named or done.returncode != 1
            file.write_bytes(original)
    return bad


if __name__ == "__main__":
    sys.exit(1 if check_changes() else 0)
