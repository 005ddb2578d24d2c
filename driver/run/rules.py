"""The rules by which a lab's variants give points, in its points.json."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from driver import texts
from driver.run.outcomes import BadUsage


@dataclass
class CounterRun:
    """A run of the lab's program whose counters give points."""

    file: str  # "0.txt", in the folder `counters`
    variant: str
    input: str
    options: str


def read_rules(path: Path) -> dict:
    return texts.read_json(path)


def named_in(path: Path, error: KeyError | TypeError | ValueError) -> BadUsage:
    what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
    return BadUsage(f"{path}: {what}")


def _counted(task: dict) -> list[dict]:
    """The rules about counters: those that give points, and what the tests' points require."""
    return [rule for kind in ("counters", "requires") if kind in task for rule in task[kind]]


def runs_of(rules: dict) -> list[CounterRun]:
    """Rules with one input share a run."""
    keys = dict.fromkeys((task["variant"], rule["input"], rule.get("options", ""))
                         for task in rules["tasks"] for rule in _counted(task))
    return [CounterRun(f"{number}.txt", *key) for number, key in enumerate(keys)]


def counter_runs(rules: Path) -> list[CounterRun]:
    try:
        return runs_of(read_rules(rules))
    except (KeyError, TypeError) as error:
        raise named_in(rules, error) from error


def rated_variants(rules: Path) -> list[str]:
    """The variants that give points."""
    try:
        return [task["variant"] for task in read_rules(rules)["tasks"] if "variant" in task]
    except (KeyError, TypeError) as error:
        raise named_in(rules, error) from error


def speed_rule(rules: Path, variant: str) -> dict:
    """How points for the variant's speed are given; {} if none are."""
    try:
        return next((task["speed"] for task in read_rules(rules)["tasks"]
                     if task.get("variant") == variant and "speed" in task), {})
    except (KeyError, TypeError) as error:
        raise named_in(rules, error) from error
