"""`./run_all.sh new-lab lab5-threshold`: writes the smallest whole lab (docs/new-lab.md).

The templates in driver/templates/newlab/ lie as their files will lie in the lab's folder, with .j2
at the end. @{…}@ in a text stands for what `facts` lists. Nothing else is written.
"""

import re
import shutil
import subprocess
from pathlib import Path

import jinja2

from driver.trouble import Trouble
from driver.variants import ROOT

TEMPLATES = ROOT / "driver/templates/newlab"
TAKEN = {"common", "grading", "harness", "oracle", "std", "testing", "cv", "fmt"}


def facts(name: str) -> dict[str, str]:
    match = re.fullmatch(r"lab([1-9][0-9]?)-([a-z][a-z0-9]*(?:-[a-z0-9]+)*)", name)
    if match is None:
        raise Trouble(f"new-lab: '{name}': expected a number and a word or more, as lab5-threshold")
    words = match[2].split("-")
    space = "_".join(words)
    if space in TAKEN:
        raise Trouble(f"new-lab: '{name}': {space} is the name of another part; use another word")
    return {
        "folder": name,
        "number": match[1],
        "program": space,
        "space": f"{space}_lab" if len(words) == 1 else space,
        "suite": "".join(word.capitalize() for word in words) + "Test",
        "title": " ".join(words),
    }


def refuse_existing(known: dict[str, str]) -> None:
    for folder in ROOT.glob(f"lab{known['number']}-*"):
        raise Trouble(f"new-lab: there is a lab {known['number']} already: {folder.name}")


def target_of(template: Path, known: dict[str, str]) -> Path:
    return ROOT / known["folder"] / template.relative_to(TEMPLATES).with_suffix("")


def written(known: dict[str, str]) -> list[Path]:
    """Writes all files, and returns their paths."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        variable_start_string="@{",
        variable_end_string="}@",
        block_start_string="@%",
        block_end_string="%@",
        comment_start_string="@#",
        comment_end_string="#@",
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    texts = {}
    for template in sorted(TEMPLATES.rglob("*.j2")):
        name = template.relative_to(TEMPLATES).as_posix()
        texts[target_of(template, known)] = environment.get_template(name).render(known)
    for target in texts:
        if target.exists():
            raise Trouble(f"new-lab: {target.relative_to(ROOT)} exists already")
    for target, text in texts.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    if shutil.which("clang-format"):  # a line may break elsewhere with another name in it
        sources = [str(file) for file in texts if file.suffix in (".cpp", ".cu", ".hpp")]
        subprocess.run(["clang-format", "-i", *sources], check=True)
    return sorted(texts)


def new_lab(name: str) -> int:
    known = facts(name)
    refuse_existing(known)
    files = written(known)
    print(f"{len(files)} files in {name}/. Next:")
    print(f"  git add {name}    # only tracked files are handed out")
    print(f"  ./run_all.sh --labs {known['number']}")
    print("docs/new-lab.md tells where to write what.")
    return 0
