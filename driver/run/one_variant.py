"""The measurements and the verdict of `run_all.sh --variant`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from driver import ratios, variants
from driver.run import points
from driver.ratios import Ratio
from driver.run.outcomes import BadUsage, LabReport, Outcome, VariantReport, read_text
from driver.run.results import describe_unchecked, read_lab
from driver.run.rules import CounterRun, counter_runs, speed_rule
from driver.timings import Timings, milliseconds, read_timings

# Several blocks; emulated in seconds where the work grows with the square of the pixels.
EXPLAINED = "scene:landscape:160x90"
MOST_LINES = 30  # of `run --explain`, or of a wrong output: a screen


@dataclass
class Plan:
    """The steps after the tests; nothing if the tests failed."""

    experiment: str = ""  # empty if the variant cannot be timed here
    variants: list[str] = field(default_factory=list)  # to time beside the sequential ones
    explanations: list[CounterRun] = field(default_factory=list)  # of emulated kernels


def _why_missing(lab: str, name: str) -> str:
    """A file that is named after the variant, as a copy of another one's, registers another name."""
    for found in variants.listed(lab):
        if found.name == name:
            names = re.findall(r'\.name\s*=\s*"([^"]*)"', read_text(variants.ROOT / found.file))
            what = " and ".join(f"'{other}'" for other in names if other != name)
            return (f"{found.file} registers {what or 'no variant'}, not '{name}'" +
                    (f": write .name = \"{name}\" there" if what else ""))
    return f"{lab} has no variant '{name}'"


def _named(lab: LabReport, name: str) -> VariantReport:
    variant = lab.variant(name)
    if variant is None:
        raise BadUsage(_why_missing(lab.name, name))
    return variant


def _rung_before(lab: LabReport, variant: VariantReport) -> str:
    """The last variant before this one that can run here, of the same backend."""
    before = ""
    for other in lab.variants:
        if other.name == variant.name:
            break
        if other.backend == variant.backend and other.outcome != Outcome.SKIPPED:
            before = other.name
    return "" if variant.backend == "peer" else before


def _exists(rules: Path | None) -> bool:
    return rules is not None and rules.exists()


def _speed_rule(name: str, rules: Path | None) -> dict:
    return speed_rule(rules, name) if _exists(rules) else {}


def plan_for(lab: LabReport, name: str, rules: Path | None) -> Plan:
    variant = _named(lab, name)
    if variant.outcome != Outcome.OK:
        return Plan()
    if variant.emulated:
        if variant.backend == "mpi":  # its ranks are other processes, which nobody counts
            return Plan()
        runs = counter_runs(rules) if _exists(rules) else []
        return Plan(explanations=[run for run in runs if run.variant == name] or [
            CounterRun("explain.txt", name, EXPLAINED, "")])
    rule = _speed_rule(name, rules)
    others = [other for other in (_rung_before(lab, variant), rule.get("against")) if other]
    return Plan(rule.get("experiment", "ladder"), [name, *others])


def plan(folder: Path, variant: str, rules: Path | None = None) -> Plan:
    return plan_for(read_lab(folder), variant, rules)


def _beside(ratio: Ratio, other: str) -> str:
    """"8 % ahead of omp_rows", "3.1 times as fast as omp_rows", ..."""
    if not ratio.is_sure:
        return f"{ratio.range} times as fast as {other}"
    if ratio.value >= 2:
        return f"{ratio.value:.1f} times as fast as {other}"
    percent = 100 * abs(ratio.value - 1)
    if percent < 1:
        return "as fast as " + other
    return f"{percent:.0f} % {'ahead of' if ratio.value > 1 else 'behind'} {other}"


def _comparison(lab: LabReport, timings: Timings, variant: VariantReport, rule: dict) -> str:
    """"3.20x seq, 41 % of copy, 8 % ahead of omp_rows". The first ratio is that of the points."""
    timing = timings.fastest[variant.name]
    ratio, against = timing.ratio, timings.baseline
    if rule:
        found = points.speed_ratio(lab.folder / "csv", variant.name, rule)
        ratio, against = (None if isinstance(found, str) else found), rule["against"]
    parts = []
    if ratio and variant.backend != "seq":
        parts.append(f"{ratio.range}x {against}")
    if timing.percent_of_copy is not None:
        parts.append(f"{timing.percent_of_copy:.2g} % of copy")
    before = _rung_before(lab, variant)
    other = timings.fastest.get(before)
    if other and before != against and other.elsewhere == timing.elsewhere:
        parts.append(_beside(ratios.ratio(timing.time, other.time), before))
    return ", ".join(filter(None, [*parts, timing.noise]))


def _speed(lab: LabReport, variant: VariantReport, rule: dict) -> str:
    timings = read_timings(lab.folder / "csv", rule.get("experiment", ""), rule.get("where"))
    timing = timings.fastest.get(variant.name)
    if timing is None:
        return "not measured" + (f": {lab.bench}" if lab.bench else "")
    spread = "" if timing.spread is None else f" ± {100 * timing.spread:.0f} %"
    return (f"{_comparison(lab, timings, variant, rule)}\n  {milliseconds(timing.kernel_ms)} ms"
            f"{spread}: {timing.elsewhere or timings.caption}")


def _explained(lab: LabReport, steps: Plan) -> str:
    """The lines of `run --explain` from the first kernel on, as many as a screen has room for, and
    so of the first run only.
    """
    if not steps.explanations:
        return ""
    path = lab.folder / "counters" / steps.explanations[0].file
    lines = read_text(path).splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("kernel ")), len(lines))
    shown = "".join(line + "\n" for line in lines[start:start + MOST_LINES])
    more = len(lines) - start >= MOST_LINES
    return shown + (f"... all of it is in {path}\n" if more else "")


def _checked(variant: VariantReport) -> str:
    """", 57 of 126 configurations checked" if some were left out, as kernels are emulated."""
    found = variant.configurations
    total = found.checked + found.refused + found.left_out
    return f", {found.checked} of {total} configurations checked" if found.left_out else ""


def _points(lab: LabReport, variant: str, rules: Path | None) -> str:
    """"points: 6 of 9 (1.30 to 1.60 times as fast as seq: 1 to 4 points); next: ..." by the rules
    for the variant, if there are any.
    """
    if not _exists(rules):
        return ""
    for task in points.score_lab(lab, rules).tasks:
        if task.variant == variant and task.of:
            missing = f"; next: {task.next}" if task.next else ""
            range = f" ({task.range})" if task.range else ""
            return f"points: {task.points:g} of {task.of:g}{range}{missing}\n"
    return ""


def verdict_on(lab: LabReport, name: str, rules: Path | None) -> tuple[str, Outcome]:
    """One screen of text, and the outcome."""
    variant = _named(lab, name)
    failures = sorted((test for test in lab.tests if test.outcome.is_failure),
                      key=lambda test: test.worth)
    failed = next(iter(failures), None)
    if variant.outcome == Outcome.OK:
        right = "right as far as it was checked" if variant.not_checked else "right"
        text = _speed(lab, variant, _speed_rule(name, rules))
        if variant.emulated:
            explained = _explained(lab, plan_for(lab, name, rules))
            text = f"{variant.result}{_checked(variant)}\n{explained}".rstrip("\n")
        text = f"{right}: {text}\n{_points(lab, name, rules)}"
    elif failed:
        details = "".join(f"{line}\n" for line in failed.details.splitlines()[:MOST_LINES])
        text = f"{variant.outcome}, in the test {failed.name}:\n  {failed.message}\n{details}"
        other = next((test for test in failures if test.is_race or
                      test.names_cause and not failed.names_cause), failed)
        crashed = failed.outcome == Outcome.CRASH  # which a race may be the cause of
        if (crashed or not failed.names_cause) and other is not failed:
            text += f"also, in the test {other.name}:\n  {other.message}\n"
    else:
        text = f"{variant.outcome}{': ' + variant.message if variant.message else ''}\n"
    unchecked = describe_unchecked(lab)
    return (f"{name}: {text}{f'not checked: {unchecked}' + chr(10) if unchecked else ''}",
            variant.outcome)


def verdict(folder: Path, variant: str, rules: Path | None = None) -> int:
    """Prints it. The exit code is as that of `run` of the lab's program: 77 for a variant that
    cannot run here, or is not begun, and also if a check of it could not run.
    """
    lab = read_lab(folder)
    text, outcome = verdict_on(lab, variant, rules)
    print(f"\n{text}")
    if outcome.is_failure or lab.bench.startswith("failed"):
        return 1
    return 0 if outcome == Outcome.OK and not _named(lab, variant).not_checked else 77
