"""The messages of a run about its steps and their times.

The output folder keeps the durations of the last run, lines of "LAB STEP SECONDS". Before there are
any, estimates for two cores without a GPU are used: durations.txt here and in the folders of labs.
"""

import contextlib
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from driver.texts import read_text
from driver.trouble import ROOT

ESTIMATES = Path(__file__).with_name("durations.txt")
# They take longer in an empty folder.
_BUILDS = ("library", "testing", "look", "build", "rest", "variant")
LEAST_SCALE = 0.5  # of builds without a compiler cache
_FAR = re.compile(r"^(\[ *[0-9/%]+\]| *[0-9]+/[0-9]+ Test)", re.MULTILINE)


def in_words(seconds: float) -> str:
    return f"about {round(seconds / 60)} min" if seconds > 100 else f"about {round(seconds)} s"


def read_durations(file: Path) -> dict[tuple[str, str], float]:
    """The seconds by lab and step; nothing if there is no such file."""
    lines = (line.split() for line in read_text(file).splitlines())
    return {(words[0], words[1]): float(words[2]) for words in lines
            if len(words) == 3 and re.fullmatch(r"[0-9]+(\.[0-9]*)?", words[2])}


class Progress:
    """Prints with the seconds since the start, and knows how long steps take."""

    def __init__(self, output: Path, build: Path, started: float | None = None):
        self.output = output
        self._was_built = (build / "CMakeCache.txt").exists()
        self.started = started or time.time()
        self._estimates = read_durations(ESTIMATES)
        for file in ROOT.glob("lab*/durations.txt"):
            self._estimates |= read_durations(file)
        # This machine against the one of the estimates: builds, and all else.
        self._build_scale: float | None = None
        self._run_scale: float | None = None

    def restart(self) -> None:
        self.started = time.time()

    def say(self, text: str) -> None:
        print(f"[{int(time.time() - self.started):4d} s] {text}", flush=True)

    def duration(self, lab: str, step: str) -> float | None:
        """The seconds that a step will take, if that is known."""
        if step not in _BUILDS or self._was_built:
            last = read_durations(self.output / "durations").get((lab, step))
            if last is not None:
                return last
        estimate = self._estimates.get((lab, step))
        return None if estimate is None else estimate * self._scale_of(step)

    def _scale_of(self, step: str) -> float:
        """Before anything has run, the scale of builds, unless a compiler cache made them short."""
        build = self._build_scale or 1
        if step in _BUILDS:
            return build
        return self._run_scale or (build if build > LEAST_SCALE else 1)

    def expect(self, lab: str, steps: Iterable[str]) -> float:
        return sum(self.duration(lab, step) or 0 for step in steps)

    @contextlib.contextmanager
    def step(self, lab: str, name: str, text: str):
        """Announces a step. It yields a function, to be called with how the step went; a step that
        ends without that call is not over."""
        expected = self.duration(lab, name)
        anew = not self._was_built and name != "install"
        start = time.time()
        self.say(f"{lab}: {text}" + (f" ({in_words(expected)})" if expected is not None else ""))

        def finish(how: str) -> None:
            taken = time.time() - start
            self.say(f"{lab}: {how} ({taken:.0f} s)")
            self._learn(lab, name, taken, anew)
            self._keep(lab, name, taken)

        yield finish

    @property
    def is_measured(self) -> bool:
        """True once a step has told how fast this machine is."""
        return self._build_scale is not None

    def _learn(self, lab: str, step: str, taken: float, anew: bool) -> None:
        estimate = self._estimates.get((lab, step), 0)
        if estimate < 10:
            return
        if step not in _BUILDS:
            if step == "test":
                self._run_scale = max(taken, 1) / estimate
        elif anew and self._build_scale is None:
            self._build_scale = max(taken, 1) / estimate

    def _keep(self, lab: str, step: str, seconds: float) -> None:
        if not self.output.is_dir():
            return
        file = self.output / "durations"
        known = {**read_durations(file), (lab, step): seconds}
        new = file.with_name("durations.new")
        new.write_text("".join(f"{lab} {step} {seconds:.0f}\n"
                               for (lab, step), seconds in known.items()), "utf-8")
        new.replace(file)


def show_far(log: Path) -> None:
    """On a terminal, the last "[3/40]" of a build, or "3/40 Test" of CTest."""
    if sys.stdout.isatty():
        found = _FAR.findall(log.read_text("utf-8", "replace")) if log.exists() else []
        print(f"\r\033[K{'':8} {found[-1] if found else ''}", end="", flush=True)


def clear_line() -> None:
    if sys.stdout.isatty():
        print("\r\033[K", end="", flush=True)
