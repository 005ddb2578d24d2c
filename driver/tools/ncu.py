"""Counters of a lab's kernels, read with Nsight Compute. Needs the standard library only: a machine
with a GPU may lack the rest of what the driver uses.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from driver.trouble import Trouble

CANNOT_RUN = 77  # exit code


class NoCounters(Trouble):
    """No counter of any kernel can be read here."""

    def __init__(self, why: str):
        super().__init__(f"{why}; the figures are drawn from the data in reports/", CANNOT_RUN)


class Refused(Trouble):
    """A variant does not take the input, or a file is no program."""


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel. Values are in base units; a counter that the GPU lacks has none."""

    kernel: str
    values: dict[str, float]


@dataclass(frozen=True)
class Program:
    """A lab's program, built for the GPU or to emulate it."""

    file: Path
    gpu: str  # "none" without one
    commit: str
    cuda_variants: list[str]


def program_of(file: Path) -> Program:
    """Raises Refused if the file is no lab's program."""
    with tempfile.TemporaryDirectory() as scratch:
        events = Path(scratch) / "events.jsonl"
        try:
            listed = subprocess.run([file, "list", "--json"], capture_output=True, text=True,
                                    check=True, env={**os.environ, "LABS_EVENTS": str(events)})
            facts = json.loads(events.read_text("utf-8").splitlines()[0])
        except (OSError, subprocess.CalledProcessError):
            raise Refused(f"{file} is not the program of a lab") from None
    return Program(file, facts["gpu"], facts["commit"],
                   [variant["name"] for variant in json.loads(listed.stdout)
                    if variant["backend"] == "cuda"])


def require_counters(program: Program) -> None:
    """Raises NoCounters without a GPU, or without Nsight Compute."""
    if not shutil.which("ncu"):
        raise NoCounters("ncu (Nsight Compute) was not found")
    if program.gpu == "none":
        raise NoCounters("there is no NVIDIA GPU")


def launches(program: Program, variant: str, source: str, metrics: Sequence[str]) -> list[Launch]:
    """All launches of the variant, in order: it runs several times, at first to warm up. `source`
    is an input of the labs. Raises Refused, NoCounters.
    """
    with tempfile.TemporaryDirectory() as scratch:
        run = [program.file, "run", source, "--variant", variant, "--repeats", "1",
               "--output", f"{scratch}/out.png"]
        alone = subprocess.run(run, capture_output=True, text=True, check=False)
        if alone.returncode != 0:
            raise Refused(f"{variant}: {last_line(alone.stderr)}")
        log = Path(scratch) / "log"
        profiled = subprocess.run(
            ["ncu", "--clock-control", "none", "--kernel-name-base", "function",
             "--metrics", ",".join(metrics), "--page", "raw", "--csv", "--print-units", "base",
             "--log-file", log, *run], capture_output=True, text=True, check=False)
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        errors = [line for line in lines if line.startswith("==ERROR==")]
        if profiled.returncode != 0 or errors:
            raise NoCounters(f"{variant}: {(errors or [last_line(profiled.stderr)])[0]}")
        return launches_of(lines, metrics)


def launches_of(lines: Sequence[str], metrics: Sequence[str]) -> list[Launch]:
    """Those in a log of `ncu --page raw --csv`: messages, the names of the columns, their units,
    then a row for each launch.
    """
    table = csv.DictReader(line for line in lines if not line.startswith("=="))
    return [Launch(_name_of(row["Kernel Name"]),
                   {metric: value for metric in metrics
                    if (value := _number(row.get(metric))) is not None})
            for row in table if row["ID"]]


def _name_of(kernel: str) -> str:
    """Without its type, template arguments, and parameters."""
    return re.sub(r"[(<].*", "", kernel.removeprefix("void "))


def _number(text: str | None) -> float | None:
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return None


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it failed and did not say why"])[-1]
