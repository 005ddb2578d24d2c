"""The names of machines, from what lscpu says of them."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from driver.report import machines

MILAN = {"Vendor ID": "AuthenticAMD", "CPU family": "25", "Model": "1",
         "Model name": "AMD EPYC 7003", "Flags": "sse4_1 avx avx2"}
TURIN = {"Vendor ID": "AuthenticAMD", "CPU family": "26", "Model": "2", "Model name": "AMD EPYC",
         "Flags": "avx2 avx512bw avx512vbmi"}
SAPPHIRE = {"Vendor ID": "GenuineIntel", "CPU family": "6", "Model": "143",
            "Model name": "Intel(R) Xeon(R) Processor", "Flags": "avx2 avx512bw avx512vbmi"}
SERVER = {"Vendor ID": "GenuineIntel", "CPU family": "6", "Model": "85", "Flags": "avx512bw"}
VNNI = "avx512bw avx512_vnni"
GRAVITON = {"Vendor ID": "ARM", "Model": "1", "Model name": "Neoverse-N1",
            "Architecture": "aarch64", "Flags": "fp asimd"}


class NamesTest(unittest.TestCase):
    def test_of_cpus(self):
        for facts, name, cpu in (
                (MILAN, "cpu-zen3-2core", "AMD EPYC 7003 (Zen 3, AVX2), 2 cores"),
                (TURIN, "cpu-zen5-2core", "AMD EPYC (Zen 5, AVX-512 VBMI), 2 cores"),
                (MILAN | {"Model": "17"}, "cpu-zen4-2core", "AMD EPYC 7003 (Zen 4, AVX2), 2 cores"),
                (SAPPHIRE, "cpu-sapphirerapids-noamx-2core", None),
                (SAPPHIRE | {"Flags": "avx2 amx_int8"}, "cpu-sapphirerapids-2core", None),
                (GRAVITON, "cpu-neoversen1-2core", "Neoverse-N1 (NEON), 2 cores")):
            made = machines.of(facts, 2)
            self.assertEqual((made.name, made.gpu, made.cpu), (name, "", cpu or made.cpu))

    def test_of_servers_that_share_a_model(self):
        for stepping, flags, name in (
                ("4", "avx512bw", "skylake"), ("-", "avx512bw", "skylake"), ("7", VNNI, "cascadelake"),
                ("5", "avx512bw", "cascadelake"), ("4", VNNI, "cascadelake"),
                ("11", f"{VNNI} avx512_bf16", "cooperlake"), ("10", VNNI, "cooperlake"),
                ("0", f"{VNNI} avx512_bf16", "cooperlake")):
            made = machines.of(SERVER | {"Stepping": stepping, "Flags": flags}, 2)
            self.assertEqual(made.name, f"cpu-{name}-2core", (stepping, flags))
        self.assertEqual(machines.of(SERVER | {"Model": "94", "Stepping": "11"}, 4).name,
                         "cpu-skylake-4core")

    def test_of_a_cpu_that_is_not_listed(self):
        for other in ({"Vendor ID": "Other"}, {"CPU family": "26", "Model": "80"}):
            made = machines.of({"Vendor ID": "AuthenticAMD", "Architecture": "x86_64",
                                "Flags": "avx2"} | other, 1)
            self.assertEqual(made, machines.Machine("cpu-x86-64-avx2-1core", "",
                                                    "an unknown CPU (AVX2), 1 core"))

    def test_of_gpus(self):
        for gpu, name in (("NVIDIA H200", "h200"), ("NVIDIA GeForce RTX 4070", "rtx-4070")):
            self.assertEqual(machines.of(TURIN, 16, gpu).name, name)

    def test_nested_fields_of_newer_versions(self):
        with mock.patch.object(machines.subprocess, "run") as run:
            run.return_value.stdout = ("Vendor ID:      AuthenticAMD\n  Model name:   AMD EPYC\n"
                                       "    CPU family: 26\n    Model:      2\n")
            with mock.patch.object(machines.cores, "available", return_value=2):
                self.assertEqual(machines.this("").name, "cpu-zen5-2core")


class KnownTest(unittest.TestCase):
    def test_one_that_is_known_keeps_its_description(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(machines, "FILE", Path(folder) / "machines.json"):
            mine = machines.Machine("cpu-zen5-2core", "", "a laptop")
            machines.add(mine)
            machines.add(machines.of(TURIN, 2))
            machines.add(machines.of(TURIN, 16, "NVIDIA H200"))
            self.assertEqual([each.name for each in machines.known()], ["h200", "cpu-zen5-2core"])
            self.assertIn(mine, machines.known())


if __name__ == "__main__":
    unittest.main()
