"""Plan and verdict on folders as `run_all.sh --variant` leaves them."""

import shutil
import subprocess
import time
import unittest
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import patch

from driver import variants
from driver.run import one_variant, steps, tested, watch
from driver.run.outcomes import Outcome
from driver.run.results import read_lab
from driver.tests.samples import FolderTest, Program, settings
from driver.tree import all_labs


class OneVariantTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.rules = self.output / "rules.json"
        self.write("state", "build ok\ntest_seconds 7\nfinished yes\n")
        self.list_variants({"name": "seq"}, {"name": "omp_old"},
                           {"name": "omp_not_here", "available": False, "reason": "no"},
                           {"name": "omp_new"}, {"name": "cuda_new", "emulated": True})
        self.program = Program().test("sizes/omp_new").test("races/omp_new")

    def verdict(self, name: str = "omp_new") -> str:
        self.write_events(self.program.events)
        return one_variant.verdict_on(read_lab(self.folder), name, self.rules)[0]

    def outcome(self) -> Outcome:
        self.write_events(self.program.events)
        return one_variant.verdict_on(read_lab(self.folder), "omp_new", self.rules)[1]

    def exit_code(self, name: str = "omp_new") -> int:
        """After verdict()."""
        with redirect_stdout(StringIO()):
            return one_variant.verdict(self.folder, name, self.rules)

    def plan(self, name: str = "omp_new") -> one_variant.Plan:
        self.write_events(self.program.events)
        return one_variant.plan(self.folder, name, self.rules)

    def times(self, old_ms: str, new_ms: str, noise: str = "", spread: str = "0.01") -> None:
        self.write("state", "build ok\nbench ok\nfinished yes\n")
        self.program.events += [{"event": "experiments", "names": ["ladder"]},
                                {"event": "finished", "experiment": "ladder"}]
        rows = (("seq", "8"), ("omp_old", old_ms), ("omp_new", new_ms))
        self.write_times(*({"experiment": "ladder", "variant": variant, "kernel_ms_mean": ms,
                            "noise": noise, "spread": spread}
                           for variant, ms in rows), name="csv/ladder.csv")

    def test_is_compared_with_the_rung_before(self) -> None:
        self.program.end()
        self.assertEqual(self.plan(), one_variant.Plan("ladder", ["omp_new", "omp_old"]))
        self.times("4", "2.5")
        self.assertIn("right: 3.20x seq, 40 % of copy, 60 % ahead of omp_old\n  2.500 ms ± 1 %: "
                      "ladder, 9x9x1\n", self.verdict())
        self.times("1", "2")
        self.assertIn("50 % behind omp_old", self.verdict())
        self.times("8", "2")
        self.assertIn("4.0 times as fast as omp_old", self.verdict())
        self.times("2", "2")
        self.assertIn("as fast as omp_old", self.verdict())
        self.times("8", "2", "spread", "0.5")
        self.assertIn("right: 4.00x seq, 4.0 times as fast as omp_old, noisy: its times spread by "
                      "50 %", self.verdict())

    def test_beside_other_work_it_gets_points_with_their_range(self) -> None:
        self.program.end()
        self.write_json("../rules.json", {"lab": "lab7", "tasks": [
            {"id": "A", "title": "a", "variant": "omp_new",
             "tests": [{"name": "sizes", "points": 3}],
             "speed": {"points": 4, "experiment": "ladder", "against": "seq", "floor": 1.2,
                       "full": 2.2}}]})
        self.times("4", "5", "disturbed")
        busy = [(ms, True) for ms in (4, 5, 6, 8, 10)]
        self.write_repeats([(8, False)] * 9, [(4, False)] * 9, busy, name="csv/ladder_samples.csv")
        text = self.verdict()
        self.assertIn("right: 1.33 to 2.00x seq, 0.67 to 1.00 times as fast as omp_old, noisy: ",
                      text)
        self.assertIn("points: 4.6 of 7 (1.33 to 2.00 times as fast as seq: 0.5 to 3.2 points); "
                      "next: ", text)

    def test_measures_on_until_the_points_are_decided(self) -> None:
        self.program.end()
        self.write_json("../rules.json", {"lab": "lab7", "tasks": [
            {"id": "A", "title": "a", "variant": "omp_new", "tests": [],
             "speed": {"points": 4, "experiment": "ladder", "against": "seq", "floor": 1.2,
                       "full": 2.2}}]})
        self.times("4", "5", "disturbed")
        busy = [(ms, True) for ms in (4, 5, 6, 8, 10)]
        self.write_repeats([(8, False)] * 9, [(4, False)] * 9, busy, name="csv/ladder_samples.csv")
        self.write_events(self.program.events)
        runs = []

        def bench(settings, lab: str, *arguments: str, to: str) -> str:
            runs.append((*arguments, to))
            for file in ("ladder.csv", "ladder_samples.csv"):
                self.write(f"{to}/{file}", (self.folder / "csv" / file).read_bytes())
            quiet = len(runs) == 3  # and so the first repeats without other work
            self.write_repeats([(8, False)] * 9, [], [(4, False)] * 9 if quiet else busy,
                               name=f"{to}/ladder_samples.csv")
            return "ok"

        def measure_on() -> int:
            runs.clear()
            with (patch.object(steps, "run_bench", bench), redirect_stdout(StringIO()),
                  patch.object(steps.tree, "rules_of", lambda lab: self.rules)):
                steps.measure_on(settings(self.output), "lab7-test", "omp_new")
            return len(runs)
        self.assertEqual(measure_on(), 3)
        self.assertEqual(runs[0], ("ladder", "--quick", "--variants", "omp_new,seq",
                                   "more/0-omp_new"))
        self.assertIn("points: 3.2 of 4; next: ", self.verdict())
        self.assertEqual(measure_on(), 0)
        shutil.rmtree(self.folder / "more")
        with patch.object(steps, "MORE_SECONDS", 0):
            self.assertEqual(measure_on(), 0)

    def test_the_first_ratio_is_that_of_the_points(self) -> None:
        """It was that of another filter, of which more variants had rows."""
        self.program.end()
        self.write_json("../rules.json", {"lab": "lab7", "tasks": [
            {"id": "A", "title": "a", "variant": "omp_new", "tests": [],
             "speed": {"points": 4, "experiment": "ladder", "against": "omp_old", "floor": 1,
                       "full": 2, "where": {"filter": "b"}}}]})
        self.times("4", "4")
        self.write_times(*({"experiment": "ladder", "variant": variant, "kernel_ms_mean": ms,
                            "filter": name, "parameters": f"filter={name}"}
                           for variant, ms, name in (
                               ("omp_old", "4", "a"), ("omp_new", "4", "a"), ("seq", "9", "a"),
                               ("omp_old", "6", "b"), ("omp_new", "4", "b"))),
                         name="csv/ladder.csv")
        self.assertIn("right: 1.50x omp_old, 40 % of copy\n  4.000 ms ± 4 %: ladder, 9x9x1, "
                      "filter=b\npoints: 2 of 4; next: speed: 1.50 times as fast as omp_old",
                      self.verdict())

    def test_rules_say_what_to_measure_and_what_is_missing(self) -> None:
        self.program.end()
        self.write_json("../rules.json", {"lab": "lab7", "tasks": [
            {"id": "A", "title": "a", "variant": "omp_new",
             "tests": [{"name": "sizes", "points": 3}],
             "speed": {"points": 4, "experiment": "ladder", "against": "peer_best", "floor": 1,
                       "full": 2}}]})
        self.assertEqual(self.plan().variants, ["omp_new", "omp_old", "peer_best"])
        self.assertIn("points: 3 of 7; next: speed: not measured", self.verdict())

    def test_a_test_that_fails_is_told_and_nothing_is_measured(self) -> None:
        self.program.test("random/omp_new", "wrong", "WRONG omp_new on 1x1: expected 1, got 2")
        self.program.end(exit_code=1)
        self.assertEqual(self.outcome(), Outcome.WRONG)
        self.assertIn("omp_new: wrong, in the test variants/T.random/omp_new:\n  WRONG omp_new on "
                      "1x1: expected 1, got 2\n", self.verdict())
        self.assertEqual(self.plan(), one_variant.Plan())

    def test_a_program_that_was_killed_has_not_passed(self) -> None:
        self.program.begin("random/omp_new")
        self.assertEqual(self.outcome(), Outcome.TIMEOUT)
        self.assertIn("in the test variants/T.random/omp_new:\n  killed after 7 s", self.verdict())

    def test_a_program_that_ends_between_tests_has_not_passed(self) -> None:
        self.program.add("ended", exit_code=0)
        self.assertEqual(self.outcome(), Outcome.CRASH)
        self.program = Program().add("ended", exit_code=0)
        self.assertEqual(self.outcome(), Outcome.NOT_TESTED)

    def test_the_test_that_names_the_cause_is_told(self) -> None:
        """The others were stopped when it had named it."""
        named = ("WRONG omp_new on 5x4: expected 1, got 2; looks like: the mask is transposed\n"
                 "    input:  1 2\n    explained in README.md")
        self.program.test("sizes/omp_new", "wrong", "WRONG omp_new on 1x1: expected 1, got 2")
        self.program.test("filters/omp_new", "wrong", named).begin("random/omp_new")
        self.write("state", "build ok\ntest_seconds 7\ncut_short yes\nfinished yes\n")
        self.assertIn(f"omp_new: wrong, in the test variants/T.filters/omp_new:\n  {named}\n",
                      self.verdict())
        self.assertEqual(self.outcome(), Outcome.WRONG)
        self.assertEqual([test.name for test in tested.tests_so_far(self.folder)],
                         [f"variants/T.{name}/omp_new" for name in ("sizes", "races", "filters")])
        self.program.test("races/omp_new", "wrong", "WRONG omp_new on 5x4: race: one thread")
        self.assertIn("omp_new: wrong, in the test variants/T.races/omp_new:", self.verdict())

    def test_leaving_memory_comes_before_a_race_that_may_result_from_it(self) -> None:
        race = "WRONG omp_new on 5x4: race: one thread writes, another reads"
        for text, first in (("looks like: it reads outside the input", "sizes"),
                            ("out of bounds: a load", "sizes"),
                            ("looks like: taps outside the image are read (above only)", "sizes"),
                            ("looks like: the mask is flipped", "races")):
            self.program = Program().test("races/omp_new", "wrong", race)
            self.program.test("sizes/omp_new", "wrong", f"WRONG omp_new on 5x4: {text}").end()
            self.assertIn(f"omp_new: wrong, in the test variants/T.{first}/omp_new:",
                          self.verdict(), text)
        self.program = Program().test("races/omp_new", "wrong", race).end()
        self.program.events += Program(2).begin("sizes/omp_new").add("ended", signal=11).events
        text = self.verdict()
        self.assertIn("omp_new: crash, in the test variants/T.sizes/omp_new:\n"
                      "  it crashed: SEGFAULT (an address outside of the arrays, or a recursion "
                      "without an end)\n"
                      "also, in the test variants/T.races/omp_new:\n  " + race, text)

    def test_no_message_is_cut_in_the_middle(self) -> None:
        lines = [f"{letter * 250}." for letter in "abc"]
        message = "WRONG omp_new " + " ".join(lines)
        self.program = Program().test("sizes/omp_new", "wrong", message).end()
        self.assertIn(" ".join(lines) + "\n", self.verdict())
        self.program = Program().test("sizes/omp_new", "failed", "\n".join(lines)).end()
        self.assertIn("  " + "\n".join(lines) + "\n", self.verdict())

    def test_a_copy_with_the_old_name_is_named(self) -> None:
        with patch.object(one_variant.variants, "ROOT", self.output):
            for text, names in (('.name = "omp_rows"', "'omp_rows'"), ("", "no variant"),
                                ('.name =\n "omp_a"}; {.name="omp_b"', "'omp_a' and 'omp_b'")):
                self.write(f"../{self.folder.name}/ladder/40_omp_mine.cpp", text)
                message = f"/ladder/40_omp_mine.cpp registers {names}, not 'omp_mine'"
                with self.assertRaisesRegex(one_variant.BadUsage, message):
                    self.plan("omp_mine")
            with self.assertRaisesRegex(one_variant.BadUsage, "has no variant 'omp_other'"):
                self.plan("omp_other")

    def test_variants_of_the_cpu_wait_for_no_kernels(self) -> None:
        lab = all_labs()[0]
        for variant in {each.name for each in variants.listed(lab)}:
            has_kernels = variant.startswith(("cuda_", "mpi_cuda", "mpi_nccl", "peer_"))
            self.assertEqual(watch._programs_with(lab, variant), "" if has_kernels else "_cpu",
                             variant)

    def test_waiting_ends_with_the_cause(self) -> None:
        def seconds(text: str, race_check: Sequence[subprocess.Popen] = ()) -> float:
            self.program = Program().test("races/omp_new").test("sizes/omp_new", "wrong", text)
            self.write_events(self.program.events)
            start = time.monotonic()
            with redirect_stdout(StringIO()):
                watch._until_the_cause_is_known(settings(self.output), "lab7-test", "omp_new",
                                                race_check, [running], start + 9)
            return time.monotonic() - start
        with subprocess.Popen(["sleep", "9"]) as running, subprocess.Popen(["sleep", "1"]) as check:
            self.addCleanup(running.kill)
            self.addCleanup(check.kill)
            self.write_events(Program().test("races/omp_new").events)
            self.assertEqual([test.outcome for test in tested.tests_so_far(self.folder)],
                             [Outcome.OK], "it was a timeout while the program was running")
            with patch.object(watch, "CAUSE_SECONDS", 0.1):
                seconds("WRONG omp_new: expected 1, got 2", [check])
                self.assertIsNotNone(check.poll(), "the check for races was not waited for")
            with patch.object(watch, "CAUSE_SECONDS", 8):
                self.assertLess(seconds("WRONG omp_new: race: one thread writes"), 5)
            with patch.object(watch, "CAUSE_SECONDS", 0.3):
                self.assertGreater(seconds("WRONG omp_new: expected 1, got 2"), 0.3)
            running.kill()

    def test_programs_run_side_by_side(self) -> None:
        other = Program(2).test("random/omp_new").test("tall/omp_new").end()
        mixed = [event for pair in zip(self.program.end().events, other.events) for event in pair]
        self.program.events = mixed
        self.assertEqual(self.outcome(), Outcome.OK)

    def test_emulated_has_counters_instead_of_a_time(self) -> None:
        self.program = Program().test("sizes/cuda_new").end()
        plan = self.plan("cuda_new")
        self.assertEqual((plan.experiment, len(plan.explanations)), ("", 1))
        self.write("counters/explain.txt", "time -\n\nkernel k: 1 launch\nper request: 2\n")
        self.assertIn("right: correct (emulated)\nkernel k: 1 launch\nper request: 2\n",
                      self.verdict("cuda_new"))
        self.write("counters/explain.txt", "kernel k: 1 launch\n" + 99 * "line\n")
        self.assertIn(29 * "line\n" + "... all of it is in ", self.verdict("cuda_new"))

    def test_a_check_that_could_not_run_has_not_passed(self) -> None:
        why = "ThreadSanitizer cannot run here: no memory"
        self.write_json("../rules.json", {"lab": "lab7", "tasks": [
            {"id": "A", "title": "a", "variant": "omp_new",
             "tests": [{"name": "sizes", "points": 3}],
             "speed": {"points": 4, "experiment": "ladder", "against": "seq", "floor": 1,
                       "full": 2}}]})
        for program, reason in (
                (Program().test("races/omp_new", "skipped", f"not checked: {why}"), why),
                (Program(), "no test looks for races")):
            self.program = program.test("sizes/omp_new").end()
            self.times("4", "2")
            self.assertIn("omp_new: right as far as it was checked: 4.00x seq", self.verdict())
            self.assertIn(f"points: 3 of 7; next: speed: races: not checked: {reason}\n"
                          f"not checked: races of omp_new: {reason}\n", self.verdict())
            self.assertEqual(self.exit_code(), 77)
        self.program = Program().test("races/omp_new").test("sizes/omp_new").end()
        self.times("4", "2")
        self.assertNotIn("not checked", self.verdict())
        self.assertEqual(self.exit_code(), 0)

    def test_a_check_for_other_machines_is_told(self) -> None:
        for test in ("sizes", "tall"):
            self.program.test(f"{test}/omp_new", "skipped", "cannot run here: no AMX")
        self.program.end()
        self.assertIn("omp_new: right: not measured\nnot checked: 2 tests: no AMX\n",
                      self.verdict())
        self.assertEqual(self.exit_code(), 0)

    def test_a_benchmark_that_failed_is_no_success(self) -> None:
        self.program.end()
        self.times("4", "2")
        self.write("state", "build ok\nbench failed: exit code 1\nfinished yes\n")
        self.verdict()
        self.assertEqual(self.exit_code(), 1)

    def test_what_was_not_counted_is_not_checked(self) -> None:
        self.program = Program().test("sizes/cuda_new").end()
        self.write("state", "build ok\nnot_counted cuda_new stopped after 7 s\nfinished yes\n")
        self.assertIn("right as far as it was checked: correct (emulated)\nnot checked: counters of "
                      "cuda_new: stopped after 7 s\n", self.verdict("cuda_new"))
        self.assertEqual(self.exit_code("cuda_new"), 77)

    def test_emulated_says_how_much_was_checked(self) -> None:
        self.program = Program().test("sizes/cuda_new").test("a/cuda_new", left_out=96).end()
        self.assertIn("right: correct (emulated), 40 of 136 configurations checked\n",
                      self.verdict("cuda_new"))

    def test_ranks_are_not_counted(self) -> None:
        self.list_variants({"name": "seq"}, {"name": "mpi_new", "emulated": True})
        self.program = Program().test("sizes/mpi_new").end()
        self.assertEqual(self.plan("mpi_new"), one_variant.Plan())

    def test_not_begun_is_neither_right_nor_wrong(self) -> None:
        self.program = Program().test("sizes/omp_new", "not done yet", "not done yet").end()
        self.assertEqual(self.outcome(), Outcome.NOT_DONE)
        self.assertEqual(self.verdict(), "omp_new: not done yet\n")
        self.assertEqual(self.plan(), one_variant.Plan())


if __name__ == "__main__":
    unittest.main()
