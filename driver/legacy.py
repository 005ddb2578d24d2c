"""The programs and scripts that read and draw results, until modules of the driver do.

The functions have the names and the arguments of those modules (results, summary, points,
one_variant, figures); the lead replaces the imports and deletes this file.
"""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

_folder = Path("build-all/harness")


def use(build: Path) -> None:
    """Where the programs are built."""
    global _folder
    _folder = build / "harness"


def targets(points: bool) -> list[str]:
    return ["labs_summary", "labs_points"] if points else ["labs_summary"]


def can_report() -> bool:
    return (_folder / "labs_summary").exists()


def _ask(*arguments: str | Path, program: str = "labs_summary") -> str:
    said = subprocess.run([_folder / program, *arguments], stdout=subprocess.PIPE, text=True)
    return said.stdout.strip("\n")


def _show(*arguments: str | Path, program: str = "labs_summary") -> int:
    sys.stdout.flush()
    return subprocess.run([_folder / program, *arguments]).returncode


# --- results --------------------------------------------------------------------------------------


@dataclass
class LabReport:
    folder: Path

    @property
    def listed(self) -> bool:
        return _show("listed", self.folder) == 0

    @property
    def bench(self) -> str:
        return _ask("bench", self.folder)


def read_lab(folder: Path) -> LabReport:
    return LabReport(folder)


def describe_tests(lab: LabReport) -> str:
    return _ask("tests", lab.folder)


def failing_variants(lab: LabReport) -> list[str]:
    return [name for name in _ask("failing", lab.folder).split(",") if name]


def first_error(log: Path) -> str:
    return _ask("error", log) if can_report() else ""


# --- summary --------------------------------------------------------------------------------------


def show_lab(folder: Path, mode: str) -> None:
    _show("show", f"--mode={mode}", folder)


def look(folder: Path) -> None:
    _show("look", folder)


def report(output: Path, parts: list[str], mode: str, page: Path | None = None) -> int:
    more = [f"--report={page}"] if page else []
    return _show("report", f"--mode={mode}", *more, output, *parts)


# --- points, one_variant --------------------------------------------------------------------------


@dataclass
class CounterRun:
    file: str
    variant: str
    input: str
    options: str


def counter_runs(rules: Path) -> list[CounterRun]:
    lines = _ask("counters", rules, program="labs_points").splitlines()
    return [CounterRun(*line.split("\t")) for line in lines]


def report_points(output: Path, labs: list[str]) -> None:
    _show("report", output, *labs, program="labs_points")


@dataclass
class Plan:
    experiment: str = ""
    variants: list[str] = field(default_factory=list)
    explanations: list[CounterRun] = field(default_factory=list)


def plan(folder: Path, variant: str, rules: Path) -> Plan:
    found = Plan()
    for line in _ask("plan", f"--rules={rules}", folder, variant).splitlines():
        what, *words = line.split("\t")
        if what == "bench":
            found.experiment, found.variants = words[0], words[1].split(",")
        else:
            found.explanations.append(CounterRun(words[0], variant, *words[1:]))
    return found


def verdict(folder: Path, variant: str, rules: Path) -> int:
    return _show("variant", f"--rules={rules}", folder, variant)


# --- figures --------------------------------------------------------------------------------------


def draw(lab: str, csv: Path, out: Path) -> str:
    """Raises RuntimeError."""
    drawn = subprocess.run(["harness/plots/draw.sh", lab, csv, out], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if drawn.returncode != 0:
        raise RuntimeError(f"{drawn.stdout.strip()}\n{drawn.stderr}".strip())
    return drawn.stdout.strip()


def pictures(lab: str, program: Path, out: Path) -> None:
    """Raises RuntimeError."""
    script = Path(lab) / "plots/pictures.sh"
    if script.exists():
        made = subprocess.run([script, program, out], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if made.returncode != 0:
            raise RuntimeError(made.stdout)


def redraw_reports() -> int:
    sys.stdout.flush()
    return subprocess.run(["harness/plots/redraw_reports.sh"]).returncode
