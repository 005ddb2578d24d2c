"""The page of a course, from tables of `grade class`."""

import csv
import io
import unittest
from unittest import mock

from driver.classes import course
from driver.tests.samples import scratch
from driver.trouble import Trouble

HEAD = "id,name,status,score,max_score,by_hand"
LATE = HEAD + ",late_days,free_days,kept_percent,final"


class CourseTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        self.roster = self.folder / "roster.csv"
        self.roster.write_text("id,name\nada,<Ada>\neve,Eve\nkim,Kim\n")
        self.graded = {}
        self.grade("1", HEAD, "ada,,graded,62.5,100,5", "eve,,not submitted,0,100,0",
                   "kim,,graded,80,100,0")
        self.grade("2", LATE, "kim,,not graded,0,100,0,0,0,100,0",
                   "ada,,graded,90,100,10,2,1,90,81", "eve,,not submitted,0,100,0,,,,0")

    def grade(self, lab: str, *lines: str) -> None:
        self.graded[lab] = self.folder / f"graded{lab}"
        self.graded[lab].mkdir(exist_ok=True)
        (self.graded[lab] / "grades.csv").write_text("\n".join(lines) + "\n")

    def write(self) -> list[list[str]]:
        with mock.patch("sys.stdout"):
            course.write(self.roster, self.graded, self.folder / "out")
        with (self.folder / "out" / "course.csv").open(newline="") as file:
            return list(csv.reader(file))

    def test_the_table_has_what_late_days_leave(self):
        self.assertEqual(self.write(), [
            ["id", "name", "lab1", "lab2", "total", "max_score", "by_hand", "free_days"],
            ["ada", "<Ada>", "62.5", "81", "143.5", "200", "15", "1"],
            ["eve", "Eve", "0", "0", "0", "200", "0", "0"],
            ["kim", "Kim", "80", "", "80", "200", "0", "0"]])

    def test_the_page(self):
        self.write()
        page = (self.folder / "out" / "index.html").read_text()
        for text in ("&lt;Ada&gt;", '<td class="number">81 (+10)</td>', '<td class="number">?</td>',
                     '<td class="number">71.2</td>', '<td class="number">2 of 3</td>',
                     "143.5 of 200", self.graded["2"].as_uri() + "/index.html"):
            self.assertIn(text, page)

    def test_an_id_like_a_formula(self):
        self.roster.write_text("id\n@kim\n")
        self.graded = {}
        self.grade("1", HEAD, "'@kim,,graded,80,100,0")
        self.assertEqual(self.write()[1][2], "80")

    def test_who_is_not_in_the_roster_is_named(self):
        self.roster.write_text("id\nada\neve\n")
        with mock.patch("sys.stderr", io.StringIO()) as said:
            self.write()
        self.assertIn("graded1/grades.csv: 'kim' is not in the roster", said.getvalue())

    def test_another_roster_is_refused(self):
        self.grade("2", HEAD, "ada,,graded,90,100,10")
        with self.assertRaisesRegex(Trouble, "'eve' is missing: grade lab 2 with this roster"):
            self.write()

    def test_another_file_is_refused(self):
        self.grade("2", "id,status", "ada,graded")
        with self.assertRaisesRegex(Trouble, "no column 'score'"):
            self.write()
        self.grade("2", HEAD, "ada,,graded,many,100,0")
        with self.assertRaisesRegex(Trouble, "the row of 'ada': could not convert"):
            self.write()


if __name__ == "__main__":
    unittest.main()
