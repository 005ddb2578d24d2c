"""Names the access out of bounds of a CPU variant, from what AddressSanitizer reports of the
program LAB-VARIANT-sanitized, and from the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_OPTIONS = ("halt_on_error=0:detect_leaks=0:protect_shadow_gap=0:detect_odr_violation=0:"
            "handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2:fast_unwind_on_fatal=")
# By debug information, through libraries too; then by frame pointers, where the stack is damaged.
ENVIRONMENTS = [{"ASAN_OPTIONS": _OPTIONS + fast} for fast in "01"]
OF_A_LAB = r"/(?:ladder|expert|experiments|problem)/"
FRAME = re.compile(rf"^ *#\d+ .* (/\S*{OF_A_LAB}\S+?):(\d+)(?::\d+)?$", re.MULTILINE)
SIZES = re.compile(r"\b(channels|row_length|width|height)\b")
OTHERS = {"stack-overflow": "the stack is full: a recursion without an end, or an array too large "
          "for it",
          "SEGV": "out of bounds: an address where nothing is, as a null pointer or an index far "
          "beyond an array",
          "FPE": "an integer is divided by zero",
          "ILL": "out of bounds: an index beyond its array",
          "heap-use-after-free": "memory is used after it was freed",
          "stack-use-after-scope": "a variable is used after the end of its block"}


@dataclass
class Place:
    """A line of the lab's source."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}:{self.line}"

    def lines(self) -> list[str]:
        """Those of the file, counted from 1; none if it cannot be read."""
        try:
            return ["", *self.path.read_text("utf-8", "replace").splitlines()]
        except OSError:
            return []

    def text(self) -> str:
        lines = self.lines()
        return lines[self.line] if self.line < len(lines) else ""


def _places(stack: str) -> list[Place]:
    """The lines of the lab in the first stack of a report, from the access outwards."""
    first = re.split(r"\n\n|\n0x|\nAddress ", stack.lstrip("\n"))[0]
    return [Place(Path(path), int(line)) for path, line in FRAME.findall(first)]


def _statement(place: Place) -> str:
    """The line, and those before it from the end of the statement before on."""
    lines = place.lines()[:place.line + 1]
    text = lines.pop() if lines else ""
    while lines and lines[-1] and lines[-1][-1] not in ";{}":
        text = lines.pop() + " " + text
    return text


def _size_of(place: Place) -> str:
    """The statement that allocates, with those that declare what it names."""
    text = _statement(place)
    for name in set(re.findall(r"\b[a-z]\w*\b", text)):
        for number in range(place.line - 1, max(0, place.line - 30), -1):
            if re.search(rf"\b(auto|size_t|int|ptrdiff_t)\s+{name}\s*(=|$)",
                         place.lines()[number]):
                text += _statement(Place(place.path, number))
                text += "".join(place.lines()[number + 1:number + 2])
                break
    return text


def _too_small(place: Place, channels: int) -> str:
    """The hint for an allocated array whose size lacks a factor."""
    named = set(SIZES.findall(_size_of(place)))
    if channels > 1 and "width" in named and not named & {"channels", "row_length"}:
        return f": its size has the width, and not the {channels} channels"
    return ""


def _loop(places: list[Place]) -> str:
    """Which loop makes the index: the innermost at or above the line whose variable is in it; and
    the call of its function, which may give it the bounds."""
    place, lines = places[0], places[0].lines()
    caller = next((other for other in places if str(other) != str(place)), None)
    call = f", called in line {caller.line}" if caller and caller.path == place.path else ""
    for number in range(min(place.line, len(lines) - 1), 0, -1):
        if lines[number].startswith("}"):
            break
        found = re.search(r"\bfor \((?:[\w:<>]+ )?(\w+) = [^;]*; ([^;]*);", lines[number])
        body = lines[place.line].partition("for (")[0 if number < place.line else 2]
        if found and re.search(rf"\b{found[1]}\b", body.rpartition(";")[0] or body):
            return f"; the loop in line {number} runs while {found[2]}{call}"
    return ""


def _beside_image(report: str) -> str:
    found = re.search(r"^labs: byte (-?\d+) of row (-?\d+) of the (\w+), which has (\d+) rows of "
                      r"(\d+) bytes", report, re.MULTILINE)
    if not found:
        return ""
    byte, row, rows, length = (int(found[i]) for i in (1, 2, 4, 5))
    where = ("above row 0" if row < 0 else "below the last row" if row >= rows else
             "before column 0" if byte < 0 else "beyond the end of a row (the width)")
    return f"{where} of the {found[3]}" + (f", in row {row}" if 0 <= row < rows else "")


def _beside_array(report: str) -> str:
    """"beyond `rows`, an array of 40 bytes (line 24)", or "" if nobody knows."""
    on = re.search(r"^labs: on \d+x\d+x(\d+)", report, re.MULTILINE)
    side = "before" if re.search(r"to the left of|bytes before |underflows", report) else "beyond"
    local = re.search(r"\[(\d+), (\d+)\) '([^']+)'(?: \(line (\d+)\))? <== ", report)
    if local:
        line = f" (line {local[4]})" if local[4] else ""
        return f"{side} `{local[3]}`, an array of {int(local[2]) - int(local[1])} bytes{line}"
    variable = re.search(r"global variable '([^']+)'.* of size (\d+)", report)
    if variable:
        return f"{side} `{variable[1]}`, an array of {variable[2]} bytes"
    region = re.search(r"(\d+)-byte region", report)
    allocated = next(iter(_places(report.partition("allocated by ")[2])), None)
    if not region:
        return ""
    at = f" ({allocated})" if allocated else ""
    size = _too_small(allocated, int(on[1])) if allocated and on else ""
    return f"{side} an array of {region[1]} bytes{at}{size}"


def _declared_array(place: Place) -> str:
    """" `rows[5]` (line 24)", of the arrays that the line has an index of."""
    names = list(dict.fromkeys(re.findall(r"(\w+)\[", place.text())))
    for number in range(place.line - 1, 0, -1):
        for name in names:
            found = re.search(rf"^\s+(?!return )[\w:<>]+[\w:<>*& ]* ({name}\[[^\]]*\])",
                              place.lines()[number])
            if found:
                return f" `{found[1]}` (line {number})"
    return " " + " or ".join(f"`{name}`" for name in names) if names else ""


def _cause(report: str, message: str) -> str:
    """What one report names; "" if it is not of a line of the lab, or of bytes beside an image that
    a variant may read, unless its results depend on them."""
    places = _places(report[report.find("ERROR: AddressSanitizer: "):])
    if not places:
        return ""
    kind = report.partition("ERROR: AddressSanitizer: ")[2].split()[0]
    if kind in OTHERS:
        array = _declared_array(places[0]) if kind == "ILL" else ""
        return f"{OTHERS[kind]}{array}, in {places[0]}{_loop(places)}"
    writes = "\nWRITE of size" in report
    beside = _beside_image(report)
    if beside and not writes and "outside" not in message:
        return ""
    where = beside or _beside_array(report) or kind
    return f"out of bounds: {places[0]} {'writes' if writes else 'reads'} {where}{_loop(places)}"


def cause_in(said: str, message: str = "") -> str:
    """What a program said of the test with this message, in one line; "" if AddressSanitizer
    reported no line of the lab."""
    reports = re.split(r"^=+$", said, flags=re.MULTILINE)[1:]
    return next(filter(None, (_cause(report, message) for report in reports)), "")


def with_cause(message: str, cause: str) -> str:
    """A test's message that names this cause, too: instead of bytes that were changed."""
    message, mark, image = message.partition("; difference image: ")
    if "; looks like: it writes outside the " in message:
        cause = cause.replace(" reads ", " writes ", 1)
    message = re.sub(r"; looks like: (it (reads|writes) outside |\d+ values? (is|are) never ).*", "",
                     message)
    message = re.sub(r" \([^()]*\)$", "", message) if message.startswith("it crashed") else message
    return f"{message}; looks like: {cause}{mark}{image}"
