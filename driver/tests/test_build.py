"""Builds with a made-up cmake: variants that do not compile, or end the program, are left out."""

import contextlib
import io
import json
import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from driver.run import build, processes
from driver.progress import Progress
from driver.tests.samples import scratch, settings
from driver.trouble import Trouble

LAB = "lab7-new"
# A variant is broken if its name is in the file `broken`. A lab's program lists its variants unless
# one of those in the file `ends` is in the build; its program that only starts fails then.
CMAKE = r"""#!/bin/bash
state=$(dirname "$0")
for word; do
    case $word in -DLABS_SKIP_lab7-new=*) skip=${word#*=} ;; esac
    case ${before:-} in
        -B) folder=$word ;;
        --build) folder=$word build=yes ;;
        --target) target=$word ;;
    esac
    before=$word
done
mkdir -p "$folder/harness" "$folder/lab7-new"
in_build() { # those of a file that are not left out
    local one skipped=";$(<"$folder/skip");"
    for one in $(<"$1"); do [[ $skipped == *";$one"[=\;]* ]] || echo "$one"; done
}
write_program() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
if [[ -z ${build:-} ]]; then
    touch "$folder/CMakeCache.txt"
    echo "$@" >>"$folder/configured"
    echo "$skip" >"$folder/skip"
    cp "$state/facts" "$folder/harness/facts.json"
    cp "$state/facts" "$folder/lab7-new/facts.json"
    cp "$state/variants" "$folder/lab7-new/variants.json"
    exit 0
fi
case $target in
    *-loads)
        for one in seq omp_a omp_b; do
            write_program "$folder/lab7-new/lab7-new-$one-loads" \
                "$(grep -qx $one "$state/ends" || echo echo loaded)"
        done ;;
    lab7-new-all | labs_harness)
        [[ -z $(in_build "$state/broken") ]] || { echo "error: broken" && exit 1; }
        says='echo []' && [[ -z $(in_build "$state/ends") ]] || says='exit 3'
        write_program "$folder/lab7-new/new" "$says" ;;
    *)
        ! grep -qx "${target#lab7-new-}" "$state/broken" || { echo "error: no" && exit 1; } ;;
esac
"""
FACTS = {"cuda": "AUTO", "generator": "Ninja", "program": "new"}
VARIANTS = [{"name": name, "built": name != "cuda_c"} for name in ("seq", "omp_a", "omp_b", "cuda_c")]


class BuildTest(unittest.TestCase):
    def setUp(self):
        self.bin = scratch(self)
        (self.bin / "cmake").write_text(CMAKE)
        (self.bin / "cmake").chmod(0o755)
        self.write("broken", "")
        self.write("ends", "")
        self.write("facts", json.dumps(FACTS))
        self.write("variants", json.dumps(VARIANTS))
        output, folder = self.bin / "out", self.bin / "build"
        self.settings = settings(self.bin, labs=[LAB], build=folder, output=output,
                                 progress=Progress(output, folder))
        for part in ("harness", LAB):
            self.settings.results(part).mkdir(parents=True)
        path = mock.patch.dict(os.environ, {"PATH": f"{self.bin}:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)
        # The program listed its variants if it did not fail.
        listed = mock.patch("driver.run.results.read_lab", lambda folder: mock.Mock(listed=True))
        listed.start()
        self.addCleanup(listed.stop)

    def write(self, name: str, text: str):
        (self.bin / name).write_text(text)

    def build(self) -> str:
        """The printed text; the lab has to build."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            build.configure(self.settings, LAB, {LAB: []})
            self.assertTrue(build.build_lab(self.settings, LAB, f"{LAB}-all"))
        return said.getvalue()

    def left_out(self) -> str:
        return (self.settings.build / "skip").read_text().strip()

    def test_all_are_built(self):
        self.assertEqual(self.build(), "")
        self.assertEqual((self.settings.results(LAB) / "built.txt").read_text(),
                         "seq\nomp_a\nomp_b\n")

    def test_a_variant_that_does_not_compile_is_left_out(self):
        self.write("broken", "omp_a\n")
        self.assertRegex(self.build(), "DOES NOT COMPILE: omp_a\n(.*\n)*.*building without omp_a\n")
        self.assertEqual(self.left_out(), "omp_a")
        folder = self.settings.results(LAB)
        self.assertEqual([log.name for log in (folder / "not_compiled").iterdir()], ["omp_a.log"])
        self.assertIn("error: no", (folder / "not_compiled/omp_a.log").read_text())
        self.assertTrue((folder / "build-with-all.log").exists())

    def test_a_variant_that_ends_the_program_is_left_out_too(self):
        self.write("broken", "omp_a\n")
        self.write("ends", "omp_b\n")
        self.build()
        reason = "it ends the program before main() (exit code 0)"
        self.assertEqual(self.left_out(), f"omp_a;omp_b={reason}")
        kept = self.settings.results(LAB) / "not_loaded/omp_b"
        self.assertEqual(kept.read_text(), reason + "\n")

    def test_no_program_that_looks_for_races_is_of_an_earlier_source(self):
        self.build()
        self.write("broken", "omp_a-races\n")
        folder = self.settings.build / LAB / "races"
        folder.mkdir()
        for variant in ("omp_a", "omp_b"):
            (folder / variant).write_text("")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            build.build_races(self.settings, LAB, ["omp_a"])
        self.assertEqual(list(folder.iterdir()), [])
        self.assertIn("omp_a: not built with ThreadSanitizer, see ", said.getvalue())
        self.assertIn("error: no", (self.settings.results(LAB) / "races.log").read_text())

    def test_a_lab_without_a_variant_at_fault_does_not_build(self):
        self.write("broken", "something else\n")
        with contextlib.redirect_stdout(io.StringIO()):
            build.configure(self.settings, LAB, {LAB: []})
            self.assertFalse(build.build_lab(self.settings, LAB, f"{LAB}-all"))

    def test_it_is_configured_for_the_same_cuda_only(self):
        self.assertFalse(build.is_configured(self.settings))
        with mock.patch.dict(os.environ, {"LABS_CUDA": "AUTO"}):
            build.configure(self.settings, LAB, {LAB: []})
            self.assertTrue(build.is_configured(self.settings))
        with mock.patch.dict(os.environ, {"LABS_CUDA": "OFF"}):
            self.assertFalse(build.is_configured(self.settings))

    def test_a_folder_that_was_not_configured_to_the_end_is_not_configured(self):
        self.build()
        (self.settings.build / build.WISHES).unlink()
        self.assertFalse(build.is_configured(self.settings))

    def test_a_lab_that_cannot_be_configured_is_no_harness_that_does_not_build(self):
        (self.bin / "cmake").write_text("#!/bin/sh\necho 'CMake Error: no'\nexit 1\n")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            with self.assertRaisesRegex(Trouble, "cannot configure the .*configure.log"):
                build.build_harness(self.settings, "library", "labs_harness")
        self.assertIn("CMake Error: no", said.getvalue())

    def test_another_compiler_begins_anew(self):
        self.build()
        with mock.patch.dict(os.environ, {"CXX": "clang++"}):
            self.assertFalse(build.is_configured(self.settings))
            self.assertIn("built anew, because CXX changed", self.build())
            self.assertTrue(build.is_configured(self.settings))
            self.assertEqual(self.build(), "")
        calls = (self.settings.build / "configured").read_text().splitlines()
        self.assertEqual(["--fresh" in call for call in calls], [False, True, False])
        self.assertTrue(all("-DCMAKE_BUILD_TYPE=Release" in call for call in calls))

    def test_labs_that_are_not_configured_for_keep_what_they_leave_out(self):
        self.write("broken", "omp_a\n")
        self.build()
        for skip, left_out in (({}, False), ({LAB: []}, True), ({LAB: ["a", "b=c"]}, True)):
            build.configure(self.settings, LAB, skip)
            call = (self.settings.build / "configured").read_text().splitlines()[-1]
            self.assertEqual(f"-DLABS_SKIP_{LAB}=" in call, left_out)
            self.assertEqual("=a;b=c" in call, len(skip.get(LAB, [])) == 2)

    def test_a_harness_that_does_not_build_ends_the_run(self):
        self.write("broken", "all of it\n")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            with self.assertRaisesRegex(Trouble, "does not build.*library.log") as raised:
                build.build_harness(self.settings, "library", "labs_harness")
        self.assertEqual(raised.exception.code, 1)
        self.assertIn("error: broken", said.getvalue())


class ProcessesTest(unittest.TestCase):
    def call(self, script: str, **more) -> int:
        return processes.call(["bash", "-c", script], processes.NOWHERE, **more)

    def test_exit_codes_are_those_of_a_shell(self):
        self.assertEqual(self.call("exit 7"), 7)
        self.assertEqual(self.call("kill -SEGV $$"), 139)
        self.assertEqual(processes.call(["/there/is/none"], processes.NOWHERE),
                         processes.NOT_FOUND)

    def test_a_program_that_does_not_end_is_killed_with_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pid"
            code = self.call(f"trap '' TERM; sleep 60 & echo $! >{file}; wait; sleep 60", limit=0.5,
                             grace=0.2)
            self.assertEqual(code, processes.TIMED_OUT)
            child = int(file.read_text())
            end = time.monotonic() + 5  # a signal takes effect a little later
            while child in processes._parents() and time.monotonic() < end:
                time.sleep(0.01)
            self.assertNotIn(child, processes._parents())

    def test_stop_reaches_children_in_other_sessions(self):
        process = processes.start(["bash", "-c", "setsid sleep 61 & sleep 62"], processes.NOWHERE)
        while len(processes._descendants(processes._parents())) < 3:
            pass
        processes.stop_descendants()
        process.wait()
        self.assertFalse(processes._descendants(processes._parents()))


if __name__ == "__main__":
    unittest.main()
