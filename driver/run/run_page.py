"""The summary of a run as one web page, index.html, that contains its pictures. It is XML, too."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2

from driver.report.figures import FIGURES
from driver.run.outcomes import LabReport, Outcome, VariantReport
from driver.run.results import describe_tests
from driver.texts import read_json
from driver.timings import COLUMNS
from driver.variants import ROOT

TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml"}


@dataclass
class Wording:
    """A sign and a word besides the colour."""

    kind: str  # for the colour
    sign: str
    word: str


def _failed(word: str) -> Wording:
    return Wording("bad", "✗", word)


def _of_variant(variant: VariantReport) -> Wording:
    if variant.outcome == Outcome.OK:
        return Wording("good", "✓", variant.result)
    if variant.outcome.is_failure:
        return _failed(variant.result)
    return Wording("skipped", "–", variant.result)


def _of_lab(lab: LabReport) -> Wording:
    return Wording("good", "✓", "ok") if lab.ok else _failed(lab.status)


@dataclass
class Image:
    name: str  # of the file, without folder and extension
    heading: str  # of the figure, or else the file's name
    uri: str  # "data:image/png;base64,..."
    is_figure: bool  # drawn of lines (SVG), for any size

    @property
    def is_sheet(self) -> bool:
        """With all pictures, so it comes before them."""
        return self.is_figure or self.name == "before-after"


def _read_image(path: Path, heading: str) -> Image:
    uri = f"data:{TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
    return Image(path.stem, heading or path.stem, uri, path.suffix == ".svg")


def read_images(folder: Path) -> list[Image]:
    """Those that a browser can show, by name, but NAME-before in front of NAME-after. A figure that
    is not in FIGURES may be one half of which a stopped run has written."""
    figures = read_json(folder / FIGURES) if (folder / FIGURES).exists() else {}
    headings = {"before-after.png": "Before and after"} | {
        name: figure["heading"] for name, figure in figures.items()}
    files = [path for path in folder.glob("*") if path.name in figures
             or path.suffix in TYPES and path.suffix != ".svg"]
    files.sort(key=lambda path: (path.stem.removesuffix("before"), path.stem))
    return [_read_image(path, headings.get(path.name, "")) for path in files]


def printable(text: object) -> str:
    """Without what XML does not allow: most control characters, a terminal's colours among them."""
    return re.sub("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]", "", str(text))


def _shown(text: object) -> object:
    """No element may be empty: browsers read <td /> as the start of a cell."""
    return text if hasattr(text, "__html__") else printable(text) or "-"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT / "driver" / "templates"), autoescape=True,
        finalize=_shown, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("run.html.j2")


def as_html(run) -> str:
    return _template().render(run=run, Outcome=Outcome, of_variant=_of_variant, of_lab=_of_lab,
                              failed=_failed, describe_tests=describe_tests,
                              number_columns=COLUMNS, read_images=read_images)
