"""grade calibrate: thresholds for speed, from the key's solutions on this machine.

For each task with points for speed, `full` is 15 % under the median of the measured ratios, and 5 %
under the lowest one, so that a solution like the key's has all points each time. `floor` keeps the
ratio to `full` that the rules have. Where the reference is a rung, `floor` is at least 1.02, so that
a copy of the rung has no points; where the solution is no faster than that, the table says so.
"""

import json
import math
import re
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from driver.classes import handin, results, writing
from driver.classes.task import end_with_parent
from driver.tree import ROOT
from driver.trouble import Trouble

UNDER_MEDIAN, UNDER_LOWEST, OVER_RUNG = 0.85, 0.95, 1.02


@dataclass
class Measured:
    """The speed of a task's solution, over its reference."""

    task: str
    variant: str
    against: str
    floor: float  # in the rules
    full: float
    is_rung: bool  # the reference has a file that a student may have, or write
    where: dict[str, str] = field(default_factory=dict)  # the rules' choice of a problem
    ratios: list[float] = field(default_factory=list)
    trouble: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def spread(self) -> float:
        """From the lowest to the highest ratio, in percent of the median."""
        return 100 * (max(self.ratios) - min(self.ratios)) / self.median

    def proposed(self) -> tuple[float, float]:
        """(floor, full)"""
        full = _rounded(min(UNDER_MEDIAN * self.median, UNDER_LOWEST * min(self.ratios)))
        floor = _rounded(full * self.floor / self.full)
        return (max(floor, OVER_RUNG) if self.is_rung and full > OVER_RUNG else floor), full


def _rounded(ratio: float) -> float:
    """Down, to two digits after the point, or to two in all."""
    digits = max(2, 1 - math.floor(math.log10(ratio)))
    return math.floor(ratio * 10 ** digits + 1e-9) / 10 ** digits


def to_measure(rules: dict, lab: Path) -> list[Measured]:
    """One for each task with points for speed."""
    found = []
    for task in rules["tasks"]:
        if "speed" in task:
            speed = task["speed"]
            rung = any(lab.glob(f"ladder/[0-9][0-9]_{speed['against']}.*"))
            found.append(Measured(task["id"], task["variant"], speed["against"], speed["floor"],
                                  speed["full"], rung, speed.get("where", {})))
    return found


def add_ratios(measured: list[Measured], graded: dict) -> None:
    """Those in a results.json of `grade check --part speed`."""
    variants = {variant["name"]: variant for variant in graded["extra_data"]["variants"]}
    for one in measured:
        variant = variants.get(one.variant, {})
        if variant.get("verdict") != "right":
            raise Trouble(f"task {one.task}: the key's {one.variant} is "
                          f"{variant.get('verdict', 'missing')}: {variant.get('reason', '')}", code=1)
        ratio = next((speed["speedup"] for speed in variant["speeds"]
                      if (speed["against"], speed["where"]) == (one.against, one.where)), None)
        if ratio is None:
            one.trouble = ("kernels were emulated, so nothing was timed"
                           if variant["gpu"] == "emulated" else "it was not timed")
        elif variant["gpu"] == "copies":
            one.trouble = "GPU memory could not be shared, so times include copies"
        else:
            one.ratios.append(ratio)


def table(measured: list[Measured]) -> str:
    """A line per task: what was measured, the rules' thresholds and those proposed."""
    text = ("task  variant                against              ratio (lowest to highest)  spread"
            "  rules         proposed\n")
    for one in measured:
        line = f"{one.task:5} {one.variant:22} {one.against:20} "
        now = f"{one.floor:g}, {one.full:g}"
        if not one.ratios:
            text += line + one.trouble + f"; the rules keep {now}\n"
            continue
        ratios = f"{one.median:.2f} ({min(one.ratios):.2f} to {max(one.ratios):.2f})"
        new = one.proposed()
        proposal = f"{new[0]:g}, {new[1]:g}"
        if one.is_rung and new[1] <= OVER_RUNG:
            proposal += f" (a copy of {one.against} has points)"
        text += line + f"{ratios:26} {one.spread:4.0f} %  {now:13} {proposal}\n"
    return text


def with_thresholds(text: str, measured: list[Measured]) -> str:
    """The rules with what is proposed. All else stays as it was written, line breaks too."""
    wanted = json.loads(text)
    for one in measured:
        if not one.ratios:
            continue
        new = one.proposed()
        task = next(task for task in wanted["tasks"] if task["id"] == one.task)
        task["speed"]["floor"], task["speed"]["full"] = new
        place = re.compile(rf'("id":\s*"{re.escape(one.task)}".*?"floor":\s*)[0-9.]+'
                           r'(\s*,\s*"full":\s*)[0-9.]+', re.DOTALL)
        text = place.sub(rf"\g<1>{new[0]:g}\g<2>{new[1]:g}", text, count=1)
    if json.loads(text) != wanted:  # somebody has written the rules in another order
        text = json.dumps(wanted, indent=1, ensure_ascii=False) + "\n"
    return text


def check(grade: str, words: list[str | Path]) -> None:
    done = subprocess.run([grade, "check", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          preexec_fn=end_with_parent)
    if done.returncode != 0:
        said = done.stdout.strip().rpartition("\n")[2].removeprefix("grade: ")
        raise Trouble(said, code=done.returncode)


def calibrate(grade: str, lab: str, runs: int, out: Path | None) -> int:
    path = results.rules_of(lab)
    if not path.is_file():
        raise Trouble(f"there is no {path.relative_to(ROOT)}, so lab {lab} has no thresholds")
    text = path.read_text("utf-8")
    measured = to_measure(json.loads(text), handin.lab_folder(lab))
    with tempfile.TemporaryDirectory(prefix="calibrate.") as scratch:
        work = Path(scratch)
        handin.write_solutions(lab, work / "solutions")
        common = [work / "solutions", "--lab", lab]
        print("the tests of the key's solutions", flush=True)
        check(grade, [*common, "--out", work / "tests", "--part", "tests"])
        for number in range(1, runs + 1):
            print(f"their speed, {number} of {runs}", flush=True)
            check(grade, [*common, "--out", work / "speed", "--part", "speed", "--tested",
                          work / "tests"])
            add_ratios(measured, results.read_results(work / "speed/results.json"))
    print(table(measured), end="")
    if out:
        writing.write(out, with_thresholds(text, measured))
        subprocess.run([grade, "check-rules", out], check=True)
        print(f"the rules with the proposed thresholds: {out}")
    return 0
