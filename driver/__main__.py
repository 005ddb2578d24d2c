"""The command line of run_all.sh."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from driver import cores, environment, folders, tree
from driver.report import figures
from driver.progress import Progress
from driver.run import processes, steps, watch
from driver.run.settings import Settings, seconds
from driver.tools import packages
from driver.tree import ROOT
from driver.trouble import Trouble, ended

USAGE = """./run_all.sh [options]   build, test and benchmark every lab, draw the figures, sum up
       ./run_all.sh figures     redraw the figures and tables of reports/ from its CSV files
       ./run_all.sh measure [EXPERIMENT...]
                                measure this machine for reports/, in a folder of its own; takes an
                                hour or more
       ./run_all.sh starter DIR write the tree for students to DIR (grading/README.md)
       ./run_all.sh new-lab NAME write the smallest whole lab, as lab5-threshold (docs/new-lab.md)"""
NOTES = """\
The output folder gets index.html, a page with the tables and all pictures and figures in it, and
summary.md, results.json and junit.xml.

From the environment: LABS_CUDA (AUTO: nvcc if a GPU answers, otherwise kernels run emulated on the
CPU; ON: nvcc; EMULATE; OFF), LABS_TEST_TIMEOUT (seconds for one test), LABS_BENCH_TIMEOUT (seconds
for a lab's benchmark), LABS_BENCH_ARGS (more arguments for it), LABS_RANDOM_MS (more random cases in
tests), CXX, CUDACXX, CUDAHOSTCXX, CUDAARCHS, CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER,
CMAKE_GENERATOR (Ninja or Unix Makefiles), and variables that name folders, as PATH and
CMAKE_PREFIX_PATH. All others, as CXXFLAGS, CMAKE_BUILD_TYPE and OMP_NUM_THREADS, have no effect:
builds are optimised (Release), and variants have the threads that this process may use.
Exit code: 0 all that can run here passed, 1 something failed, 2 bad usage or a missing tool; with
--variant also 77: it is not begun, or it, or a check of it, cannot run here."""
CALLER = Path(os.environ.pop("LABS_CALLER", os.getcwd()))  # where the user is
STARTED = float(os.environ.pop("LABS_STARTED", time.time()))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str):
        raise Trouble(message.removeprefix("argument "))


def _value(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("wants a value")
    return text


def _path(text: str) -> Path:
    return (CALLER / _value(text)).resolve()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="./run_all.sh", usage=USAGE, epilog=NOTES, allow_abbrev=False,
                     formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(
                         prog, max_help_position=20, width=100))
    add = parser.add_argument
    add("command", nargs="*", help=argparse.SUPPRESS)
    add("--labs", metavar="1,2,...", type=_value, help="only these labs")
    add("--quick", dest="mode", action="store_const", const="quick", default="quick",
        help="small benchmarks, few random tests (default)")
    add("--full", dest="mode", action="store_const", const="full",
        help="the complete sweeps, which take hours")
    add("--no-bench", dest="bench", action="store_false", help="tests only")
    add("--install-deps", action="store_true", help="install what is missing with apt-get")
    add("--build-dir", metavar="DIR", type=_path, default=ROOT / "build-all",
        help="default: build-all")
    add("--output", metavar="DIR", type=_path, default=ROOT / "results", help="default: results")
    add("--report", metavar="DIR", type=_path, help="the page goes to DIR/index.html too")
    add("--points", action="store_true",
        help="print your points, and what is missing for the next one")
    add("--variant", metavar="NAME", type=_value,
        help="with one lab: build, test and time this variant only, and print the verdict")
    add("--watch", action="store_true",
        help="with --variant: again whenever a file is saved, until Ctrl-C")
    add("--as", dest="older", choices=("avx2", "sse4"), default="",
        help="with measure: as on a CPU with no more than AVX2, or SSE4")
    return parser


def _parse(words: list[str]) -> argparse.Namespace:
    arguments, unknown = _parser().parse_known_intermixed_args(words)
    command = arguments.command
    if command[:1] == ["starter"]:
        if len(command) == 1:
            raise Trouble("starter wants a folder")
        arguments.folder = _path(command[1])
        unknown += command[2:]
    elif command[:1] == ["new-lab"]:
        if len(command) == 1:
            raise Trouble("new-lab wants a name, as lab5-threshold")
        arguments.name = command[1]
        unknown += command[2:]
    elif command[:1] == ["measure"]:
        arguments.experiments, arguments.mode = command[1:], "full"
    elif command != ["figures"]:
        unknown += command
    if unknown:
        raise Trouble(f"unknown argument '{unknown[0]}'; see --help")
    arguments.command = command[0] if command else "run"
    arguments.labs = tree.choose(arguments.labs) if arguments.labs else tree.all_labs()
    if not arguments.labs:
        raise Trouble("there are no labs (lab*/CMakeLists.txt) to run")
    if arguments.older and arguments.command != "measure":
        raise Trouble("--as goes with measure only")
    if arguments.command == "run" and (arguments.variant or arguments.watch):
        _check_variant(arguments)
    return arguments


def _check_variant(arguments: argparse.Namespace) -> None:
    if not arguments.variant:
        raise Trouble("--watch wants --variant NAME")
    if len(arguments.labs) != 1:
        raise Trouble("--variant wants one lab: --labs N")
    if arguments.mode != "quick" or arguments.points or arguments.report:
        raise Trouble("--variant goes with --no-bench, --watch, --build-dir and --output only")
    tree.check_variant(arguments.labs[0], arguments.variant)


def _figures(arguments: argparse.Namespace) -> int:
    progress = Progress(arguments.output, arguments.build_dir, STARTED)
    packages.check(packages.of_site, progress if arguments.install_deps else None)
    folders.hold(ROOT / "reports", "another run_all.sh figures redraws reports/")
    try:
        with processes.stoppable():
            return figures.redraw_reports()
    except processes.Stopped:
        print("stopped; not all of reports/ is drawn again", flush=True)
        raise


def _starter(arguments: argparse.Namespace) -> int:
    if not Path("driver/tools/starter.py").exists():
        raise Trouble("starter: this tree is for students already")
    from driver.tools import starter  # which students do not have

    return starter.write(arguments.folder, arguments.labs)


def _new_lab(arguments: argparse.Namespace) -> int:
    if not Path("driver/tools/newlab.py").exists():
        raise Trouble("new-lab: this tree is for students")
    from driver.tools import newlab  # which students do not have

    return newlab.new_lab(arguments.name)


def _measure(arguments: argparse.Namespace) -> int:
    if not Path("driver/run/measure.py").exists():
        raise Trouble("measure: this tree is for students")
    from driver.run import measure  # which students do not have

    folders.hold(ROOT / "reports", "another run_all.sh redraws reports/")
    settings = _settings(arguments, "measure")
    packages.check(packages.of_site, settings.progress if arguments.install_deps else None)
    return measure.measure(settings, arguments.experiments, arguments.older)


def _run(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments, "one-variant" if arguments.variant else "")
    if not arguments.variant:
        return steps.everything(settings)
    return (watch.forever if arguments.watch else watch.once)(settings, arguments.variant)


def _settings(arguments: argparse.Namespace, inner: str) -> Settings:
    """Locks the folders. `inner` is a folder in that of the output, of which the rest stays."""
    environment.generator()
    output = folders.output_folder(arguments.output)
    build = folders.build_folder(arguments.build_dir)
    for folder in (output, build):
        folders.check(folder)
    folders.check_apart(output, build)
    for folder in (output, build):
        folders.lock(folder)
    if arguments.report:
        folders.use_page_folder(arguments.report, own=(output.path, build.path))
    progress = Progress(output.path / inner, build.path, STARTED)
    progress.output.mkdir(exist_ok=True)
    folders.require_space(progress.output, build.path)
    if arguments.environment:
        progress.say(arguments.environment)
    is_built = (build.path / "CMakeCache.txt").exists()
    if not (arguments.variant and is_built):
        packages.check(packages.of_labs, progress if arguments.install_deps else None)
    bench_limit = 60 if arguments.variant else 14400 if arguments.mode == "full" else 300
    return Settings(
        labs=arguments.labs, mode=arguments.mode, bench=arguments.bench, points=arguments.points,
        build=build.path, output=progress.output, page=arguments.report, jobs=cores.available(),
        test_limit=seconds("LABS_TEST_TIMEOUT", 60),
        bench_limit=seconds("LABS_BENCH_TIMEOUT", bench_limit), progress=progress)


def main(words: list[str]) -> int:
    os.chdir(ROOT)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    said = environment.choose()
    try:
        arguments = _parse(words)
        arguments.environment = said
        command = {"figures": _figures, "measure": _measure, "starter": _starter,
                   "new-lab": _new_lab, "run": _run}[arguments.command]
        return command(arguments)
    except Trouble as trouble:
        print(f"run_all.sh: {trouble}", file=sys.stderr)
        return trouble.code
    except processes.Stopped as stopped:
        return 128 + stopped.number
    except BrokenPipeError:  # nobody reads what this says
        processes.stop_descendants()
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        if not folders.is_full(error):
            raise
        processes.stop_descendants()
        print(f"run_all.sh: {error}; --output is '{arguments.output}', --build-dir is "
              f"'{arguments.build_dir}'", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(ended("run_all.sh", lambda: main(sys.argv[1:])))
