"""The Debian packages that are missing or too old.

    python3 -m driver.tools.packages [--grading | --only] [--install] [PACKAGE...]

prints those of the labs (and of grading), one a line; with --install, it installs them and
PACKAGEs; with --only, PACKAGEs only.
"""

import argparse
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable

from driver.tree import ROOT
from driver.progress import Progress
from driver.trouble import Trouble, ended

LIBRARIES = ("libopencv-imgcodecs-dev", "libgtest-dev", "libgmock-dev", "libcli11-dev",
             "libfmt-dev", "nlohmann-json3-dev", "libboost-context-dev")
GRADING = ("bubblewrap", "libseccomp-dev", "libsodium-dev", "libpugixml-dev", "libutfcpp-dev",
           "libvalijson-dev", "parallel", "python3-jinja2", "similarity-tester")
OF_PROGRAMS = {"gnuplot": "gnuplot-nox"}
WAIT_FOR_APT = 600  # seconds


def _version(*command: str) -> tuple[int, ...]:
    """The version that a program prints of itself; empty if there is no such program."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ()
    found = re.search(r"\d+(\.\d+)*", said)
    return tuple(map(int, found[0].split("."))) if found else ()


def _not_installed(packages: Iterable[str]) -> list[str]:
    def installed(package: str) -> bool:
        said = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package],
                              capture_output=True, text=True)
        return "ok installed" in said.stdout
    return [package for package in packages
            if not shutil.which("dpkg-query") or not installed(package)]


def _libraries(make: list[str]) -> list[str]:
    """CMake finds the libraries, those in /usr/local too."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(["cmake", "-S", ROOT / "driver/tools/probe", "-B", folder, *make],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        missing = os.path.join(folder, "missing.txt")
        if said.returncode != 0 or not os.path.exists(missing):
            return _not_installed(LIBRARIES)
        with open(missing, encoding="utf-8") as lines:
            return lines.read().split()


def of_labs() -> list[str]:
    """The packages without which the labs cannot be built."""
    compiler = shlex.split(os.environ.get("CXX") or "g++")  # as CMake does: "ccache g++"
    missing = []
    cmake = _version("cmake", "--version")
    cxx = _version(*compiler, "-dumpfullversion", "-dumpversion")
    if cmake < (3, 25):
        missing.append("cmake")
    if cxx < (12,):
        missing.append("g++")
    there = [tool for tool in ("make", "ninja") if shutil.which(tool)]
    if not there:
        missing += ["make", "ninja-build"]
    if cmake and cxx and there:
        return missing + _libraries([] if "make" in there else ["-G", "Ninja"])
    return missing + _not_installed(LIBRARIES)  # there is nothing to ask CMake with


def of_figures() -> list[str]:
    return [package for program, package in OF_PROGRAMS.items() if not shutil.which(program)]


def of_site() -> list[str]:
    """The packages without which reports/ and its site cannot be drawn."""
    importlib.invalidate_caches()  # one may just have been installed
    if importlib.util.find_spec("markdown_it"):
        return of_figures()
    if os.path.dirname(sys.executable) not in ("/usr/bin", "/bin"):  # not apt-get's
        raise Trouble(f"the site needs markdown-it-py: {sys.executable} -m pip install "
                      "markdown-it-py")
    return [*of_figures(), "python3-markdown-it"]


def of_grading() -> list[str]:
    return of_labs() + _not_installed(GRADING)


def install(packages: Iterable[str]) -> None:
    """With apt-get, as root or with sudo. While another apt works, it waits, for ten minutes at
    most."""
    # dpkg need not wait for the disk with each file.
    apt = [*([] if os.geteuid() == 0 else ["sudo"]), "env", "LC_ALL=C",
           "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq",
           "-o", f"DPkg::Lock::Timeout={WAIT_FOR_APT}", "-o", "Dpkg::Options::=--force-unsafe-io"]
    end = time.monotonic() + WAIT_FOR_APT
    try:
        while (update := subprocess.run([*apt, "update"], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.STDOUT)).returncode != 0:
            # It does not heed that limit.
            if "Could not get lock" not in update.stdout or time.monotonic() > end:
                sys.stderr.write(update.stdout)
                raise Trouble("apt-get could not read the lists of packages; are you online?")
            time.sleep(2)
        command = [*apt, "install", "-y", "--no-install-recommends", *packages]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
            raise Trouble(f"apt-get could not install {' '.join(packages)}")
    except OSError as error:
        raise Trouble(f"cannot install packages: {error}") from error


def check(needed: Callable[[], list[str]], installing: Progress | None = None) -> None:
    """Raises Trouble if packages of `needed` are missing. With `installing`, which announces it,
    they and those of the figures are installed first."""
    missing = needed()
    wanted = sorted({*missing, *of_figures()})
    if installing and wanted:
        text = f"installing {' '.join(wanted)}"
        with installing.step("packages", "install", text) as finish:
            install(wanted)
            finish("installed")
        missing = needed()
    if missing:
        names = " ".join(missing)
        raise Trouble(f"missing, or too old (CMake 3.25, g++ 12): {names}\n"
                      f"  To install them, as root:  apt-get install {names}\n"
                      "  or run this again with --install-deps")


def main() -> None:
    parser = argparse.ArgumentParser(prog="driver.tools.packages", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--grading", action="store_true", help="also what grading needs")
    which.add_argument("--only", action="store_true", help="nothing but the packages named here")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    arguments = parser.parse_args()
    missing = [] if arguments.only else of_grading() if arguments.grading else of_labs()
    packages = [*missing, *arguments.packages]
    if not arguments.install:
        print(*packages, sep="\n", end="\n" if packages else "")
    elif packages:
        install(packages)


if __name__ == "__main__":
    sys.exit(ended("packages", main))
