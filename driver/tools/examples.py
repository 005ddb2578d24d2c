"""Examples that lead from a mistake to a fix by `run --explain`: docs/explain-fixes.md.

    python3 -m driver.tools.examples [--check] BUILD

BUILD has the labs with emulated kernels, as build-all/ of `run_all.sh`. Runs the commands of each
lab whose assignment/about.json has an `example`, and writes docs/explain/LAB.md, which
`./run_all.sh figures` puts into the page, and the drawings beside it. --check writes nothing: exit
code 1 if one of them is out of date.
"""

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from driver.texts import read_json
from driver.tree import ROOT, all_labs, assignment_of
from driver.trouble import ended

FOLDER = ROOT / "docs/explain"


@dataclass(frozen=True)
class Example:
    lab: str
    program: str
    input: str
    mistake: str
    fix: str
    output: str = "out.png"

    def explain(self, *more: str) -> str:
        """The command without the folder of the build."""
        return " ".join([f"{self.lab}/{self.program} run {self.input} --output {self.output}"
                         " --explain --variant", *more])


def examples_in(build: Path) -> list[Example]:
    found = []
    for lab in all_labs():
        about = ROOT / assignment_of(lab) / "about.json"
        if example := read_json(about).get("example") if about.exists() else None:
            found.append(Example(lab, read_json(build / lab / "facts.json")["program"], **example))
    return found


def run(build: Path, command: str, folder: Path) -> str:
    done = subprocess.run([str(build / command.split()[0]), *command.split()[1:]], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def block(command: str, said: str) -> str:
    return f"```\nbuild/{command}\n\n{said.strip()}\n```\n"


def first_kernel(said: str) -> str:
    """Of what `run --explain` prints: the table of the first kernel, and the sentences on its lines
    whose numbers are far from the ideal."""
    kernel = "kernel " + said.split("\nkernel ")[1]
    paragraphs = [part for part in kernel.split("\n\n")
                  if not part.startswith(("arithmetic", "picture", "l1tex__", "smsp__"))]
    return "\n\n".join(paragraphs)


def texts_of(example: Example, build: Path, folder: Path) -> dict[str, str]:
    """The files of an example by name."""
    number = example.lab.partition("-")[0]
    texts = {}
    for word, variant in (("mistake", example.mistake), ("fix", example.fix)):
        said = run(build, example.explain(variant), folder)
        texts[f"{number}-{word}.md"] = block(example.explain(variant), first_kernel(said))
        texts[f"{number}-{word}.svg"] = (folder / f"explain_{variant}.svg").read_text("utf-8")
    command = example.explain(example.fix, "--against", example.mistake)
    texts[f"{number}-beside.md"] = block(command, run(build, command, folder))
    return texts


def main() -> int:
    parser = argparse.ArgumentParser("driver.tools.examples")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("build", type=Path)
    given = parser.parse_args()
    stale = []
    for example in examples_in(given.build):
        with tempfile.TemporaryDirectory() as folder:
            texts = texts_of(example, given.build.resolve(), Path(folder))
        for name, text in texts.items():
            file = FOLDER / name
            if file.exists() and file.read_text("utf-8") == text:
                continue
            stale.append(str(file.relative_to(ROOT)))
            if not given.check:
                FOLDER.mkdir(exist_ok=True)
                file.write_text(text, "utf-8")
    print("\n".join(f"{name}: {'out of date' if given.check else 'written'}" for name in stale)
          or "all examples are up to date")
    return 1 if given.check and stale else 0


if __name__ == "__main__":
    sys.exit(ended("examples", main))
