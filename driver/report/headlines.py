"""The tables of results in the README: for each lab one piece of work, on each machine, in all
runs that measured it.
"""

import csv
import re
from statistics import median

from driver import csv_files
from driver.report import labs, machines
from driver.report.tables import markdown
from driver.rounding import digits
from driver.tree import number_of

EXPERIMENTS = ("limit", "ladder", "large")
OTHER = "other_runs"  # rows of runs whose files are not here
COLUMNS = ("lab", "experiment", "variant", "width", "height", "parameters", "case",
           "kernel_ms_median", "spread", "disturbed", "noise", "commit", "timestamp")
NEEDED = ("experiment", "variant", "width", "height", "parameters", "kernel_ms_median", "commit",
          "timestamp")
NAMES = {"cvcuda": "CV-CUDA", "halide": "Halide", "simd": "Simd", "opencv": "OpenCV",
         "opencv_blur": "OpenCV"}


def works():
    """The lab, the work as the README calls it, its size, and a regular expression for the
    parameters or the case of the rows that do it."""
    told = {lab: text.get("headline") for lab, text in labs.about().items()}
    return [(lab, f"{number_of(lab).removeprefix('lab')}: {one['work']}", one["size"], one["rows"])
            for lab, one in told.items() if one]


def one_thread(lab):
    """The libraries that use no more."""
    return labs.about().get(lab, {}).get("headline", {}).get("one_thread", [])


def rows_of(path, size, work, noisy=False):
    """Those that are not too noisy for a comparison, or only those that are."""
    if not path.exists():
        return []
    return [row for row in csv_files.read(path, NEEDED)
            if f"{row['width']}x{row['height']}" == size and row["kernel_ms_median"]
            and (re.fullmatch(work, row["parameters"]) or re.fullmatch(work, row.get("case") or ""))
            and bool(row["noise"]) == noisy]


def run_of(row):
    """The date, the experiment and the commit."""
    return row["timestamp"][:10], row["experiment"], row["commit"]


def times_on(folder, size, work, noisy=False):
    """The medians of each variant and processor, by run."""
    times = {}
    for name in (*EXPERIMENTS, OTHER):
        for row in rows_of(folder / f"{name}.csv", size, work, noisy):
            processor = "cpu" if "threads=" in row["parameters"] else "gpu"
            by_run = times.setdefault((row["variant"], processor), {})
            by_run[run_of(row)] = float(row["kernel_ms_median"])
    return times


def keep(lab, folder, experiment):
    """Copies the rows of the lab's work to OTHER, before the experiment's file is replaced."""
    if experiment not in EXPERIMENTS:
        return
    for _, size, work in (what for name, *what in works() if name == lab):
        path = folder / f"{OTHER}.csv"
        known = {(row["variant"], run_of(row)) for row in rows_of(path, size, work)}
        rows = [row for row in rows_of(folder / f"{experiment}.csv", size, work)
                if (row["variant"], run_of(row)) not in known]
        if not rows:
            continue
        is_new = not path.exists()
        with path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", restval="",
                                    lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerows(rows)


def fastest(times, wanted):
    """The name and the times of the fastest variant, by the median over the runs."""
    candidates = [(median(by.values()), name, by) for (name, processor), by in times.items()
                  if wanted(name, processor)]
    return min(candidates)[1:] if candidates else ("", {})


def spoken(values, unit=""):
    """The median in three digits, and the range if there is one."""
    low, middle, high = map(digits, (min(values), median(values), max(values)))
    return middle + unit + ("" if low == high else f" ({low} to {high})")


def compared(theirs, ours):
    """The ratios of their time to ours, in each run that has both."""
    ratios = [theirs[run] / ours[run] for run in theirs if run in ours]
    if not ratios:
        return "-"
    return spoken(ratios) + (", equal" if min(ratios) <= 1 <= max(ratios) else "")


def runs(times):
    """"4 on 2 days"."""
    days = len({day for day, _, _ in times})
    return f"{len(times)} on {days} day{'s' if days > 1 else ''}"


def runs_of_both(theirs, ours):
    """"7 on 3 days, 1 with both": the runs that have our time, and those that the ratio is of."""
    both = len(theirs.keys() & ours.keys())
    return runs(ours) + ("" if both == len(ours) else f", {both} with both")


def library_name(variant):
    name = variant.removeprefix("peer_")
    return NAMES.get(name, name.upper())


def percent_of_copy(folder, size, work, variant):
    for row in rows_of(folder / "limit.csv", size, work):
        if row["variant"] == variant and row["percent_of_copy"]:
            return digits(float(row["percent_of_copy"]))
    return "-"


def faster_but_noisy(folder, size, work, processor, limit):
    """The libraries whose times are all too noisy for a ratio, and one of them below `limit`."""
    steady = times_on(folder, size, work)
    noisy = times_on(folder, size, work, noisy=True)
    return sorted({library_name(name) for (name, on), by in noisy.items()
                   if name.startswith("peer_") and on == processor
                   and (name, on) not in steady and min(by.values()) < limit})


def library_on(lab, folder, size, work, processor):
    """The times of the fastest library, and what the table says of it."""
    name, times = fastest(times_on(folder, size, work),
                          lambda name, on: name.startswith("peer_") and on == processor)
    if not name:
        return {}, ""
    said = library_name(name) + (", one thread" if name in one_thread(lab) else "")
    noisy = faster_but_noisy(folder, size, work, processor, median(times.values()))
    said += f"; {' and '.join(noisy)} too noisy, perhaps faster" if noisy else ""
    return times, f"{spoken(times.values(), ' ms')} ({said})"


def cpu_rows(lab, what, size, work):
    """One for each machine on which `omp_best` and a library were timed, with all its instructions."""
    for machine, folder in machines.folders_of(lab):
        if machine.is_restricted:
            continue
        theirs, library = library_on(lab, folder, size, work, "cpu")
        _, ours = fastest(times_on(folder, size, work), lambda name, _: name == "omp_best")
        if theirs and ours:
            yield (f"{what}, {size}", machine.cpu, compared(theirs, ours), library,
                   spoken(ours.values(), " ms"), runs_of_both(theirs, ours))


def gpu_rows(lab, what, size, work):
    """One for each GPU."""
    for machine, folder in machines.folders_of(lab):
        theirs, library = library_on(lab, folder, size, work, "gpu")
        kernel, ours = fastest(times_on(folder, size, work),
                               lambda name, _: name.startswith("cuda_"))
        if machine.gpu and theirs and ours:
            yield (f"{what}, {size}", machine.gpu, compared(theirs, ours), library,
                   f"{spoken(ours.values(), ' ms')} (`{kernel}`)", runs_of_both(theirs, ours),
                   percent_of_copy(folder, size, work, kernel))


def tables() -> str:
    """That of the CPUs, then that of the GPUs."""
    cpus = markdown(("work", "CPU", "times as fast", "fastest library", "`omp_best`", "runs"),
                    [row for one in works() for row in cpu_rows(*one)])
    gpus = markdown(("work", "GPU", "times as fast", "fastest library", "our fastest", "runs",
                     "% of copy"), [row for one in works() for row in gpu_rows(*one)])
    return f"{cpus}\n{gpus}"


def table_of_machines() -> str:
    return markdown(("folder", "CPU", "GPU"), [(f"`{machine.name}`", machine.cpu, machine.gpu or
                                                "none") for machine in machines.known()])
