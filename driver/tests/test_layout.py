"""The figures that pages show: each text within the figure, and neither on another text nor below a
line down the figure. Widths are those of Arial, nearly.
"""

import re
import unittest
from itertools import combinations
from pathlib import Path

from driver.variants import ROOT

NARROW, WIDE, UPPER, USUAL = 0.29, 0.83, 0.67, 0.54  # of the size of the font
TEXT = re.compile(r'translate\(([-\d.]+),([-\d.]+)\)( rotate\(-?[\d.]+\))?".*?font-size="([\d.]+)"'
                  r'.*?text-anchor="(\w+)">\s*<text>(.*?)</text>', re.S)
PATH = re.compile(r"<path[^>]*?(?:stroke-dasharray='[^']*'[^>]*?)d='([^']*)'")
Box = tuple[float, float, float, float]  # left, top, right, bottom


def width_of(text: str) -> float:
    text = re.sub("&[a-z]+;", "x", text)
    return sum(NARROW if character in " .,:;|'()[]/ijltfr" else WIDE if character in "mwMW%"
               else UPPER if character.isupper() else USUAL for character in text)


def texts_of(svg: str) -> dict[Box, str]:
    """Those that are level."""
    found: dict[Box, str] = {}
    for x, y, turned, size, anchor, text in TEXT.findall(svg):
        if turned or not text.strip(" \xa0"):
            continue
        width = width_of(text) * float(size)
        left = float(x) - {"start": 0, "middle": width / 2, "end": width}[anchor]
        # `y` is the baseline. Letters are less high than a line.
        found[left, float(y) - 0.65 * float(size), left + width, float(y)] = text
    return found


def dashed_down(svg: str) -> list[Box]:
    """Pieces of dashed lines that lead straight down."""
    lines = []
    for path in PATH.findall(svg):
        for piece in path.split("M"):
            points = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", piece)]
            if len(points) == 2 and points[0][0] == points[1][0]:
                (x, one), (_, other) = points
                lines.append((x, min(one, other), x, max(one, other)))
    return lines


def meet(one: Box, other: Box, slack: float = 1.5) -> bool:
    return (min(one[2], other[2]) - max(one[0], other[0]) > (slack if one[0] != one[2] else -1e-9)
            and min(one[3], other[3]) - max(one[1], other[1]) > slack)


class LayoutTest(unittest.TestCase):
    def faults(self, file: Path) -> list[str]:
        svg = file.read_text("utf-8")
        width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
        texts = texts_of(svg)
        found = [f"cut: {text}" for box, text in texts.items()
                 if box[0] < 0 or box[2] > width or box[1] < 0 or box[3] > height]
        found += [f"on another: {texts[a]} | {texts[b]}" for a, b in combinations(texts, 2)
                  if meet(a, b)]
        found += [f"below a line: {texts[box]}" for line in dashed_down(svg) for box in texts
                  if meet(line, box)]
        return found

    def test_of_the_figures_of_pages(self) -> None:
        files = sorted(ROOT.glob("reports/*/*/*.svg"))
        if not files:
            self.skipTest("a tree for students has no reports")
        for file in files:
            with self.subTest(file=file.relative_to(ROOT)):
                self.assertEqual(self.faults(file), [])


if __name__ == "__main__":
    unittest.main()
