"""run_all.sh starter DIR: writes the tree for students. It is this tree without what the manifests
remove, and with stubs for the files of the tasks. A line of a manifest is one of

    remove GLOB      these files or folders, relative to the manifest's folder in the tree; !(NAME)
                     as a whole name: all but NAME
    stub PATH        the file from the overlay replaces the solution; below the head of a rung
                     comes the line that compiles it alone
    add PATH         the file is in the overlay only
    part PATH        without the lines from "begin solution" to "end solution", each a comment
                     alone on its line; Markdown: also without the items of lists that begin with
                     **Here**, which name solutions
    give-away REGEX  matches no line of any file in DIR, but for the folders of other labs

LAB/assignment/starter.manifest is about the lab's folder and has the overlay starter/ beside it;
grading/starter.manifest is about the whole tree. The rules for points get into the lab's folder,
and nothing else of LAB/assignment/ and grading/; of a lab's reports only the pictures; of all tests
only those of variants, as others test what is given, some of it by solutions.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from driver.folders import is_empty
from driver.tree import ROOT, assignment_of, number_of
from driver.trouble import Trouble

GRADING = Path("grading")
_FOR_TEACHERS = re.compile(r"grading/|lab[^/]*/assignment/|reports/lab[^/]*/(?!pictures/)|"
                           r"(harness|emulation)/tests/|lab[^/]*/tests/test_(?!variants\.)")
_OF_A_LAB = re.compile(r"(?:(?:reports|notebooks)/)?(lab[0-9]+-[^/.]*)")
_SOLUTION = re.compile(r"lab[^/]*/(assignment/(?!starter)|ladder/|expert/|experiments/)")
_MARK = r"^\s*(?:<!-- {0} solution -->|// {0} solution)$"
_BEGIN, _END = (re.compile(_MARK.format(word)) for word in ("begin", "end"))
_LABS = "<!-- labs -->\n"
_HEADER = (".h", ".hpp", ".cuh")
_ALONE = """/* Alone, in the folder of the lab:

{} -I../common/include -I. \\
    {} ladder/{} -o rung && ./rung
*/

"""
_COMPILERS = {".cpp": ("g++ -std=c++20 -O3 -march=native -fopenmp", "one.cpp"),
              ".cu": ("nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr", "one.cu")}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]*[./][^)#\s]*)(?:#[^)]*)?\)")


@dataclass
class Tree:
    """The tree that is about to be written."""

    root: Path
    tracked: list[str]
    added: set[str] = field(default_factory=set)
    give_aways: list[tuple[str, Path]] = field(default_factory=list)  # with the folder to look into

    def files(self) -> list[Path]:
        return sorted(file for file in self.root.rglob("*") if not file.is_dir())

    def name(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()


def write(goal: Path, labs: list[str]) -> int:
    tracked = _tracked()
    if not is_empty(goal):
        raise Trouble(f"starter: the folder '{goal}' is not empty")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Tree(Path(scratch), tracked)
        _copy(tree, labs)
        for lab in labs:
            _apply(tree, assignment_of(lab), tree.root / lab)
            _write_rules(tree, lab)
        _apply(tree, GRADING, tree.root)
        _list_labs(tree, labs)
        for page in tree.root.rglob("*.md"):
            _unlink_missing(page)
        _remove_empty_folders(tree.root)
        _refuse_give_aways(tree)
        _refuse_others(tree)
        _refuse_solutions(tree)
        try:
            shutil.copytree(tree.root, goal, dirs_exist_ok=True)
        except (OSError, shutil.Error) as error:
            raise Trouble(f"starter: could not write all of '{goal}': {error}") from error
        print(f"{' '.join(labs)}: {len(tree.files())} files in {goal}")
    return 0


def write_headers(lab: str, goal: Path) -> None:
    """What a variant of the lab may include in grading: the headers that students have, at their
    places."""
    shutil.rmtree(goal, ignore_errors=True)
    for part in ("common/include", "emulation/include"):
        shutil.copytree(ROOT / part, goal / part)
    _write_of_lab(lab, goal, _is_header)


def write_variants(lab: str, goal: Path) -> None:
    """The variants of the lab that students have, stubs among them."""
    _write_of_lab(lab, goal, re.compile(r"(ladder|expert|experiments)/.*\.(cpp|cu)$").match)


def _write_of_lab(lab: str, goal: Path, is_wanted: Callable[[str], object]) -> None:
    for file in (ROOT / lab).rglob("*"):
        name = file.relative_to(ROOT / lab).as_posix()
        if file.is_file() and is_wanted(name):
            _put(file, goal / lab / name)
    for place, folder in ((assignment_of(lab), goal / lab), (GRADING, goal)):
        for word, path in _lines_of(place):
            if word == "remove":
                for found in list(_matching(folder, path.split("/"))):
                    shutil.rmtree(found) if found.is_dir() else found.unlink()
            elif word == "part" and (folder / path).exists():
                _leave_out_part(folder / path)
            elif word in ("stub", "add") and is_wanted(path):
                _put(ROOT / place / "starter" / path, folder / path)


def _is_header(name: str) -> bool:
    """Of a lab, in whose tests nothing is for variants."""
    return name.endswith(_HEADER) and not name.startswith(("tests/", "assignment/"))


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True,
                          env={**os.environ, "LC_ALL": "C"})


def _tracked() -> list[str]:
    """The files that git tracks in the clone of the driver: what is not committed, such as hand-ins
    and grades, stays out."""
    if not shutil.which("git"):
        raise Trouble("starter: missing: git; to install it: apt-get install git")
    for name in _git("rev-parse", "--local-env-vars").stdout.decode().split():
        os.environ.pop(name, None)  # in a hook, they name another repository
    listed = _git("ls-files", "-z", "--error-unmatch", "run_all.sh", ".")
    if listed.returncode == 0:
        return sorted(set(listed.stdout.decode().split("\0")) - {""})
    if (ROOT / ".git").exists() and ROOT.stat().st_uid != os.geteuid():
        raise Trouble("starter: git does not list the files of a clone that another user owns;"
                      f" to allow it: git config --global --add safe.directory '{ROOT}'")
    reason = listed.stderr.decode().partition("\n")[0].partition(": ")[2]
    raise Trouble("starter: only files that git tracks are handed out, and git lists none in"
                  f" '{ROOT}' ({reason}); run it in a clone of the repository")


def _copy(tree: Tree, labs: list[str]) -> None:
    """The files that the manifests apply to: nothing for teachers, and of labs the chosen ones."""
    for name in tree.tracked:
        file, of_lab = ROOT / name, _OF_A_LAB.match(name)
        if _FOR_TEACHERS.match(name) or of_lab and of_lab[1] not in labs or not file.exists():
            continue
        if file.is_symlink() or not file.is_file():
            raise Trouble(f"starter: '{name}' is not a plain file")
        _put(file, tree.root / name)


def _put(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, to)


def _apply(tree: Tree, place: Path, folder: Path) -> None:
    """A line that has no effect is an error, so that manifests stay true."""
    manifest, overlay = place / "starter.manifest", place / "starter"
    if not (ROOT / manifest).exists():
        raise Trouble(f"starter: there is no {manifest}, so {folder.name} cannot be handed out")
    for word, path in _lines_of(place):
        try:
            if word == "give-away":
                tree.give_aways.append((path, folder))
            elif word in ("stub", "add"):
                _overlay(tree, ROOT / overlay / path, folder / path, replaces=word == "stub")
            elif word == "part":
                _leave_out_part(folder / path)
            elif word == "remove":
                _remove(folder, path)
            else:
                raise Trouble("unknown word")
        except Trouble as trouble:
            raise Trouble(f"starter: {manifest}: {word} {path}: {trouble}") from trouble


def _lines_of(place: Path) -> list[tuple[str, str]]:
    """Words and paths."""
    text = (ROOT / place / "starter.manifest").read_text("utf-8")
    lines = [line.partition(" ") for line in text.splitlines() if not line.startswith("#")]
    return [(word, path) for word, _, path in lines if word]


def _overlay(tree: Tree, file: Path, to: Path, replaces: bool) -> None:
    if not file.is_file():
        raise Trouble(f"there is no {file.relative_to(ROOT)}")
    if to.exists() != replaces:
        raise Trouble("no such file" if replaces else "the file is there; use 'stub'")
    _put(file, to)
    tree.added.add(tree.name(to))
    if to.parent.name == "ladder" and to.suffix in _COMPILERS and "_mpi_" not in to.name:
        head, _, rest = to.read_text("utf-8").partition("\n\n")
        command = _ALONE.format(*_COMPILERS[to.suffix], to.name)
        to.write_text(f"{head}\n\n{command}{rest}", "utf-8")


def _remove(folder: Path, pattern: str) -> None:
    found = list(_matching(folder, pattern.split("/")))
    if not found:
        raise Trouble("no such file")
    for path in found:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _matching(folder: Path, parts: list[str]):
    """The paths that a pattern names; !(NAME) is all but NAME."""
    first, *rest = parts
    if first.startswith("!("):
        found = [path for path in folder.iterdir() if path.name != first[2:-1]]
    else:
        found = list(folder.glob(first))
    for path in found:
        if not rest:
            yield path
        elif path.is_dir():
            yield from _matching(path, rest)


def _leave_out_part(file: Path) -> None:
    if not file.is_file():
        raise Trouble("no such file")
    text = file.read_text("utf-8")
    kept, inside, here = [], False, False
    for line in text.splitlines(keepends=True):
        if _BEGIN.match(line) or _END.match(line):
            if inside == bool(_BEGIN.match(line)):
                raise Trouble("not every 'begin solution' has its 'end solution'")
            inside = not inside
            continue
        if line.startswith("- ") or not line.strip():
            here = file.suffix == ".md" and line.startswith("- **Here**")
        if not inside and not here:
            kept.append(line)
    if inside:
        raise Trouble("not every 'begin solution' has its 'end solution'")
    if "".join(kept) == text:
        raise Trouble("nothing in it is marked as a part")
    file.write_text("".join(kept), "utf-8")


def _write_rules(tree: Tree, lab: str) -> None:
    """The rules with the tests that students see, and no right answers."""
    rules = json.loads((ROOT / assignment_of(lab) / "points.json").read_text("utf-8"))
    rules = {key: rules[key] for key in ("lab", "tasks")}
    for task in rules["tasks"]:
        if "tests" in task:
            task["tests"] = [test for test in task["tests"] if test.get("visible") is not False]
    to = tree.root / lab / "points.json"
    tree.added.add(tree.name(to))
    to.write_text(json.dumps(rules, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _list_labs(tree: Tree, labs: list[str]) -> None:
    """The rows of the README's table of labs."""
    rows = ""
    for lab in labs:
        about = json.loads((ROOT / assignment_of(lab) / "about.json").read_text("utf-8"))
        number = number_of(lab).removeprefix("lab")
        rows += f"| {number} [{about['name']}]({lab}/README.md) | {about['algorithm']} |\n"
    page = tree.root / "README.md"
    page.write_text(page.read_text("utf-8").replace(_LABS, rows), "utf-8")


def _unlink_missing(page: Path) -> None:
    """Links to what is not in the tree become plain text; pictures go."""
    def replace(link: re.Match) -> str:
        picture, text, to = link.groups()
        if (page.parent / to).exists() or re.match(r"\w+:", to):
            return link[0]
        return "" if picture else text
    page.write_text(_LINK.sub(replace, page.read_text("utf-8")), "utf-8")


def _remove_empty_folders(root: Path) -> None:
    for folder, _, _ in os.walk(root, topdown=False):
        if not os.listdir(folder):
            os.rmdir(folder)


def _refuse_give_aways(tree: Tree) -> None:
    """No file in the folder of a manifest may match, nor one that belongs to no lab."""
    texts = {}
    for file in tree.files():
        data = file.read_bytes()
        if b"\0" not in data:
            texts[file] = data.decode("utf-8", "replace")
    for expression, folder in tree.give_aways:
        pattern = re.compile(expression, re.MULTILINE)
        for file, text in texts.items():
            ours = file.is_relative_to(folder) or not _OF_A_LAB.match(tree.name(file))
            if ours and (found := pattern.search(text)):
                line = text.count("\n", 0, found.start())
                raise Trouble(f"starter: gives a solution away ({expression}): {tree.name(file)}:"
                              f"{line + 1}:{text.splitlines()[line]}")


def _refuse_others(tree: Tree) -> None:
    """No file but those that git tracks or a manifest adds."""
    others = {tree.name(file) for file in tree.files()} - set(tree.tracked) - tree.added
    if others:
        raise Trouble("starter: neither tracked by git nor added by a manifest: "
                      + " ".join(sorted(others)))


def _refuse_solutions(tree: Tree) -> None:
    """No solution under another name."""
    def digest(file: Path) -> bytes:
        return hashlib.sha256(file.read_bytes()).digest()
    written = {tree.name(file): digest(file) for file in tree.files()}
    solutions = set()
    for name in filter(_SOLUTION.match, tree.tracked):
        file = ROOT / name
        if file.exists() and file.stat().st_size and digest(file) != written.get(name):
            solutions.add(digest(file))
    for name, found in written.items():
        if found in solutions:
            raise Trouble(f"starter: the file of a solution under another name: {name}")


if __name__ == "__main__":
    write_headers(sys.argv[1], Path(sys.argv[2]))
