"""Exports: what Moodle's and Canvas's importers look for (grading/class.md)."""

import csv
import io
import unittest
from pathlib import Path

from driver.classes import gradebooks
from driver.tests.samples import scratch
from driver.trouble import Trouble

GRADES = """id,name,status,score,max_score,by_hand,omp_rows,others
ada,"Lovelace, Ada",graded,61.5,100,9,right 1.42,
bob,=1+1,graded,7,100,9,wrong,omp_mine: right 2.00
eve,Eve,not submitted,0,100,0,,
'@kim,Kim,not graded,0,100,0,,
"""
WORKSHEET = """Identifier,Full name,Username,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 11,Ada Lovelace,ada,Submitted for grading,,100.00,Yes,"Monday, 2 November 2026",-,
Participant 12,Bob,bob,Submitted for grading,,100.00,Yes,"Monday, 2 November 2026",-,
Participant 13,Eve,eve,No submission,,100.00,Yes,-,-,
Participant 14,Kim,@kim,No submission,55.00,100.00,Yes,-,-,kept
Participant 15,Guest,guest,No submission,,100.00,Yes,-,-,
"""
GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77),Lab 10 (78),Final Score
    Points Possible,,,,,100,100,(read only)
"Lovelace, Ada",501,u1,ada,Monday,,3,12
Bob,502,u2,bob,Monday,5,,12
Eve,503,eve,e.v,Tuesday,,,12
Kim,504,u4,@kim,Monday,55,,12
"Student, Test",505,,t,Monday,,,0
"""


class GradebooksTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        self.grades = self.write("grades.csv", GRADES)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, "utf-8")
        return path

    def export(self, to: str, like: str | None = None, item: str = "Lab 1",
               id_field: str = "username", points: str | None = None) -> list[list[str]]:
        exported = self.write("exported.csv", like) if like else None
        text = gradebooks.export(to, self.grades, item, exported, id_field, points)
        return list(csv.reader(io.StringIO(text)))

    def test_moodle_s_gradebook(self):
        rows = self.export("moodle", id_field="email")
        self.assertEqual(rows[0], ["Email address", "Lab 1", "Lab 1 feedback"])
        self.assertEqual(rows[1], ["ada", "61.5", "omp_rows: right 1.42"])
        self.assertEqual(rows[3], ["eve", "0", "not submitted"])
        self.assertEqual(rows[4], ["@kim", "-", "not graded"])  # which Moodle reads as no grade

    def test_moodle_s_worksheet_keeps_all_but_grades_and_comments(self):
        rows = self.export("moodle", WORKSHEET)
        before = list(csv.reader(io.StringIO(WORKSHEET)))
        self.assertEqual(rows[0], before[0])
        self.assertEqual([row[4] for row in rows[1:]], ["61.5", "7", "0", "55.00", ""])
        self.assertEqual(rows[4][9], "kept")
        for row, old in zip(rows[1:], before[1:], strict=True):
            self.assertEqual(row[:4] + row[5:9], old[:4] + old[5:9])

    def test_moodle_s_worksheet_needs_its_columns(self):
        with self.assertRaisesRegex(Trouble, "'Identifier'"):
            self.export("moodle", WORKSHEET.replace("Identifier", "Kennung"))
        with self.assertRaisesRegex(Trouble, "'Email address'"):
            self.export("moodle", WORKSHEET, id_field="email")

    def test_canvas_by_logins(self):
        rows = self.export("canvas")
        # As in Canvas's importer: Student and ID first, SIS columns together, Section last of them.
        self.assertEqual(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                                   "Lab 1"])
        self.assertEqual(rows[1], ["    Points Possible", "", "", "", "", "100"])
        self.assertEqual(rows[2], ["Lovelace, Ada", "", "", "ada", "", "61.5"])
        self.assertEqual(rows[3][0], "'=1+1")  # a spreadsheet would compute it
        self.assertEqual(rows[5], ["Kim", "", "", "@kim", "", ""])

    def test_canvas_s_gradebook_with_one_assignment(self):
        rows = self.export("canvas", GRADEBOOK)
        self.assertEqual(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                                   "Lab 1 (77)"])
        self.assertEqual([row[5] for row in rows[1:]], ["100", "61.5", "7", "0", "55", ""])
        self.assertEqual(rows[2][1], "501")

    def test_canvas_s_gradebook_needs_the_assignment(self):
        with self.assertRaisesRegex(Trouble, "no assignment 'Lab 7'"):
            self.export("canvas", GRADEBOOK, item="Lab 7")
        with self.assertRaisesRegex(Trouble, "no gradebook that Canvas exported"):
            self.export("canvas", "a,b\n1,2\n")

    def test_a_student_who_is_not_in_the_exported_file_is_named(self):
        shorter = "\n".join(line for line in GRADEBOOK.splitlines() if "bob" not in line)
        with self.assertRaisesRegex(Trouble, "has no row for bob") as raised:
            self.export("canvas", shorter)
        self.assertEqual(raised.exception.code, 1)

    def test_final_points_where_there_are_deadlines(self):
        self.grades = self.write("grades.csv", "id,name,status,score,max_score,by_hand,late_days,"
                                 "free_days,kept_percent,final,omp_rows,others\n"
                                 "ada,Ada,graded,50,100,9,2,1,90,45,right 1.42,\n")
        self.assertEqual(self.export("moodle")[1],
                         ["ada", "45", "omp_rows: right 1.42; 2 days late, 90 % kept"])
        self.assertEqual(self.export("moodle", points="score")[1][1], "50")

    def test_a_column_of_the_teacher_s(self):
        self.grades = self.write("grades.csv", "id,name,status,score,max_score,total\n"
                                 "ada,Ada,graded,50,100,58\n")
        self.assertEqual(self.export("moodle", points="total")[1][1], "58")
        with self.assertRaisesRegex(Trouble, "no grades.csv with a column 'sum'"):
            self.export("moodle", points="sum")

    def test_what_the_teacher_notes_stays_private(self):
        self.grades = self.write("grades.csv", "id,name,status,score,max_score,my notes,omp_rows,"
                                 "cuda_notes,late_days,kept_percent,others\n"
                                 "ada,Ada,graded,50,100,copied?,right 1.42,wrong: see me,1 (ill),90,\n"
                                 "bob,Bob,graded: ask him,5,100,,,,,,\n")
        self.assertEqual([row[2] for row in self.export("moodle")[1:]], ["omp_rows: right 1.42", ""])
        self.assertEqual(self.export("moodle", WORKSHEET.replace("14,Kim,@kim", "14,Kim,x"))[1][9],
                         "omp_rows: right 1.42")

    def test_points_that_are_no_number_are_named(self):
        self.grades = self.write("grades.csv", "id,status,score,max_score\nada,graded,many,100\n")
        with self.assertRaisesRegex(Trouble, "ada has no number in 'score'"):
            self.export("canvas")


if __name__ == "__main__":
    unittest.main()
