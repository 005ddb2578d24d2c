"""Measurements that were edited, cut off or converted: right, or refused in one line with file and
line number. And what is drawn from them, or not.
"""

import contextlib
import csv
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from driver import csv_files, rounding
from driver.report import figures, machines, queries, tables
from driver.tests.samples import scratch
from driver.trouble import Trouble

LAB = "lab1-convolution"
HEADER = ",".join((*csv_files.MEASURED, "filter", "mask_size"))
VALUES = dict.fromkeys(HEADER.split(","), "1") | {
    "lab": LAB, "experiment": "ladder", "variant": "seq", "backend": "seq", "width": "7680",
    "parameters": "filter=gauss3;size=3;threads=1", "cpu": "Zen 5", "gpu": "none",
    "compiler": "g++", "commit": "1234567", "timestamp": "2026-11-26T00:00:00Z",
    "filter": "gauss3", "bytes": "199065600", "gb_per_s": "199.066", "spread": "0",
    "total_spread": "0", "disturbed": "0", "noise": ""}


def row(**changed: str) -> str:
    return ",".join((VALUES | changed).values())


RIGHT = f"{HEADER}\n{row()}\n{row(variant='omp_rows', speedup_kernel='')}\n"


class ReaderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.file = scratch(self) / "ladder.csv"

    def read(self, content: str | bytes) -> list[csv_files.Row]:
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)
        return csv_files.read(self.file, csv_files.MEASURED)

    def test_other_line_ends_and_a_byte_order_mark_are_right(self) -> None:
        expected = self.read(RIGHT)
        self.assertEqual([each["variant"] for each in expected], ["seq", "omp_rows"])
        for content in (RIGHT.replace("\n", "\r\n"), RIGHT.replace("\n", "\r"), "\ufeff" + RIGHT,
                        RIGHT.rstrip("\n"), RIGHT + "\n\n"):
            self.assertEqual(self.read(content), expected)

    def test_numbers_in_the_locale_of_c(self) -> None:
        for cell in ("12", "0.5", ".5", "5.", "1e-3", "1.5E+02"):
            self.assertEqual(self.read(RIGHT + row(cold_ms=cell))[2]["cold_ms"], cell)
        for cell in ('"12,3"', "12.3 ms", "1_000", "1'000", "1 000", " 1", "+1", "0x10", "1e999",
                     "٣", "１２", "nan", "inf", "-1", "--", "1.2.3", "#REF!", "1e", "true"):
            self.assert_refused(RIGHT + row(cold_ms=cell), 4, "cold_ms: ")
        for cell in ("0", "-0.5", "nan"):
            self.assert_refused(RIGHT + row(kernel_ms_min=cell), 4, "kernel_ms_min: ")

    def test_the_error_of_a_wrong_result_may_be_infinite(self) -> None:
        self.assertEqual(self.read(RIGHT + row(max_abs_error="inf"))[2]["max_abs_error"], "inf")

    def test_own_columns_have_words_or_numbers(self) -> None:
        for cells in (("early", "late"), ("1", "2.5"), ("", "")):
            self.read("".join(f"{line},{cell}\n" for line, cell in zip(
                (HEADER, row(), row(variant="omp_rows")), ("own", *cells))))
        for cells in (("1", "2,5"), ("1,5", "2,5"), ("1", "two"), ("nan", "nan")):
            self.assert_refused("".join(f'{line},"{cell}"\n' for line, cell in zip(
                (HEADER, row(), row(variant="omp_rows")), ("own", *cells))), None, "own: ")

    def assert_refused(self, content: str | bytes, line: int | None, text: str) -> None:
        with self.assertRaises(Trouble) as caught:
            self.read(content)
        said = str(caught.exception)
        self.assertRegex(said, rf"^\S+/ladder\.csv:{line or '[0-9]+'}: .*{text}")
        self.assertNotIn("\n", said)
        self.assertEqual(caught.exception.code, 2)

    def test_what_is_no_table_is_refused(self) -> None:
        renamed = RIGHT.replace("cold_ms", "cold ms", 1)
        for content, line, text in (
                ("", 1, "empty"), ("\n\n", 1, "empty"), (RIGHT.encode("utf-16"), 1, "UTF-16"),
                (RIGHT.replace(",", ";"), 1, "separated by commas"),
                (RIGHT.replace(",", "\t"), 1, "separated by commas"),
                (RIGHT.encode() + row(cpu="µ").encode("latin-1"), 4, "not UTF-8"),
                (RIGHT + row(cpu="a\0b"), 4, "control character"),
                (RIGHT + row(cpu="\x1b[31m"), 4, "control character"),
                (renamed, 1, "no name"), (RIGHT.replace("cold_ms", "", 1), 1, "no name"),
                (RIGHT.replace("cold_ms", "bytes", 1), 1, "two columns 'bytes'"),
                (RIGHT.replace("cold_ms", "cold", 1), 1, "no column 'cold_ms'"),
                (RIGHT.replace(",noise,", ",own,", 1), 1, "no column 'noise', which"),
                ("variant,kernel_ms_median\nseq,1\n", 1, "no column 'noise', which"),
                (RIGHT.replace("kernel_ms_min,kernel_ms_median", "kernel_ms_median,x", 1), 1,
                 "no column 'kernel_ms_min'"),
                ("seq" + RIGHT, 1, "no column 'lab'"),
                (RIGHT + row() + ",more", 4, "cells, and the header"),
                (RIGHT + "trailing junk\n", 4, "1 cells"),
                (RIGHT + row(cpu="a,b"), 4, "cells, and the header"),
                (RIGHT + row(cpu='"a\nb"'), 5, "line break"),
                (RIGHT + row(cpu='"a'), 4, "unexpected end of data"),
                (RIGHT + row(), 4, "line 2 again"),
                (RIGHT + row(cpu="x" * 200_000), 4, "field larger than"),
                (RIGHT + row(kernel_ms_min="2"), 4, "not in order"),
                (RIGHT + row(gb_per_s="0.1"), 4, "contradict each other"),
                (RIGHT + row(kernel_ms_mean="1000"), 4, "contradict each other"),
                (RIGHT.replace("variant,", "width,", 1).replace("width,", "variant,", 2), 1, "")):
            with self.subTest(text=text):
                self.assert_refused(content, line, text)

    def test_half_a_line_is_left_out_of_what_a_run_left(self) -> None:
        self.file = self.file.with_name("ladder.csv.partial")
        self.assertEqual(len(self.read(RIGHT + "lab1-conv")), 2)
        self.assertEqual(self.read("lab,exp"), [])

    def test_no_cell_is_a_command_or_a_mark(self) -> None:
        cell = self.read(RIGHT + row(cpu="`id` $(id) | <b> {2} \\n % ' @"))[2]["cpu"]
        self.assertEqual(cell, "´id´ $(id) ¦ ‹b> (2) ∖n ％ ' @")


class RoundingTest(unittest.TestCase):
    def test_numbers_have_three_digits_and_all_before_the_point(self) -> None:
        for x, text in ((9.996, "10.0"), (0.9999, "1.00"), (-0.99951, "-1.00"), (12345.6, "12346"),
                        (0.000123, "0.000123"), (1.2, "1.20"), (0.0, "0"), (-0.0, "0"), (3, "3")):
            with self.subTest(x=x):
                self.assertEqual(rounding.digits(x), text)
                self.assertEqual(tables.formatted(f"{{{x}}}"), rounding.digits(float(x)))


def prelude(rows: list[str], *listed: str) -> sqlite3.Connection:
    """A database with the tables of prelude.sql."""
    database = queries.connect()
    database.execute("create table listed (variant, idea)")
    database.executemany("insert into listed values (?, '')", [(name,) for name in listed])
    queries.load(database, "data", HEADER.split(","), [each.split(",") for each in rows])
    queries.run(database, figures.PLOTS / "prelude.sql", {})
    return database


class LooksTest(unittest.TestCase):
    """With more variants in a lab than there are looks."""

    def looks(self, *variants: str) -> dict[str, int]:
        database = prelude([row(variant=variant) for variant in variants],
                           *(f"omp_{number}" for number in range(40)))
        return dict(database.execute("select variant, look from looks join variants"
                                     " using (variant)"))

    def test_of_variants_of_one_s_own_differ(self) -> None:
        usual = ["seq", "omp_rows", "omp_best", "peer_opencv", *(f"omp_{n}" for n in range(18))]
        before = self.looks(*usual)
        looks = self.looks(*usual, "omp_mine", "omp_other", "cuda_mine")
        self.assertEqual(len(set(looks.values())), len(looks))
        self.assertEqual({name: looks[name] for name in usual}, before)
        self.assertLessEqual(set(looks.values()), set(range(1, 29)))


@unittest.skipUnless((figures.ROOT / LAB).is_dir(), f"there is no {LAB}")
class RedrawTest(unittest.TestCase):
    """In a tree with a lab and two machines."""

    def setUp(self) -> None:
        self.root = scratch(self)
        (self.root / LAB).symlink_to(figures.ROOT / LAB)
        self.folder = self.root / "reports" / LAB / "mine"
        self.folder.mkdir(parents=True)
        (self.folder / "ladder.csv").write_text(RIGHT)
        (self.folder / "staircase.md").write_text("drawn before")
        self.machines = self.root / "reports" / "machines.json"
        self.machines.write_text('[{"name": "mine", "gpu": "", "cpu": "Zen 5"}]')

    def redraw(self) -> int:
        with mock.patch.multiple(figures, ROOT=self.root), \
                mock.patch.object(machines, "FILE", self.machines), \
                mock.patch("driver.report.pages.write_all", return_value=({}, "")), \
                mock.patch.dict(sys.modules, {"driver.report.site": mock.Mock()}), \
                contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()):
            return figures.redraw_reports()

    def test_figures_of_a_file_that_is_bad_stay(self) -> None:
        for content in ("", RIGHT.replace(",7680,", ',"7,680",'), HEADER + "\n"):
            (self.folder / "ladder.csv").write_text(content)
            self.assertEqual(self.redraw(), 1)
            self.assertEqual((self.folder / "staircase.md").read_text(), "drawn before")

    def test_a_machine_without_an_entry_is_refused(self) -> None:
        self.machines.write_text("[]")
        with self.assertRaisesRegex(Trouble, "no machine 'mine' in machines.json"):
            self.redraw()
        self.assertEqual((self.folder / "staircase.md").read_text(), "drawn before")

    def test_a_list_of_machines_that_is_damaged_is_named(self) -> None:
        entry = '{"name": "mine", "gpu": "", "cpu": "Zen 5"}'
        for content in ("", "{", "{}", "[1]", '[{"name": "mine"}]', f"[{entry}, {entry}]",
                        '[{"name": 1, "gpu": 2, "cpu": 3}]', "[" * 100_000):
            self.machines.write_text(content)
            self.assertRaisesRegex(Trouble, "machines.json", self.redraw)


def reports() -> Path:
    """A folder of this tree with an experiment."""
    return figures.ROOT / "reports" / LAB / "cpu-zen5-2core"


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
@unittest.skipUnless(reports().is_dir(), "a tree for students has no reports")
@unittest.skipUnless((figures.ROOT / LAB).is_dir(), f"there is no {LAB}")
class FiguresTest(unittest.TestCase):
    """In a folder whose name means something to shells and gnuplot."""

    def setUp(self) -> None:
        self.folder = scratch(self) / "it's a `touch here` $(ü)+"
        self.csv, self.out = self.folder / "csv", self.folder / "out"
        self.csv.mkdir(parents=True)
        for name in ("ladder", "masks"):
            shutil.copy(reports() / f"{name}.csv", self.csv)

    def draw(self, *words: str | Path) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "driver.report.figures", "draw",
             *(words or (LAB, self.csv, self.out))], cwd=figures.ROOT, capture_output=True, text=True)

    def edit(self, pattern: str, by: str) -> None:
        file = self.csv / "ladder.csv"
        text, count = re.subn(pattern, by, file.read_text("utf-8"))
        self.assertGreater(count, 0)
        file.write_text(text, "utf-8")

    def test_are_those_of_the_tree(self) -> None:
        self.assertEqual(self.draw().returncode, 0)
        for name in ("staircase-cpu.svg", "mask-sizes.svg"):
            self.assertEqual((self.out / name).read_bytes(), (reports() / name).read_bytes(), name)

    def test_have_the_first_line_of_their_heading_or_their_name(self) -> None:
        script = self.folder / "two.gp"
        script.write_text('do for [FIGURE in "a b"] { if (FIGURE eq "a") {set title heading("x\\ny")}\n'
                          "load BEGIN; plot x; load END }\n")
        self.assertEqual(figures.gnuplot(figures.PLOTS / "style.gp", script, folder=self.csv,
                                         PLOTS=figures.PLOTS, MACHINE="m"),
                         {"a": figures.Figure("x", 480), "b": figures.Figure("b", 480)})

    def test_are_drawn_again_from_a_copy_of_their_folder(self) -> None:
        site, copy = self.folder / "site", self.folder / "a copy"
        figures.draw(LAB, self.csv, site, for_site=True)
        drawn = {file.stem: file.read_text("utf-8") for file in site.glob("*.svg")}
        self.assertEqual(set(drawn), {"staircase-cpu", "mask-sizes"})
        site.rename(copy)
        for name, svg in drawn.items():
            (copy / f"{name}.svg").unlink()
            subprocess.run(["gnuplot", f"{name}.gp"], cwd=copy, check=True,
                           env=os.environ | {"LC_ALL": "de_DE.UTF-8", "SOURCE_DATE_EPOCH": "0"})
            lines = set((copy / f"{name}.svg").read_text("utf-8").splitlines())
            self.assertEqual(lines - set(svg.splitlines()), set(), name)

    def test_text_in_cells_is_drawn_and_not_executed(self) -> None:
        self.edit(r"AMD EPYC \(2 cores\)", r"it's `touch here` $(touch here) \\n {/Bold x} %d @y_z")
        self.edit("gauss5,5,", "gauss5' . system('touch here') . ',5,")
        self.assertEqual(self.draw().returncode, 0, self.draw().stderr)
        self.assertEqual(list(Path(self.folder.parent).rglob("here")), [])
        self.assertIn("it's ´touch here´ $(touch here) ∖n (/Bold x) ％d @y_z",
                      (self.out / "staircase-cpu.svg").read_text("utf-8"))

    def test_notes_name_each_commit_and_day(self) -> None:
        self.edit(r",8de162f,2026-11-23(T\S+)(?=\n\Z)", r",1234567,2026-11-24\1")
        self.assertEqual(self.draw().returncode, 0)
        self.assertIn("commit: 8de162f, 1234567; date: 2026-11-23, 2026-11-24.",
                      (self.out / "staircase.md").read_text("utf-8"))

    def test_noisy_times_have_a_range_of_the_copy_and_no_dash(self) -> None:
        rows = csv_files.read(self.csv / "ladder.csv")
        for each in rows:
            if each["variant"] in ("omp_rows", "peer_ipp"):
                ms = float(each["kernel_ms_median"])
                each |= {"noise": "spread", "kernel_ms_min": ms / 2, "kernel_ms_q1": ms / 2,
                         "kernel_ms_q3": ms * 2, "kernel_ms_max": ms * 2}
        with (self.csv / "ladder.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        self.assertEqual(self.draw().returncode, 0)
        table, figure = ((self.out / f"staircase{end}").read_text("utf-8")
                         for end in (".md", "-cpu.svg"))
        for name in ("omp_rows", "peer_ipp"):
            self.assertRegex(table, rf"\| {name} \| [\d.]+ \| [\d.]+ to [\d.]+ \|")
        self.assertRegex(figure, r"[\d.]+ to [\d.]+ %")

    def test_a_bad_file_fails_by_its_own_name_only(self) -> None:
        self.edit("623.73", '"623,73"')
        done = self.draw()
        self.assertEqual((done.returncode, done.stdout),
                         (1, "gnuplot scripts run: 1, FAILED: ladder\n"))
        self.assertRegex(done.stderr, r"^ladder: .*/ladder\.csv:2: kernel_ms_min: '623,73' is not ")
        self.assertTrue((self.out / "mask-sizes.svg").exists())
        self.assertFalse((self.out / "staircase.md").exists())

    def test_rows_of_another_lab_or_experiment_are_refused(self) -> None:
        for pattern, text in (("lab1-convolution", "lab2-integral-image"), (",ladder,", ",limit,")):
            shutil.copy(reports() / "ladder.csv", self.csv)
            self.edit(rf"{pattern}(?=.*\n\Z)", text)
            self.assertIn("a row is of ", self.draw().stderr)

    def test_names_of_columns_that_were_exchanged_are_refused(self) -> None:
        for pattern, text in (("width,height", "height,width"), ("total_ms_mean,cold_ms",
                                                                 "cold_ms,total_ms_mean")):
            shutil.copy(reports() / "ladder.csv", self.csv)
            self.edit(pattern, text)
            self.assertRegex(self.draw().stderr, r"ladder\.csv:1: '\w+' is in place of '\w+'")

    def test_an_experiment_without_rows_is_not_drawn(self) -> None:
        file = self.csv / "ladder.csv"
        file.write_text(file.read_text("utf-8").partition("\n")[0] + "\n")
        self.assertEqual(self.draw().stdout, "gnuplot scripts run: 1\n")

    def test_a_name_that_does_not_exist_is_one_line(self) -> None:
        for words, text in ((("lab1", self.csv, self.out), "there is no lab 'lab1'"),
                            ((LAB, self.folder / "none", self.out), "there is no folder"),
                            ((LAB, self.folder, self.out), "there is no CSV file")):
            done = self.draw(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, rf"^figures: {text}.*\n\Z")


if __name__ == "__main__":
    unittest.main()
