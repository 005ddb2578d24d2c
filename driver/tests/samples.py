"""Writes the files that run_all.sh leaves for a small lab, to a temporary folder."""

from __future__ import annotations

import csv
import json
import tempfile
import unittest
from pathlib import Path

from driver.csv_files import MEASURED
from driver.progress import Progress
from driver.run.settings import Settings

COLUMNS = dict.fromkeys(MEASURED, "") | {
    "lab": "lab7-test", "experiment": "sizes", "width": "9", "height": "9", "channels": "1",
    "kernel_ms_mean": "2.5", "kernel_ms_median": "2.5", "percent_of_copy": "40", "cpu": "c",
    "gpu": "g", "compiler": "k", "spread": "0.04", "disturbed": "0"}

# The columns of a run's tables that tests read; there may be more.
SHOWN = ("kernel ms", "speedup", "% of copy")

# Cases of the rules that are in C++ and in Python; the tests of both check them.
SHARED_CASES = Path(__file__).parents[2] / "harness/tests/rules.json"
STATUS = {"ok": "run", "skipped": "notrun", "not done yet": "notrun"}  # CTest's; or "fail"


def scratch(test: unittest.TestCase) -> Path:
    """A folder that is there until the test ends."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return Path(folder.name)


def settings(folder: Path, **more) -> Settings:
    return Settings(**{"labs": [], "mode": "quick", "bench": True, "points": False,
                       "build": folder, "output": folder, "page": None, "jobs": 1,
                       "test_limit": 9, "bench_limit": 9,
                       "progress": Progress(folder, folder)} | more)


class FolderTest(unittest.TestCase):
    """`folder` is that of the lab lab7-test in the output folder."""

    def setUp(self) -> None:
        self.output = scratch(self)
        self.folder = self.output / "lab7-test"
        self.folder.mkdir()

    def write(self, name: str, content: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def write_json(self, name: str, rows: list | dict) -> None:
        self.write(name, json.dumps(rows))

    def list_variants(self, *rows: dict) -> None:
        """Writes the lists as CMake and the lab's program do."""
        rows = [{"backend": row["name"].split("_")[0], "available": True, "reason": ""} | row
                for row in rows]
        self.write_json("variants.json", rows)
        self.write("built.txt", "\n".join(row["name"] for row in rows))

    def write_events(self, events: list[dict]) -> None:
        self.write("events.jsonl", "".join(json.dumps(event) + "\n" for event in events))

    def write_times(self, *rows: dict[str, str], name: str = "csv/sizes.csv") -> None:
        """Each row differs from COLUMNS. The median is the mean if it is not given."""
        rows = [({"kernel_ms_median": row["kernel_ms_mean"]} if "kernel_ms_mean" in row else {})
                | row for row in rows]
        rows = [COLUMNS | {"backend": row["variant"].split("_")[0]} | row for row in rows]
        self.write(name, "")
        with (self.folder / name).open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)

    def write_repeats(self, *rows: list[tuple[float, bool]],
                      name: str = "csv/sizes_samples.csv") -> None:
        """(ms, disturbed) of each repeat, for each row of the experiment's file."""
        lines = [f"{row},v,{count},{ms},{ms},{int(disturbed)}\n"
                 for row, repeats in enumerate(rows, start=1)
                 for count, (ms, disturbed) in enumerate(repeats, start=1)]
        self.write(name, "row,variant,repeat,kernel_ms,total_ms,disturbed\n" + "".join(lines))


class Program:
    """The events of a run of a program of tests, and what CTest says of these."""

    def __init__(self, run: int = 1) -> None:
        self.run = run
        self.events: list[dict] = []
        self.nodes = ""

    def add(self, event: str, **more) -> Program:
        self.events.append({"event": event, "run": self.run} | more)
        return self

    def begin(self, name: str) -> Program:
        return self.add("started", test=f"variants/T.{name}")

    def test(self, name: str, outcome: str = "ok", text: str = "", checked: int = 20,
             refused: int = 0, **more) -> Program:
        """`name` is "sizes/omp_new"."""
        self.begin(name).add("checked", test=f"variants/T.{name}", outcome=outcome, text=text,
                             seconds=0.1, checked=checked, refused=refused, **more)
        return self.ctest(name, STATUS.get(outcome, "fail"))

    def ctest(self, name: str, status: str, seconds: float = 0.1, inside: str = "") -> Program:
        self.nodes += (f'<testcase name="lab7.variants/T.{name}" time="{seconds}" '
                       f'status="{status}">{inside}<system-out>output</system-out></testcase>')
        return self

    def end(self, exit_code: int = 0) -> Program:
        return self.add("finished").add("ended", exit_code=exit_code)

    @property
    def xml(self) -> str:
        return f"<testsuite>{self.nodes}</testsuite>"
