"""A mistake as an edit of a variant's file."""

from __future__ import annotations

from dataclasses import dataclass


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
