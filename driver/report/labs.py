"""Facts about the labs for pages: templates/labs.json, with the variants that there are, and the
hours of the tasks.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from driver.trouble import Trouble
from driver.variants import ROOT, listed

KINDS = (("sequential", "seq"), ("OpenMP", "omp"), ("CUDA", "cuda"), ("MPI", "mpi"),
         ("libraries", "peer"))


def title_of(folder: Path) -> str:
    """Of a lab's folder in reports/."""
    page = folder / "README.md"
    found = re.search(r"(?m)^# (.*), measured$", page.read_text("utf-8"))
    if not found:
        raise Trouble(f'{page}: there is no heading "# …, measured"')
    return found[1]


def told() -> list[dict]:
    texts = json.loads((ROOT / "driver" / "templates" / "labs.json").read_text("utf-8"))
    return [text | {"folder": folder, "hours": f"{_hours(folder):g}",
                    "variants": _variants(folder)} for folder, text in texts.items()]


def _variants(folder: str) -> str:
    names = [variant.name for variant in listed(folder)]
    return ", ".join(f"{sum(name.startswith(prefix) for name in names)} {kind}"
                     for kind, prefix in KINDS)


def _hours(folder: str) -> float:
    rules = ROOT / "grading" / f"{folder.split('-')[0]}.json"
    tasks = json.loads(rules.read_text("utf-8"))["tasks"]
    return sum(task["hours"] for task in tasks if not task.get("bonus"))
