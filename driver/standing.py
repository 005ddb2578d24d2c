"""How `omp_best` stands on each CPU: every row of `limit` from 256x256 pixels on, against the fastest
library and against the fastest rung. Times that are too noisy for a ratio are left out.
"""

from __future__ import annotations

from pathlib import Path

from driver import csv_files, machines
from driver.timings import noise_of
from driver.variants import ROOT

SMALLEST = 256 * 256  # pixels; below, the cost of a call decides
NEEDED = ("variant", "width", "height", "parameters", "kernel_ms_mean")
EQUAL = 0.95  # a ratio of times from here to its inverse: runs differ by as much


def works_of(file: Path) -> dict[str, dict[str, float]]:
    """The times in ms of the CPU's variants, by work: "gauss3, 480x270"."""
    works: dict[str, dict[str, float]] = {}
    for row in csv_files.read(file, NEEDED):
        if (not row["kernel_ms_mean"] or noise_of(row) or "threads=" not in row["parameters"]
                or float(row["width"]) * float(row["height"]) < SMALLEST):
            continue
        works.setdefault(_work(row), {})[row["variant"]] = float(row["kernel_ms_mean"])
    return works


def _work(row: dict[str, str]) -> str:
    parameters = dict(part.partition("=")[::2] for part in row["parameters"].split(";"))
    named = row.get("case") or parameters.get("filter") or parameters.get("method", "")
    return f"{named}, {row['width']}x{row['height']}"


def ratio(times: dict[str, float], libraries: bool) -> tuple[float, str] | None:
    """How many times as fast `omp_best` is as the fastest library, or rung; and its name."""
    others = {name: ms for name, ms in times.items()
              if name != "omp_best" and name.startswith("peer_") == libraries}
    if "omp_best" not in times or not others:
        return None
    name = min(others, key=others.__getitem__)
    return others[name] / times["omp_best"], name


def behind(works: dict[str, dict[str, float]], libraries: bool) -> list[str]:
    """The works in which another one is faster, as "box3, 256x256: 0.47 (`peer_simd`)"."""
    found = ((work, ratio(times, libraries)) for work, times in works.items())
    return [f"{work}: {value[0]:.2f} (`{value[1]}`)" for work, value in found
            if value and value[0] < EQUAL]


def row_of(lab: str, machine: machines.Machine, folder: Path) -> tuple[str, ...] | None:
    works = works_of(folder / "limit.csv")
    against = [value[0] for times in works.values() if (value := ratio(times, libraries=True))]
    if not against:
        return None
    ahead = sum(value > 1 / EQUAL for value in against)
    equal = sum(EQUAL <= value <= 1 / EQUAL for value in against)
    return (lab[3:4], machine.cpu, str(len(against)), str(ahead), str(equal),
            "; ".join(behind(works, libraries=True)) or "none",
            "; ".join(behind(works, libraries=False)) or "none")


def table() -> str:
    heads = ("lab", "CPU", "works", "ahead", "equal", "behind a library", "behind a rung")
    labs = sorted(path.name for path in (ROOT / "reports").glob("lab*") if path.is_dir())
    rows = [row for lab in labs for machine, folder in machines.folders_of(lab)
            if (folder / "limit.csv").exists() and (row := row_of(lab, machine, folder))]
    aligned = (":-:", ":--", "--:", "--:", "--:", ":--", ":--")
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, aligned, *rows))
