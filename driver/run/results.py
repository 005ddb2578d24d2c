"""The results of run_all.sh for a lab, from the files in the lab's output folder:

    state              lines of "KEY VALUE": build, bench, figures, finished, see LabReport; and
                       test_seconds, after how many a test is killed; cut_short, if tests were
                       stopped because another one had named the cause; not_counted, a variant
                       and why its accesses to memory were not counted
    built.txt          the variants that were compiled, from variants.json of the build folder
    variants.json      the output of `list --json`
    not_compiled/*.log what the compiler said, a file per variant
    not_loaded/*       why programs with a variant in it do not start, a file per variant
    build.log          and configure.log, list.log, bench.log: the output of those steps, which is
                       shown where one of them failed
    events.jsonl       what the programs found; harness/events.hpp describes the lines
    ctest.xml          CTest's JUnit file, if CTest ran the tests
    csv/*.csv          the measurements
    figures, pictures  the figures, and images before and after processing
"""

from __future__ import annotations

import re
from pathlib import Path

from driver import texts
from driver.run import tested
from driver.run.outcomes import (CANNOT_RUN, NOT_CHECKED, LabReport, Outcome, Test, VariantReport,
                                 read_text)
from driver.timings import read_timings
from driver.trouble import Trouble

# --- Files ----------------------------------------------------------------------------------------


def _lines(path: Path) -> list[str]:
    return read_text(path).splitlines()


def read_state(folder: Path) -> dict[str, str]:
    """The last line of a key counts."""
    pairs = (line.split(None, 1) for line in _lines(folder / "state"))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def first_error(log: Path) -> str:
    """The first line of a compiler's, linker's or CMake's output that reports an error; the folders
    above the repository are cut off.
    """
    lines = _lines(log)
    error = re.compile(
        r"\berror\s*(#\S*\s*)?:|CMake Error|undefined reference|multiple definition|ptxas fatal")
    for number, line in enumerate(lines):
        if not error.search(line):
            continue
        if "CMake Error" in line:  # its message is on the lines that follow
            more = [next.strip() for next in lines[number + 1:] if next.strip()]
            line = " ".join([line, *more[:3]])
        return re.sub(r"/[^ :]*/((lab\d|harness|common)[^ :]*)", r"\1", line)
    return ""


# --- A lab ----------------------------------------------------------------------------------------


def _read_variants(folder: Path) -> list[VariantReport]:
    """Those that the program listed. Variants that cannot run here get their outcome."""
    built = read_text(folder / "built.txt").split()
    variants = []
    for row in texts.objects_in(texts.json_of(folder / "variants.json", list)):
        name = row.get("name", "")
        variant = VariantReport(name, row.get("backend", ""), name in built,
                                row.get("emulated", False))
        if not row.get("available", False):
            variant.outcome = Outcome.SKIPPED
            variant.message = row.get("reason", "")
        variants.append(variant)
    return variants


def _add_left_out(lab: LabReport) -> None:
    """The variants that were left out of the build because of a fault."""
    def add(name: str, outcome: Outcome, message: str) -> None:
        variant = lab.variant(name)
        if variant is None:  # the lab does not build for another reason, or the list lacks it
            variant = VariantReport(name)
            lab.variants.append(variant)
        variant.built, variant.outcome, variant.message = False, outcome, message

    for log in sorted((lab.folder / "not_compiled").glob("*")):
        add(log.stem, Outcome.NOT_COMPILED, first_error(log))
    for file in sorted((lab.folder / "not_loaded").glob("*")):
        add(file.name, Outcome.CRASH, (_lines(file) or [""])[-1])


def _apply_tests(variant: VariantReport, tests: list[Test]) -> None:
    """Sets the outcome to the worst of the variant's tests, and adds up what they counted. A test
    that ran counts more than a skipped one. A variant that refuses most configurations passes all
    tests, but is reported as refused; a library may.
    """
    if not tests:
        return
    worst = max(tests, key=lambda test: -1 if test.outcome == Outcome.SKIPPED else test.outcome)
    variant.outcome = worst.outcome
    variant.message = "" if worst.outcome == Outcome.NOT_DONE else worst.message
    if worst.outcome.is_failure:
        like_worst = sum(test.outcome == worst.outcome for test in tests)
        message = variant.message.removeprefix(f"WRONG {variant.name} ")
        variant.message = (f"{message} (in {like_worst} of {len(tests)} tests, "
                           f"first {worst.name})")
    every = variant.configurations
    for test in tests:
        every.checked += test.configurations.checked
        every.refused += test.configurations.refused
        every.left_out += test.configurations.left_out
        every.first_reason = every.first_reason or test.configurations.first_reason
    if not variant.outcome.is_failure and variant.backend != "peer" and every.mostly_refused:
        variant.outcome = Outcome.REFUSED
        variant.message = str(every)
    if variant.outcome == Outcome.OK:
        variant.not_checked = {test.check: test.message.removeprefix(NOT_CHECKED)
                               for test in tests if test.is_not_checked}
        if variant.backend == "omp" and not any(test.check == "races" for test in tests):
            variant.not_checked["races"] = "no test looks for races"


def _trouble_of(lab: LabReport) -> str:
    if lab.build == "failed":
        return (first_error(lab.folder / "build.log") or first_error(lab.folder / "configure.log")
                or "see configure.log and build.log")
    if lab.finished and not lab.tests:
        return "no test ran; see ctest.log"
    if lab.finished and not lab.listed and lab.name != "harness":
        said = _lines(lab.folder / "list.log")
        return "its program lists no variants" + (f": {said[0]}" if said else "; see variants.json")
    parts = [("benchmark", lab.bench), ("figures", lab.figures)]
    return "; ".join(f"{what} {how}" for what, how in parts if how.startswith("failed"))


def read_lab(folder: Path) -> LabReport:
    with texts.as_expected(f"{folder}: state, events.jsonl, variants.json or ctest.xml"):
        return _read_lab(folder)


def _read_lab(folder: Path) -> LabReport:
    state = read_state(folder)
    events = tested.read_events(folder / "events.jsonl")
    lab = LabReport(folder.name, folder, build=state.get("build", ""),
                    figures=state.get("figures", ""), finished="finished" in state)
    lab.variants = _read_variants(folder)
    lab.listed = bool(lab.variants)
    lab.tests = tested.read_tests(folder, events, float(state.get("test_seconds", 0)))
    if "cut_short" in state:
        lab.tests = [test for test in lab.tests if test.outcome != Outcome.TIMEOUT]
    lab.machine = tested.read_machine(events)
    lab.bench = tested.bench_outcome(folder, state.get("bench", ""), events)
    if lab.bench:
        try:
            lab.timings = read_timings(folder / "csv")
        except Trouble as fault:
            lab.bench = f"failed: {fault}"
    for variant in lab.variants:
        _apply_tests(variant, [test for test in lab.tests if test.variant == variant.name])
        tested.apply_bench(variant, events)
        if variant.outcome == Outcome.NOT_TESTED:
            variant.message = "there is no result of a test"
        if not variant.outcome.is_failure:  # wrong in one configuration: no time at all
            variant.timing = lab.timings.fastest.get(variant.name)
    uncounted, _, why = state.get("not_counted", "").partition(" ")
    if variant := lab.variant(uncounted):
        variant.not_checked["counters"] = why
    _add_left_out(lab)
    lab.trouble = _trouble_of(lab)
    return lab


def failing_variants(lab: LabReport) -> list[str]:
    """Variants that are in the program and must not be benchmarked."""
    return [variant.name for variant in lab.variants
            if variant.built and variant.outcome.is_failure]


def describe_tests(lab: LabReport) -> str:
    """"48 tests passed, 6 FAILED (omp_hang: timeout), 24 skipped (no GPU)"."""
    text = f"{lab.count(Outcome.OK)} tests passed"
    emulated = sum(test.outcome == Outcome.OK and lab.is_emulated(test) for test in lab.tests)
    if emulated:
        text += f" ({emulated} emulated)"
    if lab.failed_tests:
        text += f", {lab.failed_tests} FAILED ({_name_failures(lab)})"
    if skipped := lab.count(Outcome.SKIPPED):
        reasons = "; ".join(_skip_reasons(lab))
        text += f", {skipped} skipped" + (f" ({reasons})" if reasons else "")
    if not_done := lab.count(Outcome.NOT_DONE):
        text += f", {not_done} not done yet"
    for variant in lab.variants:
        if variant.outcome == Outcome.REFUSED:
            text += f"; {variant.name} refused {variant.configurations}"
    return text


def describe_unchecked(lab: LabReport) -> str:
    """"races of 9 variants: REASON; 12 tests: REASON", of the checks that could not run here; ""
    if all did. The table has the variants that could not.
    """
    reasons: dict[str, list[tuple[str, str]]] = {}
    for variant in lab.variants:
        for check, why in variant.not_checked.items():
            reasons.setdefault(why, []).append((check, variant.name))
    for test in lab.tests:
        if test.cannot_run or (test.is_not_checked and not lab.variant(test.variant)):
            why = test.message.removeprefix(CANNOT_RUN).removeprefix(NOT_CHECKED)
            reasons.setdefault(why, []).append((test.check, test.variant))
    return "; ".join(f"{_name_checks(found)}: {why}" for why, found in sorted(reasons.items()))


def _name_checks(found: list[tuple[str, str]]) -> str:
    """"races of omp_new", "races of 9 variants", "12 tests"."""
    checks = {check for check, _ in found}
    if len(checks) > 1:
        return f"{len(found)} tests"
    check, variant = found[0]
    if len(found) > 1:
        return f"{check} of {len(found)} variants"
    return check if "." in check else f"{check} of {variant}"


def _name_failures(lab: LabReport) -> str:
    """"omp_hang: timeout, 2 not of a variant"."""
    failed = [test for test in lab.tests if test.outcome.is_failure]
    names = {test.variant for test in failed}
    parts = [f"{variant.name}: {variant.outcome}" for variant in lab.variants
             if variant.name in names]
    if others := sum(lab.variant(test.variant) is None for test in failed):
        parts.append(f"{others} not of a variant")
    return ", ".join(parts)


def _skip_reasons(lab: LabReport) -> list[str]:
    """Without what the table says of each variant: why it was skipped, and what it refused; and
    without what the last lines say: the checks that could not run."""
    reasons = set()
    for test in lab.tests:
        variant = lab.variant(test.variant)
        is_said = test.cannot_run or test.is_not_checked or (
            variant and (variant.outcome == Outcome.SKIPPED
                         or test.message.startswith("refused ")))
        if test.outcome == Outcome.SKIPPED and not is_said:
            reasons.add(test.message)
    return sorted(reasons)
