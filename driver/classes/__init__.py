"""Grades all students of a course with `grading/grade check`."""
