"""Which machine `run_all.sh measure` measures, and what it says of a failed benchmark."""

import subprocess
import unittest
from pathlib import Path
from unittest import mock

from driver.report import machines
from driver.run import measure
from driver.tests.samples import scratch, settings
from driver.trouble import Trouble


class MeasureTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        (self.folder / "harness").mkdir()
        (self.folder / "lab7").mkdir()
        self.settings = settings(self.folder, labs=["lab7"], mode="full")

    def gpu(self, facts: str, nvidia_smi: str | None) -> str:
        (self.folder / "harness" / "facts.json").write_text(facts)
        said = subprocess.CompletedProcess([], 0, stdout="NVIDIA H200\nNVIDIA H200\n")
        with mock.patch.object(measure.shutil, "which", return_value=nvidia_smi), \
                mock.patch.object(measure.subprocess, "run", return_value=said):
            return measure._gpu(self.settings)

    def test_the_gpu_counts_where_kernels_are_compiled(self):
        compiled = '{"cuda": "AUTO", "emulated": false}'
        self.assertEqual(self.gpu(compiled, "/usr/bin/nvidia-smi"), "NVIDIA H200")
        self.assertEqual(self.gpu(compiled, None), "")
        with mock.patch.dict("os.environ", LABS_CUDA="OFF"):
            self.assertEqual(self.gpu(compiled, "/usr/bin/nvidia-smi"), "")
        self.assertEqual(self.gpu('{"cuda": "EMULATE", "emulated": true}', "/usr/bin/nvidia-smi"), "")

    def test_a_failed_benchmark_is_told_in_its_own_words(self):
        program = self.folder / "program"
        program.write_text("#!/bin/sh\necho first\necho \"unknown experiment 'x'\"\nexit 2\n")
        program.chmod(0o755)
        with mock.patch("sys.stdout"), self.assertRaisesRegex(
                Trouble, r"lab7: unknown experiment 'x' \(exit code 2; see ") as raised:
            measure._measure(self.settings, "lab7", program, self.folder / "out", ["x"], {})
        self.assertEqual(raised.exception.code, 2)

    def test_an_older_cpu_has_a_folder_of_its_own_and_a_library_that_hides_instructions(self):
        this = machines.Machine("cpu-zen5-2core", "", "AMD EPYC (Zen 5), 2 cores")
        with mock.patch.object(measure.machines, "this", return_value=this), \
                mock.patch.object(measure.machines, "add") as add, \
                mock.patch.object(measure.build, "build_harness") as built, \
                mock.patch.object(measure, "_built", return_value=Path("program")), \
                mock.patch.object(measure, "_measure") as measured, \
                mock.patch.object(measure.figures, "redraw_reports", return_value=0):
            measure.measure(self.settings, ["limit"], "avx2")
        add.assert_called_once_with(machines.Machine(
            "cpu-zen5-2core-as-avx2", "", "AMD EPYC (Zen 5), 2 cores, restricted to AVX2"))
        self.assertIn("older_cpu_avx2", built.call_args.args)
        *_, folder, experiments, environment = measured.call_args.args
        self.assertEqual((folder.name, experiments), ("cpu-zen5-2core-as-avx2", ["limit"]))
        self.assertEqual(environment["LD_PRELOAD"], "libolder_cpu_avx2.so")
        self.assertTrue(environment["LD_LIBRARY_PATH"].split(":")[0].endswith("/harness"))

    def test_a_gpu_cannot_be_an_older_cpu(self):
        with mock.patch.object(measure.build, "build_harness"), \
                mock.patch.object(measure, "_gpu", return_value="NVIDIA H200"), \
                mock.patch("sys.stdout"), self.assertRaisesRegex(Trouble, "--as is for CPUs"):
            measure.measure(self.settings, ["limit"], "avx2")


if __name__ == "__main__":
    unittest.main()
