#!/usr/bin/env python3
"""Each rung by its one line: compiles one.cpp or one.cu of a lab with the file of each rung, and
runs the program where the machine can.

rungs.py [--lab N] [-O 1] [--arch ARCHITECTURE] [--kernels-turn K/N] [NAME...]

NAMEs (02_omp_rows, say) choose rungs; --kernels-turn 0/4 takes every fourth of those with kernels. A rung with a kernel is compiled where nvcc is, and run where a
GPU answers. Exit code: 0 all rungs that could be tried are right, 1 one is not, 2 bad usage.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDES = ["-I../common/include", "-I."]
# Files that a rung needs besides its own, as the handout says.
PARTS = {
    "lab1-convolution": {
        name: ["ladder/parts/separable.cpp"]
        for name in ("08_omp_integers", "09_omp_separable", "18_cuda_separable")
    },
}
UNAVAILABLE = 77


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
        self.parts = PARTS.get(self.lab.name, {}).get(file.stem, [])

    @property
    def name(self) -> str:
        return f"{self.lab.name}/{self.file.stem}"

    def sources(self) -> list[str]:
        main = "one.cu" if self.on_gpu else "one.cpp"
        return [main, f"ladder/{self.file.name}", *self.parts]


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
        target = work / rung.lab.name / (source.replace("/", "_") + ".o")
        target.parent.mkdir(exist_ok=True)
        objects.append(str(target))
        if target.exists():
            continue
        code, text = said_by([*command, *INCLUDES, "-c", source, "-o", str(target)], rung.lab)
        if code != 0 or "warning" in text:
            return code or 1, text, target
    program = work / f"{rung.lab.name}-{rung.file.stem}"
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
    if code == 0:
        return "right", text
    return ("not tried" if code == UNAVAILABLE else "FAILED"), f"{text} (exit code {code})"


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
        # One rung of each kind of main first: the others find its object.
        firsts = {(rung.lab, rung.on_gpu): rung for rung in reversed(rungs)}.values()
        list(pool.map(lambda rung: tried(rung, options, work), firsts))
        compiled = list(pool.map(lambda rung: tried(rung, options, work), rungs))
        for rung, (outcome, text) in zip(rungs, compiled, strict=True):
            if outcome == "compiled" and (not rung.on_gpu or options.gpu):
                outcome, text = run_program(text, rung)  # one by one: the cores are theirs
            counts[outcome] = counts.get(outcome, 0) + 1
            print(f"{rung.name}: {outcome}: {text}", flush=True)
    seconds = time.monotonic() - start
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), f"in {seconds:.0f} s")
    return 1 if counts.get("FAILED") else 0


if __name__ == "__main__":
    sys.exit(main())
