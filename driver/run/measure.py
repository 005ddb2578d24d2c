"""./run_all.sh measure: measures labs on this machine for reports/, each in the machine's folder,
and draws the figures, tables and pages again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from driver.report import figures, headlines, machines
from driver.run import build, processes
from driver.run.settings import Settings
from driver.trouble import Trouble
from driver.variants import ROOT

USUAL = ("ladder", "limit", "older_cpus", "scaling")  # as far as the lab has them


def measure(settings: Settings, experiments: Sequence[str], older: str = "") -> int:
    """Returns the exit code. Without `experiments`, those of USUAL. `older` is the older CPU as
    which this one is measured."""
    try:
        with processes.stoppable():
            return _measure_all(settings, experiments, older)
    except processes.Stopped:
        settings.progress.say("stopped; files that end in .partial have what was measured")
        raise


def _measure_all(settings: Settings, experiments: Sequence[str], older: str) -> int:
    for part in ("harness", *settings.labs):
        settings.results(part).mkdir(parents=True, exist_ok=True)
    with settings.progress.step("harness", "library", "building what the labs use"):
        build.build_harness(settings, "library", "labs_harness", "labs_device",
                            "labs_no_device")
    machine = machines.this(_gpu(settings))
    environment = {}
    if older:
        if machine.gpu:
            raise Trouble("--as is for CPUs; LABS_CUDA=OFF leaves the GPU out")
        machine = machines.restricted(machine, older)
        library = _hides_instructions(settings, older)  # LD_PRELOAD takes no path with a space
        environment |= {"LD_PRELOAD": library.name, "LD_LIBRARY_PATH": os.pathsep.join(
            filter(None, (str(library.parent), os.environ.get("LD_LIBRARY_PATH"))))}
    for lab in settings.labs:
        program = _built(settings, lab, machine.gpu)
        _measure(settings, lab, program, ROOT / "reports" / lab / machine.name,
                 experiments or [name for name in USUAL
                                 if (ROOT / lab / "plots" / f"{name}.sql").exists()], environment)
    machines.add(machine)
    return figures.redraw_reports()


def _gpu(settings: Settings) -> str:
    """The name of the GPU that kernels run on; empty if they are emulated or left out."""
    left_out = build.wanted_cuda() == "OFF" or not shutil.which("nvidia-smi")
    if left_out or build.is_emulated(settings):
        return ""
    told = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout
    return told.splitlines()[0].strip() if told.strip() else ""


def _hides_instructions(settings: Settings, older: str) -> Path:
    """The library that does so for a program that it is loaded before."""
    target = f"older_cpu_{older}"
    build.build_harness(settings, target, target, configured=True)
    return settings.build / "harness" / f"lib{target}.so"


def _built(settings: Settings, lab: str, gpu: str) -> Path:
    """The lab's program; that with the variants for the CPU only where there is no GPU."""
    with settings.progress.step(lab, "build", "building"):
        folder = settings.results(lab)
        program = build.program_of(settings, lab)
        program = program if gpu else program.with_name(program.name + "_cpu")
        if build.compile_targets(settings, folder / "build.log", program.name):
            return program
        raise Trouble(f"{lab} does not build; see {folder}/")


def _measure(settings: Settings, lab: str, program: Path, folder: Path,
             experiments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Raises Trouble with the last line of the program where a result is wrong, or an experiment is
    unknown."""
    log = settings.results(lab) / "bench.log"
    folder.mkdir(parents=True, exist_ok=True)
    for experiment in experiments:
        headlines.keep(lab, folder, experiment)
    with settings.progress.step(lab, "bench-full", f"measuring {', '.join(experiments)}"):
        code = processes.call([program, "bench", *experiments, "--full", "--csv-dir", folder], log,
                              settings.bench_limit, grace=10,
                              environment={**settings.events(lab), **environment})
        if code != 0:
            last = (log.read_text("utf-8", "replace").splitlines() or [""])[-1]
            raise Trouble(f"{lab}: {last} (exit code {code}; see {log})", code)
        for samples in folder.glob("*_samples.csv"):
            samples.unlink()  # the columns `spread` and `total_spread` say enough of them
        processes.call([program, "device"], folder / "device.txt", errors=log,
                       environment=environment)
