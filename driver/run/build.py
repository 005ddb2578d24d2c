"""Configures and builds the harness and the labs, in one build folder.

A variant that does not compile, or that ends a program before main(), is named and left out, so
that the others are built.
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from driver import environment, progress
from driver.run import processes, results
from driver.run.settings import Settings
from driver.texts import json_of
from driver.trouble import Trouble

LOADS_LIMIT = 10  # seconds for a program that does nothing but start
LIST_LIMIT = 20
WISHES = "wishes.json"  # in a build folder: the environment that it was configured for


def facts(settings: Settings, part: str) -> dict:
    """The facts that CMake wrote when it configured a lab or the harness: see labs_write_facts() in
    Labs.cmake. They are empty if it is not configured."""
    return json_of(settings.build / part / "facts.json")


def program_of(settings: Settings, lab: str) -> Path:
    """The lab's program, with all variants or with those that the settings ask for."""
    name = facts(settings, lab).get("program", "program")
    return settings.build / lab / (name + settings.programs)


def tests_of(settings: Settings, lab: str) -> Path:
    """The program that tests the same variants."""
    program = program_of(settings, lab)
    return program.with_name(program.name + "_tests")


def built_variants(settings: Settings, lab: str) -> list[str]:
    """Those that CMake's list of variants has in the build."""
    return [row["name"] for row in json_of(settings.build / lab / "variants.json", list)
            if row["built"]]


def file_of(settings: Settings, lab: str, variant: str) -> str:
    """In the lab's folder, or "" if the build does not know the variant."""
    rows = json_of(settings.build / lab / "variants.json", list)
    return next((row["file"] for row in rows if row["name"] == variant), "")


def is_emulated(settings: Settings) -> bool:
    """Kernels run on the CPU in this build."""
    return facts(settings, "harness").get("emulated", False)


def configure(settings: Settings, part: str, skip: Mapping[str, Sequence[str]]) -> None:
    """Configures the harness and the labs; the log is that of `part`. `skip` has the variants that
    a lab is built without: NAME, or NAME=reason. Labs that are not in it leave out the same as
    before. Raises Trouble."""
    folder = settings.build
    command: list[str | Path] = ["cmake", "-S", ".", "-B", folder]
    changed = _changed_wishes(folder)
    if changed:
        settings.progress.say(f"built anew, because {', '.join(changed)} changed")
        command.append("--fresh")
    if changed or not (folder / "CMakeCache.txt").exists():
        if not environment.generator() and shutil.which("ninja"):
            command += ["-G", "Ninja"]
    command += [f"-DLABS_TEST_TIMEOUT={settings.test_limit}", f"-DLABS_CUDA={wanted_cuda()}",
                "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS="]
    command += [f"-DLABS_SKIP_{lab}={';'.join(entries)}" for lab, entries in skip.items()]
    log = settings.results(part) / "configure.log"
    if processes.call(command, log) != 0:
        raise _trouble("CMake cannot configure the harness and the labs", log)
    (folder / WISHES).write_text(json.dumps(environment.of_builds()), "utf-8")


def _trouble(what: str, log: Path) -> Trouble:
    """Shows the end of the log."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        sys.stderr.writelines(lines.readlines()[-20:])
    return Trouble(f"{what}; see {log}", code=1)


def _changed_wishes(folder: Path) -> list[str]:
    """The variables of the environment for which CMake has to begin anew: it reads them only then."""
    wishes = json_of(folder / WISHES)  # empty if it was configured by hand
    return [name for name, value in environment.of_builds().items()
            if wishes and wishes.get(name) != value]


def wanted_cuda() -> str:
    return os.environ.get("LABS_CUDA") or "AUTO"


def is_configured(settings: Settings) -> bool:
    """There is nothing to configure. A build sees by itself that a CMakeLists.txt is newer."""
    known = facts(settings, "harness")
    return ((settings.build / WISHES).exists()  # written at the end
            and known.get("cuda") == wanted_cuda() and not _changed_wishes(settings.build)
            and known.get("build_type", "Release") == "Release")


def compile_targets(settings: Settings, log: Path, *targets: str) -> bool:
    """Goes on after an error, so that all that can be compiled is, in parallel."""
    go_on = ["-k", "0"] if facts(settings, "harness").get("generator") == "Ninja" else ["-k"]
    code = processes.call(
        ["cmake", "--build", settings.build, "-j", str(settings.jobs), "--target", *targets,
         "--", *go_on], log, tick=lambda: progress.show_far(log))
    progress.clear_line()
    return code == 0


def build_harness(settings: Settings, step: str, *targets: str, configured: bool = False) -> None:
    """Targets of the harness; without variants that were left out before. Raises Trouble if that
    fails: nothing goes without them."""
    folder = settings.results("harness")
    folder.mkdir(parents=True, exist_ok=True)
    if not configured:
        configure(settings, "harness", {lab: [] for lab in settings.labs})
    log = folder / f"{step}.log"
    if not compile_targets(settings, log, *targets):
        raise _trouble("the harness does not build, and every lab needs it", log)


def build_lab(settings: Settings, part: str, target: str) -> bool:
    """Builds a target of a lab (or of the harness), without the variants that cannot be built.
    False if there is no program that lists its variants."""
    built = built_variants(settings, part)
    (settings.results(part) / "built.txt").write_text("".join(f"{name}\n" for name in built))
    log = settings.results(part) / "build.log"
    skip: list[str] = []
    done = compile_targets(settings, log, target)
    if part == "harness":
        return done
    if not done:
        skip = _not_compiled(settings, part, built)
        if skip:
            settings.progress.say(f"{part}: DOES NOT COMPILE: {', '.join(skip)}")
            done = _build_without(settings, part, skip, target)
    if done and _lists_variants(settings, part):
        return True
    ending = _not_loaded(settings, part, built)
    if ending:
        done = _build_without(settings, part, skip + ending, target)
        if not done or _lists_variants(settings, part):
            return done
    said = settings.results(part) / "list.log"
    if said.exists():
        first = said.read_text("utf-8", "replace").partition("\n")[0]
        settings.progress.say(f"{part}: its program lists no variants: {first}")
    return done


def build_races(settings: Settings, lab: str, variants: Sequence[str]) -> None:
    """The programs that look for races in these variants, if they can be built. Others are removed:
    they are of an earlier source."""
    log = settings.results(lab) / "races.log"
    for program in (program_of(settings, lab).parent / "races").glob("*"):
        program.unlink()
    for variant in variants:
        if not compile_targets(settings, log, f"{lab}-{variant}-races"):
            settings.progress.say(f"{variant}: not built with ThreadSanitizer, see {log}")


def _build_without(settings: Settings, lab: str, skip: list[str], target: str) -> bool:
    settings.progress.say(f"{lab}: building without {', '.join(skip)}")
    log = settings.results(lab) / "build.log"
    log.replace(log.with_name("build-with-all.log"))
    configure(settings, lab, {lab: skip})
    return compile_targets(settings, log, target)


def _not_compiled(settings: Settings, lab: str, variants: list[str]) -> list[str]:
    """The variants that do not compile; keeps what the compiler said of each."""
    folder = settings.results(lab) / "not_compiled"
    folder.mkdir(exist_ok=True)
    broken = []
    for variant in variants:
        log = folder / f"{variant}.log"
        if compile_targets(settings, log, f"{lab}-{variant}"):
            log.unlink()
        else:
            broken.append(variant)
    return broken


def _lists_variants(settings: Settings, lab: str) -> bool:
    """False if the lab's program does not come as far as main(): it names no variants then. Keeps
    what it says."""
    folder = settings.results(lab)
    log = folder / "list.log"
    code = processes.call([program_of(settings, lab), "list", "--json"], folder / "variants.json",
                          LIST_LIMIT, errors=log, environment=settings.events(lab))
    if code == 0 and results.read_lab(folder).listed:
        return True
    if not log.exists() or log.stat().st_size == 0:
        log.write_text(f"it ended with exit code {code}\n")
    return False


def _not_loaded(settings: Settings, lab: str, variants: list[str]) -> list[str]:
    """NAME=reason of the variants with which no program comes as far as main(); keeps the
    reasons."""
    results = settings.results(lab)
    folder = results / "not_loaded"
    folder.mkdir(exist_ok=True)
    compile_targets(settings, results / "loads.log", f"{lab}-loads")
    ending = []
    for variant in variants:
        program = settings.build / lab / f"{lab}-{variant}-loads"
        if not program.exists():
            continue
        said = results / "loads.txt"
        code = processes.call([program], said, LOADS_LIMIT, errors=processes.NOWHERE)
        if said.read_text("utf-8", "replace").rstrip().endswith("loaded"):
            continue
        reason = f"it ends the program before main() (exit code {code})"
        if code == processes.TIMED_OUT:
            reason = f"it does not come to main() within {LOADS_LIMIT} s"
        (folder / variant).write_text(reason + "\n")
        ending.append(f"{variant}={reason}")
    return ending
