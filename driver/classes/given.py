"""The files that students have, as the compiler sees them: headers, stubs, and other variants."""

import re
import subprocess
import tempfile
from pathlib import Path

from driver.classes.handin import lab_folder, task_files
from driver.classes.task import Run, end_with_parent
from driver.classes.tokens import body, runs, statements
from driver.tools import starter

AT_ONCE = 16  # files that are taken of one folder
USUAL = ("bits/stdc++.h", "omp.h", "immintrin.h", "pthread.h", "unistd.h")
LEAST_PERCENT = 97  # of one file in the other, by which one of them is the other


def preprocess(run: Run, submission: Path, to: Path) -> str:
    """Which files are graded and could not be preprocessed, and why: a line for each."""
    done = subprocess.run([run.grade, "preprocess", submission, "--lab", run.lab, "--out", to],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          preexec_fn=end_with_parent)
    if done.returncode != 0 and not done.stdout:
        return f"exit code {done.returncode}\n"
    return done.stdout


class Given:
    def __init__(self, run: Run, folder: Path) -> None:
        lab = lab_folder(run.lab).name
        with tempfile.TemporaryDirectory() as scratch:
            api = Path(scratch, "api")
            starter.write_headers(lab, api)
            roots = [api / "common/include", api / "emulation/include", api / lab]
            headers = [*USUAL, *(file.relative_to(root).as_posix() for root in roots
                                 for file in sorted(root.rglob("*")) if file.is_file())]
            texts = {f"{header} {extension}": (f"#include <{header}>\n", extension)
                     for header in headers for extension in ("cpp", "cu")
                     if header in USUAL or (extension == "cu") == header.startswith("cu")
                     or header.endswith(".cuh")}
            starter.write_variants(lab, api)
            variants = [file.relative_to(api / lab).as_posix() for file in sorted(api.rglob("*.c*"))
                        if file.suffix in (".cpp", ".cu")]
            texts |= {name: ((api / lab / name).read_text("utf-8"), name.rpartition(".")[2])
                      for name in variants}
            found = _preprocessed(run, texts, Path(scratch), folder)
        self._of_headers = {""}  # alone, a bracket proves nothing
        self._of_headers.update(body(statement) for name in set(found) - set(variants)
                                for statement in found[name])
        self._of_stubs: set[str] = set()
        self._runs = {}  # of the variants
        for name in variants:
            own = self.without_headers(found.get(name, []))
            if name in task_files(run.lab):
                self._of_stubs.update(map(body, own))
            if not any("NotDoneYet" in statement for statement in own):  # a stub without a solution
                self._runs[name] = set(runs(" ".join(own).split()))

    def without_headers(self, found: list[str]) -> list[str]:
        return [statement for statement in found if body(statement) not in self._of_headers]

    def without_stubs(self, found: list[str]) -> list[str]:
        return [statement for statement in found if body(statement) not in self._of_stubs]

    def same(self, name: str, own: list[str]) -> list[str]:
        """The given files that a file is, or has in it, unless they have the same name."""
        mine = set(runs(" ".join(own).split()))
        return [given for given, other in self._runs.items()
                if _variant(given) != _variant(name) and mine and other
                and 100 * len(mine & other) >= LEAST_PERCENT * min(len(mine), len(other))]


def _variant(file: str) -> str:
    return re.sub(r"^\d+_", "", file.rpartition("/")[2])


def _preprocessed(run: Run, texts: dict[str, tuple[str, str]], scratch: Path,
                  to: Path) -> dict[str, list[str]]:
    """The statements of texts with their extensions, by name; without those that failed."""
    files = {}
    for number, (name, (text, extension)) in enumerate(texts.items()):
        part = f"{number // AT_ONCE}"
        file = f"{'cuda' if extension == 'cu' else 'omp'}_n{number}.{extension}"
        (scratch / part).mkdir(exist_ok=True)
        (scratch / part / file).write_text(text, "utf-8")
        files[name] = to / part / file
    for part in sorted({file.parent.name for file in files.values()}):
        preprocess(run, scratch / part, to / part)
    return {name: statements(file) for name, file in files.items() if file.exists()}
