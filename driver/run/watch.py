"""run_all.sh --labs N --variant NAME: builds, tests and times one variant, and prints its verdict;
with --watch, again whenever a file is saved."""

import contextlib
import dataclasses
import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from driver import tree, variants
from driver.run import build, one_variant, processes, sanitized, steps, tested
from driver.folders import require_space
from driver.tree import ROOT
from driver.progress import in_words
from driver.run.outcomes import Outcome
from driver.run.settings import Settings
from driver.trouble import Trouble

OF_THE_BUILD_TOOL = re.compile(r"\[[0-9/% ]+\]|ninja: |g?make")
UNKNOWN = re.compile(r"error: ['‘](__\w+)['’] was not declared")  # names that CUDA may have
LINES_SHOWN = 40
PARTS = 4  # at most, of the tests
LOOK_SECONDS = 0.05
SANITIZED_LIMIT = 30  # seconds for a test under AddressSanitizer
CAUSE_SECONDS = 2  # after the first failure, for a test that names the cause


def once(settings: Settings, variant: str) -> int:
    """Returns the exit code: 0 right, 1 not, 77 not begun or not to be run here."""
    try:
        with processes.stoppable():
            return _try(settings, variant)
    except processes.Stopped:
        with contextlib.suppress(OSError):  # the terminal may be gone
            settings.progress.say(f"stopped; what was done so far is in {settings.output}")
        raise


def forever(settings: Settings, variant: str) -> int:
    """Until Ctrl-C."""
    folders = [ROOT / settings.labs[0], ROOT / "common", ROOT / "emulation", ROOT / "harness"]
    try:
        with processes.stoppable():
            while True:
                seen = _times(folders)
                settings.progress.restart()
                try:
                    _try(settings, variant)
                except Trouble as trouble:
                    print(f"run_all.sh: {trouble}", flush=True)
                print("waiting for the next save; Ctrl-C ends", flush=True)
                _wait_for_save(folders, seen)
    except processes.Stopped as stopped:
        if stopped.number != processes.CTRL_C:
            raise
        print()
        return 0


def _try(settings: Settings, variant: str) -> int:
    lab = settings.labs[0]
    folder = settings.results(lab)
    tree.check_variant(lab, variant)
    settings = dataclasses.replace(settings, programs=_programs_with(lab, variant))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    if _build(settings, lab, variant):
        settings.note(lab, "build ok")
        if not (folder / "not_loaded" / variant).exists():
            _test(settings, lab, variant)
            _look_for_access(settings, lab, variant)
        _measure(settings, lab, variant)
    else:
        settings.note(lab, "build failed")
    require_space(settings.output, settings.build)
    settings.note(lab, "finished yes")
    code = one_variant.verdict(folder, variant, tree.rules_of(lab))
    settings.progress.say("done")
    return code


def _programs_with(lab: str, variant: str) -> str:
    """"_cpu" for a variant of the CPU, which does not wait for kernels. A library may be NVIDIA's,
    so it gets the programs with all variants."""
    files = [found.file for found in variants.listed(lab) if found.name == variant]
    on_cpu = all(file.suffix == ".cpp" for file in files) and not variant.startswith("peer_")
    return "_cpu" if on_cpu else ""


def _build(settings: Settings, lab: str, variant: str) -> bool:
    if not build.tests_of(settings, lab).exists():
        expected = settings.progress.expect(lab, ["variant"])
        if not build.is_configured(settings):
            expected += settings.progress.expect("harness", ["variant"])
        what = "its variants for the CPU" if settings.programs else "all its variants"
        settings.progress.say(f"{lab}: the first time, {what} and what they need are built "
                              f"({in_words(expected)})")

    def is_in_build() -> bool:
        return variant in build.built_variants(settings, lab)
    if not (build.is_configured(settings) and is_in_build()):
        build.configure(settings, lab, {lab: []})
    if is_in_build():  # otherwise it cannot be compiled here
        log = settings.results(lab) / "not_compiled" / f"{variant}.log"
        log.parent.mkdir(exist_ok=True)
        settings.progress.say(f"{variant}: compiling")
        target = f"{lab}-{variant}"
        tests = build.tests_of(settings, lab).name
        races = [f"{target}-races"] if variant.startswith("omp_") else []
        # All at once, so that no core waits; what failed is known from the second call.
        done = build.compile_targets(settings, log, target, tests, *races)
        if not done and not build.compile_targets(settings, log, target):
            print(_compiler_output(log), flush=True)
            for name in sorted(set(UNKNOWN.findall(log.read_text("utf-8", "replace")))):
                settings.progress.say(f"if CUDA has {name}, only the emulation lacks it: "
                                      'docs/emulation.md, "What it has"')
            return False
        if "warning: " in log.read_text("utf-8", "replace"):
            print(_compiler_output(log), flush=True)
        if not done:
            build.build_harness(settings, "library", "labs_testing", configured=True)
            if races:
                build.build_races(settings, lab, [variant])
        log.unlink()
    return build.build_lab(settings, lab, build.tests_of(settings, lab).name)


def _compiler_output(log: Path) -> str:
    """Without the lines of the build tool."""
    lines = iter(log.read_text("utf-8", "replace").splitlines())
    kept = []
    for line in lines:
        if line.startswith("FAILED: "):
            next(lines, None)  # the command
        elif not OF_THE_BUILD_TOOL.match(line):
            kept.append(line)
    return "\n".join(kept[:LINES_SHOWN])


def _test(settings: Settings, lab: str, variant: str) -> None:
    """A share of the variant's tests in each of some processes. A GPU is for one at a time."""
    settings.progress.say(f"{variant}: testing (at most {settings.test_limit} s)")
    on_gpu = variant.startswith(("cuda_", "peer_")) and not build.is_emulated(settings)
    parts = 1 if on_gpu else min(settings.jobs, PARTS)
    settings.note(lab, f"test_seconds {settings.test_limit}")
    environment = {**settings.events(lab),
                   "OMP_WAIT_POLICY": "passive"}
    start = time.monotonic()
    races = f"*.races/{variant}"

    def run(name: str, shown: str, part: str) -> subprocess.Popen:
        return processes.start(
            [build.tests_of(settings, lab), f"--gtest_filter={shown}", "--gtest_fail_fast",
             f"--shard={part}"], settings.results(lab) / f"{name}.log", environment)
    # The check for races has a process of its own: no other test's failure ends it.
    race_check = [run("gtest_races", races, "0/1")] if variant.startswith("omp_") else []
    others = [run(f"gtest{part}", f"*/{variant}-{races}", f"{part}/{parts}")
              for part in range(parts)]
    _until_the_cause_is_known(settings, lab, variant, race_check, others,
                              start + settings.test_limit)
    for process in race_check + others:
        processes.finish(process, 0)


def _until_the_cause_is_known(settings: Settings, lab: str, variant: str,
                              race_check: Sequence[subprocess.Popen],
                              others: Sequence[subprocess.Popen], end: float) -> None:
    """Waits for the tests. After a failure that names its cause, the others tell nothing more."""
    def running(started: Sequence[subprocess.Popen]) -> bool:
        return any(process.poll() is None for process in started)
    first = 0.0
    while (running(race_check) or running(others)) and time.monotonic() < end:
        tests = tested.tests_so_far(settings.results(lab))
        failed = [test for test in tests if test.outcome.is_failure]
        if failed and not first:
            first = time.monotonic()
            settings.progress.say(f"{variant}: {failed[0].outcome}, in {failed[0].name}")
        # A race explains what other tests find, also where that looks like another mistake.
        if not running(race_check) and (any(test.names_cause for test in failed) or (
                first and time.monotonic() > first + CAUSE_SECONDS)):
            settings.note(lab, "cut_short yes")
            return
        time.sleep(LOOK_SECONDS)


def _look_for_access(settings: Settings, lab: str, variant: str) -> None:
    """Repeats a test that crashed, or whose message names no cause, under AddressSanitizer, and
    adds what that names to the events."""
    failed = [test for test in tested.tests_so_far(settings.results(lab))
              if test.outcome in (Outcome.CRASH, Outcome.WRONG)]
    if not failed:
        return
    test = min(failed, key=lambda one: one.worth)
    is_known = test.names_cause and not test.leaves_memory
    if is_known or not build.file_of(settings, lab, variant).endswith(".cpp"):
        return
    target = f"{lab}-{variant}-sanitized"
    settings.progress.say(f"{variant}: testing with AddressSanitizer")
    log = settings.results(lab) / "sanitized.log"
    if not build.compile_targets(settings, log, target):
        settings.progress.say(f"{variant}: not built with AddressSanitizer, see {log}")
        return
    cause = ""
    for environment in sanitized.ENVIRONMENTS:
        processes.call([settings.build / lab / target, f"--gtest_filter={test.name}"], log,
                       SANITIZED_LIMIT, environment=environment)
        cause = sanitized.cause_in(log.read_text("utf-8", "replace"), test.message)
        if cause:
            break
    if cause:
        tested.add_event(settings.results(lab), {"event": "access", "test": test.name,
                                                 "cause": cause})


def _measure(settings: Settings, lab: str, variant: str) -> None:
    folder = settings.results(lab)
    plan = one_variant.plan(folder, variant, tree.rules_of(lab))
    if plan.experiment and settings.bench:
        settings.note(lab, "bench stopped")
        settings.progress.say(f"{variant}: timing ({plan.experiment})")
        settings.note(lab, "bench " + steps.run_bench(settings, lab, plan.experiment, "--quick",
                                                      "--variants", ",".join(plan.variants)))
        steps.measure_on(settings, lab, variant)
    for explanation in plan.explanations:
        how = steps.explain(settings, lab, explanation, variant, [])
        if how != "ok":
            settings.note(lab, f"not_counted {variant} {how}")


def _times(folders: list[Path]) -> dict[str, int]:
    """When each source file was changed."""
    times = {}
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in names:
                if os.path.splitext(name)[1].startswith((".c", ".h")):
                    with contextlib.suppress(OSError):  # an editor replaces it just now
                        file = os.path.join(path, name)
                        times[file] = os.stat(file).st_mtime_ns
    return times


def _wait_for_save(folders: list[Path], seen: dict[str, int]) -> None:
    """Until a source file is new or changed since `seen`."""
    notify = shutil.which("inotifywait")
    while all(seen.get(file) == changed for file, changed in _times(folders).items()):
        if notify:
            subprocess.run([notify, "-qq", "-r", "-t", "10", "-e", "close_write,moved_to,create",
                            *folders], stdin=subprocess.DEVNULL, start_new_session=True)
        else:
            time.sleep(0.5)
