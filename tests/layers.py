#!/usr/bin/env python3
"""No include and no import of the driver leads upwards, and namespaces match folders: ARCHITECTURE.md
draws the layers, `BELOW`, `ROOMS` and `NAMESPACES` list them.

Prints each one that does not. Exit code: 0 there is none, 1 there are some.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# For each layer, those that its files may include besides themselves. The emulation takes the place
# of the CUDA toolkit, so it is below all others.
BELOW = {
    "emulation": set(),
    "common": {"emulation"},
    "harness": {"emulation", "common"},
    "problem": {"emulation", "common", "harness"},
    "variants": {"emulation", "common", "problem"},
    "lab": {"emulation", "common", "harness", "problem", "variants"},
    "grading": {"emulation", "common", "harness", "problem", "lab"},
}
# The same for the driver. Its base is the modules that lie in driver/ itself, but the command line.
ROOMS = {
    "base": set(),
    "report": {"base"},
    "tools": {"base"},
    "run": {"base", "report", "tools"},
    "classes": {"base", "tools", "run"},
    "__main__": {"base", "report", "tools", "run"},
}
VARIANTS = {"ladder", "expert", "experiments", "libraries"}
TESTS = {"tests", "testing"}  # they are in no layer
# The namespaces that files of a layer may open: its own, those of the headers for which the emulation
# stands in, and one for a declaration. A lab has one of its own.
NAMESPACES = {
    "emulation": {"emulation", "cooperative_groups", "cuda"},
    "common": {"common"},
    "harness": {"harness", "CLI"},
    "grading": {"grading"},
}
NAMESPACE = re.compile(r"^(?:inline )?namespace (\w+)[\w:]* \{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


def tracked(*patterns):
    names = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    return [Path(name) for name in names if name]


def is_lab(path):
    return re.fullmatch(r"lab\d+-.*", path.parts[0]) is not None


def layer(path):
    """The layer of a file; tests, and files for students and for the key, have none."""
    parts = path.parts
    if TESTS & set(parts[:-1]) or parts[0] == "tests":
        return None
    if is_lab(path):
        folder = parts[1] if len(parts) > 2 else ""
        if folder == "assignment":
            return "grading" if len(parts) == 3 else None
        return "variants" if folder in VARIANTS else "problem" if folder == "problem" else "lab"
    if parts[0] == "grading":
        return "grading" if parts[1] == "src" else None
    return parts[0] if parts[0] in BELOW else None


def foreign_namespaces(path, own, text):
    opened = set(NAMESPACE.findall(text))
    of_a_lab = is_lab(path) and own != "grading"
    return opened & set(NAMESPACES) if of_a_lab else opened - NAMESPACES[own]


def suffixes(path):
    """The names under which a file can be included: the ends of its path."""
    return ["/".join(path.parts[i:]) for i in range(len(path.parts))]


def imported(file):
    """The modules of the driver that a file imports, as driver.run.build."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def room(module):
    parts = module.split(".")
    return parts[1] if parts[1] in ROOMS else "base"


def imports_upwards():
    faults = checked = 0
    for path in tracked("driver/*.py"):
        own = room(".".join(path.with_suffix("").parts))
        if path.parts[1] in TESTS:
            continue
        for module in imported(ROOT / path):
            if module.startswith("driver."):
                checked += 1
                if room(module) not in {own, *ROOMS[own]}:
                    print(f"{path}: imports {module}, which is not below driver's {own}")
                    faults += 1
    if not checked:
        sys.exit("layers.py: no import of the driver was found; is this the repository?")
    return faults


def main():
    files = tracked("*.cpp", "*.hpp", "*.cu", "*.cuh", "*.h")
    by_suffix = {}
    for path in files:
        for name in suffixes(path):
            by_suffix.setdefault(name, []).append(path)
    faults, checked = imports_upwards(), 0
    for path in files:
        own = layer(path)
        if own is None:
            continue
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        for name in foreign_namespaces(path, own, text):
            print(f"{path}: opens the namespace {name}, which is not that of its folder")
            faults += 1
        for name in INCLUDE.findall(text):
            found = by_suffix.get(re.sub(r"^(\.\./)+", "", name), [])
            beside = path.parent / name
            same_lab = [f for f in found if f.parts[0] == path.parts[0]]
            targets = [beside] if beside in found else same_lab or found
            for target in targets[:1]:
                checked += 1
                other = layer(target)
                lab_to_lab = is_lab(path) and is_lab(target) and path.parts[0] != target.parts[0]
                if lab_to_lab or (other != own and other not in BELOW[own]):
                    print(f"{path}: includes {name} of {target.parent}, which is not below it")
                    faults += 1
    if checked < len(files):
        sys.exit("layers.py: hardly any include was found; is this the repository?")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
