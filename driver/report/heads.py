"""Writes the text after "Measured:" in the heads of variants' files, and checks sentences of pages
that are no templates.

LAB/plots/heads.j2 is a template (see prose.py). A line [NAME] begins the text of a variant: it
replaces what its file's comment has after "Measured:", to the end of the paragraph. A variant
without a text there is left as it is. In
LAB/plots/sentences.j2, a line [PAGE], from the root, begins paragraphs that have to be in the page.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from driver.report import prose
from driver.variants import ROOT, listed

MARK = "Measured:"


def write_all() -> list[str]:
    """Returns what is wrong."""
    errors: list[str] = []
    for template in sorted(ROOT.glob("lab*/plots/heads.j2")):
        lab = template.parents[1].name
        try:
            texts = _parts(template)
        except prose.False_ as error:
            errors.append(str(error))
            continue
        for variant in listed(lab):
            errors += _write_head(ROOT / variant.file, texts.pop(variant.name, ""), template)
        errors += [f"{template.relative_to(ROOT)}: there is no variant {name}" for name in texts]
    return errors


def check_sentences() -> list[str]:
    errors: list[str] = []
    for template in sorted(ROOT.glob("lab*/plots/sentences.j2")):
        try:
            parts = _parts(template)
        except prose.False_ as error:
            errors.append(str(error))
            continue
        for page, text in parts.items():
            said = " ".join((ROOT / page).read_text("utf-8").split())
            errors += [f"{page}: it does not say \"{sentence}\" ({template.relative_to(ROOT)})"
                       for sentence in (" ".join(part.split()) for part in text.split("\n\n"))
                       if sentence not in said]
    return errors


def _parts(template: Path) -> dict[str, str]:
    pieces = re.split(r"(?m)^\[([\w./-]+)\]$", prose.render(template))[1:]
    return {name: text.strip() for name, text in zip(pieces[::2], pieces[1::2])}


def _write_head(file: Path, text: str, template: Path) -> list[str]:
    lines = file.read_text("utf-8", "surrogateescape").splitlines()  # and written so again
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    marked = next((i for i in range(end) if MARK in lines[i]), None)
    if marked is None:
        return ([f"{file.relative_to(ROOT)}: no \"{MARK}\" for {template.relative_to(ROOT)}"]
                if text else [])
    if not text:
        return []  # a variant of one's own, which says itself what was measured
    last = next((i for i in range(marked, end) if lines[i].strip() == "//"), end)
    before = lines[marked].split(MARK)[0].removeprefix("//").strip()
    words = " ".join(f"{before} {MARK} {text}".split())
    wrapped = textwrap.wrap(words, 100, initial_indent="// ", subsequent_indent="// ",
                            break_long_words=False, break_on_hyphens=False)
    if lines[marked:last] != wrapped:
        file.write_text("\n".join(lines[:marked] + wrapped + lines[last:]) + "\n", "utf-8",
                        "surrogateescape")
        print(f"{file.relative_to(ROOT)}: written")
    return []
