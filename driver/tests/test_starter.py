"""The words of a manifest, and what is refused, on a small made-up tree."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from driver.tools import starter
from driver.trouble import Trouble


class StarterTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.tree = starter.Tree(self.root, tracked=[])

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def names(self) -> list[str]:
        return [self.tree.name(file) for file in self.tree.files()]

    def test_remove(self):
        for name in ("a/01_x", "a/02_x", "a/05_x", "b/lab1/keep/1", "b/lab1/2", "b/lab2/3"):
            self.write(name, "")
        starter._remove(self.root, "a/0[1-3]_*")
        starter._remove(self.root, "b/lab*/!(keep)")
        self.assertEqual(self.names(), ["a/05_x", "b/lab1/keep/1"])
        with self.assertRaisesRegex(Trouble, "no such file"):
            starter._remove(self.root, "a/0[1-3]_*")

    def test_parts(self):
        page = self.write("page.md", "1\n<!-- begin solution -->\n2\n<!-- end solution -->\n"
                          "- 3\n- **Here** 4,\n  5\n- 6\n")
        code = self.write("code.cpp", "1\n// begin solution\n2\n// end solution\n- **Here** 3\n")
        for file in (page, code):
            starter._leave_out_part(file)
        self.assertEqual(page.read_text(), "1\n- 3\n- 6\n")
        self.assertEqual(code.read_text(), "1\n- **Here** 3\n")
        with self.assertRaisesRegex(Trouble, "nothing in it is marked"):
            starter._leave_out_part(page)
        for text in ("// begin solution\n", "// end solution\n"):
            with self.assertRaisesRegex(Trouble, "not every 'begin solution'"):
                starter._leave_out_part(self.write("bad.cpp", text))

    def test_stubs_have_their_line(self):
        for name, main in (("02_omp_x.cpp", "one.cpp"), ("12_cuda_x.cu", "one.cu")):
            stub = self.write(f"starter/{name}", "// 1\n//\n// 2\n\n3\n\n4\n")
            to = self.root / "ladder" / name
            starter._overlay(self.tree, stub, to, replaces=False)
            self.assertRegex(to.read_text(), r"(?s)^// 1\n//\n// 2\n\n/\* .*\n    "
                             rf"{main} ladder/{name} .*\n\*/\n\n3\n\n4\n$")

    def test_headers_of_grading_are_those_of_students(self):
        for name in ("common/include/common/a.hpp", "emulation/include/cuda/atomic",
                     "lab7-x/problem/a.hpp", "lab7-x/problem/a.cpp", "lab7-x/tests/a.hpp",
                     "lab7-x/ladder/parts/a.cuh", "lab7-x/expert/deep/er/a.hpp"):
            self.write(name, "1\n// begin solution\n2\n// end solution\n")
        self.write("lab7-x/assignment/starter.manifest",
                   "# words\nremove ladder/parts\nremove expert\n"
                   "remove ladder/0[1-3]_*\npart problem/a.hpp\nadd problem/b.hpp\n"
                   "give-away a (secret|trick)\n")
        self.write("lab7-x/assignment/starter/problem/b.hpp", "")
        self.write("lab7-x/assignment/key/ladder/c.hpp", "")
        self.write("grading/starter.manifest", "remove reports/lab*/!(pictures)\npart README.md\n")
        with mock.patch.object(starter, "ROOT", self.root):
            starter.write_headers("lab7-x", self.root / "api")
        self.tree.root = self.root / "api"
        self.assertEqual(self.names(), ["common/include/common/a.hpp",
                                        "emulation/include/cuda/atomic", "lab7-x/problem/a.hpp",
                                        "lab7-x/problem/b.hpp"])
        self.assertEqual((self.root / "api/lab7-x/problem/a.hpp").read_text(), "1\n")

    def test_links(self):
        self.write("docs/there.md", "")
        page = self.write("page.md", "[a](docs/there.md#x) [b](docs/gone.md#x) ![c](gone.svg) "
                          "[d](https://example.org/x.md) [e](#here)")
        starter._unlink_missing(page)
        self.assertEqual(page.read_text(), "[a](docs/there.md#x) b  [d](https://example.org/x.md) "
                         "[e](#here)")

    def test_give_aways(self):
        self.write("lab2-other/file", "the trick\n")
        self.tree.give_aways = [(r"the tr[i]ck\b", self.root / "lab1-mine")]
        starter._refuse_give_aways(self.tree)
        for name in ("lab1-mine/sub/file", "docs/file"):
            file = self.write(name, "first\nsecond: the trick\n")
            with self.assertRaisesRegex(Trouble, f"gives a solution away .*{name}:2:second"):
                starter._refuse_give_aways(self.tree)
            file.unlink()

    def test_files_that_nobody_named(self):
        self.write("new", "")
        with self.assertRaisesRegex(Trouble, "neither tracked by git nor added by a manifest: new"):
            starter._refuse_others(self.tree)
        self.tree.added.add("new")
        starter._refuse_others(self.tree)

    def test_a_solution_under_another_name(self):
        solution = next(starter.ROOT.glob("lab*/ladder/*.cpp"))  # also where there is no git
        name = solution.relative_to(starter.ROOT).as_posix()
        self.tree.tracked = [name]
        text = (starter.ROOT / name).read_text()
        self.write(name, text)  # given as it is
        starter._refuse_solutions(self.tree)
        self.write(name, "stub")
        starter._refuse_solutions(self.tree)
        self.write("docs/notes.txt", text)
        with self.assertRaisesRegex(Trouble, "under another name: docs/notes.txt"):
            starter._refuse_solutions(self.tree)


if __name__ == "__main__":
    unittest.main()
