"""The environment of all that a run starts. choose() is called first, and puts it into os.environ.
`python3 -m driver.environment COMMAND...` runs a command in it.

What is not named here does not reach a program: colours, flags and numbers of threads that a shell
happens to have change no verdict, no time and no point.
"""

import os
import re
import sys
from collections.abc import Mapping

from driver.trouble import Trouble

# These decide what is built, tested and measured, so a run says which of them are set.
SETTINGS = ("CXX", "CUDACXX", "CUDAHOSTCXX", "CUDAARCHS", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH",
            "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "LABS_CUDA", "LABS_TEST_TIMEOUT",
            "LABS_BENCH_TIMEOUT", "LABS_BENCH_ARGS", "LABS_RANDOM_MS")
# Those of them that a build folder was configured for.
OF_BUILDS = ("CXX", "CUDACXX", "CUDAHOSTCXX", "CUDAARCHS", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH")
GENERATORS = ("Ninja", "Unix Makefiles")
# The user, the terminal, the network, the compiler cache, a job of Slurm.
_SURROUNDINGS = re.compile(r"USER|LOGNAME|TERM|COLUMNS|NO_COLOR|.*_proxy|.*_PROXY"
                           r"|CMAKE_\w+_COMPILER_LAUNCHER|CCACHE_\w+|GIT_CONFIG_\w+|SLURM_\w+")
# Variables that locate programs and libraries; Git's name another repository (in a hook).
_PLACES = re.compile(r"(?!GIT_)(\w+_)?(PATH|DIR|HOME|ROOT|PREFIX)|CPATH|TMPDIR")
_FIXED = {"LC_ALL": "C.UTF-8",  # the same order, numbers and messages everywhere
          "SOURCE_DATE_EPOCH": "0"}  # the same figures from the same data, whenever drawn
# A user may believe that these count.
_EXPECTED = re.compile(r"(CMAKE|CTEST|GTEST|OMP|GOMP|KMP|OMPI|LABS|OPENCV|MALLOC|CUDA|LD)_\w+"
                       r"|\w*FLAGS|TMPDIR|PYTHONPATH")


def chosen(given: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in given.items()
            if name in SETTINGS or _SURROUNDINGS.fullmatch(name) or _PLACES.fullmatch(name)}
    if "TMPDIR" in kept and not os.access(kept["TMPDIR"], os.W_OK | os.X_OK):
        del kept["TMPDIR"]
    return kept | _FIXED


def choose() -> str:
    """Returns what to say of it."""
    given = dict(os.environ)
    kept = chosen(given)
    os.environ.clear()
    os.environ.update(kept)
    taken = " ".join(f"{name}={given[name]!r}" for name in SETTINGS if given.get(name))
    ignored = " ".join(sorted(name for name in given
                              if name not in kept and _EXPECTED.fullmatch(name)))
    return "; ".join(filter(None, (taken and f"from the environment: {taken}",
                                   ignored and f"ignored in the environment: {ignored}")))


def generator() -> str:
    """The one that the user wants, or "". Raises Trouble if it cannot be used."""
    name = os.environ.get("CMAKE_GENERATOR", "")
    if name and name not in GENERATORS:
        raise Trouble(f"CMAKE_GENERATOR is '{name}', but has to be {' or '.join(GENERATORS)}")
    return name


def of_builds() -> dict[str, str]:
    return {name: os.environ.get(name, "") for name in OF_BUILDS}


if __name__ == "__main__":
    choose()
    os.execvp(sys.argv[1], sys.argv[1:])
