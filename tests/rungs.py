#!/usr/bin/env python3
"""Each rung by its one line: compiles one.cpp or one.cu of a lab with the file of each rung, and
runs the program where the machine can.

rungs.py [--lab N] [-O 1] [--arch ARCHITECTURE] [--kernels-turn K/N] [--mistakes-turn K/N]
         [--write-samples] [NAME...]

NAMEs (02_omp_rows, say) choose rungs; --kernels-turn 0/4 takes every fourth of those with kernels.
A rung with a kernel is compiled where nvcc is, and run where a GPU answers. --mistakes-turn 0/8
takes every eighth of the known mistakes (assignment/mistakes.py) of rungs without kernels: the
program has
to say WRONG, or to crash. Races are left out, which may give right values. With lab 1's 02_omp_rows,
the lines that docs/one-file.md shows are compared with those of the rung, of the rung with a
mistake, and of its stub: times and sizes of other machines may differ, words may not.
--write-samples writes them there. Exit code: 0 all rungs that could be tried are right, and all
mistakes wrong; 1 one is not; 2 bad usage; 77 none could be tried.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mistakes
from mistakes import Case

ROOT = Path(__file__).resolve().parent.parent
INCLUDES = ["-I../common/include", "-I."]
# A header of functions that are in a file beside it, which a rung needs as its handout says.
PART = re.compile(r'^#include "(ladder/parts/\w+)\.hpp"$', re.MULTILINE)
UNAVAILABLE = 77
SAMPLES_OF = ROOT / "lab1-convolution/ladder/02_omp_rows.cpp"
SAMPLES_IN = ROOT / "docs/one-file.md"
SAMPLES = re.compile(r"(?m)(?:^    omp_rows: .*\n)+")
STUB = ROOT / "lab1-convolution/assignment/starter/ladder/02_omp_rows.cpp"
MISTAKE = ("mask.at(i + k, j + k)", "mask.at(i + k, k)")


def find_nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def gpu_answers() -> bool:
    if shutil.which("nvidia-smi") is None:
        return False
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).returncode == 0


def wrapped(compiler: list[str]) -> list[str]:
    """With ccache, if the caller's builds use it."""
    return [*filter(None, [os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")]), *compiler]


class Rung:
    """The file of a rung, its lab's folder, and what its line holds."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lab = file.parent.parent
        self.on_gpu = file.suffix == ".cu"
        parts = [f"{part}.cpp" for part in PART.findall(file.read_text("utf-8"))]
        self.parts = [part for part in parts if (self.lab / part).exists()]

    @property
    def name(self) -> str:
        return f"{self.lab.name}/{self.file.stem}"

    def sources(self) -> list[str]:
        main = "one.cu" if self.on_gpu else "one.cpp"
        return [main, f"ladder/{self.file.name}", *self.parts]


class Mistake(Rung):
    """A rung with a known mistake, in a file of its own."""

    def __init__(self, rung: Rung, case: Case, file: Path) -> None:
        super().__init__(rung.file)
        self.cause = case.cause
        self.edited = file
        file.parent.mkdir(parents=True)
        file.write_text(case.applied_to(rung.file.read_text("utf-8")), "utf-8")

    @property
    def name(self) -> str:
        return f"{super().name} with the mistake '{self.cause}'"

    def sources(self) -> list[str]:
        return ["one.cpp", str(self.edited), *self.parts]


def compile_command(rung: Rung, options: argparse.Namespace) -> list[str]:
    if rung.on_gpu:
        flags = ["-std=c++20", f"-O{options.level}", f"-arch={options.arch}"]
        return [find_nvcc() or "nvcc", *flags, "--expt-relaxed-constexpr"]
    flags = ["-std=c++20", f"-O{options.level}", "-march=native", "-fopenmp", "-Wall", "-Wextra"]
    return wrapped(["g++", *flags])


def said_by(command: list[str], folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout.strip()


def compile_parts(rung: Rung, options: argparse.Namespace, work: Path) -> tuple[int, str, Path]:
    """Object by object, so that ccache and the rungs of a lab share those of one.cpp."""
    command = compile_command(rung, options)
    objects = []
    for source in rung.sources():
        target = work / rung.lab.name / (source.removeprefix(str(work)).replace("/", "_") + ".o")
        target.parent.mkdir(exist_ok=True)
        objects.append(str(target))
        if target.exists():
            continue
        code, text = said_by([*command, *INCLUDES, "-c", source, "-o", str(target)], rung.lab)
        if code != 0 or ("warning" in text and not isinstance(rung, Mistake)):
            return code or 1, text, target
    program = Path(objects[1]).with_suffix("")
    code, text = said_by([*command, *objects, "-o", str(program)], rung.lab)
    return code, text, program


def tried(rung: Rung, options: argparse.Namespace, work: Path) -> tuple[str, str]:
    """The outcome (right, compiled, not tried, FAILED), and what was said."""
    if rung.on_gpu and find_nvcc() is None:
        return "not tried", "no nvcc was found"
    code, text, program = compile_parts(rung, options, work)
    if code != 0:
        return "FAILED", text
    if rung.on_gpu and not options.gpu:
        return "compiled", "no GPU answers"
    return "compiled", str(program)


def run_program(program: str, rung: Rung) -> tuple[str, str]:
    code, text = said_by([program], rung.lab)
    if isinstance(rung, Mistake):
        found = code < 0 or (code == 1 and "WRONG" in text)
        return ("mistake found" if found else "FAILED"), f"{text} (exit code {code})"
    if code == 0:
        return "right", text
    return ("not tried" if code == UNAVAILABLE else "FAILED"), f"{text} (exit code {code})"


def sample_lines(options: argparse.Namespace, work: Path) -> str:
    """What the page shows: a rung that is right, one that is wrong, and one not begun."""
    solution = SAMPLES_OF.read_text("utf-8")
    wrong = solution.replace(*MISTAKE)
    if wrong == solution:
        raise SystemExit(f"{SAMPLES_OF.name} has no '{MISTAKE[0]}' any more")
    lines = ""
    for text in (solution, wrong, STUB.read_text("utf-8")):
        file = work / SAMPLES_OF.name
        file.write_text(text, "utf-8")
        program = str(work / "sample")
        command = [*compile_command(Rung(SAMPLES_OF), options), *INCLUDES, "one.cpp", str(file)]
        code, said = said_by([*command, "-o", program], SAMPLES_OF.parents[1])
        lines += f"    {said_by([program], work)[1] if code == 0 else said}\n"
    return lines


def form_of(lines: str) -> str:
    """Without the times; the WRONG line has none."""
    return re.sub(r"[0-9.]+ (ms|times)", r"# \1", lines)


def samples_are_true(options: argparse.Namespace, work: Path) -> bool:
    page = SAMPLES_IN.read_text("utf-8")
    shown, lines = SAMPLES.search(page), sample_lines(options, work)
    if options.write_samples:
        SAMPLES_IN.write_text(SAMPLES.sub(lambda _: lines, page), "utf-8")
        return True
    if shown and form_of(shown[0]) == form_of(lines):
        return True
    print(f"{SAMPLES_IN.relative_to(ROOT)} shows other lines than these; see --write-samples:\n{lines}")
    return False


def may_be_right(case: Case) -> bool:
    """Of threads: the values of a race differ from run to run, and may be right."""
    return case.cause.startswith(("race", "`", "no parallel region"))


def chosen_mistakes(rungs: list[Rung], options: argparse.Namespace, work: Path) -> list[Mistake]:
    turn, turns = map(int, options.mistakes_turn.split("/"))
    pairs = []
    for lab in sorted({rung.lab for rung in rungs}):
        if lab.name not in mistakes.labs():
            continue
        by_variant = {rung.file.stem[3:]: rung for rung in rungs if rung.lab == lab}
        pairs += [(by_variant[case.variant], case)
                  for case in mistakes.cases_of(lab.name)
                  if case.variant in by_variant and not by_variant[case.variant].on_gpu
                  and not may_be_right(case)]
    return [Mistake(rung, case, work / str(number) / rung.file.name)
            for number, (rung, case) in enumerate(pairs) if number % turns == turn]


def chosen_rungs(options: argparse.Namespace) -> list[Rung]:
    # Those with MPI are started by mpiexec.
    rungs = [Rung(file) for file in sorted(ROOT.glob("lab*-*/ladder/*.c*"))
             if file.suffix != ".cuh" and "_mpi_" not in file.name]
    if options.lab:
        rungs = [rung for rung in rungs if rung.lab.name.startswith(f"lab{options.lab}-")]
    if options.names:
        rungs = [rung for rung in rungs if rung.file.stem in options.names]
    turn, turns = map(int, options.kernels_turn.split("/"))
    kernels = [rung for rung in rungs if rung.on_gpu][turn::turns]
    return [rung for rung in rungs if not rung.on_gpu or rung in kernels]


def main() -> int:
    parser = argparse.ArgumentParser(description="Each rung by its one line.")
    parser.add_argument("--lab", type=int)
    parser.add_argument("-O", dest="level", default="3")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--kernels-turn", default="0/1")
    parser.add_argument("--mistakes-turn", default="")
    parser.add_argument("--write-samples", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.gpu = gpu_answers()
    rungs = chosen_rungs(options)
    if not rungs:
        parser.error("no rung has that name")
    start = time.monotonic()
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        work = Path(folder)
        if options.mistakes_turn:
            rungs += chosen_mistakes(rungs, options, work)
        # One rung of each kind of main first: the others find its object.
        firsts = {(rung.lab, rung.on_gpu): rung for rung in reversed(rungs)}.values()
        list(pool.map(lambda rung: tried(rung, options, work), firsts))
        compiled = list(pool.map(lambda rung: tried(rung, options, work), rungs))
        for rung, (outcome, text) in zip(rungs, compiled, strict=True):
            if outcome == "compiled" and (not rung.on_gpu or options.gpu):
                outcome, text = run_program(text, rung)  # one by one: the cores are theirs
            counts[outcome] = counts.get(outcome, 0) + 1
            print(f"{rung.name}: {outcome}: {text}", flush=True)
        if STUB.is_file() and SAMPLES_OF in [rung.file for rung in rungs]:
            counts["FAILED"] = counts.get("FAILED", 0) + (not samples_are_true(options, work))
    seconds = time.monotonic() - start
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count), f"in {seconds:.0f} s")
    if counts.get("FAILED"):
        return 1
    return UNAVAILABLE if set(counts) == {"not tried"} else 0


if __name__ == "__main__":
    sys.exit(main())
