"""The settings of a run: the labs, the folders and the limits."""

import os
from dataclasses import dataclass
from pathlib import Path

from driver.progress import Progress
from driver.tree import ROOT
from driver.trouble import Trouble


@dataclass(frozen=True)
class Settings:
    labs: list[str]
    mode: str  # quick or full
    bench: bool
    points: bool
    build: Path
    output: Path
    page: Path | None  # a second folder for the page
    jobs: int
    test_limit: int  # seconds for one test
    bench_limit: int  # seconds for the benchmark of a lab
    progress: Progress
    programs: str = ""  # the end of their names; "_cpu": without kernels

    @property
    def title(self) -> str:
        return f"--{self.mode}" + ("" if self.bench else " --no-bench")

    @property
    def parts(self) -> list[str]:
        """What is tested. Points are those of labs; students do not have the harness's tests."""
        has_tests = not self.points and (ROOT / "harness/tests").is_dir()
        return ["harness", *self.labs] if has_tests else self.labs

    def results(self, lab: str) -> Path:
        """The folder for what the steps of a lab leave."""
        return self.output / lab

    def events(self, lab: str) -> dict[str, str]:
        """The environment in which programs add what they find to the lab's events.jsonl."""
        return {"LABS_EVENTS": str(self.results(lab) / "events.jsonl")}

    def note(self, lab: str, text: str) -> None:
        """Adds a line "KEY VALUE" to the lab's state."""
        with (self.results(lab) / "state").open("a", encoding="utf-8") as state:
            state.write(text + "\n")


def seconds(variable: str, default: int) -> int:
    """A time limit from the environment."""
    text = os.environ.get(variable) or str(default)
    if not text.isdigit() or int(text) == 0:
        raise Trouble(f"{variable} is '{text}', but has to be a number of seconds")
    return int(text)
