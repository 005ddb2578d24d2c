"""Reads what the tests and the benchmark of a lab found: the events that harness/events.hpp
describes, and CTest's JUnit file.
"""

from __future__ import annotations

import contextlib
import json
import re
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from driver import texts
from driver.run import sanitized
from driver.run.outcomes import (CANNOT_RUN, NOT_CHECKED, Configurations, Outcome, Test,
                                 VariantReport, read_text)

SIGNALS = {4: "ILLEGAL", 6: "Subprocess aborted", 7: "Bus error", 8: "NUMERICAL", 11: "SEGFAULT"}
# Their causes in C++.
CAUSES = {6: "an exception that nobody caught, or the heap was overwritten",
          8: "an integer was divided by zero",
          11: "an address outside of the arrays, or a recursion without an end"}
OUTCOMES = {str(outcome): outcome for outcome in Outcome}
MOST_TEXT = 400  # of a message: lines beyond it are details


def read_events(path: Path) -> list[dict]:
    """Without what is no event, as a line that a full disk has cut off: that something is missing
    will show.
    """
    events = []
    for line in read_text(path).splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            events.append(json.loads(line))
    return [event for event in events if isinstance(event, dict) and "event" in event]


def add_event(folder: Path, event: dict) -> None:
    with (folder / "events.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def events_of(events: list[dict], kind: str) -> Iterator[dict]:
    return (event for event in events if event["event"] == kind)


# --- Tests ----------------------------------------------------------------------------------------


def _in_two(text: str, outcome: Outcome) -> tuple[str, str]:
    """A message in one line, and the rest, whose lines stay: the first line of a wrong output; of a
    failed assertion the lines up to an empty one, as far as they are short.
    """
    if outcome == Outcome.WRONG:
        first, _, rest = text.partition("\n")
        return first, rest.rstrip("\n")
    first, *rest = [line.strip() for line in text.split("\n\n")[0].splitlines()] or [""]
    while rest and len(first) + len(rest[0]) < MOST_TEXT:
        first += " " + rest.pop(0)
    return first, "\n".join(rest)


def _checked(event: dict) -> Test:
    outcome = OUTCOMES[event["outcome"]]
    message, details = _in_two(event["text"], outcome)
    if outcome == Outcome.SKIPPED:
        message = message or "no reason given"
    counts = [event.get(name, 0) for name in ("checked", "refused", "left_out")]
    return Test(event["test"], outcome, str(outcome) if outcome == Outcome.NOT_DONE else message,
                details, event["seconds"],
                configurations=Configurations(*counts, event.get("first_reason", "")))


def _at(event: dict) -> str:
    return f" at {event['place']}" if event.get("place") else ""


@dataclass
class _Program:
    """A run of a program of tests."""

    last: Test | None = None
    is_open: bool = False  # the last test is not over
    finished: bool = False  # after all of its tests

    def end(self, event: dict) -> None:
        """`event` is empty if the program was killed. What ended it costs the last test."""
        whole = self.finished and "exit_code" in event
        if self.last is None or whole or (self.last.outcome.is_failure and "signal" not in event):
            return
        self.last.outcome = Outcome.CRASH if event else Outcome.TIMEOUT
        if "signal" in event:
            name = SIGNALS.get(event["signal"], f"signal {event['signal']}")
            cause = CAUSES.get(event["signal"])
            self.last.message = f"it crashed: {name}{_at(event)}" + (f" ({cause})" if cause else "")
        elif event:
            self.last.message = "it ended the program (exit) before the test was over"


def _tests_of(events: list[dict], running: bool = False) -> dict[str, Test]:
    """If programs may still be `running`, a test that is not over has no outcome yet."""
    tests: dict[str, Test] = {}
    programs: dict[int, _Program] = {}
    for event in events:
        kind = event["event"]
        if kind not in ("started", "checked", "finished", "ended", "long") or "run" not in event:
            continue
        if kind == "long":
            last = programs.get(event["run"], _Program()).last
            if last is not None and event["place"]:
                last.message = f"after 20 s it was{_at(event)}"
            continue
        if kind == "ended":
            programs.pop(event["run"], _Program()).end(event)
            continue
        program = programs.setdefault(event["run"], _Program())
        if kind == "started" and (program.is_open or program.finished):
            program.end({})  # killed, and a later one has its process id
            program = programs[event["run"]] = _Program()
        program.is_open = kind == "started"
        program.finished = kind == "finished"
        if not program.finished:
            program.last = _checked(event) if kind == "checked" else Test(event["test"])
            tests[program.last.name] = program.last
    for program in programs.values() if not running else ():
        program.end({})
    for event in events_of(events, "access"):
        test = tests[event["test"]]
        test.message = sanitized.with_cause(test.message, event["cause"])
    return tests


def _of_ctest(node: xml.Element, found: Test | None) -> Test:
    """CTest knows names, times, and whether a test ran; it has the last word on what has passed."""
    name, status = node.get("name", ""), node.get("status")
    test = found or Test(name)
    test.name, test.seconds = name, float(node.get("time", 0))
    test.output = node.findtext("system-out") or ""
    because = "".join(child.get("message", "") for child in node if child.tag != "system-out")
    if found is None and (status == "disabled" or because.startswith("SKIP_")):
        reason = re.search(f"(?:{NOT_CHECKED}|{CANNOT_RUN}).*", test.output)
        test.outcome = Outcome.SKIPPED
        test.message = reason[0].strip() if reason else "no reason given"
    elif found is None and status == "notrun":
        test.outcome, test.message = Outcome.FAILED, "the test program was not built"
    elif status == "fail" and not test.outcome.is_failure:
        test.outcome, test.message = Outcome.FAILED, because or "see its output"
    return test


def read_tests(folder: Path, events: list[dict], seconds: float) -> list[Test]:
    """`seconds` is after how many tests are killed if CTest does not say after how many one was."""
    found = _tests_of(events)
    try:
        nodes = xml.parse(folder / "ctest.xml").getroot().iter("testcase")
        # CTest puts the lab in front of the names: "lab1.variants/ConvolutionTest.sizes/omp_rows".
        tests = [_of_ctest(node, found.get(node.get("name", "").partition(".")[2]))
                 for node in nodes]
    except (OSError, xml.ParseError):
        tests = list(found.values())
        for test in tests:
            test.seconds = seconds if test.outcome == Outcome.TIMEOUT else test.seconds
    for test in tests:
        if test.outcome == Outcome.TIMEOUT:
            where = f"; {test.message}" if test.message else ""
            test.message = f"killed after {test.seconds:.0f} s{where}"
    return tests


# --- The benchmark --------------------------------------------------------------------------------


def tests_so_far(folder: Path) -> list[Test]:
    """Those that are over, of programs that may still run."""
    events = read_events(folder / "events.jsonl")
    with texts.as_expected(folder / "events.jsonl"):
        over = {event["test"] for event in events_of(events, "checked")}
        return [test for name, test in _tests_of(events, running=True).items()
                if name in over or test.outcome == Outcome.CRASH]


def read_machine(events: list[dict]) -> dict[str, str]:
    return next(events_of(events, "machine"), {})


def apply_bench(variant: VariantReport, events: list[dict]) -> None:
    """The benchmark verifies every result too, on larger images than the tests. Its worst message
    about the variant counts.
    """
    faults = [fault for fault in events_of(events, "fault") if fault["variant"] == variant.name]
    if faults and not variant.outcome.is_failure:
        worst = max(faults, key=lambda fault: OUTCOMES[fault["outcome"]])
        variant.outcome = OUTCOMES[worst["outcome"]]
        variant.message = (f"in the benchmark: {variant.name} {worst['configuration']}: "
                           f"{worst['text']}")


def _why_bench_failed(log: Path, unfinished: list[str]) -> str:
    """A benchmark that was killed says nothing of it: its last line is about something else."""
    lines = read_text(log).splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    if not errors and unfinished:
        return f" (unfinished: {', '.join(unfinished)})"
    return f": {([''] + lines + errors)[-1]}"


def bench_outcome(folder: Path, bench: str, events: list[dict]) -> str:
    """"ok" if every experiment was finished: a variant may end a benchmark with exit code 0."""
    finished = {event.get("experiment") for event in events_of(events, "finished")}
    wanted = [name for event in events_of(events, "experiments") for name in event["names"]]
    unfinished = [name for name in wanted if name not in finished]
    if bench.startswith("failed"):
        return f"{bench}{_why_bench_failed(folder / 'bench.log', unfinished)}"
    if bench != "ok":
        return bench
    for name in unfinished:
        partial = folder / "csv" / f"{name}.csv.partial"
        return "failed: it " + (f"left {partial.name} behind" if partial.exists()
                                else f"wrote no {name}.csv")
    return "ok" if wanted else "failed: it did not say what it would measure"
