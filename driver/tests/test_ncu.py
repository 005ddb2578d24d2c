"""Profiles, from output that Nsight Compute printed on an NVIDIA H200 (some columns of it,
in ncu/).
"""

import contextlib
import io
import os
import unittest
from pathlib import Path
from unittest import mock

from driver.tests.samples import scratch
from driver.trouble import ended
from driver.tools import ncu, profile

RECORDED = Path(__file__).parent / "ncu"
METRICS = [metric for metric, _ in (profile.LINES | profile.STALLS).values()]
LAB = """#!/bin/sh
case "$1 $*" in
    list*) echo '{"event": "machine", "gpu": "H200", "commit": "abc"}' >"$LABS_EVENTS"
           echo '[{"name": "cuda_best", "backend": "cuda"}, {"name": "omp_rows", "backend": "omp"},
                 {"name": "cuda_learned", "backend": "cuda"}]' ;;
    *cuda_learned*) echo "error: cuda_learned has --method learned only" >&2; exit 2 ;;
esac
"""
NCU = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in --log-file) log=$2 ;; esac; shift; done
if [ -n "$FORBIDDEN" ]; then echo "==ERROR== ERR_NVGPUCTRPERM: no permission" >"$log"
else cat "$RECORDED" >"$log"; fi
"""


def recorded(variant: str, metrics=tuple(METRICS)) -> list[ncu.Launch]:
    lines = (RECORDED / f"{variant}.csv").read_text("utf-8").splitlines()
    return ncu.launches_of(["==PROF== Connected", *lines], metrics)


def launch(kernel: str, us: float) -> ncu.Launch:
    return ncu.Launch(kernel, {profile.TIME: us * 1000})


def words_of(text: str, name: str) -> list[str]:
    """Of the line that begins with the name."""
    return next(line for line in text.splitlines() if line.startswith(name))[len(name):].split()


class SideBySideTest(unittest.TestCase):
    def setUp(self) -> None:
        names = ("cuda_sliding", "cuda_best")
        self.text = profile.side_by_side(names, [recorded(name) for name in names])

    def test_time_is_in_microseconds_and_has_a_ratio(self):
        self.assertEqual(words_of(self.text, "time, us"), ["609", "167", "3.66"])

    def test_numbers_with_thousands(self):
        self.assertEqual(words_of(self.text, "instructions"), ["233088840", "123141288", "1.89"])

    def test_a_counter_that_the_gpu_lacks(self):
        self.assertEqual(words_of(self.text, "DRAM, bytes"), ["-", "-", "-"])

    def test_no_ratio_to_zero(self):
        text = profile.side_by_side(("cuda_best", "cuda_sliding"),
                                    [recorded("cuda_best"), recorded("cuda_sliding")])
        self.assertEqual(words_of(text, "stall: barrier"), ["1.09", "0", "-"])

    def test_the_longest_stalls_of_either(self):
        self.assertEqual(words_of(self.text, "stall: long scoreboard"), ["1.35", "0.25", "5.40"])
        self.assertNotIn("stall: drain", self.text)

    def test_names_have_no_arguments(self):
        self.assertEqual(words_of(self.text, "kernel"), ["upscale_sliding", "upscale_segment"])

    def test_the_last_launch_of_the_longest_kernel(self):
        two = [launch("first", 10), launch("second", 90), launch("second", 20)]
        text = profile.side_by_side(("cuda_two", "cuda_one"), [two, [launch("one", 40)]])
        self.assertEqual(words_of(text, "time, us"), ["20", "40", "0.50"])
        self.assertEqual(words_of(text, "all kernels, us"), ["30", "40", "0.75"])


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        for name, text in (("lab", LAB), ("ncu", NCU)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        self.environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "FORBIDDEN": "",
                            "RECORDED": str(RECORDED / "cuda_best.csv")}

    def run_profile(self, *words: str, **environment: str) -> tuple[int, str]:
        said = io.StringIO()
        with mock.patch.dict("os.environ", self.environment | environment), \
                contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = ended("profile", lambda: profile.main([str(self.folder / "lab"), *words]))
        return code, said.getvalue()

    def test_all_variants_as_csv_without_those_that_refuse_the_input(self):
        code, said = self.run_profile(str(self.folder / "csv"))
        self.assertEqual(code, 0, said)
        self.assertIn("left out: cuda_learned: error: cuda_learned has --method learned", said)
        heads, *rows = (self.folder / "csv/profile.csv").read_text("utf-8").splitlines()
        self.assertEqual(len(rows), 1)
        self.assertRegex(rows[0], r"^cuda_best,upscale_segment,,,,,,27\.54,96,0\.25,0\.16656,"
                                  r",,,0,H200,abc,")
        self.assertEqual(heads.count(","), rows[0].count(","))

    def test_what_cannot_run(self):
        self.assertEqual(self.run_profile("cuda_best", "omp_rows")[0], 2)
        self.assertEqual(self.run_profile("cuda_best", "cuda_learned")[0], 2)
        self.assertEqual(self.run_profile()[0], 2)
        code, said = self.run_profile("cuda_best", "cuda_best", FORBIDDEN="yes")
        self.assertEqual(code, ncu.CANNOT_RUN)
        self.assertRegex(said, "^profile: cuda_best: .*ERR_NVGPUCTRPERM")
        code, said = self.run_profile("cuda_best", "cuda_best", PATH="/nowhere")
        self.assertEqual((code, said.split(";")[0]),
                         (ncu.CANNOT_RUN, "profile: ncu (Nsight Compute) was not found"))
        for other in ("#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '[]'\n"):
            (self.folder / "lab").write_text(other)
            code, said = self.run_profile("cuda_best", "cuda_best")
            self.assertEqual((code, said.count("\n")), (2, 1))
            self.assertIn("is not the program of a lab", said)
        (self.folder / "lab").unlink()
        self.assertIn("there is no program", self.run_profile("cuda_best", "cuda_best")[1])


if __name__ == "__main__":
    unittest.main()
