"""The results of a run of a lab: its variants, its tests, and their outcomes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from driver.texts import read_text
from driver.timings import Timing, Timings
from driver.trouble import Trouble


__all__ = ["read_text"]  # others take it from here
LEAVES_MEMORY = re.compile(
    r"out of bounds|(reads|writes) outside|(image|channels) (is|are) read|is ignored; row y begins")
# In no row, column or block, which would tell why: an index out of bounds may have hit these.
SCATTERED = re.compile(r"looks like: \d+ values? (is|are) never written(;|$)")


class BadUsage(Trouble):
    """A file or an argument is not as expected; exit code 2."""


class Outcome(IntEnum):
    """The outcome of a test or of a variant, from good to bad."""

    OK = 0
    SKIPPED = 1
    NOT_DONE = 2  # a task that is not begun
    NOT_TESTED = 3
    REFUSED = 4
    FAILED = 5
    WRONG = 6
    TIMEOUT = 7
    CRASH = 8
    NOT_COMPILED = 9

    def __str__(self) -> str:
        """The word in the files."""
        return ("ok", "skipped", "not done yet", "not tested", "refused", "failed", "wrong",
                "timeout", "crash", "does not compile")[self]

    @property
    def is_failure(self) -> bool:
        return self >= Outcome.NOT_TESTED


@dataclass
class Configurations:
    """The sizes, masks, blocks, ... that tests gave to a variant."""

    checked: int = 0
    refused: int = 0  # by the variant itself, as unsupported
    left_out: int = 0  # because of emulated kernels a part is checked, always the same
    first_reason: str = ""  # why, the first time

    @property
    def mostly_refused(self) -> bool:
        return self.refused > self.checked + self.left_out

    def __str__(self) -> str:
        """"3 of 20 configurations (first: REASON)" of those refused; "" if none was."""
        if self.refused == 0:
            return ""
        total = self.checked + self.refused
        return f"{self.refused} of {total} configurations (first: {self.first_reason})"


NOT_CHECKED = "not checked: "  # a test had to run here, and could not
CANNOT_RUN = "cannot run here: "  # it is for other machines


@dataclass
class Test:
    name: str  # "lab1.variants/ConvolutionTest.sizes/omp_rows"
    outcome: Outcome = Outcome.OK
    message: str = ""  # one line: why it failed or was skipped
    details: str = ""  # of a wrong output: the line of a race, or the input and values, ...
    seconds: float = 0
    output: str = ""
    configurations: Configurations = field(default_factory=Configurations)

    @property
    def variant(self) -> str:
        """The part after the last '/', in the tests that exist once per variant."""
        return self.name.rpartition("/")[2]

    @property
    def check(self) -> str:
        """"races", or "Bands.of_a_gpu" in a test of no variant."""
        name = self.name.partition(".")[2] or self.name
        return name.rpartition("/")[0].rpartition(".")[2] or name

    @property
    def is_not_checked(self) -> bool:
        return self.outcome == Outcome.SKIPPED and self.message.startswith(NOT_CHECKED)

    @property
    def cannot_run(self) -> bool:
        return self.outcome == Outcome.SKIPPED and self.message.startswith(CANNOT_RUN)

    @property
    def is_race(self) -> bool:
        return ": race: " in self.message

    @property
    def leaves_memory(self) -> bool:
        """It crashed, or accesses what lies outside of an image: a race may be a result of that."""
        return self.outcome == Outcome.CRASH or bool(LEAVES_MEMORY.search(self.message))

    @property
    def names_cause(self) -> bool:
        return self.is_race or ("looks like: " in self.message
                                and not SCATTERED.search(self.message))

    @property
    def worth(self) -> tuple[bool, ...]:
        """The least is that of the test whose message says most about the mistake."""
        return not self.leaves_memory, not self.is_race, not self.names_cause


@dataclass
class VariantReport:
    name: str
    backend: str = ""
    built: bool = False
    emulated: bool = False  # runs on the CPU in place of a GPU, and is never timed
    outcome: Outcome = Outcome.NOT_TESTED
    message: str = ""
    timing: Timing | None = None
    configurations: Configurations = field(default_factory=Configurations)  # of all its tests
    not_checked: dict[str, str] = field(default_factory=dict)  # why, of checks that had to run

    @property
    def unchecked(self) -> str:
        """"races: not checked: REASON"; "" if every check has run."""
        return "; ".join(f"{check}: {NOT_CHECKED}{why}" for check, why in self.not_checked.items())

    @property
    def result(self) -> str:
        """"correct", "correct (emulated)", or the outcome if it is another one."""
        if self.outcome != Outcome.OK:
            return str(self.outcome)
        return "correct (emulated)" if self.emulated else "correct"

    @property
    def note(self) -> str:
        """Remarks besides outcome and numbers."""
        refusals = str(self.configurations)
        parts = [self.message]
        if self.not_checked:
            parts.append(f"not checked: {', '.join(self.not_checked)}")
        if refusals and self.outcome != Outcome.REFUSED:
            parts.append("refused " + refusals)
        if self.timing:
            parts.append(self.timing.mark)
            parts.append(self.timing.slower)
            parts.append(self.timing.elsewhere and "time at " + self.timing.elsewhere)
        return "; ".join(part for part in parts if part)


@dataclass
class Failure:
    where: str  # "lab5-threshold omp_hangs"
    what: str  # "timeout"
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: {self.message}"


@dataclass
class LabReport:
    name: str
    folder: Path
    trouble: str = ""  # why the lab as a whole failed
    build: str = ""  # "ok" or "failed"; empty if the run was stopped before
    bench: str = ""  # "ok", "failed: why", "stopped", or empty
    figures: str = ""  # "ok: ...", "skipped: why", "failed: why", or empty
    finished: bool = False
    listed: bool = False  # its program named its variants; the harness has none
    variants: list[VariantReport] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    timings: Timings = field(default_factory=Timings)
    machine: dict[str, str] = field(default_factory=dict)  # cpu, gpu, compiler, commit

    @property
    def status(self) -> str:
        if not self.finished:
            return "not finished"
        if self.build == "failed":
            return "does not build"
        failed = any(variant.outcome.is_failure for variant in self.variants)
        return "failed" if failed or self.failed_tests or self.trouble else "ok"

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    def count(self, outcome: Outcome) -> int:
        return sum(test.outcome == outcome for test in self.tests)

    @property
    def failed_tests(self) -> int:
        return sum(test.outcome.is_failure for test in self.tests)

    def variant(self, name: str) -> VariantReport | None:
        return next((variant for variant in self.variants if variant.name == name), None)

    def is_emulated(self, test: Test) -> bool:
        variant = self.variant(test.variant)
        return variant is not None and variant.emulated

    def failures(self) -> list[Failure]:
        found = []
        if self.build == "failed":
            found.append(Failure(self.name, "does not build", self.trouble))
        elif not self.finished:
            found.append(Failure(self.name, "not finished", "the run was stopped"))
        elif self.trouble:
            found.append(Failure(self.name, "failed", self.trouble))
        for variant in self.variants:
            stopped = variant.outcome == Outcome.NOT_TESTED and not self.finished
            if variant.outcome.is_failure and not stopped:
                found.append(Failure(f"{self.name} {variant.name}", str(variant.outcome),
                                     variant.note))
        for test in self.tests:
            if test.outcome.is_failure and not self.variant(test.variant):
                found.append(Failure(f"{self.name} test {test.name}", str(test.outcome),
                                     test.message))
        return found
