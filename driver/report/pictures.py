"""Pictures of what a lab does, before and after. LAB/plots/pictures.py says which: it defines
make(album), which calls the methods of an Album.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from driver.report import figures


@dataclass(frozen=True)
class Album:
    lab: str
    program: Path
    out: Path

    def picture(self, name: str, source: str, *options: str) -> None:
        """Writes the lab's output for the input `source` to out/NAME."""
        subprocess.run([self.program, "run", source, *options, "--output", self.out / name],
                       check=True, stdout=subprocess.DEVNULL)

    def sheet(self, width: int, height: int, names: Iterable[str], script: str = "pictures.gp",
              to: Path | None = None) -> None:
        """The pictures of those names on one sheet, as LAB/plots/SCRIPT lays it out."""
        folders = [self.out] if to is None else [to, self.out]
        plots = f"PLOTS = {figures.quoted(figures.PLOTS)}"
        subprocess.run(["gnuplot", "-e", plots, "-c", figures.ROOT / self.lab / "plots" / script,
                        *folders, str(width), str(height), " ".join(names)], check=True)

    def scratch(self) -> tempfile.TemporaryDirectory:
        """A folder for pictures that only a sheet shows: `with album.scratch() as folder`."""
        return tempfile.TemporaryDirectory()

    def within(self, folder: str) -> Album:
        return replace(self, out=Path(folder))


def make(lab: str, program: Path, out: Path) -> None:
    script = figures.ROOT / lab / "plots" / "pictures.py"
    if not script.exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    spec = importlib.util.spec_from_file_location("pictures_of_lab", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.make(Album(lab, program.resolve(), out.resolve()))
