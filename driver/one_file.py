"""Prints a rung, its lab's small main and all that they include as one text, for Compiler Explorer.

python3 -m driver.one_file LAB/ladder/FILE [PART...]
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGISTERED = re.compile(r"^static const Register registered\{.*?\};\n", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def found(name: str, includer: Path, lab: Path) -> Path:
    for folder in (includer.parent, lab, ROOT / "common/include"):
        if (folder / name).is_file():
            return (folder / name).resolve()
    raise SystemExit(f"{includer}: there is no {name}")


def expanded(file: Path, lab: Path, seen: set[Path]) -> list[str]:
    """The lines of the file, with each file that it includes in place of the first include."""
    lines = [f"// ---- {file.relative_to(ROOT)}"]
    for line in file.read_text(encoding="utf-8").splitlines():
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
    if not rung.is_file() or not main.is_file():
        raise SystemExit(f"{rung}: expected the file of a rung, as lab1-convolution/ladder/01_seq.cpp")
    seen: set[Path] = set()
    text = "\n".join(expanded(main, lab, seen)) + "\n"
    if rung in seen:
        raise SystemExit(f"{rung.name}, the definition, is part of {main.name}: name another rung")
    text = REGISTERED.sub("", text)  # of the definition: there is one object of that name
    for file in [*parts, rung]:
        text += "\n".join(expanded(file.resolve(), lab, seen)) + "\n"
    return text


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    print(one_file(Path(sys.argv[1]), [Path(part) for part in sys.argv[2:]]), end="")
