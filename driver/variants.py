"""The variants of a lab, from the names of their files: the rule is in name_of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from driver.texts import read_text
from driver.trouble import ROOT

PLACES = ("ladder/*", "expert/*/*", "experiments/*", "libraries/*")


@dataclass(frozen=True)
class Variant:
    name: str
    idea: str
    file: Path  # from the root


def name_of(file: Path) -> str:
    """ladder/07_omp_simd.cpp has omp_simd, libraries/npp.cpp has peer_npp, a part of one has ''."""
    name = file.name.split(".")[0]
    if file.parent.name == "libraries":
        return "peer_" + name
    name = re.sub(r"^\d+_", "", name)
    return name if re.match(r"(seq|omp|cuda|mpi|peer)(_|$)", name) else ""


def listed(lab: str) -> list[Variant]:
    """In reading order: the ladder by number, the expert variants, those that only experiments
    have, the libraries, those with MPI.
    """
    files = [file for place in PLACES for file in sorted((ROOT / lab).glob(place))
             if file.suffix in (".cpp", ".cu") and name_of(file)]
    files.sort(key=lambda file: name_of(file).startswith("mpi_"))
    return [Variant(name_of(file), _idea(file), file.relative_to(ROOT)) for file in files]


def _idea(file: Path) -> str:
    found = re.search(r'\.idea = "([^"]*)"', read_text(file))
    return found[1] if found else ""
