"""The table of results in the README: for each lab one piece of work, in all experiments that
measured it, and how many targets were met. After the tables of targets were drawn.
"""

import csv
import re
from statistics import median

from driver.timings import noise_of
from driver.variants import ROOT

REPORTS = ROOT / "reports"
EXPERIMENTS = ("limit", "ladder", "large")
NAMES = {"cvcuda": "CV-CUDA", "halide": "Halide", "simd": "Simd", "opencv": "OpenCV",
         "opencv_blur": "OpenCV"}

# The lab, the work as the README calls it, its size, and a regular expression for the parameters or
# the case of the rows that do it.
WORK = (
    ("lab1-convolution", "1: 3x3 blur", "7680x4320", r"filter=gauss3;.*"),
    ("lab2-integral-image", "2: 32-bit sums", "8192x8192", r"max_pixel=31(;.*)?"),
    ("lab3-gaussian-upscale", "3: cubic, to twice the size", "7680x4320",
     r"method=(bicubic|lagrange)(;.*)?"),
    ("lab4-histogram-eq", "4: equalization", "7680x4320", "landscape"),
)


def rows_of(path, size, work):
    """Those that are not too noisy for a comparison."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file)
                if f"{row['width']}x{row['height']}" == size and row["kernel_ms_median"]
                and (re.fullmatch(work, row["parameters"])
                     or re.fullmatch(work, row.get("case") or ""))
                and not noise_of(row)]


def times_on(folder, size, work):
    """The medians of each variant and processor, by experiment."""
    times = {}
    for experiment in EXPERIMENTS:
        for row in rows_of(folder / f"{experiment}.csv", size, work):
            processor = "cpu" if "threads=" in row["parameters"] else "gpu"
            by_experiment = times.setdefault((row["variant"], processor), {})
            by_experiment[experiment] = float(row["kernel_ms_median"])
    return times


def fastest(times, wanted):
    """The name and the times of the fastest variant, by the median over the experiments."""
    candidates = [(median(by.values()), name, by) for (name, processor), by in times.items()
                  if wanted(name, processor)]
    return min(candidates)[1:] if candidates else ("", {})


def spoken(values, unit=""):
    """A range of values in three digits, or one value."""
    low, high = (f"{value:#.3g}".rstrip(".") for value in (min(values), max(values)))
    return (low if low == high else f"{low} to {high}") + unit


def compared(theirs, ours):
    """The ratios of their time to ours, in each experiment that has both."""
    ratios = [theirs[e] / ours[e] for e in EXPERIMENTS if e in theirs and e in ours]
    if not ratios:
        return "-"
    return spoken(ratios) + (", equal" if min(ratios) <= 1 <= max(ratios) else "")


def library_name(variant):
    name = variant.removeprefix("peer_")
    return NAMES.get(name, name.upper())


def percent_of_copy(folder, size, work, variant):
    for row in rows_of(folder / "limit.csv", size, work):
        if row["variant"] == variant and row["percent_of_copy"]:
            return f"{float(row['percent_of_copy']):.1f}"
    return "-"


def targets(lab):
    """Goals against a copy or a library; those against the plain loops do not count."""
    lines = [line for machine in ("cpu-2core", "h200")
             for line in (REPORTS / lab / machine / "targets.md").read_text("utf-8").splitlines()
             if re.search(r"\| (yes|no) \|$", line) and "| seq" not in line]
    return f"{sum(line.endswith('| yes |') for line in lines)} of {len(lines)}"


def row(lab, what, size, work):
    cpu, gpu = (REPORTS / lab / machine for machine in ("cpu-2core", "h200"))
    on_cpu, on_gpu = times_on(cpu, size, work), times_on(gpu, size, work)
    library, their_times = fastest(on_cpu, lambda name, _: name.startswith("peer_"))
    _, our_times = fastest(on_cpu, lambda name, _: name == "omp_best")
    gpu_library, their_gpu_times = fastest(
        on_gpu, lambda name, processor: name.startswith("peer_") and processor == "gpu")
    kernel, our_gpu_times = fastest(on_gpu, lambda name, _: name.startswith("cuda_"))
    cells = (f"{what}, {size}",
             f"{spoken(their_times.values(), ' ms')} ({library_name(library)})",
             spoken(our_times.values(), " ms"), compared(their_times, our_times),
             f"{spoken(their_gpu_times.values(), ' ms')} ({library_name(gpu_library)})",
             f"{spoken(our_gpu_times.values(), ' ms')} (`{kernel}`)",
             compared(their_gpu_times, our_gpu_times),
             percent_of_copy(gpu, size, work, kernel), targets(lab))
    return "| " + " | ".join(cells) + " |"


def table() -> str:
    lines = ["| work | library, 2 cores | `omp_best`, 2 cores | times as fast | library, H200 | "
             "our fastest, H200 | times as fast | % of copy | targets met |",
             "| :-- | --: | --: | --: | --: | --: | --: | --: | --: |",
             *(row(*work) for work in WORK)]
    return "\n".join(lines) + "\n"
