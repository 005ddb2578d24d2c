"""Numbers as tables and sentences show them."""

import math


def digits(x: float, n: int = 3) -> str:
    """With at least n significant digits, and all digits before the point: 0.000123, 1.20, 12345."""
    if x == 0 or isinstance(x, int):
        return str(int(x))
    exponent = math.floor(math.log10(abs(float(f"{x:.{n - 1}e}"))))
    return f"{x:.{max(0, n - 1 - exponent)}f}"
