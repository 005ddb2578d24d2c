"""The labs of this tree, by their numbers and names."""

import re
from pathlib import Path

from driver import variants
from driver.trouble import ROOT, Trouble


def all_labs() -> list[str]:
    """The names of the labs' folders."""
    return sorted(file.parent.name for file in ROOT.glob("lab*/CMakeLists.txt"))


def is_of_a_lab_that_is_gone(path: str) -> bool:
    """Of a file, from the root: somebody may have taken a lab away, but not its reports."""
    lab = re.match(r"(?:reports/)?(lab\d+-[^/]*)", path)
    return lab is not None and lab[1] not in all_labs()


def number_of(lab: str) -> str:
    """lab5 of lab5-threshold."""
    return lab.partition("-")[0]


def assignment_of(lab: str) -> Path:
    """The folder with points, starter and key of the lab in this folder; students do not have it."""
    return Path(lab) / "assignment"


def rules_of(lab: str) -> Path:
    """The rules for points, which a lab may lack. Students have them in the lab's folder."""
    rules = Path(lab) / "points.json"
    return rules if (ROOT / rules).exists() else assignment_of(lab) / "points.json"


def lab_numbered(number: str) -> str:
    """The lab's folder."""
    found = [lab for lab in all_labs() if number_of(lab) == f"lab{number}"]
    if len(found) != 1:
        raise Trouble(f"--lab: there is no lab {number}")
    return found[0]


def choose(numbers: str) -> list[str]:
    """The labs with these numbers, such as 1,3."""
    known = all_labs()
    chosen = []
    for number in re.split(r"[ ,]+", numbers.strip(" ,")):
        found = [lab for lab in known if number_of(lab) == f"lab{number}"]
        if len(found) != 1:
            raise Trouble(f"--labs: there is no lab '{number}'; there are: {' '.join(known)}")
        chosen += found
    return chosen


def check_variant(lab: str, variant: str) -> None:
    """Raises Trouble if the lab has not exactly one file of this variant."""
    listed = variants.listed(lab)
    files = [str(one.file) for one in listed if one.name == variant]
    if not files:
        names = " ".join(one.name for one in listed)
        raise Trouble(f"{lab} has no file of a variant '{variant}'; there are: {names}")
    if len(files) > 1:
        raise Trouble(f"{lab} has several files of the variant '{variant}': {' '.join(files)}")
