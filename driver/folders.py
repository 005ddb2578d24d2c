"""The folders that a run writes to.

A run empties parts of its output folder, so a folder that it did not make or find empty is refused:
its marker file tells. The marker is the folder's lock too, and has the process id of the run.
"""

import errno
import fcntl
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from driver.tree import ROOT
from driver.trouble import Trouble

LITTLE = 1 << 16  # bytes
LEFT_OVER = 10  # seconds in which programs of a run that has ended end, too, such as ranks
OF_A_PAGE = "The measurements are in the CSV files of the output folder"


@dataclass(frozen=True)
class Folder:
    option: str  # that names it
    path: Path
    marker: str


def output_folder(path: Path) -> Folder:
    return Folder("--output", path, ".labs-results")


def build_folder(path: Path) -> Folder:
    return Folder("--build-dir", path, ".labs-build")


def is_empty(folder: Path) -> bool:
    """Also if there is no such folder."""
    return not folder.exists() or folder.is_dir() and not any(folder.iterdir())


def in_source(folder: Path, root: Path = ROOT) -> bool:
    """It is the root, or in a folder of the root that has files, but for results and builds."""
    if folder == root:
        return True
    if not folder.is_relative_to(root):
        return False
    name = folder.relative_to(root).parts[0]
    top = root / name
    mine = name == "results" or name.startswith("build") or any(top.glob(".labs-*"))
    return not mine and not is_empty(top)


def check(folder: Folder, root: Path = ROOT) -> None:
    """Raises Trouble unless a run may use the folder."""
    path = folder.path
    if not (path / folder.marker).exists():
        if root.is_relative_to(path) or in_source(path, root):
            raise Trouble(f"{folder.option}: '{path}' is, contains or lies in a folder of the"
                          " source; name another one")
        if path not in (root / "results", root / "build-all") and not is_empty(path):
            raise Trouble(f"{folder.option}: '{path}' is not empty and was not made by run_all.sh;"
                          " name another folder")
    for part in (path / "harness", path / "one-variant", *path.glob("lab*")):
        if part.is_symlink():
            raise Trouble(f"{folder.option}: '{part}' is a symbolic link; remove it or name"
                          " another folder")


def check_apart(output: Folder, build: Folder) -> None:
    if output.path.is_relative_to(build.path) or build.path.is_relative_to(output.path):
        raise Trouble("--output and --build-dir: neither may be in the other")


def hold(file: Path, taken: str) -> int:
    """Locks a file (or folder) until this program and those that it started end. Raises Trouble
    with the text `taken` if another run has it."""
    descriptor = os.open(file, os.O_RDONLY if file.is_dir() else os.O_RDWR | os.O_CREAT, 0o666)
    os.set_inheritable(descriptor, True)
    end = time.monotonic() + LEFT_OVER
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            pid = "" if file.is_dir() else os.pread(descriptor, 20, 0).decode().strip()
            if not pid or Path("/proc", pid).exists() or time.monotonic() > end:
                os.close(descriptor)
                raise Trouble(taken.format(pid=pid)) from None
            time.sleep(0.1)


def lock(folder: Folder) -> None:
    """Makes the folder with its marker, and locks it."""
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        descriptor = hold(folder.path / folder.marker,
                          f"another run_all.sh (pid {{pid}}) uses '{folder.path}'")
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except OSError:
        raise Trouble(f"{folder.option}: cannot write in '{folder.path}'") from None


def require_space(output: Path, build: Path) -> None:
    """Raises Trouble if a disk is full: programs could not write down what they find."""
    for option, folder in (("--output", output), ("--build-dir", build)):
        try:  # only a try tells whether a file can be written
            with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
                for _ in range(LITTLE >> 12):
                    file.write(bytes(1 << 12))
        except OSError as error:
            if is_full(error):
                raise Trouble(f"{option}: no space left on the disk of '{folder}'", 1) from None


def is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def use_page_folder(folder: Path, own: tuple[Path, Path], root: Path = ROOT) -> None:
    """For --report: makes the folder; only a page of run_all.sh is replaced. `own` are the output
    and the build folder."""
    page = folder / "index.html"
    if page.is_file():
        if OF_A_PAGE not in page.read_text("utf-8", "replace"):
            raise Trouble(f"--report: '{page}' is not a page of run_all.sh; name another folder")
    elif folder not in own and in_source(folder, root):
        raise Trouble(f"--report: '{folder}' is or lies in a folder of the source;"
                      " name another one")
    try:  # only a try tells whether a file can be written
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if page.is_dir():
            raise IsADirectoryError
    except OSError:
        raise Trouble(f"--report: cannot write '{page}'") from None
