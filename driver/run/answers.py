"""The answers of a student, as lines of "name = value", and which of them are right."""

from __future__ import annotations

from driver.run.outcomes import BadUsage
from driver.timings import number

TOLERANCE = 0.01  # of a number in an answer
MOST_ANSWER = 40


def read_values(text: str) -> dict[str, str]:
    """Lines of "name = value"; `#` begins a comment. Of two with one name, the last counts."""
    pairs = (line.split("#", 1)[0].partition("=") for line in text.splitlines())
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}


def not_a_number(answer: str) -> str:
    """The grader says the same."""
    return f"{answer[:MOST_ANSWER]} is not a number: use a point and no separators"


def is_right(answer: str, right: str) -> bool:
    """True if `answer` is a number within 1 % of `right`, or inside `right` = "low..high"."""
    low, dots, high = right.partition("..")
    least, most, value = number(low), number(high if dots else low), number(answer)
    if least is None or most is None:
        raise BadUsage(f"key: '{right}' is no number or low..high")
    slack = 0 if dots else TOLERANCE * abs(least)
    return value is not None and least - slack <= value <= most + slack
