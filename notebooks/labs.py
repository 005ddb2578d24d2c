"""Functions for the notebooks of the labs, which run commands of the shell and show files."""

import os
import pathlib
import platform
import subprocess
import sys
import sysconfig

from IPython.display import Image, Markdown, SVG, display


def sh(command):
    """Runs a command and prints its output as it comes. An exit code other than 0 is an error."""
    with subprocess.Popen(["bash", "-ec", command], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
    if process.returncode != 0:
        raise RuntimeError(f"exit code {process.returncode}: {command}")


def show(*patterns):
    """Shows pictures, figures and tables. A pattern such as staircase-*.svg may match no file."""
    kinds = {".md": Markdown, ".svg": SVG, ".png": Image, ".jpg": Image}
    for pattern in patterns:
        for file in sorted(pathlib.Path.cwd().glob(pattern)):
            display(kinds[file.suffix](filename=str(file)))


def prepare():
    """Ubuntu 22.04 (Kaggle's image) has too old a g++ and CMake, which run_all.sh cannot replace."""
    if platform.freedesktop_os_release().get("VERSION_ID") == "22.04":
        sh("python3 -m driver.tools.packages --only --install g++-12")
        sh(f"{sys.executable} -m pip install --quiet 'cmake>=3.25'")
        os.environ.update(CXX="g++-12", CUDAHOSTCXX="g++-12")
        os.environ["PATH"] = sysconfig.get_path("scripts") + ":" + os.environ["PATH"]
