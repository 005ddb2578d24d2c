"""Errors that end a run early, with one line that says why."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Trouble(Exception):
    """Bad usage, or something is missing: exit code 2, unless another one is given."""

    def __init__(self, text: str, code: int = 2):
        super().__init__(text)
        self.code = code


def ended(name: str, main: Callable[[], int]) -> int:
    """The exit code of `main`. Whatever it raises is one line: never a traceback, and never 1,
    which says that something is wrong that was judged.
    """
    try:
        return main()
    except Trouble as trouble:
        print(f"{name}: {trouble}", file=sys.stderr)
        return trouble.code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        print(f"{name}: {described(error)}", file=sys.stderr)
        return 2


def described(error: Exception) -> str:
    """With the file at fault, if the error knows it, and else the line of the code that met it."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    text = " ".join(str(error).split())[:300]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT)] or frames
    place = f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
    return f"{type(error).__name__}: {text}{place}"
