"""Errors that end a run early, with one line that says why."""


class Trouble(Exception):
    """Bad usage, or something is missing: exit code 2, unless another one is given."""

    def __init__(self, text: str, code: int = 2):
        super().__init__(text)
        self.code = code
