"""grade collect: clones, zips, Moodle's and Canvas's archives become folders of hand-ins."""

import csv
import io
import os
import subprocess
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from driver.classes import collect, people
from driver.tests.samples import scratch
from driver.trouble import Trouble

ROSTER = """id,name,github_username
ada,Ada Byron Lovelace,Ada-L
bob,"Müller, Bob",bobby
eve,Eve,
"""
LAB, OTHER = "lab1-mine", "lab4-other"
ROWS, STRIPS = "02_omp_rows.cpp", "05_omp_strips.cpp"
TASKS = [f"ladder/{ROWS}", f"ladder/{STRIPS}", "ladder/11_cuda_x.cu", "answers.txt"]


def zipped(files: dict[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


class CollectTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)
        self.roster = self.write("roster.csv", ROSTER)
        self.source, self.out = self.folder / "source", self.folder / "out"
        self.addCleanup(os.umask, os.umask(0o077))
        self.enterContext(mock.patch.multiple(
            collect.handin, lab_folder=lambda number: Path(LAB), task_files=lambda number: TASKS))
        self.enterContext(mock.patch.object(collect, "all_labs", lambda: [LAB, OTHER]))

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def collect(self, code: int = 0, source: Path | None = None, like: Path | None = None,
                times: Path | None = None, id_field: str = "username") -> str:
        """What it says."""
        with mock.patch("sys.stdout"), mock.patch("sys.stderr", io.StringIO()) as said:
            found = collect.collect(people.People(self.roster, like, id_field),
                                    source or self.source, "1", self.out, times)
        self.assertEqual(found, code, said.getvalue())
        return said.getvalue()

    def taken(self, student: str) -> dict[str, str]:
        return {file.name: file.read_text() for file in (self.out / student).iterdir()}

    def listed(self, name: str = "collected.csv") -> list[list[str]]:
        with (self.out / name).open(newline="") as file:
            return list(csv.reader(file))[1:]

    def clone(self, name: str, time: str, files: dict[str, str]) -> None:
        folder = self.source / name
        for path, text in files.items():
            self.write(f"source/{name}/{path}", text)
        for words in (["init", "-q"], ["add", "-A"], [
                "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"]):
            subprocess.run(["git", *words], cwd=folder, check=True,
                           env=os.environ | {"GIT_COMMITTER_DATE": time, "GIT_AUTHOR_DATE": time,
                                             "GIT_CONFIG_GLOBAL": "/dev/null"})

    def test_clones_of_github_classroom(self):
        own = {f"{LAB}/ladder/{ROWS}": "mine", f"{LAB}/ladder/01_seq.cpp": "given",
               f"{LAB}/answers.txt": "a = 1", f"{OTHER}/ladder/{ROWS}": "of lab 4",
               f"{LAB}/ladder/omp_mine.cpp": "no task", "run_all.sh": ""}
        self.clone("lab1-Ada-L", "2026-11-02T10:00:00+01:00", own)
        self.write(f"source/lab1-Ada-L/{OTHER}/ladder/05_x.cpp", "")
        for words in (["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"]):
            subprocess.run(["git", *words], cwd=self.source / "lab1-Ada-L", check=True)
        self.clone("lab1-bobby", "2026-11-03T10:00:00+01:00", {f"{LAB}/ladder/{STRIPS}": "bob's"})
        self.write("source/classroom_roster.csv", "x")
        self.collect()
        self.assertEqual(self.taken("ada"), {ROWS: "mine", "answers.txt": "a = 1"})
        self.assertEqual(self.taken("bob"), {STRIPS: "bob's"})
        self.assertFalse((self.out / "eve").exists())
        self.assertEqual(self.listed("times.csv"), [["ada", "1", "2026-11-02T10:00:00+01:00"],
                                                    ["bob", "1", "2026-11-03T10:00:00+01:00"]])
        self.assertEqual(self.listed()[0],
                         ["ada", ROWS, f"lab1-Ada-L/{LAB}/ladder/{ROWS}", "taken"])
        self.assertEqual(self.listed()[-1], ["eve", "", "", "nothing was handed in"])

    def test_the_settings_of_a_clone_start_nothing(self):
        self.clone("ada", "2026-11-02T10:00:00+01:00", {f"{LAB}/ladder/{ROWS}": "mine"})
        script = self.write("evil", f"#!/bin/sh\ntouch {self.folder}/ran\n")
        script.chmod(0o755)
        with (self.source / "ada/.git/config").open("a") as file:
            file.write(f"[core]\nfsmonitor={script}\npager={script}\n[log]\nshowSignature=true\n"
                       f"[gpg]\nprogram={script}\n")
        self.collect()
        self.assertFalse((self.folder / "ran").exists())
        self.assertEqual(len(self.listed("times.csv")), 1)

    def test_times_that_are_given(self):
        self.clone("ada", "2026-11-02T10:00:00+01:00", {f"{LAB}/ladder/{ROWS}": "mine"})
        times = self.write("t.csv", "id,lab,time\nada,1,2026-11-04T10:00:00+01:00\n"
                                    "ada,1,2026-11-03T10:00:00Z\nada,2,2026-12-04T10:00:00+01:00\n")
        self.collect(times=times)
        self.assertEqual(self.listed("times.csv"), [["ada", "1", "2026-11-04T10:00:00+01:00"]])
        times.write_text("github_username,submission_timestamp\nAda-L,2026-11-05 10:00:00 UTC\nbobby,\n")
        self.collect(times=times)
        self.assertEqual(self.listed("times.csv"), [["ada", "1", "2026-11-05T10:00:00+00:00"]])
        times.write_text("who,when\n")
        with self.assertRaisesRegex(Trouble, "t.csv:1: expected the columns id, lab, time"):
            self.collect(times=times)

    def test_moodle_s_archive(self):
        inner = zipped({f"labs-main/{LAB}/ladder/{ROWS}": "bob's", "labs-main/README.md": ""})
        archive = self.write("all.zip", zipped({
            f"Ada Byron Lovelace_123_assignsubmission_file_/{ROWS}": "ada's",
            "Ada Byron Lovelace_123_assignsubmission_onlinetext_/onlinetext.html": "",
            "Bob Müller_124_assignsubmission_file_/lab1.zip": inner,
            f"Eve_125_assignsubmission_file_{STRIPS}": "eve's"}))
        self.collect(source=archive)
        self.assertEqual([self.taken(who) for who in ("ada", "bob", "eve")],
                         [{ROWS: "ada's"}, {ROWS: "bob's"}, {STRIPS: "eve's"}])
        self.assertEqual(self.listed()[1][2], "Bob Müller_124_assignsubmission_file_/lab1.zip/"
                                              f"labs-main/{LAB}/ladder/{ROWS}")

    def test_moodle_s_numbers(self):
        sheet = self.write("w.csv", "Identifier,Full name,Username,Grade\nParticipant 7,X,bob,\n"
                                    "Participant 8,Y,guest,\n")
        archive = self.write("all.zip", zipped({
            f"Participant_7_assignsubmission_file_/{ROWS}": "bob's",
            f"Participant_8_assignsubmission_file_/{ROWS}": "a guest's"}))
        said = self.collect(1, source=archive, like=sheet)
        self.assertEqual(self.taken("bob"), {ROWS: "bob's"})
        self.assertIn("not taken: Participant_8_assignsubmission_file_: the number 8 belongs to "
                      "nobody in the roster", said)

    def test_canvas_s_archive(self):
        archive = self.write("submissions.zip", zipped({
            f"lovelaceadabyron_501_9001_{ROWS}": "ada's", "lovelaceadabyron_501_9002_answers.txt": "a",
            "mullerbob_LATE_502_9003_02_omp_rows-1.cpp": "bob's", "eve_503_9004_notes.pdf": ""}))
        self.collect(source=archive)
        self.assertEqual(self.taken("ada"), {ROWS: "ada's", "answers.txt": "a"})
        self.assertEqual(self.taken("bob"), {ROWS: "bob's"})
        book = self.write("g.csv", "Student,ID,SIS User ID,SIS Login ID,Section\nX,501,u,eve,\n")
        self.write("submissions.zip", zipped({f"nobody_501_9001_{ROWS}": "eve's"}))
        self.collect(source=archive, like=book)
        self.assertEqual(self.taken("eve"), {ROWS: "eve's"})
        self.assertIn(["ada", "", "", "nothing new; its earlier hand-in stays"], self.listed())
        self.assertEqual(self.taken("ada"), {ROWS: "ada's", "answers.txt": "a"})

    def test_a_folder_of_zips_and_folders(self):
        self.write("source/ada.zip", zipped({f"mine/ladder/{ROWS}": "ada's",
                                             "mine/ladder/10_cuda_per_channel.cu": "given"}))
        self.write(f"source/bob/{ROWS}", "bob's")
        self.write("source/bob/omp_mine.cpp", "another")
        self.write(f"source/bob/.git/{STRIPS}", "")
        self.collect()
        self.assertEqual(self.taken("ada"), {ROWS: "ada's"})
        self.assertEqual(self.taken("bob"), {ROWS: "bob's", "omp_mine.cpp": "another"})

    def test_what_is_not_taken_is_named(self):
        (self.source / "ada").mkdir(parents=True)
        (self.source / "ada" / ROWS).symlink_to("/etc/passwd")
        self.write(f"source/ada/{STRIPS}", "x" * (256 * 1024 + 1))
        self.write(f"source/bob/a/{ROWS}", "1")
        self.write(f"source/bob/b/{ROWS}", "2")
        self.write("source/eve.zip", b"PK no archive")
        self.write("source/kim.zip", zipped({ROWS: ""}))
        said = self.collect(1)
        for text in (f"ada/{ROWS}: is no regular file", f"ada/{STRIPS}: is larger than 256 KB",
                     f"bob/a/{ROWS}: there are 2 different files of this name",
                     "eve.zip: eve.zip: cannot be read as a zip archive",
                     "kim.zip: belongs to nobody in the roster"):
            self.assertIn("not taken: " + text, said)
        self.assertEqual(self.taken("ada"), {})
        self.write("source/eve.zip", zipped({}))
        self.write("source/eve/lab1.tar.gz", b"")
        self.assertIn("eve/lab1.tar.gz: has no file of a task of lab 1: only zip", self.collect(1))

    def test_names_that_are_nearly_expected_are_said(self):
        near = ("omp_rows.CPP", "OMP_rows.cpp", "02-omp_rows.cpp", "omp_rows (1).cpp", "omp_rowś.cpp",
                "omp_rows.cc", "Answers.txt", "answers.txt.txt", "omp-strips.cpp", "2 OMP_ROWS.CPP")
        for name in (*near, "notes.pdf", "README.md", "main.cpp"):
            self.write(f"source/ada/{name}", "")
        self.write(f"source/bob/{LAB}/ladder/omp_rows.CPP", "")
        self.write(f"source/bob/{LAB}/ladder/{STRIPS}", "")
        self.write(f"source/bob/{LAB}/ladder/06_omp_strip.cpp", "given")
        said = self.collect(1)
        lines = [line for line in said.splitlines() if "ada/" in line]
        self.assertEqual(len(lines), len(near), said)
        for name in near:
            self.assertIn(f"not taken: ada/{name}: the nearest expected name is ", said)
        self.assertIn(f"bob/{LAB}/ladder/omp_rows.CPP: the nearest expected name is {ROWS}", said)
        self.assertNotIn("06_omp_strip", said)

    def test_names_in_an_archive_lead_nowhere(self):
        evil = zipfile.ZipInfo(f"ada/{STRIPS}")
        evil.external_attr = 0o120777 << 16  # a symbolic link
        content = io.BytesIO(zipped({f"ada/../../../{ROWS}": "ada's"}))
        with zipfile.ZipFile(content, "a") as archive:
            archive.writestr(evil, "/etc/passwd")
        self.collect(1, source=self.write("all.zip", content.getvalue()))
        self.assertEqual(self.taken("ada"), {ROWS: "ada's"})
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["all.zip", "out", "roster.csv"])

    def test_two_of_one_name(self):
        self.roster.write_text("id,name\nada,Ada\nada2,Ada\n")
        archive = self.write("all.zip", zipped({f"Ada_1_assignsubmission_file_/{ROWS}": "?"}))
        self.assertIn("may be of ada or ada2", self.collect(1, source=archive))

    def test_folders_around_all_hand_ins(self):
        archive = self.write("all.zip", zipped({f"lab1/submissions/ada/{ROWS}": "ada's",
                                                f"lab1/submissions/bob/{STRIPS}": "bob's"}))
        self.collect(source=archive)
        self.assertEqual(self.taken("bob"), {STRIPS: "bob's"})
        self.write("all.zip", zipped({f"lab1-kim/{LAB}/ladder/{ROWS}": "kim's",
                                      f"lab1-kim/{OTHER}/ladder/{ROWS}": "kim's"}))
        self.assertEqual(self.collect(1, source=archive),
                         "not taken: lab1-kim: belongs to nobody in the roster\n")

    def test_folders_that_are_not_ours_are_refused(self):
        self.write(f"source/ada/{ROWS}", "")
        for self.out in (self.source, self.source / "out", self.folder):
            with self.assertRaisesRegex(Trouble, "--out"):
                self.collect()
        with self.assertRaisesRegex(Trouble, "neither a folder nor a zip archive"):
            self.out = self.folder / "new"
            self.collect(source=self.roster)


if __name__ == "__main__":
    unittest.main()
