#!/usr/bin/env python3
"""unpack.py TO: writes each submission as a folder TO/KIND/NAME, with its verdicts as expect.json.
README.md says how submissions are written down; prepare.sh adds what is not text.

Exit code: 0, or 2 with the submission at fault.
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAILS = ["wrong", "crash", "timeout", "refused", "implausible"]
VERDICTS = {*FAILS, "right", "does not compile", "not done yet"}


def verdicts(text: str) -> list[str]:
    found = [each for name in text.split(", ") for each in (FAILS if name == "fails" else [name])]
    for name in set(found) - VERDICTS:
        raise ValueError(f"there is no verdict '{name}'")
    return found


def expanded(text: str) -> str:
    """`text` with those of parts/NAME.hpp in the place of their #include."""
    return re.sub(r'^#include "(parts/.*)"\n', lambda part: expanded((HERE / part[1]).read_text()),
                  text, flags=re.MULTILINE)


def whole(text: str, lab: int) -> str:
    """`text` with what every file has: a blank line, the part of its lab, a function."""
    text = re.sub(r"\A((?://.*\n)+)(?!//|\n|\Z)", r"\1\n", text.strip("\n") + "\n")
    # Its comment, and includes of what is not ours.
    head = re.match(r'(?://.*\n)*\n?(?:#include (?!"parts/).*\n)*', text)[0].rstrip("\n")
    rest = text[len(head):]
    if rest == "\n":
        rest += "\n" + (HERE / "parts/honest.hpp").read_text()
    function = re.search(r"^static void (omp|cuda)_mine\(Input in", rest, re.MULTILINE)
    if function and not re.search(r'#include "parts/(cuda_)?(lab|views)', rest):
        part = f"{function[1]}_lab{lab}.hpp".removeprefix("omp_")
        rest = f'\n\n#include "parts/{part}"' + re.sub(r'\A\n(?=\n#include "parts/)', "", rest)
    return expanded(head + rest)


class Submission:
    """The files of a hand-in, and what is expected of them."""

    def __init__(self, section: str):
        lab = re.search(r"lab(\d)", section.partition(":")[0])
        self.expected: dict = {"lab": int(lab[1]) if lab else 1, "verdicts": {}}
        self.files: dict[str, str] = {}
        section = re.sub(r"\A\w+(, )?", lambda name: "" if name[1] else "omp_mine", section)
        for text in re.split("^// -- ", section, flags=re.MULTILINE):
            self.add_file(*text.partition("\n")[::2])

    def add_file(self, heading: str, text: str) -> None:
        match = re.fullmatch(r"([\w./]+)(?::(?: (.+))?)?", heading)
        for bad in re.findall("^// (?:==|--).*", text, re.MULTILINE) if match else [heading]:
            raise ValueError(f"expected NAME[, VARIANT]: VERDICT, ... and not '{bad}'")
        file, (wanted, *clauses) = match[1], (match[2] or "").split("; ")
        if wanted:
            self.variant, file = file, file + (".cu" if file.startswith("cuda_") else ".cpp")
            self.expected["verdicts"][self.variant] = verdicts(wanted)
        while text.startswith("// - "):
            clause, _, text = text[5:].partition("\n")
            clauses.append(clause)
        for clause in clauses:
            self.add_clause(clause)
        if text.strip():
            self.files[file] = whole(text, self.expected["lab"])

    def add_clause(self, clause: str) -> None:
        key, _, text = clause.partition(" ")
        text = re.sub('^"(.*)"$', r"\1", text)
        if key == "gpu":
            self.expected.setdefault("gpu", {})[self.variant] = verdicts(text)
        elif key == "reason":
            self.expected.setdefault("reasons", {}).setdefault(self.variant, []).append(text)
        elif key == "not_graded":
            self.expected.setdefault("not_graded", []).append(text)
        elif points := re.fullmatch("(points|counters) (.) (.*): (.*)", clause):
            self.expected.setdefault(key, {})[f"{points[2]} {self.variant}: {points[3]}"] = (
                int(points[4]) if points[4].isdigit() else points[4])
        elif key in ("twin", "options", "timed"):
            self.expected[key] = text or True
        else:
            raise ValueError(f"there is no clause '{clause}'")


def main() -> None:
    if len(sys.argv) != 2:
        raise ValueError("expected: unpack.py TO")
    found: dict[str, Submission] = {}
    for path in sorted(HERE.glob("**/*.c*")):
        kind = path.relative_to(HERE).parts[0].split(".")[0]
        for section in re.split("^// == ", path.read_text(), flags=re.MULTILINE)[1:]:
            name = kind + "/" + re.match(r"\w*", section)[0]
            if name in found:
                raise ValueError(f"{name} is there twice")
            try:
                found[name] = Submission(section)
            except ValueError as fault:
                raise ValueError(f"{name}: {fault}") from None
    for name, one in found.items():
        if one.expected.get("twin", name) not in found:
            raise ValueError(f"{name}: there is no twin '{one.expected['twin']}'")
        for file, text in {**one.files, "expect.json": json.dumps(one.expected)}.items():
            to = Path(sys.argv[1]) / name / file
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as fault:
        print(f"unpack.py: {fault}", file=sys.stderr)
        sys.exit(2)
