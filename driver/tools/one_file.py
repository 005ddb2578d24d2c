"""Prints a rung, its lab's small main and all that they need as one text, for Compiler Explorer:
what they include, and parts/NAME.cpp where they include parts/NAME.hpp.

python3 -m driver.tools.one_file LAB/ladder/FILE [PART...]
"""

import re
import sys
from pathlib import Path

from driver.texts import read_text
from driver.trouble import Trouble, ended
from driver.variants import ROOT

REGISTERED = re.compile(r"^static const Register registered\{.*?\};\n", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def found(name: str, includer: Path, lab: Path) -> Path:
    for folder in (includer.parent, lab, ROOT / "common/include"):
        file = (folder / name).resolve()
        if file.is_file() and file.is_relative_to(ROOT):
            return file
    raise Trouble(f"{includer}: there is no {name}")


def expanded(file: Path, lab: Path, seen: set[Path]) -> list[str]:
    """The lines of the file, with each file that it includes in place of the first include."""
    lines = [f"// ---- {file.relative_to(ROOT)}"]
    for line in read_text(file).splitlines():
        match = INCLUDE.match(line)
        if match is None:
            if line.strip() != "#pragma once":
                lines.append(line)
            continue
        target = found(match[1], file, lab)
        if target not in seen:
            seen.add(target)
            lines += expanded(target, lab, seen)
    return lines


def one_file(rung: Path, parts: list[Path]) -> str:
    rung = rung.resolve()
    lab = rung.parent.parent
    main = lab / ("one.cu" if rung.suffix == ".cu" else "one.cpp")
    for file in (rung, *parts):
        if not file.is_file() or not main.is_file():
            raise Trouble(f"{file}: expected the file of a rung, as "
                          "labN-name/ladder/02_omp_rows.cpp")
    seen: set[Path] = set()
    text = "\n".join(expanded(main, lab, seen)) + "\n"
    if rung in seen:
        raise Trouble(f"{rung.name}, the definition, is part of {main.name}: name another rung")
    text = REGISTERED.sub("", text)  # of the definition: there is one object of that name
    waiting = [*(part.resolve() for part in parts), rung]
    for file in waiting:  # which grows
        if file not in seen:
            seen.add(file)
            text += "\n".join(expanded(file, lab, seen)) + "\n"
        waiting += [source for header in sorted(seen) if header.parent.name == "parts"
                    and (source := header.with_suffix(".cpp")).is_file()
                    and source not in waiting]
    return text


def main(words: list[str]) -> int:
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    print(one_file(Path(words[0]), [Path(part) for part in words[1:]]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(ended("one_file", lambda: main(sys.argv[1:])))
