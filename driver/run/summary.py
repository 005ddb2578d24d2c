"""The summary of a run: a table in the terminal, summary.md, results.json, junit.xml, a page."""

from __future__ import annotations

import json
import os
import re
import sys
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from driver.run import run_page
from driver.run.outcomes import LabReport, Outcome, Test, VariantReport
from driver.run.results import describe_tests, describe_unchecked, read_lab
from driver.timings import COLUMNS, milliseconds, read_timings

HEADER = ["lab", "variant", "built", "correct", *COLUMNS, "note"]
CORRECT, NOTE = HEADER.index("correct"), HEADER.index("note")
GREEN, YELLOW, RED, PLAIN = "\033[32m", "\033[33m", "\033[31m", "\033[0m"


@dataclass
class Run:
    """The whole run."""

    mode: str  # "--quick", say
    labs: list[LabReport]
    when: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    @property
    def ok(self) -> bool:
        return all(lab.ok for lab in self.labs)

    @property
    def verdict(self) -> str:
        """The run in one sentence."""
        bad = [f"{lab.name}: {lab.status}" for lab in self.labs if not lab.ok]
        passed = (f"FAILED: {len(bad)} of {len(self.labs)} parts ({', '.join(bad)})." if bad
                  else "Everything that can run here passed.")
        return " ".join([passed, *map(_unchecked, self.labs)]).rstrip()

    @property
    def machine(self) -> str:
        return next((lab.timings.machine for lab in self.labs if lab.timings.machine), "")

    @property
    def facts(self) -> dict[str, str]:
        known = next((lab.machine for lab in self.labs if lab.machine), {})
        names = {"CPU": "cpu", "GPU": "gpu", "compiler": "compiler", "commit": "commit"}
        return {name: known.get(key, "") for name, key in names.items()}

    @property
    def captions(self) -> list[str]:
        return [f"Times of {lab.name}: {lab.timings}" for lab in self.labs if lab.timings.caption]


def _unchecked(lab: LabReport) -> str:
    text = describe_unchecked(lab)
    return f"Not checked in {lab.name}: {text}." if text else ""


# --- The table ------------------------------------------------------------------------------------


def _correct(variant: VariantReport) -> str:
    """"yes", or the problem."""
    if variant.outcome == Outcome.OK:
        return variant.result if variant.emulated else "yes"
    if variant.outcome == Outcome.NOT_COMPILED:
        return "-"
    return f"NO: {variant.outcome}" if variant.outcome > Outcome.NOT_TESTED else variant.result


def _row(lab: LabReport, variant: VariantReport) -> list[str]:
    failed = variant.outcome > Outcome.NOT_TESTED
    return [lab.name, variant.name, "yes" if variant.built else "no", _correct(variant),
            *(variant.timing.numbers if variant.timing else ["-"] * len(COLUMNS)),
            f"{variant.outcome}: {variant.note}" if failed else variant.note]


def rows_of(lab: LabReport) -> list[list[str]]:
    """A lab without variants (one that does not build, or `harness`) in one row."""
    if lab.variants:
        return [_row(lab, variant) for variant in lab.variants]
    built = "yes" if lab.build == "ok" else "NO" if lab.build else "-"
    right = "-" if not lab.tests else "NO" if lab.failed_tests else "yes"
    return [[lab.name, "-", built, right, *["-"] * len(COLUMNS), lab.trouble]]


def _colour(variant: VariantReport) -> str:
    return RED if variant.outcome.is_failure else GREEN if variant.outcome == Outcome.OK else YELLOW


def _table(labs: list[LabReport], colours: bool) -> str:
    rows, starts = [HEADER], [""]
    for lab in labs:
        rows += rows_of(lab)
        starts += [_colour(variant) if colours else "" for variant in lab.variants] or [""]
        for row, variant in zip(rows[-len(lab.variants):], lab.variants):
            if variant.outcome > Outcome.NOT_TESTED:
                row[NOTE] = "see below"  # it is too long for the table
    widths = [max(len(row[column]) for row in rows) for column in range(NOTE)] + [0]
    lines = []
    for row, start in zip(rows, starts):
        cells = [text.rjust(width) if CORRECT < column < NOTE else text.ljust(width)
                 for column, (text, width) in enumerate(zip(row, widths))]
        if start:
            cells[CORRECT] = start + cells[CORRECT] + PLAIN
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def as_terminal(run: Run, colours: bool = False, verdict: str = "") -> str:
    failures = [f"\n{failure}\n" for lab in run.labs for failure in lab.failures()]
    captions = [line + "\n" for line in run.captions]
    return "".join([_table(run.labs, colours), *captions, *failures, f"\n{verdict or run.verdict}\n"])


def as_staircase(lab: LabReport) -> str:
    """The rungs of the experiment `ladder` with bars, or "" if it was not measured."""
    timings = lab.timings and read_timings(lab.folder / "csv", "ladder")
    best = max((timing.speedup or 0 for timing in timings.fastest.values()), default=0)
    text = ""
    for variant in lab.variants:
        timing = timings.fastest.get(variant.name)
        if timing is None or timing.elsewhere:
            continue
        text += f"  {variant.name:22} {milliseconds(timing.kernel_ms):>9} ms "
        if timing.speedup and best > 0:
            bar = "#" * max(1, int(40 * timing.speedup / best + 0.5))
            marked = "~" if timing.noise else " "
            text += f"{marked}{timing.speedup:>5.1f}x {bar}\n"
        else:
            text += "  no ratio\n"
    noisy = "; ~: noisy, see the note" if "~" in text else ""
    heading = f"The ladder ({timings.caption}), times as fast as {timings.baseline}{noisy}:\n"
    return heading + text if text else ""


# --- Files ----------------------------------------------------------------------------------------


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(map(_markdown_cell, cells)) + " |\n"


def _markdown_cell(text: str) -> str:
    """'|' would end the cell, and '<' would begin HTML."""
    return text.replace("|", r"\|").replace("<", "&lt;").replace("\n", " ")


def as_markdown(run: Run) -> str:
    text = f"# Summary of run_all.sh {run.mode}\n\n**{run.verdict}**\n\n"
    if run.machine:
        text += f"Machine: {run.machine}\n\n"
    for lab in run.labs:
        parts = [lab.status, describe_tests(lab), lab.bench and f"benchmark: {lab.bench}",
                 lab.timings.noise]
        text += f"- {lab.name}: {'; '.join(part for part in parts if part)}\n"
    text += "\n" + _markdown_row(HEADER)
    text += f"| --- | --- | --- | --- |{' ---: |' * len(COLUMNS)} --- |\n"
    text += "".join(_markdown_row(row) for lab in run.labs for row in rows_of(lab)) + "\n"
    text += "".join(line + "\n\n" for line in run.captions)
    if not run.ok:
        text += "## What failed\n\n"
    return text + "".join(f"- {_markdown_cell(str(failure))}\n"
                          for lab in run.labs for failure in lab.failures())


def _variant_json(variant: VariantReport) -> dict:
    timing = variant.timing
    return {"backend": variant.backend, "built": variant.built, "status": str(variant.outcome),
            "message": variant.message, "emulated": variant.emulated, "result": variant.result,
            "configurations": vars(variant.configurations), "not_checked": variant.not_checked,
            "kernel_ms": timing and timing.kernel_ms, "spread": timing and timing.spread,
            "speedup": timing and timing.speedup,
            "speedup_range": timing and timing.ratio and [timing.ratio.low, timing.ratio.high],
            "percent_of_copy": timing and timing.percent_of_copy,
            "noise": timing.noise if timing else "",  # empty: the ratios are sure
            "parameters": timing.parameters if timing else "",
            "measured_at": timing.elsewhere if timing else ""}  # empty: the lab's times_at


def _lab_json(lab: LabReport) -> dict:
    return {"status": lab.status, "message": lab.trouble,
            "tests": {"passed": lab.count(Outcome.OK), "failed": lab.failed_tests,
                      "skipped": lab.count(Outcome.SKIPPED),
                      "not_done": lab.count(Outcome.NOT_DONE)},
            "not_checked": describe_unchecked(lab),
            "bench": lab.bench, "figures": lab.figures, "times_at": lab.timings.caption,
            "noise": lab.timings.noise,
            "variants": {variant.name: _variant_json(variant) for variant in lab.variants},
            "failures": [str(failure) for failure in lab.failures()]}


def as_json(run: Run) -> str:
    labs = {lab.name: _lab_json(lab) for lab in run.labs}
    harness = {"harness": labs.pop("harness")} if "harness" in labs else {}
    return json.dumps({"mode": run.mode, "ok": run.ok, "machine": run.machine, "labs": labs,
                       **harness}, indent=2, ensure_ascii=False) + "\n"


def _other_cases(lab: LabReport) -> list[Test]:
    """Failures outside of the tests, as failed tests."""
    cases = []
    if not lab.ok and lab.trouble:
        cases.append(Test(f"{lab.name}.run", Outcome.FAILED, f"{lab.status}: {lab.trouble}"))
    failed = {test.variant for test in lab.tests if test.outcome.is_failure}
    for variant in lab.variants:
        if variant.outcome.is_failure and variant.name not in failed:
            cases.append(Test(f"{lab.name}.variant/{variant.name}", variant.outcome,
                              f"{variant.outcome}: {variant.note}"))
    return cases


def _add_case(suite: xml.Element, lab: LabReport, test: Test) -> None:
    node = xml.SubElement(suite, "testcase", name=test.name, classname=lab.name,
                          time=f"{test.seconds:.3f}")
    message = run_page.printable(test.message)
    if test.outcome == Outcome.OK and lab.is_emulated(test):
        properties = xml.SubElement(node, "properties")
        xml.SubElement(properties, "property", name="result", value="correct (emulated)")
    elif test.outcome.is_failure:
        xml.SubElement(node, "failure", type=str(test.outcome), message=message)
    elif test.outcome != Outcome.OK:
        xml.SubElement(node, "skipped", message=message)
    if test.output:
        xml.SubElement(node, "system-out").text = run_page.printable(test.output)


def write_junit(run: Run, path: Path) -> None:
    suites = xml.Element("testsuites")
    for lab in run.labs:
        cases = lab.tests + _other_cases(lab)
        failed = sum(test.outcome.is_failure for test in cases)
        passed = sum(test.outcome == Outcome.OK for test in cases)
        suite = xml.SubElement(suites, "testsuite", name=lab.name, tests=str(len(cases)),
                               failures=str(failed), skipped=str(len(cases) - failed - passed))
        for test in cases:
            _add_case(suite, lab, test)
    xml.indent(suites)
    xml.ElementTree(suites).write(path, "utf-8", xml_declaration=True)


# --- What run_all.sh asks for ---------------------------------------------------------------------


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def look(folder: Path) -> None:
    """Prints the ladder of a lab before it was tested: of a folder with variants.json and csv/."""
    print(f"\n{as_staircase(read_lab(folder))}")


def show_lab(folder: Path, mode: str) -> None:
    """A lab that is finished, before the others are: its table, its ladder, a page of its own."""
    run = Run(mode, [read_lab(folder)])
    page = folder / "index.html"
    page.write_text(run_page.as_html(run), "utf-8")
    lab = run.labs[0]  # others may follow, so this is not yet the verdict on the run
    verdict = "all that can run here passed" if lab.ok else f"{lab.status}, see the lines above"
    verdict = " ".join(filter(None, [f"{lab.name}: {verdict}.", _unchecked(lab)]))
    print(f"\n{as_terminal(run, _colours(), verdict)}\n{as_staircase(lab)}"
          f"As a page, with pictures and figures: {page}\n")


def report(output: Path, parts: list[str], mode: str, page: Path | None = None) -> int:
    """Prints the table and writes all files; `page` is a folder for index.html, too."""
    run = Run(mode, [read_lab(output / part) for part in parts])
    (output / "summary.md").write_text(as_markdown(run), "utf-8")
    (output / "results.json").write_text(as_json(run), "utf-8")
    write_junit(run, output / "junit.xml")
    html = run_page.as_html(run)
    for folder in filter(None, (output, page)):
        (folder / "index.html").write_text(html, "utf-8")
    print(f"\n{as_terminal(run, _colours())}{_what_to_do(run)}"
          f"As a page: {(page or output) / 'index.html'}")
    return 0 if run.ok else 1


def _what_to_do(run: Run) -> str:
    """A line on what comes next, if something failed."""
    bad = sorted((lab for lab in run.labs if not lab.ok), key=lambda lab: not lab.variants)
    if not bad:
        return ""
    variant = next((variant.name for variant in bad[0].variants if variant.outcome.is_failure), "")
    number = re.match(r"lab(\d+)-", bad[0].name)
    again = f"; after a change: ./run_all.sh --labs {number[1]} --variant {variant}" if (
        variant and number) else ""
    return f"The lines above say why; the logs are in {bad[0].folder}/{again}\n"
