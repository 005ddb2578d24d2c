"""Tests which folders a run may write to, and their locks."""

import subprocess
import unittest
from pathlib import Path
from unittest import mock

from driver import folders
from driver.tests.samples import scratch
from driver.trouble import Trouble


class FoldersTest(unittest.TestCase):
    def setUp(self):
        self.root = scratch(self).resolve() / "tree"
        (self.root / "docs").mkdir(parents=True)
        (self.root / "docs/page.md").write_text("text")

    def refused(self, path: Path, why: str, kind=folders.output_folder):
        with self.assertRaisesRegex(Trouble, why):
            folders.check(kind(path), self.root)

    def allowed(self, path: Path, kind=folders.output_folder):
        folders.check(kind(path), self.root)

    def test_folders_of_the_source_are_refused(self):
        for path in (self.root, self.root.parent, self.root / "docs", self.root / "docs/new"):
            self.refused(path, "--output: .* folder of the source")
        self.refused(self.root / "docs", "--build-dir: ", folders.build_folder)

    def test_new_and_usual_folders_are_allowed(self):
        (self.root / "results").mkdir()
        (self.root / "results/old").touch()
        for path in (self.root / "results", self.root / "build-mine/out", self.root / "new",
                     self.root.parent / "new"):
            self.allowed(path)

    def test_folders_with_files_of_others_are_refused_until_they_are_marked(self):
        path = self.root.parent / "mine"
        path.mkdir()
        (path / "file").touch()
        self.refused(path, "is not empty and was not made by run_all.sh")
        (path / ".labs-results").touch()
        self.allowed(path)
        self.refused(path, "is not empty", folders.build_folder)

    def test_links_in_a_folder_are_refused(self):
        path = self.root / "results"
        path.mkdir()
        (path / "lab1-convolution").symlink_to(self.root / "docs")
        self.refused(path, "lab1-convolution' is a symbolic link")

    def test_neither_folder_is_in_the_other(self):
        outer, inner = self.root / "a", self.root / "a/b"
        for pair in ((outer, inner), (inner, outer), (outer, outer)):
            with self.assertRaisesRegex(Trouble, "neither"):
                folders.check_apart(folders.output_folder(pair[0]), folders.build_folder(pair[1]))
        folders.check_apart(folders.output_folder(outer), folders.build_folder(self.root / "ab"))

    def test_a_folder_is_locked_for_others(self):
        path = self.root / "results"
        folders.lock(folders.output_folder(path))
        marker = path / ".labs-results"
        taken = subprocess.run(["flock", "-n", marker, "true"])
        self.assertEqual(taken.returncode, 1)
        pid = marker.read_text().strip()
        with self.assertRaisesRegex(Trouble, rf"another run_all.sh \(pid {pid}\) uses"):
            folders.lock(folders.output_folder(path))

    def test_what_is_left_of_an_ended_run_may_end(self):
        path = self.root / "results"
        path.mkdir()
        ended = subprocess.run(["sh", "-c", "echo $$"], stdout=subprocess.PIPE, text=True).stdout
        marker = path / ".labs-results"
        marker.write_text(ended)
        left = subprocess.Popen(["flock", marker, "sh", "-c", "echo; sleep 0.5"],
                                stdout=subprocess.PIPE)
        left.stdout.readline()
        folders.lock(folders.output_folder(path))
        left.communicate()

    def test_a_full_disk_is_named(self):
        folders.require_space(self.root, self.root)
        with mock.patch("tempfile.TemporaryFile", lambda **_: open("/dev/full", "wb", 0)):
            with self.assertRaisesRegex(Trouble, "--output: no space left on .*tree'") as raised:
                folders.require_space(self.root, self.root)
        self.assertEqual(raised.exception.code, 1)

    def test_only_pages_of_a_run_are_replaced(self):
        own = (self.root / "results", self.root / "build-all")
        page = self.root.parent / "page"
        folders.use_page_folder(page, own, self.root)
        (page / "index.html").write_text("mine")
        with self.assertRaisesRegex(Trouble, "is not a page of run_all.sh"):
            folders.use_page_folder(page, own, self.root)
        (page / "index.html").write_text(f"<p>{folders.OF_A_PAGE}</p>")
        folders.use_page_folder(page, own, self.root)
        for path in (self.root, self.root / "docs"):
            with self.assertRaisesRegex(Trouble, "folder of the source"):
                folders.use_page_folder(path, own, self.root)


if __name__ == "__main__":
    unittest.main()
