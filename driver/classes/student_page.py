"""The page that a student gets: students/ID/feedback.html. What `grade check` has found, and above
it what only the class knows: points given by hand, late days, the name on the leaderboard."""

from pathlib import Path

EMPTY = ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8" /><title>Feedback</title>'
         "</head><body></body></html>\n")
BODY = "<body>"


def composed(found: Path | None, summary: str) -> str:
    """`found` is the page of `grade check`; none without a hand-in. Its first element of this name is
    its own: texts of students come after it."""
    page = found.read_text("utf-8", "replace") if found and found.is_file() else EMPTY
    head, body, rest = page.partition(BODY)
    return f"{head}{body}\n{summary}{rest}" if body else f"{summary}{page}"
