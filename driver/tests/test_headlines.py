"""The tables of results: medians and ranges over runs, of files that are there and that were replaced.
"""

import csv
import unittest
from unittest import mock

from driver.report import headlines
from driver.tests.samples import scratch

LAB, SIZE, WORK = "lab7-test", "7680x4320", r"filter=gauss3;.*"
ABOUT = {LAB: {"headline": {"work": "3x3 blur", "size": SIZE, "rows": WORK,
                            "one_thread": ["peer_opencv"]}}, "lab8-other": {"name": "other"}}


def row(variant: str, ms: float, day: int, **more: str) -> dict[str, str]:
    return {"experiment": "limit", "variant": variant, "width": "7680", "height": "4320",
            "parameters": "filter=gauss3;threads=2", "kernel_ms_median": str(ms), "noise": "",
            "commit": "abc", "timestamp": f"2026-11-{day}T10:00:00Z"} | more


class LabsTest(unittest.TestCase):
    def test_a_lab_keeps_its_number_beside_others(self):
        for one in headlines.labs.told():
            self.assertEqual(f"lab{one['number']}", one["folder"].partition("-")[0])


class HeadlinesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        self.enterContext(mock.patch.object(headlines.labs, "about", return_value=ABOUT))

    def measure(self, *rows: dict[str, str]) -> None:
        headlines.keep(LAB, self.folder, "limit")
        with (self.folder / "limit.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    def times(self, variant: str) -> dict:
        return headlines.times_on(self.folder, SIZE, WORK).get((variant, "cpu"), {})

    def test_the_rows_of_a_replaced_file_stay_as_runs(self):
        for day, ms in ((21, 4.0), (22, 6.0), (23, 5.0)):
            self.measure(row("omp_best", ms, day), row("peer_ipp", 10.0, day),
                         row("omp_best", 1.0, day, width="256"))
        ours = self.times("omp_best")
        self.assertEqual(sorted(ours.values()), [4.0, 5.0, 6.0])
        self.assertEqual(headlines.runs(ours), "3 on 3 days")
        self.assertEqual(headlines.spoken(ours.values(), " ms"), "5.00 ms (4.00 to 6.00)")
        self.assertEqual(headlines.compared(self.times("peer_ipp"), ours), "2.00 (1.67 to 2.50)")

    def test_a_run_counts_once(self):
        self.measure(row("omp_best", 4.0, 21))
        headlines.keep(LAB, self.folder, "limit")
        headlines.keep(LAB, self.folder, "limit")
        self.assertEqual(headlines.runs(self.times("omp_best")), "1 on 1 day")
        self.assertEqual(len((self.folder / "other_runs.csv").read_text().splitlines()), 2)

    def test_noisy_rows_are_not_kept(self):
        self.measure(row("omp_best", 4.0, 21, noise="spread"))
        self.measure(row("omp_best", 5.0, 22))
        self.assertEqual(list(self.times("omp_best").values()), [5.0])

    def test_a_range_of_ratios_across_one_is_equal(self):
        self.measure(row("omp_best", 10.0, 21), row("peer_ipp", 9.0, 21))
        self.measure(row("omp_best", 10.0, 22), row("peer_ipp", 11.0, 22))
        said = headlines.compared(self.times("peer_ipp"), self.times("omp_best"))
        self.assertEqual(said, "1.00 (0.900 to 1.10), equal")

    def test_only_runs_that_have_both_are_compared(self):
        self.measure(row("peer_ipp", 9.0, 21))
        self.measure(row("omp_best", 3.0, 22), row("peer_ipp", 12.0, 22))
        self.assertEqual(headlines.compared(self.times("peer_ipp"), self.times("omp_best")), "4.00")

    def rows_of_cpus(self, lab: str = LAB, size: str = SIZE, work: str = WORK) -> list[tuple]:
        machine = headlines.machines.Machine("cpu-zen5-2core", "", "a CPU")
        with mock.patch.object(headlines.machines, "folders_of",
                               return_value=[(machine, self.folder)]):
            return list(headlines.cpu_rows(lab, "work", size, work))

    def test_a_library_that_is_noisy_and_perhaps_faster_is_named(self):
        for ms, says in ((5.0, "12.0 ms (Simd; IPP too noisy, perhaps faster)"),
                         (13.0, "12.0 ms (Simd)")):
            with self.subTest(ms):
                self.measure(row("omp_best", 3.0, 22), row("peer_simd", 12.0, 22),
                             row("peer_ipp", ms, 22, noise="spread"))
                self.assertEqual(self.rows_of_cpus()[0][3], says)

    def test_a_library_that_is_noisy_once_is_compared_by_its_other_runs(self):
        self.measure(row("omp_best", 3.0, 21), row("peer_simd", 12.0, 21), row("peer_ipp", 9.0, 21))
        self.measure(row("omp_best", 3.0, 22), row("peer_simd", 12.0, 22),
                     row("peer_ipp", 5.0, 22, noise="spread"))
        (_, _, ratio, library, _, runs), = self.rows_of_cpus()
        self.assertEqual((ratio, library), ("3.00", "9.00 ms (IPP)"))
        self.assertEqual(runs, "2 on 2 days, 1 with both")

    def test_a_library_with_one_thread_says_so(self):
        self.measure(row("omp_best", 3.0, 22), row("peer_opencv", 12.0, 22))
        self.assertEqual(self.rows_of_cpus()[0][3], "12.0 ms (OpenCV, one thread)")
        self.assertEqual(self.rows_of_cpus("lab8-other")[0][3], "12.0 ms (OpenCV)")
        self.assertEqual(headlines.works(), [(LAB, "7: 3x3 blur", SIZE, WORK)])

    def test_a_restricted_cpu_is_not_in_the_table(self):
        self.measure(row("omp_best", 3.0, 22), row("peer_ipp", 12.0, 22))
        for name, rows in (("cpu-zen5-2core", 1), ("cpu-zen5-2core-as-avx2", 0)):
            machine = headlines.machines.Machine(name, "", "a CPU")
            with mock.patch.object(headlines.machines, "folders_of",
                                   return_value=[(machine, self.folder)]):
                made = list(headlines.cpu_rows(LAB, "3x3 blur", SIZE, WORK))
            self.assertEqual(len(made), rows, name)


if __name__ == "__main__":
    unittest.main()
