"""A student's points, by the rules in points.json, from what run_all.sh left:

    lab folder of the output   see results.py, and counters/N.jsonl: the events of `run --explain`,
                               with its output in N.txt
    answers.txt                lines of "name = value"
    answers.txt of the key     lines of "name = value" or "name = low..high"; students have none
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from driver import ratios, texts, tree
from driver.ratios import Ratio, Time
from driver.run.answers import is_right, not_a_number, read_values
from driver.run.counters import counter_in
from driver.run.outcomes import BadUsage, LabReport, Outcome, Test, VariantReport, read_text
from driver.run.results import read_lab
from driver.run.rules import CounterRun, named_in, read_rules, runs_of
from driver.run.score import LabScore, Score, Task, as_json, as_text
from driver.run.tested import events_of, read_events
from driver.timings import has_values, number, timed_rows, values_of
from driver.trouble import Trouble, ended

UNDECIDED = 0.05  # of the points for speed
MOST_BYTES_PER_THREAD = 4096  # that a kernel stores, for points of a counter
# Messages of the test `races` for a variant of one thread: no test counts, as in grading.
OF_ONE_THREAD = (": no parallel region was started", ": one thread wrote ")


def speed_points(ratio: float, floor: float, full: float, points: float) -> float:
    """None up to `floor`, all from `full` on, linear between, rounded down to tenths. So full
    points are those of somebody who has reached `full`. The grader's rule is harness/speed_points.hpp.
    """
    if not ratio > floor:
        return 0
    part = min(1.0, (ratio - floor) / (full - floor))
    return points if part == 1 else math.floor(points * part * 10 + 1e-9) / 10


def _fastest(times: list[tuple[int, Time]], values: int) -> Time:
    return min((time for size, time in times if size == values), key=lambda time: time.ms)


def speed_ratio(csv: Path, variant: str, rule: dict) -> Ratio | str:
    """Of the reference's time and the variant's, at the largest image that both have, the fastest
    row of each; or the reason why there is none. `csv` is the folder of the measurements.
    """
    try:
        rows = [(row["variant"], (values_of(row), time))
                for row, time in timed_rows(csv, rule["experiment"])
                if has_values(row, rule.get("where"))]
    except Trouble as fault:
        return f"not measured: {fault}"
    own, others = ([time for name, time in rows if name == wanted]
                   for wanted in (variant, rule["against"]))
    if not rows:
        return "not measured"
    if not own:
        return f"{variant} was not measured"
    common = {values for values, _ in own} & {values for values, _ in others}
    if not common:
        return f"{rule['against']} was not measured beside it"
    return ratios.of_rounds(*(_fastest(times, max(common)) for times in (own, others)))


def _trouble_of(test: Test) -> str:
    """Why a test does not count, or ""."""
    if test.is_not_checked:
        return test.message
    if test.outcome != Outcome.OK:
        outcome = str(test.outcome)
        return outcome if test.message in ("", outcome) else f"{outcome}: {test.message}"
    return f"refused {test.configurations}" if test.configurations.mostly_refused else ""


def _not_right(variant: VariantReport | None) -> str:
    """Why nothing beyond the tests counts, or "". A variant with a check that could not run is not
    known to be right.
    """
    if variant is None:
        return "there is no such variant"
    return (variant.unchecked if variant.outcome == Outcome.OK
            else f"{variant.name} is {variant.outcome}")


class _Scorer:
    def __init__(self, lab: LabReport, runs: list[CounterRun], answers: Path | None,
                 key: Path | None) -> None:
        self.lab = lab
        self.runs = runs
        self.answers = read_values(read_text(answers)) if answers else {}
        self.key = read_values(read_text(key)) if key else {}

    def score(self, rules: dict) -> Task:
        task = Task(rules["id"], rules["title"], rules.get("variant", ""), rules.get("bonus", False))
        variant = self.lab.variant(task.variant)
        task.unchecked = variant.unchecked if variant else ""
        doubt, by_teacher = self.doubt(rules, variant) if variant else ("", False)
        for rule in rules.get("tests", []):
            score = self.test(rule, task.variant, variant)
            if doubt and score.points:
                score.points, score.missing, score.by_teacher = 0, doubt, by_teacher
            task.scores.append(score)
        has_gpu = variant is None or not variant.emulated
        counted = "counters" in rules and (not has_gpu or "speed" not in rules)
        if counted:
            task.scores += [self.counter(rule, variant, task.variant) for rule in rules["counters"]]
        if "speed" in rules and not counted:
            task.scores.append(self.speed(rules["speed"], task.variant, variant))
        task.scores += [self.answer(rule) for rule in rules.get("answers", [])]
        if "by_hand" in rules:
            task.scores.append(Score("explanation", rules["by_hand"], by_teacher=True))
        return task

    def test(self, rule: dict, name: str, variant: VariantReport | None) -> Score:
        score = Score(f"test {rule['name']}", rule["points"])
        tests = [test for test in self.lab.tests  # "…ConvolutionTest.sizes/omp_rows"
                 if test.name.endswith(f".{rule['name']}/{name}")]
        one_thread = next((test.message for test in self.lab.tests
                           if any(said in test.message for said in OF_ONE_THREAD)
                           and test.name.endswith(f".races/{name}")), "")
        if variant and not variant.built:
            score.missing = f"{variant.outcome}: {variant.message}"
        elif one_thread:
            score.missing = one_thread
        elif tests:
            score.missing = next(filter(None, map(_trouble_of, tests)), "")
            score.points = 0 if score.missing else score.of
        else:
            score.missing = "there is no such test" if variant else f"there is no variant {name}"
        return score

    def speed(self, rule: dict, name: str, variant: VariantReport | None) -> Score:
        floor, full, against = rule["floor"], rule["full"], rule["against"]
        if not floor < full:
            raise BadUsage("'floor' has to be less than 'full'")
        score = Score("speed", rule["points"], _not_right(variant))
        if not score.missing and variant.emulated:
            score.missing = "it is measured on a GPU only"
        elif not score.missing and not self.lab.bench:  # a CSV file of an earlier run may be there
            score.missing = "not measured in this run"
        if score.missing:
            return score
        ratio = speed_ratio(self.lab.folder / "csv", name, rule)
        if isinstance(ratio, str):
            score.missing = ratio
            return score
        low, score.points, high = (speed_points(value, floor, full, score.of)
                                   for value in (ratio.low, ratio.value, ratio.high))
        if high - low > UNDECIDED * score.of:
            score.range = f"{ratio.range} times as fast as {against}: {low:g} to {high:g} points"
        if score.points < score.of:
            score.missing = (f"{ratio.value:.2f} times as fast as {against}; from {floor:g} on "
                             f"there are points, all from {full:g} on")
        return score

    def doubt(self, rules: dict, variant: VariantReport) -> tuple[str, bool]:
        """Why passed tests give no points, as the algorithm is not the task's, and whether the
        teacher has to look. The grader has the same rules (grading/src/check/graded.cpp).
        """
        speed = rules.get("speed", {})
        if "tests_from" in speed:
            least, against = speed["tests_from"], speed["against"]
            needs = f"needs {least:g} times the speed of {against}"
            if variant.outcome != Outcome.OK:
                return f"{needs}; a variant that is wrong is not timed", True
            ratio = speed_ratio(self.lab.folder / "csv", variant.name, speed)
            if isinstance(ratio, str) or not self.lab.bench:
                return f"{needs}, which is not measured here", True
            return ("" if ratio.value >= least else f"{needs}, and has {ratio.value:.2f} times: not "
                    "the algorithm of the task"), False
        if not variant.emulated:
            by_teacher = "requires" in rules and not speed
            return ("on a GPU nothing is counted: is it the algorithm of the task?"
                    if by_teacher else ""), by_teacher
        return next(filter(None, (self.unmet(rule, variant.name)
                                  for rule in rules.get("requires", []))), ""), False

    def unmet(self, rule: dict, variant: str) -> str:
        """Why the kernel is not what the task requires, or ""."""
        counter = rule["counter"]
        events, said = self.counted(rule, variant)
        value = counter_in(events, counter, rule.get("kernel", ""))
        if value is None:
            return f"{counter}: {said}"
        least = "at_least" in rule
        limit = rule["at_least" if least else "at_most"]
        if value >= limit if least else value <= limit:
            return ""
        shown = " ".join(filter(None, (rule["input"], rule.get("options"))))
        return (f"not the algorithm of the task: {counter} {value:g} for {shown}, at "
                f"{'least' if least else 'most'} {limit:g}")

    def counted(self, rule: dict, variant: str) -> tuple[list[dict], str]:
        """The events of the run that the rule is about, and what to say if there are none."""
        key = (variant, rule["input"], rule.get("options", ""))
        file = next(run.file for run in self.runs if (run.variant, run.input, run.options) == key)
        path = self.lab.folder / "counters" / file
        said = read_text(path).splitlines()
        return (read_events(path.with_suffix(".jsonl")),
                "not counted" + (f": {said[0]}" if said else ""))

    def counter(self, rule: dict, variant: VariantReport | None, name: str) -> Score:
        score = Score(rule["counter"], rule["points"], _not_right(variant))
        if score.missing:
            return score
        events, not_counted = self.counted(rule, name)
        value = counter_in(events, score.what, rule.get("kernel", ""))
        stored = sum(event.get("most_stored", 0) for event in events_of(events, "kernel"))
        share = rule.get("bytes_per_thread", MOST_BYTES_PER_THREAD)
        if value is None:
            score.missing = not_counted
        elif value > rule["at_most"]:
            score.missing = f"{value:g}; at most {rule['at_most']:g}"
        elif stored > share:
            score.missing = (f"one thread stores {stored:g} bytes; at most {share:g}: more threads "
                             "have to share the work")
        else:
            score.points = score.of
        return score

    def answer(self, rule: dict) -> Score:
        name = rule["name"]
        score = Score(f"answer {name}", rule["points"])
        answer = self.answers.get(name, "")
        if answer in ("", "-"):
            score.missing = "there is no number in answers.txt"
        elif not self.key:
            score.by_teacher = True
            score.missing = "" if number(answer) is not None else not_a_number(answer)
        elif name not in self.key:
            raise BadUsage(f"the key has no value for '{name}'")
        elif is_right(answer, self.key[name]):
            score.points = score.of
        else:
            score.missing = "not " + answer if number(answer) is not None else not_a_number(answer)
        return score


def score_lab(lab: LabReport, rules: Path, answers: Path | None = None,
              key: Path | None = None) -> LabScore:
    read = read_rules(rules)
    try:
        scorer = _Scorer(lab, runs_of(read), answers, key)
        return LabScore(read["lab"], [scorer.score(task) for task in read["tasks"]])
    except (KeyError, TypeError, ValueError) as error:
        raise named_in(rules, error) from error


def undecided(lab: LabReport, rules: Path) -> dict[str, str]:
    """The variants whose times do not decide the points for speed, with the range so far."""
    return {task.variant: task.range for task in score_lab(lab, rules).tasks if task.range}


def report(output: Path, labs: list[str], repository: Path = Path()) -> None:
    """Prints the points, from the root of the tree, and adds them to results.json."""
    file = output / "results.json"
    results = texts.read_json(file)
    for lab in labs:
        rules = tree.rules_of(lab)
        if not rules.exists():
            print(f"note: {lab} has no points: there is no {rules}", file=sys.stderr)
            continue
        score = score_lab(read_lab(output / lab), rules, Path(lab, "answers.txt"),
                          repository / tree.assignment_of(lab) / "key/answers.txt")
        print(f"\n{as_text(score)}", end="")
        results["labs"].setdefault(score.lab, {})["points"] = as_json(score)
    file.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser("driver.run.points", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("report", help="prints the points, and adds them to results.json")
    add.add_argument("--repository", type=Path, default=Path(), help="that has the key")
    add.add_argument("output", type=Path)
    add.add_argument("labs", nargs="+")
    given = parser.parse_args()
    report(given.output, given.labs, given.repository)
    return 0


if __name__ == "__main__":
    sys.exit(ended("points", main))
