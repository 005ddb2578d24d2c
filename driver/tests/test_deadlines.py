"""Late days: free ones first, in the order of the deadlines, then a part of the points for each."""

import json
import tempfile
import unittest
from pathlib import Path

from driver.classes import deadlines
from driver.trouble import Trouble

RULES = {"grace_minutes": 10, "free_days": 3, "percent_per_day": 10, "last_day": 5,
         "labs": {"2": "2026-11-20T20:00:00+01:00", "1": "2026-11-10T20:00:00+01:00"},
         "extensions": {"eve": {"1": "2026-11-12T20:00:00+01:00"}}}


class DeadlinesTest(unittest.TestCase):
    def read(self, rows: str, **changed) -> deadlines.Deadlines:
        with tempfile.TemporaryDirectory() as folder:
            rules, times = Path(folder, "deadlines.json"), Path(folder, "times.csv")
            rules.write_text(json.dumps(RULES | changed))
            times.write_text("id,lab,time\n" + rows)
            return deadlines.read(rules, [times])

    def late(self, rows: str, lab: str = "1", student: str = "ada", **changed) -> deadlines.Late:
        return self.read(rows, **changed).late(student, lab)

    def assert_trouble(self, text: str, rows: str = "", **changed) -> None:
        with self.assertRaisesRegex(Trouble, text):
            self.read(rows, **changed)

    def test_in_time(self):
        self.assertEqual(self.late("ada,1,2026-11-10T19:59:00+01:00\n"), deadlines.Late(0))

    def test_the_grace_is_no_late_day(self):
        self.assertEqual(self.late("ada,1,2026-11-10T20:10:00+01:00\n").days, 0)
        self.assertEqual(self.late("ada,1,2026-11-10T20:10:01+01:00\n").days, 1)

    def test_a_day_ends_24_hours_after_the_deadline_whatever_the_grace(self):
        self.assertEqual(self.late("ada,1,2026-11-11T20:00:00+01:00\n").days, 1)
        self.assertEqual(self.late("ada,1,2026-11-11T20:00:01+01:00\n").days, 2)

    def test_times_are_compared_across_time_zones(self):
        self.assertEqual(self.late("ada,1,2026-11-10T19:00:00Z\n").days, 0)
        self.assertEqual(self.late("ada,1,2026-11-10T19:11:00Z\n").days, 1)

    def test_the_last_hand_in_counts(self):
        rows = "ada,1,2026-11-12T10:00:00+01:00\nada,1,2026-11-10T10:00:00+01:00\n"
        self.assertEqual(self.late(rows).days, 2)

    def test_an_id_like_a_formula(self):
        self.assertEqual(self.late("'@kim,1,2026-11-12T10:00:00+01:00\n", student="@kim").days, 2)

    def test_free_days_come_first(self):
        late = self.late("ada,1,2026-11-14T12:00:00+01:00\n")
        self.assertEqual(late, deadlines.Late(4, 3, 90))
        self.assertEqual(late.of(50), 45)

    def test_labs_with_earlier_deadlines_use_free_days_first(self):
        rows = "ada,2,2026-11-22T12:00:00+01:00\nada,1,2026-11-12T12:00:00+01:00\n"
        self.assertEqual(self.late(rows), deadlines.Late(2, 2, 100))
        self.assertEqual(self.late(rows, lab="2"), deadlines.Late(2, 1, 90))

    def test_a_lower_bound_of_what_is_kept(self):
        rows = "ada,1,2026-11-13T12:00:00+01:00\n"
        for least, kept in ((0, 40), (30, 40), (55.5, 55.5), (100, 100)):
            late = self.late(rows, free_days=0, percent_per_day=20, least_percent=least)
            self.assertEqual(late, deadlines.Late(3, 0, kept))
        self.assertEqual(self.late("ada,1,2026-11-30T12:00:00+01:00\n", least_percent=50).kept, 0)
        self.assert_trouble("'least_percent' has to be 0 to 100 percent, not 101", least_percent=101)

    def test_after_the_last_day_nothing_is_left_and_no_free_day_is_used(self):
        rows = "ada,1,2026-11-16T12:00:00+01:00\nada,2,2026-11-22T12:00:00+01:00\n"
        self.assertEqual(self.late(rows), deadlines.Late(6, 0, 0))
        self.assertEqual(self.late(rows, lab="2"), deadlines.Late(2, 2, 100))

    def test_points_do_not_become_negative(self):
        late = self.late("ada,1,2026-11-15T12:00:00+01:00\n", percent_per_day=60, free_days=0)
        self.assertEqual(late.kept, 0)

    def test_an_extension_is_a_student_s_own_deadline(self):
        rows = "eve,1,2026-11-12T12:00:00+01:00\nada,1,2026-11-12T12:00:00+01:00\n"
        self.assertEqual(self.late(rows, student="eve").days, 0)
        self.assertEqual(self.late(rows).days, 2)

    def test_without_a_time_nothing_is_taken(self):
        self.assertEqual(self.late(""), deadlines.Late(None))

    def test_mistakes_are_named(self):
        self.assert_trouble("lab 1: expected a time like", labs={"1": "tomorrow"})
        self.assert_trouble("lab 1: expected a time like", labs={"1": "2026-11-10T20:00:00"})
        self.assert_trouble("unknown key 'free_day'", free_day=1)
        self.assert_trouble("'percent_per_day' has to be a number", percent_per_day="10 %")
        self.assert_trouble("'last_day' has to be a number from 0", last_day=-1)
        self.assert_trouble("extension of lab '9'", extensions={"eve": {"9": "2026-11-12"}})
        self.assert_trouble("in 'labs'", labs={})
        self.assert_trouble("times.csv:2: lab '9' has no deadline", "ada,9,2026-11-12T12:00:00Z\n")
        self.assert_trouble("times.csv:2: expected a time", "ada,1,noon\n")


if __name__ == "__main__":
    unittest.main()
