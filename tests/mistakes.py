"""Known mistakes, as edits of variants' files: labN-name/assignment/mistakes.py has a lab's."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, init=False)
class Case:
    """A variant with edits. `cause` is part of the message that names the mistake."""

    variant: str
    cause: str
    edits: tuple[tuple[str, str], ...]

    def __init__(self, variant: str, cause: str, *edits: tuple[str, str]) -> None:
        object.__setattr__(self, "variant", variant)
        object.__setattr__(self, "cause", cause)
        object.__setattr__(self, "edits", edits)

    def applied_to(self, text: str) -> str:
        """The text of the file with all edits."""
        for old, new in self.edits:
            if old not in text:
                raise ValueError(f"{self.variant}: not in the file: {old}")
            text = text.replace(old, new)
        return text


def labs() -> list[str]:
    """The folders of the labs with known mistakes."""
    return sorted(file.parents[1].name for file in ROOT.glob("lab*-*/assignment/mistakes.py"))


def lab_numbered(number: str) -> str:
    """Its folder."""
    found = [lab for lab in labs() if lab.startswith(f"lab{number}-")]
    if len(found) != 1:
        raise SystemExit(f"no known mistakes of a lab '{number}'; there are: {' '.join(labs())}")
    return found[0]


def cases_of(lab: str) -> list[Case]:
    """Those of the lab in this folder."""
    file = ROOT / lab / "assignment/mistakes.py"
    spec = importlib.util.spec_from_file_location(f"mistakes_of_{lab}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CASES
