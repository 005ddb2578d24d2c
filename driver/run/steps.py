"""One run over labs: build, test, measure, draw, sum up. Each step leaves files in the lab's folder
of the output, which the summary reads."""

import contextlib
import dataclasses
import itertools
import os
import shutil
import time
from pathlib import Path

from driver import folders, progress, tree
from driver.report import figures, pictures
from driver.run import build, points, processes, results, summary
from driver.run.rules import counter_runs, rated_variants, speed_rule
from driver.run.settings import Settings
from driver.tools import packages

KEPT = ("csv", "figures", "pictures")  # of an earlier run, until this one measures
LOOK_LIMIT = 60
MORE_SECONDS = 60  # of measuring on, where other work makes points uncertain


def everything(settings: Settings) -> int:
    """Returns the exit code."""
    if settings.mode == "quick":
        os.environ.setdefault("LABS_EMULATED_LIST", "short")
    try:
        with processes.stoppable():
            _all_steps(settings)
    except processes.Stopped:
        with contextlib.suppress(OSError):  # the terminal may be gone
            settings.progress.say(f"stopped; what was done so far is in {settings.output}")
            report(settings)
        raise
    folders.require_space(settings.output, settings.build)
    settings.progress.say("done")
    return report(settings)


def report(settings: Settings) -> int:
    code = summary.report(settings.output, settings.parts, settings.title, settings.page)
    if settings.points:
        points.report(settings.output, settings.labs)
    return code


def _all_steps(settings: Settings) -> None:
    for part in ("harness", *settings.labs):
        _empty(settings.results(part))
    _announce(settings)
    with settings.progress.step("harness", "library", "building what the labs use") as finish:
        build.build_harness(settings, "library", "labs_harness", "labs_no_device")
        finish("built what the labs use")
    if settings.progress.is_measured:
        _announce(settings)
    looked = _wants_look(settings) and _look_at(settings, settings.labs[0])
    with settings.progress.step("harness", "testing", "building what their tests use") as finish:
        build.build_harness(settings, "testing", "labs_libraries", configured=True)
        finish("built what their tests use")
    for index, lab in enumerate(settings.labs):
        if _build_and_test(settings, lab, "rest" if looked and index == 0 else "build"):
            _count(settings, lab)
            if settings.bench:
                _bench(settings, lab)
                if settings.points:
                    measure_on(settings, lab)
                _draw(settings, lab)
        settings.note(lab, "finished yes")
        summary.show_lab(settings.results(lab), settings.title)
        _say_what_follows(settings, index + 1)
    if "harness" in settings.parts:  # nobody waits for them to see a lab
        _build_and_test(settings, "harness", "build")
    settings.note("harness", "finished yes")


def _empty(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        if entry.name in KEPT:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _say_what_follows(settings: Settings, finished: int) -> None:
    """Says that the run goes on after what was printed of a lab."""
    left = settings.labs[finished:]
    follows = [*left, *(["the tests of the harness"] if "harness" in settings.parts else [])]
    if follows:
        settings.progress.say(f"{finished} of {len(settings.labs)} labs finished; still to come: "
                              f"{', '.join(follows)}, and the summary")


def _announce(settings: Settings) -> None:
    """Prints the time that the whole run will take."""
    if settings.mode == "full" and settings.bench:
        settings.progress.say("the complete sweeps take hours")
        return
    steps = ["test", *([f"bench-{settings.mode}", "figures"] if settings.bench else [])]
    expect = settings.progress.expect
    total = expect("harness", ["library", "testing"])
    if "harness" in settings.parts:
        total += expect("harness", ["build", "test"])
    for lab in settings.labs:
        looks = lab == settings.labs[0] and _wants_look(settings)
        total += expect(lab, ["look", "rest"] if looks else ["build"]) + expect(lab, steps)
    if total:
        settings.progress.say(f"all of it takes {progress.in_words(total)}")


def _wants_look(settings: Settings) -> bool:
    """The first lab is not built, so a first look at it is worthwhile."""
    return settings.bench and not build.program_of(settings, settings.labs[0]).exists()


def _look_at(settings: Settings, lab: str) -> bool:
    """The lab's ladder on the CPU and its pictures, before kernels and tests are built. If that
    does not go, the steps that follow say why."""
    folder = settings.results(lab) / "first-look"
    folder.mkdir(parents=True)
    settings = dataclasses.replace(settings, programs="_cpu")
    with settings.progress.step(lab, "look",
               "a first look: building and timing the variants for the CPU") as finish:
        program = build.program_of(settings, lab)
        if not (build.compile_targets(settings, folder / "build.log", program.name)
                and processes.call([program, "list", "--json"], folder / "variants.json",
                                   build.LIST_LIMIT, errors=folder / "list.log") == 0
                and processes.call([program, "bench", "ladder", "--quick", "--csv-dir",
                                    folder / "csv"], folder / "bench.log", LOOK_LIMIT, 10) == 0):
            finish(f"no first look, see {folder}/")
            return False
        summary.look(folder)
        try:
            figures.draw(lab, folder / "csv", folder / "figures")
            pictures.make(lab, program, folder / "pictures")
        except Exception as error:  # a picture is no reason to end the run
            (folder / "figures.log").write_text(f"{error}\n")
            settings.progress.say(f"{lab}: not all figures and pictures, see {folder}/figures.log")
        finish(f"had a first look; its figures and pictures are in {folder}/")
    return True


def _build_and_test(settings: Settings, part: str, step: str) -> bool:
    """False if the lab does not build; the summary tells which tests fail."""
    folder = settings.results(part)
    with settings.progress.step(part, step, "building") as finish:
        if not build.build_lab(settings, part, f"{part}-all"):
            settings.note(part, "build failed")
            settings.progress.say(f"{part}: DOES NOT BUILD; see {folder}/")
            return False
        settings.note(part, "build ok")
        if part != "harness":
            rules = tree.rules_of(part)
            rated = rated_variants(rules) if settings.points and rules.exists() else []
            build.build_races(settings, part, [name for name in rated if name.startswith("omp_")
                                               and name in build.built_variants(settings, part)])
        finish("built")
    with settings.progress.step(part, "test", "testing") as finish:
        log = folder / "ctest.log"
        processes.call(
            ["ctest", "--test-dir", settings.build / part, "-j", str(settings.jobs),
             "--timeout", str(settings.test_limit), "--no-tests=error", "--output-on-failure",
             "--test-output-size-passed", "4096", "--test-output-truncation", "middle",
             "--output-junit", folder / "ctest.xml"], log, tick=lambda: progress.show_far(log),
            environment=settings.events(part))
        progress.clear_line()
        finish(results.describe_tests(results.read_lab(folder)))
    return True


def _bench(settings: Settings, lab: str) -> None:
    folder = settings.results(lab)
    more = os.environ.get("LABS_BENCH_ARGS", "").split()
    failing = results.failing_variants(results.read_lab(folder))
    without = f" without {', '.join(failing)}, which failed the tests" if failing else ""
    with settings.progress.step(lab, f"bench-{settings.mode}", f"benchmarking{without}") as finish:
        for kept in KEPT:
            shutil.rmtree(folder / kept, ignore_errors=True)
        settings.note(lab, "bench stopped")
        leave_out = ["--exclude", ",".join(failing)] if failing else []
        settings.note(lab, "bench " + run_bench(settings, lab, *more, f"--{settings.mode}",
                                                *leave_out))
        finish(f"benchmark {results.read_lab(folder).bench}")


def measure_on(settings: Settings, lab: str, variant: str = "") -> None:
    """Repeats measurements until they decide the points for speed, of `variant` or of all, or a
    minute is over."""
    rules, folder = tree.rules_of(lab), settings.results(lab)
    end = time.monotonic() + MORE_SECONDS
    for count in itertools.count():
        left = points.undecided(results.read_lab(folder), rules) if rules.exists() else {}
        left = {name: range for name, range in left.items() if variant in ("", name)}
        if not left or time.monotonic() >= end:
            return
        for name, range in left.items() if count == 0 else ():
            settings.progress.say(f"{name}: right, {range} so far; measuring on, at most a minute")
        for name in left:
            rule = speed_rule(rules, name)
            how = run_bench(settings, lab, rule["experiment"], "--quick", "--variants",
                            f"{name},{rule['against']}", to=f"more/{count}-{name}")
            if how != "ok":
                return


def run_bench(settings: Settings, lab: str, *arguments: str | Path, to: str = "csv") -> str:
    """Measures alone on the machine. Returns "ok", or what went wrong."""
    folder = settings.results(lab)
    command = [build.program_of(settings, lab), "bench", *arguments, "--csv-dir", folder / to]
    code = processes.call(command, folder / "bench.log", settings.bench_limit, grace=10,
                          environment=settings.events(lab))
    if code == processes.TIMED_OUT:
        return f"failed: exit code {code}, stopped after {settings.bench_limit} s"
    return "ok" if code == 0 else f"failed: exit code {code}"


def _count(settings: Settings, lab: str) -> None:
    """Counts for the points of CUDA variants, if no GPU answers that could time them."""
    rules = tree.rules_of(lab)
    if settings.points and rules.exists():
        for run in counter_runs(rules):
            explain(settings, lab, run, run.variant, ["--verify"])


def explain(settings: Settings, lab: str, run, variant: str, more: list[str]) -> str:
    """Returns "ok", or why nothing was counted."""
    folder = settings.results(lab) / "counters"
    folder.mkdir(exist_ok=True)
    log = folder / run.file
    code = processes.call([build.program_of(settings, lab), "run", run.input, "--variant", variant,
                           *run.options.split(), "--explain", *more,
                           "--output", folder.parent / "output.png"],
                          log, settings.test_limit,
                          environment={"LABS_EVENTS": str(log.with_suffix(".jsonl"))})
    if code == 0:
        return "ok"
    log.with_suffix(".jsonl").unlink(missing_ok=True)  # counts of a part
    if code != processes.TIMED_OUT:
        return f"exit code {code}, see {log}"
    log.write_text(f"stopped after {settings.test_limit} s\n")
    return f"stopped after {settings.test_limit} s"


def _draw(settings: Settings, lab: str) -> None:
    folder = settings.results(lab)
    with settings.progress.step(lab, "figures", "drawing the figures") as finish:
        missing = packages.of_figures()
        if missing:
            text = f"skipped: missing packages: {' '.join(missing)}"
        else:
            text = _drawn(settings, lab, folder)
        settings.note(lab, f"figures {text}")
        finish(f"figures {text}")


def _drawn(settings: Settings, lab: str, folder: Path) -> str:
    log = folder / "figures.log"
    try:
        text = figures.draw(lab, folder / "csv", folder / "figures")
        pictures.make(lab, build.program_of(settings, lab), folder / "pictures")
        return f"ok: {text}"
    except Exception as error:  # whatever it is, the measurements are there to be reported
        log.write_text(f"{error}\n")
        return f"failed: {str(error).partition(chr(10))[0]}, see {log}"
