"""The summary of output folders as run_all.sh leaves them."""

import json
import unittest
import xml.etree.ElementTree as xml
from contextlib import redirect_stdout
from copy import deepcopy
from io import StringIO

from driver.run.outcomes import LabReport, Outcome, VariantReport
from driver.run.results import describe_tests, failing_variants, first_error, read_lab
from driver.run.run_page import as_html
from driver.run.summary import (Run, as_json, as_markdown, as_staircase, as_terminal, report,
                                show_lab, write_junit)
from driver.tests.samples import SHARED_CASES, SHOWN, FolderTest, Program
from driver.timings import COLUMNS, Timing, Timings, noise, read_timings

FINISHED = "build ok\nbench ok\nfigures ok: 1\nfinished yes\n"
MEASURED = [{"event": "experiments", "names": ["sizes"]},
            {"event": "finished", "experiment": "sizes", "rows": 3, "noisy": 0}]


def shown(timing: Timing) -> list[str]:
    numbers = dict(zip(COLUMNS, timing.numbers, strict=True))
    return [numbers[name] for name in SHOWN]


class SummaryTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("state", FINISHED)
        self.list_variants({"name": "seq"}, {"name": "omp_new"}, {"name": "peer_library"})
        self.program = Program()
        self.bench = deepcopy(MEASURED)
        for variant in ("seq", "omp_new", "peer_library"):
            self.program.test(f"sizes/{variant}")
        self.program.test("races/omp_new", checked=0)

    def read(self, *, ended: bool = True) -> LabReport:
        if ended:
            self.program.end()
        self.write_events(self.program.events + self.bench)
        self.write("ctest.xml", self.program.xml)
        return read_lab(self.folder)

    def variant(self, name: str, *, ended: bool = True) -> VariantReport:
        return self.read(ended=ended).variant(name)

    def forms(self) -> list[str]:
        run = Run("--quick", [self.read()])
        return [as_terminal(run), as_markdown(run), as_html(run)]


class SlowerTest(SummaryTest):
    """A default that is slower than a rung is named."""

    def note_with(self, **best: str) -> str:
        self.list_variants({"name": "seq"}, {"name": "omp_new"}, {"name": "omp_best"})
        self.program.test("sizes/omp_best").test("races/omp_best")
        rung = {"variant": "omp_new", "kernel_ms_mean": "2", "kernel_ms_q1": "1.9",
                "kernel_ms_q3": "2.1"}
        self.write_times(rung, rung | {"variant": "omp_best"} | best)
        return self.variant("omp_best").note

    def test_is_named_beyond_the_noise(self) -> None:
        self.assertEqual(self.note_with(kernel_ms_mean="3", kernel_ms_q1="2.9", kernel_ms_q3="3.1"),
                         "slower than omp_new at sizes, 9x9x1 (3.000 ms, 2.000 ms)")

    def test_is_not_named_within_the_noise(self) -> None:
        steady = {"kernel_ms_mean": "3", "kernel_ms_q1": "2.9", "kernel_ms_q3": "3.1"}
        for best in ({"kernel_ms_mean": "3", "kernel_ms_q1": "2.0", "kernel_ms_q3": "3.1"},
                     {"kernel_ms_mean": "1.9"},
                     steady | {"noise": "spread"},
                     steady | {"width": "8"}):
            self.assertNotIn("slower", self.note_with(**best))


class OutcomesTest(SummaryTest):
    def test_is_ok_if_all_is_well(self) -> None:
        self.assertEqual(self.read().status, "ok")
        self.assertEqual(self.variant("omp_new").outcome, Outcome.OK)
        self.assertEqual(self.variant("omp_new").note, "")
        with redirect_stdout(StringIO()):
            self.assertEqual(report(self.output, ["lab7-test"], "--quick"), 0)

    def test_is_shown_before_the_run_is_over(self) -> None:
        for said in ("lab7-test: all that can run here passed.", "lab7-test: failed, see the lines"):
            self.read()
            with redirect_stdout(StringIO()) as shown:
                show_lab(self.folder, "--quick")
            self.assertIn(said, shown.getvalue())
            self.assertNotIn("FAILED", shown.getvalue())
            self.program.test("tall/omp_new", "wrong", "WRONG omp_new on 1x1: a|<b>")

    def test_counts_what_a_variant_refused(self) -> None:
        self.program.test("blocks/omp_new", checked=1, refused=20, first_reason="blocks (of 1x1)")
        self.assertEqual(self.variant("omp_new").outcome, Outcome.OK)
        self.assertEqual(self.variant("omp_new").note,
                         "refused 20 of 41 configurations (first: blocks (of 1x1))")
        self.assertEqual(self.read().status, "ok")

    def test_a_variant_that_takes_one_size_only_is_refused(self) -> None:
        self.program.test("blocks/omp_new", checked=1, refused=22, first_reason="64x64 only")
        self.program.test("blocks/peer_library", checked=1, refused=22)  # a library may
        lab = self.read()
        self.assertEqual(lab.variant("omp_new").outcome, Outcome.REFUSED)
        self.assertEqual(lab.variant("omp_new").note,
                         "22 of 43 configurations (first: 64x64 only)")
        self.assertEqual(lab.status, "failed")
        self.assertEqual(failing_variants(lab), ["omp_new"])
        self.assertIn("omp_new refused 22 of 43", describe_tests(lab))
        self.assertEqual(lab.variant("peer_library").outcome, Outcome.OK)

    def test_a_variant_that_refuses_everything_is_refused(self) -> None:
        self.program = Program().test("sizes/seq").test("sizes/peer_library")
        self.program.test("sizes/omp_new", "skipped", "refused all 9 configurations: no", checked=0,
                          refused=9, first_reason="no")
        self.assertEqual(self.variant("omp_new").outcome, Outcome.REFUSED)
        self.assertIn("2 tests passed, 1 skipped;", describe_tests(self.read()))

    def test_counts_what_was_not_emulated_as_not_refused(self) -> None:
        self.program.test("blocks/omp_new", checked=10, refused=40)
        self.assertEqual(self.variant("omp_new").outcome, Outcome.REFUSED)
        self.program.test("random/omp_new", checked=1, left_out=9)
        self.assertEqual(self.variant("omp_new").outcome, Outcome.OK)

    def test_names_why_tests_were_skipped(self) -> None:
        self.program.test("tall/omp_new", "skipped", "has no thresholds")
        self.program.test("wide/omp_new", "skipped", "cannot run here: too much to be emulated")
        self.assertIn("4 tests passed, 2 skipped (has no thresholds)", describe_tests(self.read()))

    def test_names_the_checks_that_could_not_run(self) -> None:
        self.list_variants({"name": "seq"}, {"name": "omp_new"}, {"name": "omp_old"})
        self.program = Program().test("sizes/seq").test("sizes/omp_new").test("sizes/omp_old")
        for variant in ("omp_new", "omp_old"):
            self.program.test(f"races/{variant}", "skipped", "not checked: no memory")
        self.program.test("amx/omp_new", "skipped", "cannot run here: no AMX")
        self.program.nodes += (
            '<testcase name="lab7.Bands.of_a_gpu" status="notrun"><skipped message="SKIP_REGEX"/>'
            '<system-out>here:\ncannot run here: no GPU\n</system-out></testcase>')
        told = ("amx of omp_new: no AMX; Bands.of_a_gpu: no GPU; races of 2 variants: no memory")
        self.assertTrue(self.read().ok)
        for form in self.forms():
            self.assertIn(f"Everything that can run here passed. Not checked in lab7-test: {told}.",
                          form)
        lab = json.loads(as_json(Run("", [self.read()])))["labs"]["lab7-test"]
        self.assertEqual(lab["not_checked"], told)
        self.assertEqual(lab["variants"]["omp_new"]["not_checked"], {"races": "no memory"})
        self.assertEqual(lab["variants"]["seq"]["not_checked"], {})
        self.program.test("tall/omp_new", "wrong", "WRONG omp_new on 1x1")
        self.assertIn("parts (lab7-test: failed). Not checked in lab7-test: amx", self.forms()[0])

    def test_a_task_that_is_not_begun_is_not_done_yet(self) -> None:
        self.program.test("random/omp_new", "not done yet", "not done yet")
        lab = self.read()
        variant = lab.variant("omp_new")
        self.assertEqual((variant.outcome, variant.message), (Outcome.NOT_DONE, ""))
        self.assertEqual(lab.status, "ok")
        self.assertEqual(failing_variants(lab), [])
        self.assertIn("4 tests passed, 1 not done yet", describe_tests(lab))
        terminal, markdown, html = self.forms()
        self.assertRegex(markdown, r"\| omp_new \| yes \| not done yet( \| -)+ \|  \|")
        self.assertIn("</span> not done yet</td>", html)
        self.assertRegex(terminal, "omp_new +yes +not done yet( +-)+\n")
        self.assertIn('"status": "not done yet"', as_json(Run("--quick", [lab])))

    def test_says_that_a_result_is_emulated(self) -> None:
        self.list_variants({"name": "cuda_new", "emulated": True})
        self.program.test("sizes/cuda_new")
        self.assertIn("5 tests passed (1 emulated)", describe_tests(self.read()))
        terminal, markdown, html = self.forms()
        self.assertIn("| cuda_new | yes | correct (emulated) | - | - | - |", markdown)
        self.assertRegex(terminal, "yes +correct .emulated.( +-)+")
        self.assertIn("</span> correct (emulated)</td>", html)
        run = Run("--quick", [self.read()])
        variant = json.loads(as_json(run))["labs"]["lab7-test"]["variants"]["cuda_new"]
        self.assertEqual([variant["status"], variant["result"], variant["kernel_ms"]],
                         ["ok", "correct (emulated)", None])
        write_junit(run, self.output / "junit.xml")
        found = xml.parse(self.output / "junit.xml").find(".//property")
        self.assertEqual(found.get("value"), "correct (emulated)")


class FailuresTest(SummaryTest):
    def test_a_wrong_output_is_the_first_line_of_what_was_found(self) -> None:
        self.program.test("tall/omp_new", "wrong", "WRONG omp_new on 1x1x3 (): 9\nreduced from …")
        self.program.test("random/omp_new", "failed", "Expected: 1\n  Actual: 2\n\nmore")
        variant = self.variant("omp_new")
        self.assertEqual(variant.outcome, Outcome.WRONG)
        self.assertEqual(variant.message,
                         "on 1x1x3 (): 9 (in 1 of 4 tests, first lab7.variants/T.tall/omp_new)")
        self.assertEqual(self.read().tests[-1].message, "Expected: 1 Actual: 2")
        self.assertIn("4 tests passed, 2 FAILED (omp_new: wrong)", describe_tests(self.read()))

    def test_a_wrong_variant_has_no_time(self) -> None:
        self.write_times({"variant": "seq"}, {"variant": "omp_new"})
        self.program.test("tall/omp_new", "wrong", "WRONG")
        self.assertIsNotNone(self.variant("seq").timing)
        self.assertIsNone(self.variant("omp_new").timing)

    def test_without_tests_a_lab_has_failed(self) -> None:
        self.program = Program()
        self.assertEqual(self.read().trouble, "no test ran; see ctest.log")

    def test_is_reported_in_all_files(self) -> None:
        self.program.test("tall/omp_new", "wrong", "WRONG omp_new on 1x1: a|<b>")
        self.write("not_compiled/omp_other.log", "x.cpp:1: error: no\n")
        self.read()
        with redirect_stdout(StringIO()) as said:
            self.assertEqual(report(self.output, ["lab7-test"], "--quick", self.folder), 1)
        self.assertRegex(said.getvalue(), "omp_new +yes +NO: wrong( +-)+ +see below\n")
        self.assertRegex(said.getvalue(), r"FAILED: 1 of 1 parts.*\n.* ./run_all.sh --labs 7 "
                         r"--variant omp_\w+\nAs a page: .*\n\Z")
        self.assertIn("\nlab7-test omp_other: does not compile: x.cpp:1: error: no\n",
                      said.getvalue())
        markdown = (self.output / "summary.md").read_text()
        self.assertRegex(markdown, r"\| NO: wrong( \| -)+ \| wrong: on 1x1: a\\\|&lt;b> \(in 1 of")
        results = json.loads((self.output / "results.json").read_text())
        self.assertEqual(results["labs"]["lab7-test"]["tests"]["failed"], 1)
        failures = xml.parse(self.output / "junit.xml").findall(".//failure")
        self.assertEqual([failure.get("type") for failure in failures],
                         ["wrong", "does not compile"])
        self.assertEqual((self.output / "index.html").read_text(),
                         (self.folder / "index.html").read_text())

    def test_a_lost_gpu_is_a_crash(self) -> None:
        self.program.test("random/omp_new", "crash", "omp_new on 1x1: CUDA: misaligned address")
        self.assertEqual(self.variant("omp_new").outcome, Outcome.CRASH)
        self.assertIn("misaligned address", self.variant("omp_new").message)

    def test_what_ended_the_program_costs_the_test_that_ran(self) -> None:
        for end, outcome, message in (
                ({"signal": 11}, Outcome.CRASH,
                 "it crashed: SEGFAULT (an address outside of the arrays, or a recursion without an end)"),
                ({"signal": 8, "place": "ladder/3_omp_new.cpp:4"}, Outcome.CRASH,
                 "it crashed: NUMERICAL at ladder/3_omp_new.cpp:4 (an integer was divided by zero)"),
                ({"signal": 9}, Outcome.CRASH, "it crashed: signal 9"),
                ({"exit_code": 0}, Outcome.CRASH,
                 "it ended the program (exit) before the test was over"),
                ({}, Outcome.TIMEOUT, "killed after 7 s")):
            self.program = Program().test("sizes/omp_new").end()
            self.program.begin("random/omp_new").ctest("random/omp_new", "fail", 7)
            if end:
                self.program.add("ended", **end)
            variant = self.variant("omp_new", ended=False)
            self.assertEqual(variant.outcome, outcome, end)
            self.assertTrue(variant.message.startswith(message + " (in 1 of 2 tests"), variant)

    def test_a_test_that_hangs_says_where(self) -> None:
        self.program.begin("random/omp_new").ctest("random/omp_new", "fail", 60)
        self.program.add("long", place="ladder/3_omp_new.cpp:4")
        self.assertTrue(self.variant("omp_new", ended=False).message.startswith(
            "killed after 60 s; after 20 s it was at ladder/3_omp_new.cpp:4"))

    def test_a_program_that_crashes_after_its_tests_has_not_passed(self) -> None:
        self.program = Program().test("sizes/omp_new").add("finished").add("ended", signal=6)
        self.assertIn("Subprocess aborted", self.variant("omp_new", ended=False).message)

    def test_a_run_that_is_killed_leaves_the_next_with_its_number_alone(self) -> None:
        self.program = Program().begin("sizes/seq").ctest("sizes/seq", "fail", 60)
        self.program.test("sizes/omp_new").end()
        lab = self.read(ended=False)
        self.assertEqual(lab.variant("seq").outcome, Outcome.TIMEOUT)
        self.assertEqual(lab.variant("omp_new").outcome, Outcome.OK)

    def test_ctest_has_the_last_word(self) -> None:
        self.program = Program().test("sizes/omp_new")
        self.program.nodes = ""
        self.program.ctest("sizes/omp_new", "fail", inside='<failure message="Sanitizer: "/>')
        self.assertEqual(self.variant("omp_new").outcome, Outcome.FAILED)
        self.assertIn("Sanitizer: ", self.variant("omp_new").message)

    def test_a_test_without_its_program_has_failed(self) -> None:
        self.program.ctest("random/omp_new", "notrun", inside='<skipped message="no program"/>')
        self.assertEqual(self.variant("omp_new").outcome, Outcome.FAILED)
        self.assertIn("the test program was not built", self.variant("omp_new").message)

    def test_names_who_ends_the_program_before_main(self) -> None:
        self.write("not_loaded/omp_new", "it ends the program before main() (exit code 0)\n")
        variant = self.variant("omp_new")
        self.assertEqual(variant.outcome, Outcome.CRASH)
        self.assertEqual(variant.message, "it ends the program before main() (exit code 0)")
        self.assertFalse(variant.built)
        self.assertEqual(failing_variants(self.read()), [], "it is not in the program")

    def test_a_program_that_lists_no_variants_is_no_success(self) -> None:
        self.write("variants.json", '{"half": ')
        self.assertEqual(self.read().status, "failed")
        self.assertEqual(self.read().trouble, "its program lists no variants; see variants.json")
        self.write("list.log", "error: the disk is on fire\nmore\n")
        self.assertEqual(self.read().trouble,
                         "its program lists no variants: error: the disk is on fire")
        self.write("not_compiled/omp_other.log", "x.cpp:1: error: no\n")
        self.assertFalse(self.read().listed)
        self.assertEqual(self.variant("omp_other").message, "x.cpp:1: error: no")

    def test_a_lab_that_does_not_build_has_the_first_error(self) -> None:
        self.write("state", "build failed\nfinished yes\n")
        self.write("build.log", "[1/2] c++\n/a/b/lab7-test/x.cpp:3:1: error: no ';'\nerror: more\n")
        self.assertEqual(self.read().status, "does not build")
        self.assertEqual(self.read().trouble, "lab7-test/x.cpp:3:1: error: no ';'")
        self.write("build.log", "CMake Error at x:\n\n  There is\n  none.\n")
        self.assertEqual(first_error(self.folder / "build.log"),
                         "CMake Error at x: There is none.")

    def test_a_run_that_was_stopped_is_not_finished(self) -> None:
        self.write("state", "build ok\n")
        run = Run("--quick", [self.read()])
        self.assertEqual(run.verdict, "FAILED: 1 of 1 parts (lab7-test: not finished).")
        self.assertIn("lab7-test: not finished: the run was stopped", as_terminal(run))


class BenchTest(SummaryTest):
    def test_its_worst_fault_of_a_variant_counts(self) -> None:
        def fault(outcome: str, text: str) -> dict:
            return {"event": "fault", "variant": "omp_new", "configuration": "64x48 filter=box3",
                    "outcome": outcome, "text": text}
        self.bench += [fault("failed", "not enough memory"), fault("wrong", "WRONG, not timed: 5")]
        self.assertEqual(self.variant("omp_new").outcome, Outcome.WRONG)
        self.assertEqual(self.variant("omp_new").message,
                         "in the benchmark: omp_new 64x48 filter=box3: WRONG, not timed: 5")
        self.bench.append(fault("crash", "CRASH: it ended the program with exit code 0"))
        self.assertEqual(self.variant("omp_new").outcome, Outcome.CRASH)
        self.assertEqual(self.variant("seq").outcome, Outcome.OK)

    def test_it_has_to_finish_every_experiment(self) -> None:
        self.bench[0]["names"] = ["sizes", "masks"]
        self.assertEqual(self.read().bench, "failed: it wrote no masks.csv")
        self.assertEqual(self.read().status, "failed")
        self.write("csv/masks.csv.partial", "a\n")
        self.assertEqual(self.read().bench, "failed: it left masks.csv.partial behind")
        self.bench.append({"event": "finished", "experiment": "masks", "rows": 1, "noisy": 0})
        self.assertEqual(self.read().bench, "ok")
        self.bench = []
        self.assertEqual(self.read().status, "failed")

    def test_what_it_said_last_is_shown_if_it_failed(self) -> None:
        self.write("state", FINISHED.replace("bench ok", "bench failed: exit code 1"))
        self.write("bench.log", "a\nerror: no memory\n")
        self.assertEqual(self.read().trouble,
                         "benchmark failed: exit code 1: error: no memory")

    def test_a_killed_one_names_what_is_unfinished(self) -> None:
        why = "failed: exit code 124, stopped after 5 s"
        self.write("state", FINISHED.replace("bench ok", f"bench {why}"))
        self.write("bench.log", "sizes: 1 of 3 rows are too noisy to be compared\n")
        self.bench[0]["names"] = ["sizes", "masks", "ladder"]
        self.assertEqual(self.read().bench, f"{why} (unfinished: masks, ladder)")
        self.bench = []
        self.write("bench.log", "cannot open shared object file\n")
        self.assertEqual(self.read().bench, f"{why}: cannot open shared object file")


class NoiseTest(SummaryTest):
    def timings(self, *rows: tuple[str, str, str, str], **more) -> Timings:
        names = ("variant", "noise", "spread", "disturbed")
        ms = {"seq": "7.5"}
        self.write_times(*({"kernel_ms_mean": ms.get(row[0], "2.5")} | dict(zip(names, row))
                           for row in rows), **more)
        return read_timings(self.folder / "csv")

    def test_a_quiet_row_has_its_ratios(self) -> None:
        quiet = self.timings(("seq", "", "0.25", "0.7"), ("omp_new", "", "0.04", "0"))
        self.assertEqual(quiet.fastest["omp_new"].noise, "")
        self.assertEqual(shown(quiet.fastest["omp_new"]), ["2.500 ± 4 %", "3.00", "40.0"])
        self.assertEqual(quiet.noise, "")

    def test_a_noisy_row_is_marked(self) -> None:
        noisy = self.timings(("seq", "", "0.1", "0"), ("omp_new", "spread", "0.43", "0"),
                             ("omp_other", "disturbed", "0.01", "0.8"), ("cuda_a", "", "0", "0"),
                             ("cuda_b", "", "0", "0"), ("cuda_c", "", "0", "0"))
        self.assertEqual(noisy.fastest["omp_new"].noise, "noisy: its times spread by 43 %")
        self.assertEqual(shown(noisy.fastest["omp_new"]), ["2.500 ± 43 %", "~3.00", "-"])
        self.assertEqual(noisy.fastest["omp_other"].noise,
                         "noisy: other work disturbed 80 % of its repeats")
        self.assertEqual(noisy.fastest["cuda_a"].speedup, 3)
        self.assertEqual(noisy.noise, "", "2 of 6 are a third, not more")

    def test_a_noisy_baseline_marks_every_speedup(self) -> None:
        noisy = self.timings(("seq", "spread", "0.5", "0"), ("omp_new", "", "0.04", "0"))
        timing = noisy.fastest["omp_new"]
        self.assertEqual(timing.noise, "noisy: seq's times spread by 50 %")
        self.assertEqual(timing.speedup, 3)
        self.assertEqual(timing.percent_of_copy, 40, "it is no ratio to the baseline")
        self.assertEqual(noisy.noise, "this run is too noisy to rank its variants")

    def test_a_missing_rate_of_copy_has_a_reason(self) -> None:
        for copy, noise in (("150", "noisy: the copy that was measured beside it"), ("", "")):
            self.write_times({"variant": "omp_new", "percent_of_copy": "", "copy_gb_per_s": copy})
            timing = read_timings(self.folder / "csv").fastest["omp_new"]
            self.assertEqual(timing.noise, noise)

    def test_says_so_in_every_form(self) -> None:
        self.timings(("seq", "spread", "0.5", "0"), ("omp_new", "", "0.04", "0"))
        rank = "this run is too noisy to rank its variants"
        for text in self.forms():
            self.assertIn(rank, text)
            self.assertIn("2.500 ± 4 %", text)
            self.assertIn("~3.00", text)
        lab = json.loads(as_json(Run("--quick", [self.read()])))["labs"]["lab7-test"]
        self.assertEqual(lab["noise"], rank)
        variant = lab["variants"]["omp_new"]
        self.assertEqual([variant["speedup"], variant["noise"], variant["spread"]],
                         [3, "noisy: seq's times spread by 50 %", 0.04])

    def test_the_rule_is_that_of_the_harness(self) -> None:
        """harness/tests/test_data.cpp checks the same cases."""
        for spread, disturbed, expected in json.loads(SHARED_CASES.read_text())["noise"]:
            self.assertEqual(noise(spread, disturbed), expected)

    def test_half_a_line_and_samples_are_left_out(self) -> None:
        self.timings(("seq", "", "0", "0"))
        rows = self.folder / "csv/sizes.csv"
        rows.rename(rows.with_name("sizes.csv.partial")).open("a").write("lab7-test,sizes,omp_new")
        self.write("csv/sizes_samples.csv.partial", "row,variant\n1,seq\n")
        self.assertEqual(list(read_timings(self.folder / "csv").fastest), ["seq"])

    def test_the_largest_image_that_most_variants_have_is_shown(self) -> None:
        self.write_times({"variant": "seq"}, {"variant": "omp_new", "width": "99"},
                         {"variant": "omp_new", "width": "99", "parameters": "a=1;threads=2"},
                         {"variant": "seq", "width": "99", "parameters": "a=1"},
                         {"variant": "omp_new", "kernel_ms_mean": "1"},
                         {"variant": "peer_library"})
        timings = read_timings(self.folder / "csv")
        self.assertEqual(timings.caption, "sizes, 99x9x1, a=1")
        self.assertEqual(timings.fastest["omp_new"].elsewhere, "")
        self.assertEqual(timings.fastest["peer_library"].elsewhere, "sizes, 9x9x1")

    def test_the_ladder_has_bars(self) -> None:
        ladder = {"experiment": "ladder"}
        self.write_times(ladder | {"variant": "seq", "kernel_ms_mean": "8"},
                         ladder | {"variant": "omp_new", "kernel_ms_mean": "2"})
        text = as_staircase(self.read())
        self.assertIn("The ladder (ladder, 9x9x1), times as fast as seq:\n", text)
        self.assertIn("   1.0x " + 10 * "#" + "\n", text)
        self.assertIn("   4.0x " + 40 * "#" + "\n", text)


if __name__ == "__main__":
    unittest.main()
