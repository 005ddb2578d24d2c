"""Facts about the labs for pages: LAB/assignment/about.json, with the variants that there are, and
the hours of the tasks.
"""

from __future__ import annotations

import re
from pathlib import Path

from driver.texts import read_json
from driver.trouble import Trouble
from driver.tree import all_labs, assignment_of, number_of, rules_of
from driver.variants import ROOT, listed

KINDS = (("sequential", "seq"), ("OpenMP", "omp"), ("CUDA", "cuda"), ("MPI", "mpi"),
         ("libraries", "peer"))


def page_of(folder: Path) -> Path:
    """What somebody wrote of the lab: README.md of its folder in reports/, or the template."""
    template = folder / "README.md.j2"
    return template if template.exists() else folder / "README.md"


def title_of(folder: Path) -> str:
    """Of a lab's folder in reports/."""
    page = page_of(folder)
    found = re.search(r"(?m)^# (.*), measured$", page.read_text("utf-8"))
    if not found:
        raise Trouble(f'{page}: there is no heading "# …, measured"')
    return found[1]


def about() -> dict[str, dict]:
    """What each lab that is an assignment says of itself."""
    files = {lab: ROOT / assignment_of(lab) / "about.json" for lab in all_labs()}
    return {lab: read_json(file) for lab, file in files.items() if file.exists()}


def told() -> list[dict]:
    return [text | {"folder": folder, "number": number_of(folder).removeprefix("lab"),
                    "hours": f"{_hours(folder):g}",
                    "variants": _variants(folder),
                    "is_measured": (ROOT / "reports" / folder / "README.md").exists()}
            for folder, text in about().items()]


def _variants(folder: str) -> str:
    names = [variant.name for variant in listed(folder)]
    return ", ".join(f"{sum(name.startswith(prefix) for name in names)} {kind}"
                     for kind, prefix in KINDS)


def _hours(folder: str) -> float:
    tasks = read_json(ROOT / rules_of(folder))["tasks"]
    return sum(task["hours"] for task in tasks if not task.get("bonus"))
