"""Points that a person gives: by_hand.csv beside the roster, in all that a class gets."""

import csv
import io
import json
import unittest
from pathlib import Path
from unittest import mock

from driver.classes import course, gradebooks, results
from driver.classes.deadlines import Late
from driver.tests import test_class
from driver.tests.test_class import RULES, graded, test, variant
from driver.trouble import Trouble

HEAD = "id,lab,task,points,comment\n"


class ByHandTest(unittest.TestCase):
    setUp = test_class.ClassTest.setUp
    write_results = test_class.ClassTest.write_results

    def write(self, *rows: str, head: str = HEAD) -> Path:
        path = self.roster.with_name("by_hand.csv")
        path.write_text(head + "".join(f"{row}\n" for row in rows), "utf-8")
        return path

    def merge(self, *rows: str, **late: Late) -> dict[str, dict[str, str]]:
        path = self.write(*rows)
        before = path.read_bytes()
        deadlines = mock.Mock(late=lambda student, lab: late.get(student, Late(None)), handed_in={})
        with mock.patch("sys.stdout"), mock.patch("sys.stderr"):
            results.merge(self.roster, "7", self.submissions, self.out, deadlines if late else None)
        self.assertEqual(path.read_bytes(), before)
        with (self.out / "grades.csv").open(newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def page(self, student: str) -> str:
        return (self.out / "students" / student / "feedback.html").read_text()

    def test_points_are_added_everywhere(self):
        (self.out / "students/ada/speed/feedback.html").write_text(
            "<!DOCTYPE html>\n<html><body><h1>lab7</h1></body></html>\n")
        rows = self.merge('ada,7,A,4.5,"good, <but> short"', "eve,7,A,2,")
        self.assertEqual([rows["ada"][name] for name in ("score", "max_score", "by_hand")],
                         ["67", "100", "0"])
        self.assertEqual(rows["ada"]["given_by_hand"], "A: 4.5, good, <but> short")
        self.assertEqual((rows["eve"]["score"], rows["eve"]["status"]), ("2", "not submitted"))
        index = (self.out / "index.html").read_text()
        self.assertIn('<td class="number">67 of 100</td>', index)
        self.assertIn('<td class="number">57</td>', index)
        page = self.page("ada")
        for text in ("<h1>Lab 7: 67 of 100 points</h1>", "<td>62.5</td>", "<td>4.5</td>",
                     "good, &lt;but&gt; short", "<h1>lab7</h1>"):
            self.assertIn(text, page)
        self.assertLess(page.index("<body>"), page.index("Lab 7"))
        with (self.out / "pseudonyms.csv").open(newline="") as file:
            self.assertIn(dict(csv.reader(file))["ada"], page)
        with mock.patch("sys.stdout"):
            course.write(self.roster, {"7": self.out}, self.folder / "course")
        self.assertIn("ada,<Ada>,67,67,100,0,0", (self.folder / "course/course.csv").read_text())
        text = gradebooks.export("moodle", self.out / "grades.csv", "Lab", None, "username", None)
        ada = list(csv.reader(io.StringIO(text)))[1]
        self.assertEqual(ada[:2], ["ada", "67"])
        self.assertIn("by hand: A: 4.5, good, <but> short", ada[2])

    def test_a_late_hand_in_keeps_them(self):
        self.merge("ada,7,A,5,")
        self.write_results("kim", "tests", graded(variant("omp_new", "wrong"), tests=[
            test("A", "sizes", 0, 40), test("A", "explanation", 0, 5, True)]))
        rows = self.merge("ada,7,A,5,", "kim,7,A,3,late", ada=Late(0), kim=Late(2, 0, 80))
        self.assertEqual(rows["ada"]["score"], "67.5")
        self.assertEqual((rows["kim"]["score"], rows["kim"]["final"]), ("3", "2.4"))
        page = self.page("kim")
        for text in ("Lab 7: 2.4 of", "2 days late, 0 of them free", "80 %"):
            self.assertIn(text, page)

    def test_explanations_are_on_a_page_per_task(self):
        (self.folder / "lab7.json").write_text(json.dumps(RULES | {"tasks": [
            *RULES["tasks"][:2], RULES["tasks"][2] | {"by_hand": 1}]}))
        for student, name, text in (("ada", "02_omp_new.cpp", "// fast & right\n\x1b"),
                                    ("ada", "answers.txt", "# four, because\n"),
                                    ("ada", "omp_newer.cpp", "another"),
                                    ("kim", "secret", "secret")):
            (self.submissions / student / name).write_text(text)
        (self.submissions / "kim/omp_new.cpp").symlink_to(self.submissions / "kim/secret")
        self.merge('ada,7,A,4.5,"good, <but> short"')
        pages = {page.name: page.read_text() for page in (self.out / "explanations").iterdir()}
        self.assertEqual(sorted(pages), ["A.html", "C.html"])
        for name, texts in {"A.html": ("ada, &lt;Ada&gt;: 02_omp_new.cpp", "// fast &amp; right",
                                       "Given: 4.5, good, &lt;but&gt; short",
                                       "Without this file: kim"),
                            "C.html": ("ada, &lt;Ada&gt;: answers.txt", "# four, because",
                                       "Not given yet: ada,7,C,")}.items():
            for text in texts:
                self.assertIn(text, pages[name])
            for text in ("secret", "another", "\x1b", "eve"):
                self.assertNotIn(text, pages[name])
        self.assertIn('<a href="explanations/A.html">A</a>', (self.out / "index.html").read_text())
        self.assertEqual((self.out / "explanations/A.html").stat().st_mode & 0o77, 0)

    def test_an_id_like_a_formula(self):
        self.roster.write_text("id\nada\n@kim\n")
        for written in ("@kim", "'@kim"):  # as it is in grades.csv
            self.write(f"{written},7,A,1,")
            marks = results.read_marks(self.roster, ["ada", "@kim"])
            self.assertEqual(len(marks.of("@kim", "7")), 1)

    def test_who_is_not_graded_has_no_page(self):
        self.merge("kim,7,A,5,")
        self.assertFalse((self.out / "students/kim/feedback.html").exists())

    def test_a_bonus_and_an_implausible_speed(self):
        rules = json.loads(json.dumps(RULES))
        rules["tasks"].append({"id": "G", "title": "ranks", "variant": "mpi_new", "bonus": True,
                               "tests": [{"name": "sizes", "points": 8}], "by_hand": 2})
        (self.folder / "lab7.json").write_text(json.dumps(rules))
        content = graded(variant("omp_new", "implausible"), tests=[
            test("A", "sizes", 40, 40), test("A", "speed", 0, 20),
            test("A", "explanation", 0, 5, True), test("G", "ranks", 0, 0, True)])
        self.write_results("kim", "tests", content)
        row = self.merge("kim,7,A,25,a talk", "kim,7,G,10,")["kim"]
        self.assertEqual((row["score"], row["by_hand"]), ("75", "0"))

    def test_open_rows(self):
        row = self.merge("ada,7,A,,")["ada"]
        self.assertEqual((row["score"], row["by_hand"]), ("62.5", "5"))
        self.assertNotIn("given_by_hand", row)
        self.assertEqual(gradebooks.left_to_persons(self.out / "grades.csv"), ["ada"])

    def test_mistakes_are_named(self):
        for row, said in {"adda,7,A,1,": "'adda' is not in the roster",
                          "ada,lab7,A,1,": "the number of a lab is expected, not 'lab7'",
                          "ada,../7,A,1,": "the number of a lab is expected",
                          "ada,8,A,1,": "lab 8 has no task 'A'",
                          "ada,7,Z,1,": "lab 7 has no task 'Z'; its tasks are: A B C",
                          'ada,7,A,"1,5",': "a number from 0 is expected, such as 2.5, not '1,5'",
                          "ada,7,A,-1,": "a number from 0", "ada,7,A,nan,": "a number from 0",
                          "ada,7,A,99,": "99 points are more than the 65 of task A",
                          "ada,7,A,6,": "6 points are more than the 5 that a person gives for task A",
                          "ada,7,B,1,": "1 points are more than the 0 that a person gives",
                          "eve,7,A,6,": "6 points are more than the 5",
                          "ada,7,A,1,\nada,7,A,2,": ":3: 'ada' has points for task A"}.items():
            with self.subTest(row), self.assertRaises(Trouble) as raised:
                self.merge(row)
            self.assertIn("by_hand.csv:", str(raised.exception))
            self.assertIn(said, str(raised.exception))
        self.write("ada,7,A,1", head="id,lab,task,mark\n")
        with self.assertRaisesRegex(Trouble, "by_hand.csv:1: the header has no column 'points'"):
            results.read_marks(self.roster, ["ada"])

    def test_a_course_of_older_points_is_refused(self):
        self.merge("ada,7,A,4,")
        self.write("ada,7,A,5,")
        with self.assertRaisesRegex(Trouble, "by_hand.csv has other points of 'ada'.*lab 7 again"):
            course.read_course(self.roster, {"7": self.out})


if __name__ == "__main__":
    unittest.main()
