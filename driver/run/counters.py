"""The counters of kernels that the rules for points name, from the events of `run --explain`."""

from __future__ import annotations

from driver.run.outcomes import BadUsage
from driver.run.tested import events_of


def _global(kind: str, operation: str) -> str:
    return f"l1tex__t_{kind}_pipe_lsu_mem_global_op_{operation}"


def _with_atomics(kind: str, operation: str) -> list[str]:
    """An atomic function loads and stores: without these, it would take the place of both."""
    return [_global(kind, operation), _global(kind, "atom")]


# The names in the rules, for sums of the metrics of Nsight Compute, or for a ratio of two sums.
CONFLICTS = [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{operation}"
             for operation in ("ld", "st", "atom")]
SUMS = {"launches": ["launches"], "blocks": ["blocks"], "warps": ["warps"],
        "load requests": _with_atomics("requests", "ld"),
        "load sectors": _with_atomics("sectors", "ld"),
        "store requests": _with_atomics("requests", "st"),
        "store sectors": _with_atomics("sectors", "st"),
        "atomic requests": [_global("requests", "atom")],
        "shared load requests": ["smsp__inst_executed_op_shared_ld"],
        "shared store requests": ["smsp__inst_executed_op_shared_st"],
        "shared atomic requests": ["smsp__inst_executed_op_shared_atom"],
        "bank conflicts": CONFLICTS}
RATIOS = {"barriers/block": (["barriers"], ["blocks"]),
          "load sectors/request": (SUMS["load sectors"], SUMS["load requests"]),
          "store sectors/request": (SUMS["store sectors"], SUMS["store requests"])}


def counter_in(events: list[dict], name: str, kernel: str = "") -> float | None:
    """The counter `name` of all kernels of a `run --explain`, or of `kernel`; nothing if there is
    no such kernel.
    """
    if name not in SUMS and name not in RATIOS and "__" not in name:
        raise BadUsage(f"there is no counter '{name}'; there are: "
                       f"{', '.join(sorted([*SUMS, *RATIOS]))}, and the names of Nsight Compute")
    kernels = [event | event["metrics"] for event in events_of(events, "kernel")
               if kernel in ("", event["kernel"])]
    if not kernels:
        return None

    def total(parts: list[str]) -> float:
        return sum(counts.get(part, 0) for counts in kernels for part in parts)
    if name in RATIOS:
        count, of = map(total, RATIOS[name])
        return count / of if of else 0
    return total(SUMS.get(name, [name]))
