"""Points by rules, on what run_all.sh leaves."""

import csv
import json
import statistics
import unittest
from collections import defaultdict

from driver import ratios
from driver.run import points
from driver.run.answers import is_right
from driver.run.counters import counter_in
from driver.run.outcomes import BadUsage, Configurations, LabReport, Outcome, Test, VariantReport
from driver.run.rules import CounterRun, counter_runs
from driver.run.score import LabScore, Task, as_json, as_text
from driver.tests.samples import SHARED_CASES, FolderTest
from driver.tree import ROOT, is_of_a_lab_that_is_gone
from driver.trouble import Trouble

RULES = {"lab": "lab7-test", "tasks": [
    {"id": "A", "title": "on the CPU", "variant": "omp_new",
     "tests": [{"name": "sizes", "points": 3}, {"name": "random", "points": 2}],
     "speed": {"points": 4, "experiment": "ladder", "where": {"filter": "gauss3"},
               "against": "seq", "floor": 1.2, "full": 1.6}, "by_hand": 1},
    {"id": "B", "title": "on the GPU", "variant": "cuda_new",
     "tests": [{"name": "sizes", "points": 5}],
     "speed": {"points": 6, "experiment": "ladder", "against": "seq", "floor": 2, "full": 3},
     "counters": [{"counter": "load sectors/request", "input": "random:8x8", "at_most": 3.5,
                   "points": 6}]},
    {"id": "C", "title": "analysis", "answers": [{"name": "sectors", "points": 2}]}]}

LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
KERNELS = [{"event": "kernel", "kernel": "first", "launches": 1, "blocks": 510, "warps": 12240,
            "barriers": 1020, "metrics": {LOADS: 100, SECTORS: 300}},
           {"event": "kernel", "kernel": "second", "launches": 2, "blocks": 1, "warps": 1,
            "barriers": 1, "metrics": {LOADS: 100, SECTORS: 400}}]


class PointsTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.write_json("../rules.json", RULES)
        self.lab = LabReport("lab7-test", self.folder, bench="ok", variants=[
            VariantReport("seq", built=True, outcome=Outcome.OK),
            VariantReport("omp_new", built=True, outcome=Outcome.OK),
            VariantReport("cuda_new", built=True, emulated=True, outcome=Outcome.OK)])
        self.lab.tests = [Test(f"lab7.variants/Test.{name}", configurations=Configurations(9))
                          for name in ("sizes/omp_new", "random/omp_new", "sizes/cuda_new")]
        self.write_medians("1.0", "2.0")
        self.write("counters/0.jsonl", "\n".join(map(json.dumps, KERNELS)))

    def write_medians(self, own: str, other: str, noise: str = "") -> None:
        """Rows of omp_new and seq with gauss3; other rows must not count."""
        def row(variant: str, width: int, filter: str, ms: str) -> dict[str, str]:
            return {"experiment": "ladder", "variant": variant, "width": str(width),
                    "filter": filter, "kernel_ms_median": ms, "noise": noise}
        self.write_times(row("seq", 20, "gauss3", other), row("omp_new", 20, "gauss3", own),
                         row("omp_new", 20, "gauss3", "99") | {"parameters": "block=2"},  # slower
                         row("omp_new", 10, "gauss3", "0.001"),  # a smaller image
                         row("seq", 10, "gauss3", other and "9"),
                         row("seq", 20, "gauss5", "99"),
                         row("omp_new", 40, "gauss3", ""),  # wrong, so not timed
                         name="csv/ladder.csv")

    def score(self) -> LabScore:
        return points.score_lab(self.lab, self.output / "rules.json", self.folder / "answers.txt",
                                self.folder / "key.txt")

    def assert_task(self, number: int, got: float, next: str | None = None) -> None:
        task = self.score().tasks[number]
        self.assertAlmostEqual(task.points, got)
        if next is not None:
            self.assertIn(next, task.next)

    def test_a_bonus_is_beyond_the_points_of_the_lab(self) -> None:
        bonus = {"id": "G", "title": "in processes", "variant": "mpi_new", "bonus": True,
                 "tests": [{"name": "sizes", "points": 8}], "by_hand": 2}
        self.write_json("../rules.json", RULES | {"tasks": [*RULES["tasks"], bonus]})
        self.lab.variants.append(VariantReport("mpi_new", built=False, outcome=Outcome.SKIPPED,
                                               message="MPI was not found"))
        before = self.score()
        self.assertIn("MPI was not found", before.tasks[-1].next)
        self.lab.variants[-1] = VariantReport("mpi_new", built=True, outcome=Outcome.OK)
        self.lab.tests.append(Test("lab7.variants/Test.sizes/mpi_new",
                                   configurations=Configurations(9)))
        after = self.score()
        self.assertEqual((after.points, after.of, after.by_teacher),
                         (before.points + 8, before.of, before.by_teacher))
        self.assertIn("Points of G are beyond the 100.", as_text(after))

    def test_all(self) -> None:
        self.write("answers.txt", "# mine\nsectors = 3.67 # measured\n")
        self.write("key.txt", "sectors = 3.66\n")
        score = self.score()
        self.assertEqual((score.points, score.of, score.by_teacher), (22, 22, 1))
        self.assertEqual([task.next for task in score.tasks], ["", "", ""])
        text = as_text(score)
        self.assertIn("A  on the CPU                9 of 9\n", text)
        self.assertIn("22 of 22\nUp to 1 more for explanations and answers (A): ", text)
        self.assertIn("77 more for tests that you do not see", text)
        self.assertEqual(as_json(score)["tasks"][1]["points"], 11)

    def test_a_stub_has_none(self) -> None:
        self.lab.variants[1].outcome = Outcome.NOT_DONE
        for test in self.lab.tests[:2]:
            test.outcome = Outcome.NOT_DONE
        self.assert_task(0, 0, "test sizes: not done yet")

    def test_a_failed_test_costs_its_points_and_those_for_speed(self) -> None:
        self.lab.variants[1].outcome = self.lab.tests[1].outcome = Outcome.WRONG
        self.lab.tests[1].message = "WRONG omp_new on 1x1"
        self.assert_task(0, 3, "test random: wrong: WRONG omp_new on 1x1")

    def test_a_check_that_could_not_run_gives_no_points_for_speed(self) -> None:
        self.lab.variants[1].not_checked = {"races": "no memory"}
        self.assert_task(0, 5, "speed: races: not checked: no memory")
        self.lab.tests[1].outcome = Outcome.SKIPPED
        self.lab.tests[1].message = "not checked: no time"
        self.assert_task(0, 3, "test random: not checked: no time")
        self.assertIn("test random: not checked: no time; races: not checked: no memory\n",
                      as_text(self.score()))
        task = as_json(self.score())["tasks"][0]
        self.assertEqual(task["not_checked"], "races: not checked: no memory")

    def test_a_variant_of_one_thread_has_none(self) -> None:
        self.lab.variants[1].outcome = Outcome.WRONG
        self.lab.tests.append(Test("lab7.variants/Test.races/omp_new", Outcome.WRONG))
        for what in ("no parallel region was started, so", "one thread wrote 98 % of the output"):
            self.lab.tests[-1].message = f"WRONG omp_new on 9x9: {what}"
            self.assert_task(0, 0, f"test sizes: WRONG omp_new on 9x9: {what}")
        self.lab.tests[-1].message = "WRONG omp_new on 9x9: race: in line 7"
        self.assert_task(0, 5)

    def test_a_test_that_was_mostly_refused_does_not_count(self) -> None:
        self.lab.tests[0].configurations = Configurations(2, 3, first_reason="no")
        self.assert_task(0, 2 + 4)
        self.lab.tests[0].configurations = Configurations(3, 3, first_reason="no")
        self.assert_task(0, 9)

    def test_a_test_that_is_not_there_does_not_count(self) -> None:
        del self.lab.tests[0]
        self.assert_task(0, 2 + 4, "test sizes: there is no such test")
        del self.lab.variants[1], self.lab.tests[:]
        self.assert_task(0, 0, "test sizes: there is no variant omp_new")

    def test_what_does_not_compile_has_none_and_the_reason(self) -> None:
        self.lab.variants[1] = VariantReport("omp_new", outcome=Outcome.NOT_COMPILED,
                                             message="error: expected ';'")
        self.assert_task(0, 0, "test sizes: does not compile: error: expected ';'")

    def test_speed_is_linear_between_floor_and_full(self) -> None:
        self.write_medians("1.0", "1.4")
        self.assert_task(0, 5 + 2, "speed: 1.40 times as fast as seq")
        for other, got in (("1.02", 5), ("1.2", 5), ("9", 9)):
            self.write_medians("1.0", other)
            self.assert_task(0, got)

    def test_rules_are_those_of_the_grader(self) -> None:
        """grading/tests/test_points.cpp checks the same cases."""
        cases = json.loads(SHARED_CASES.read_text())
        for *given, expected in cases["speed_points"]:
            self.assertAlmostEqual(points.speed_points(*given), expected, msg=given)
        for answer, right, expected in cases["answers"]:
            self.assertEqual(is_right(answer, right), expected, (answer, right))
        self.assertRaises(BadUsage, is_right, "5", "five")

    def test_speed_that_was_not_measured_now_has_none(self) -> None:
        self.write_medians("1.0", "9", noise="spread")  # a mark, no reason to withhold points
        self.assert_task(0, 9)
        self.write_medians("1.0", "")
        self.assert_task(0, 5, "seq was not measured")
        self.lab.bench = ""  # --no-bench; the file of an earlier run is there
        self.write_medians("1.0", "9")
        self.assert_task(0, 5, "speed: not measured in this run")

    def test_noise_makes_a_range_and_more_repeats_narrow_it(self) -> None:
        def task() -> Task:
            return self.score().tasks[0]
        rules = self.output / "rules.json"
        self.write_medians("1.0", "1.4")
        unsure = [(1.0, False), (1.4, False)] * 4 + [(1.2, False)]
        self.write_repeats([(1.44, False)] * 9, unsure, [(99.0, False)],
                           name="csv/ladder_samples.csv")
        self.assertEqual(task().points, 5)
        self.assertEqual(task().range, "0.98 to 1.42 times as fast as seq: 0 to 2.1 points")
        self.assertEqual(list(points.undecided(self.lab, rules)), ["omp_new"])
        self.lab.tests[1].outcome = Outcome.WRONG  # another reason does not hide it
        self.lab.tests[1].message = "no"
        self.assertIn("0 to 2.1 points; test random: wrong: no", as_text(self.score()))
        self.lab.tests[1].outcome = Outcome.OK

        for file in ("ladder.csv", "ladder_samples.csv"):
            self.write(f"more/0-omp_new/{file}", (self.folder / "csv" / file).read_bytes())
        self.write_repeats([(1.44, False)] * 99, [(0.9, False)] * 99, [(99.0, False)],
                           name="more/0-omp_new/ladder_samples.csv")
        self.assertEqual((task().points, task().range), (9, ""))
        self.assertEqual(points.undecided(self.lab, rules), {})

    def test_speed_is_the_median_of_the_rounds_ratios(self) -> None:
        own, other = ([(ms, False) for ms in times]  # twice as fast in each round but one
                      for times in ((5, 5, 10, 10, 10), (10, 10, 10, 20, 20)))
        both = ratios.time_of(own), ratios.time_of(other)
        self.assertEqual((ratios.of_rounds(*both).value, ratios.ratio(*both).value), (2, 1))
        few = ratios.time_of(own[:4]), ratios.time_of(other)
        self.assertEqual(ratios.of_rounds(*few), ratios.ratio(*few))

    def test_where_no_repeat_was_undisturbed_the_range_starts_at_the_shortest(self) -> None:
        disturbed = [(ms, True) for ms in (5.0, 1.0, 2.0, 3.0, 4.0)]
        few = [*disturbed, (0.5, False)]
        self.assertEqual(ratios.time_of(disturbed), ratios.Time(2, 1, 3))
        self.assertEqual(ratios.time_of(few), ratios.Time(1.25, 0.5, 2.5))
        quiet = ratios.time_of([*disturbed, *[(0.5, False)] * 5])
        self.assertEqual(quiet, ratios.Time(0.5, 0.5, 0.5))
        self.assertEqual(ratios.ratio(quiet, ratios.time_of(disturbed)).range, "2.00 to 6.00")

    def test_counters_replace_speed_where_there_is_no_gpu(self) -> None:
        self.assert_task(1, 5 + 6)
        self.write("counters/0.jsonl", "")
        self.assert_task(1, 5, "not counted")
        self.write("counters/0.txt", "error: cuda_new is WRONG\n")
        self.assert_task(1, 5, "not counted: error: cuda_new is WRONG")
        self.lab.variants[2].emulated = False
        self.assert_task(1, 5, "speed: cuda_new was not measured")
        self.assertEqual(self.score().tasks[1].of, 11)

    def test_a_limit_that_one_thread_meets_alone_gives_no_points(self) -> None:
        for stored, got in ((4096, 11), (4097, 5)):
            kernels = [KERNELS[0] | {"most_stored": 2000},
                       KERNELS[1] | {"most_stored": stored - 2000}]
            self.write("counters/0.jsonl", "\n".join(map(json.dumps, kernels)))
            self.assert_task(1, got, "one thread stores 4097 bytes" if got == 5 else None)

    def test_tests_give_points_for_the_algorithm_of_the_task(self) -> None:
        task = RULES["tasks"][1]
        require = {"counter": "barriers/block", "input": "random:8x8"}
        for limit, got in (({"at_least": 1}, 11), ({"at_least": 3}, 6), ({"at_most": 1}, 6)):
            rules = {"lab": "lab7-test", "tasks": [task | {"requires": [require | limit]}]}
            self.write_json("../rules.json", rules)
            self.assert_task(0, got, "test sizes: not the algorithm of the task: barriers/block "
                             "1.99804 for random:8x8, at " if got == 6 else None)
        self.write("counters/0.jsonl", "")
        self.assert_task(0, 0, "test sizes: barriers/block: not counted")
        self.lab.variants[2].emulated = False  # then the speed shows it
        self.assert_task(0, 5)
        task = {k: v for k, v in task.items() if k not in ("speed", "counters")}
        self.write_json("../rules.json", {"lab": "lab7-test",
                                          "tasks": [task | {"requires": [require]}]})
        self.assert_task(0, 0)
        self.assertIn("test sizes: on a GPU nothing is counted", as_text(self.score()))

    def test_tests_give_points_to_what_is_faster_than_the_given_variant(self) -> None:
        task = RULES["tasks"][0] | {"speed": RULES["tasks"][0]["speed"] | {"tests_from": 1.1}}
        self.write_json("../rules.json", {"lab": "lab7-test", "tasks": [task]})
        self.assert_task(0, 9)
        self.write_medians("2.0", "2.1")
        self.assert_task(0, 0, "needs 1.1 times the speed of seq, and has 1.05 times")
        self.lab.bench = ""
        self.assertIn("which is not measured here", as_text(self.score()))
        self.lab.variants[1].outcome = self.lab.tests[1].outcome = Outcome.WRONG
        self.assertTrue(self.score().tasks[0].scores[0].by_teacher)

    def test_answers_without_a_key_are_for_the_teacher(self) -> None:
        for answers in ("", "sectors = -\n"):
            self.write("answers.txt", answers)
            self.assert_task(2, 0, "answer sectors: there is no number in answers.txt")
        self.write("answers.txt", "sectors = 3,67\n")
        self.assertIn("answer sectors: 3,67 is not a number: use a point and no separators\n",
                      as_text(self.score()))
        self.write("answers.txt", "sectors = 4\n")
        self.assertEqual(self.score().tasks[2].next, "")
        self.assertEqual(self.score().by_teacher, 1 + 2)
        self.assertRegex(as_text(self.score()), "C  analysis +-\n")
        self.write("key.txt", "sectors = 3.66\n")
        self.assert_task(2, 0, "answer sectors: not 4")
        self.write("key.txt", "other = 3.66\n")
        self.assertRaises(BadUsage, self.score)

    def test_rules_that_are_not_as_expected_are_named(self) -> None:
        for rules in ("{", '{"lab": "lab7-test", "tasks": [{"id": "A"}]}', '{"lab": "lab7-test"}'):
            self.write("../rules.json", rules)
            self.assertRaisesRegex(Trouble, "rules.json", self.score)
        (self.output / "rules.json").unlink()
        self.assertRaisesRegex(Trouble, "rules.json", self.score)

    def test_says_what_to_count(self) -> None:
        self.assertEqual(counter_runs(self.output / "rules.json"),
                         [CounterRun("0.txt", "cuda_new", "random:8x8", "")])


class ReportsTest(unittest.TestCase):
    def test_a_reference_scales_as_the_task(self):
        """On each machine of the reports and with each number of threads, the solution has all points
        for its speed, and the loop of an earlier task has none."""
        checked = 0
        for file in ROOT.glob("lab?-*/assignment/points.json"):
            rules, earlier = json.loads(file.read_text()), []
            for task in rules["tasks"]:
                variant, speed = task.get("variant", ""), task.get("speed", {})
                for table in (ROOT / "reports" / rules["lab"]).glob("*/scaling.csv"):
                    for threads, ms in self.times(table, speed.get("where", {})).items():
                        if variant not in ms or speed.get("against") not in ms:
                            continue
                        at = f"{variant} in {table}, {threads} threads"
                        self.assertGreaterEqual(ms[speed["against"]] / ms[variant], speed["full"], at)
                        for other in earlier:
                            self.assertLessEqual(ms[speed["against"]] / ms[other], speed["floor"], at)
                        checked += 1
                earlier += [variant] if variant.startswith("omp_") else []
        reports = ROOT.glob("reports/lab*-*")
        if not checked and any(is_of_a_lab_that_is_gone(f"reports/{one.name}/") for one in reports):
            self.skipTest("the lab whose tasks were measured with several numbers of threads is gone")
        self.assertGreaterEqual(checked, 10)

    def times(self, table, where: dict) -> dict[str, dict[str, float]]:
        """The medians of the variants by the number of threads."""
        found = defaultdict(lambda: defaultdict(list))
        with table.open(newline="") as file:
            for row in csv.DictReader(file):
                if where.items() <= row.items():
                    found[row["threads"]][row["variant"]].append(float(row["kernel_ms_median"]))
        return {threads: {name: statistics.median(ms) for name, ms in rows.items()}
                for threads, rows in found.items()}


class CountersTest(unittest.TestCase):
    def test_are_sums_over_the_kernels_or_of_one(self) -> None:
        for name, kernel, expected in (
                ("load requests", "", 200), ("load sectors/request", "", 3.5),
                ("load sectors/request", "second", 4), ("warps", "", 12241), ("launches", "", 3),
                ("barriers/block", "first", 2),
                (SECTORS, "", 700), ("bank conflicts", "", 0),
                ("load requests", "third", None)):
            self.assertEqual(counter_in(KERNELS, name, kernel), expected, name)

    def test_of_loads_and_stores_have_atomic_functions(self) -> None:
        atomics = {"l1tex__t_requests_pipe_lsu_mem_global_op_atom": 7}
        kernels = [KERNELS[0] | {"metrics": KERNELS[0]["metrics"] | atomics}]
        for name, expected in (("load requests", 107), ("store requests", 7),
                               ("atomic requests", 7), (LOADS, 100)):
            self.assertEqual(counter_in(kernels, name), expected, name)
        self.assertIsNone(counter_in([], "load requests"))
        self.assertRaises(BadUsage, counter_in, KERNELS, "lod requests")


if __name__ == "__main__":
    unittest.main()
