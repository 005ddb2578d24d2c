"""The number of processors that this process may keep busy; `python3 -m driver.cores` prints it.

OMP_NUM_THREADS is for the programs of the labs, not for their builds, so it does not count here.
"""

import math
import os
import sys
from pathlib import Path


def quota(group: Path) -> float:
    """The processors that a control group, of version 2 or 1, may use: infinite without a limit."""
    try:
        granted, period = (group / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            granted = (group / "cpu.cfs_quota_us").read_text().strip()
            period = (group / "cpu.cfs_period_us").read_text().strip()
        except OSError:
            return math.inf
    limited = granted.isdigit() and period.isdigit() and int(granted) > 0 and int(period) > 0
    return int(granted) / int(period) if limited else math.inf


def available(root: Path = Path("/")) -> int:
    """The processors of this process, at most the quota of its control group and of those above.

    A container may see its own group as the root, while its name is that of outside: groups that
    are not there have no quota. `root` holds proc/ and sys/ (for tests).
    """
    cores = float(len(os.sched_getaffinity(0)))
    mounts = root / "sys/fs/cgroup"
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if not controllers:
            folders = [mounts, mounts / "unified"]
        elif "cpu" in controllers.split(","):
            folders = [mounts / "cpu", mounts / controllers]
        else:
            continue
        name = Path(group.strip("/"))
        for above in (name, *name.parents):
            cores = min([cores, *(quota(folder / above) for folder in folders)])
    return math.ceil(cores)


if __name__ == "__main__":
    print(available(*map(Path, sys.argv[1:])))
