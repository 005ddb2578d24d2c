"""Starts programs, with their output in a log, and ends them: at a time limit or at a signal."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
CTRL_C = signal.SIGINT
NOWHERE = subprocess.DEVNULL
TIMED_OUT = 124  # as timeout(1) has it
NOT_FOUND = 127  # as a shell has it


class Stopped(BaseException):
    """A signal ended the run; what it had started has ended."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def start(command: Sequence[str | Path], output: Path | int,
          environment: Mapping[str, str] | None = None,
          errors: Path | int = subprocess.STDOUT) -> subprocess.Popen:
    """Starts a program in a session of its own, so that Ctrl-C reaches the driver only. It keeps
    the locks of folders.py open: a folder is in use until the last program ends."""
    with contextlib.ExitStack() as files:
        def opened(where: Path | int):
            return files.enter_context(where.open("wb")) if isinstance(where, Path) else where
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=opened(output), stderr=opened(errors),
            env={**os.environ, **(environment or {})}, start_new_session=True, close_fds=False)


def finish(process: subprocess.Popen, limit: float | None = None, grace: float = 1) -> int:
    """The exit code, as a shell has it: 128 + N after signal N. After `limit` seconds the process
    is asked to end, `grace` seconds later its session is killed, and the code is TIMED_OUT."""
    try:
        code = process.wait(limit)
        return code if code >= 0 else 128 - code
    except subprocess.TimeoutExpired:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return TIMED_OUT


def call(command: Sequence[str | Path], output: Path | int, limit: float | None = None,
         grace: float = 1, tick: Callable[[], None] | None = None, **more) -> int:
    """Runs a program to its end, see start() and finish(), with a call of `tick` each second."""
    try:
        process = start(command, output, **more)
    except OSError as error:
        if isinstance(output, Path):
            output.write_text(f"{error}\n")
        return NOT_FOUND
    while tick:
        try:
            process.wait(1)
            break
        except subprocess.TimeoutExpired:
            tick()
    return finish(process, limit, grace)


def _parents() -> dict[int, int]:
    """The parent of each process that runs; zombies do not."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    parents[int(folder.name)] = int(parent)
    return parents


def _descendants(parents: dict[int, int]) -> set[int]:
    """The processes that this one started, and those that they started."""
    found: set[int] = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def _send(number: int, processes: set[int]) -> None:
    for pid in processes:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def stop_descendants() -> None:
    """They have three seconds to end. Those whose parent ends first are known from the start."""
    known = _descendants(_parents())
    _send(signal.SIGTERM, known)
    end = time.monotonic() + 3
    while left := (known | _descendants(_parents())) & _parents().keys():
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    _send(signal.SIGKILL, left)


@contextlib.contextmanager
def stoppable():
    """Within it, a signal stops all that was started and raises Stopped. A signal that was ignored
    when the driver started, as by nohup, stays ignored."""
    def stop(number: int, _frame) -> None:
        for other in SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        stop_descendants()
        raise Stopped(number)

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler != signal.SIG_IGN else handler)
