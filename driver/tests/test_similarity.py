"""The part of a file that is compared, and its spelling."""

import hashlib
import json
import random
import re
import unittest
from unittest import mock

from driver.classes import given, similarity, tokens
from driver.tests.samples import scratch

ROWS = """
for (int y = 0; y < h; ++y) { for (int x = 0; x < w; ++x) { int sum = 0;
    for (int k = 0; k < n; ++k) { sum += a[y][x + k] * m[k]; } b[y][x] = sum / n; } }"""

# Spellings that are the same for a compiler.
SAME = (("a[1] && {b};", "a<:7'000:> and <% b %>;", "a [ 0x1p-3f ] and{ b };"),
        ('s = "";', """s=u8"a;\\"'b"_x "b" ;""", 's = R"k({";)k"\n LR"(#\n# 1 ")";', "s=\"\"\n\"'\";"),
        ("f<::A>('c');", r"f< ::A>(u'\'');", "f< : : A>('\"');"),
        ("x << : b;", "x <<: b;"),
        ("return 'c'; 0;", "return'\"';1'0'0;"),
        ("x = y;", "x = y; // z", "\n# 1 \"f\" 3\nx =\n# 2 \"f\"\ny;\n"),
        ('""(a); b;', '"-R"_x(a); b;'))


class SimilarityTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = scratch(self)

    def split_up(self, text: str, name: str = "omp_mine.cpp") -> tuple[str, list[str], str]:
        """The message, and the rest of a file."""
        known = given.Given.__new__(given.Given)
        known._of_headers, known._of_stubs = {"", "int of_header"}, {"int of_stub"}
        own = known.without_headers(tokens.in_one_spelling(ROWS).split("\n"))
        known._runs = {"ladder/02_omp_rows.cpp": set(tokens.runs(" ".join(own).split()))}
        file = self.folder / name
        file.write_text(text)
        why, same = similarity.split_up(file, known)
        return why, same, "".join(part.read_text() for part in sorted(self.folder.glob("omp_*.cpp")))

    def test_each_token_has_one_spelling(self):
        for first, *others in SAME:
            for other in others:
                with self.subTest(other):
                    self.assertEqual(tokens.in_one_spelling(other).split(),
                                     tokens.in_one_spelling(first).split())
        for name in ("größe", "a$", r"\u00e4_1", r"\N{DIGIT ONE}", "a\u0301\U0001d400", "\udcff"):
            self.assertRegex(tokens.in_one_spelling(f"{name}=1;"), r"^[A-Za-z_]\w* = 0 ;\n$", name)

    def test_pragmas_stay(self):
        self.assertEqual(tokens.in_one_spelling('x\n # 1 "f"\n%:pragma omp simd\ny').split("\n"),
                         ["x ", "# pragma omp simd", " y"])

    def test_repetitions_count_a_few_times(self):
        self.assertLess(len(similarity.thinned(["y"] * 32768)), 30)
        self.assertLess(len(similarity.thinned("a b c + ( d ".split() * 6000)), 60)
        choose = random.Random(1)
        text = [choose.choice("+-*/%^&|~!<>=.,?:()[]") for i in range(9000)]
        self.assertEqual(similarity.thinned(text), text)
        self.assertLess(len(similarity.thinned(text * 9)), 4 * 9000 + 20)

    def test_a_copy_in_a_long_file_is_half_of_a_window(self):
        self.assertEqual(similarity.windows([]), [[]])
        for length in (1, 799, 800, 801, 1200, 1201, 20000):
            text = [str(number) for number in range(length)]
            parts = similarity.windows(text)
            self.assertEqual(len(parts) > 1, length > similarity.WINDOW)
            self.assertEqual(list(dict.fromkeys(sum(parts, []))), text)
            for begin in range(0, length - 399, 100):
                copy = set(text[begin:begin + 400])
                self.assertTrue(any(len(copy & set(part)) >= 0.5 * len(part) or copy <= set(part)
                                    for part in parts), (length, begin))

    def test_a_text_that_the_grader_did_not_compile_is_not_compared(self):
        variants = []
        for name, gpu in (("omp_same", ""), ("omp_other", ""), ("cuda_nvcc", "batches")):
            file = self.folder / f"{name}.cpp"
            file.write_text(f"void {name}();")
            text = hashlib.blake2b(file.read_bytes(), digest_size=32).hexdigest()
            variants.append({"name": name, "file": file.name, "gpu": gpu,
                             "text": text if name == "omp_same" else text[::-1]})
        graded = {"extra_data": {"variants": variants}}
        (self.folder / "results.json").write_text(json.dumps(graded))
        self.assertEqual(similarity.other_texts(self.folder, self.folder), [
            "omp_other.cpp: the preprocessor gives another text than in its grading"])
        self.assertEqual([file.name for file in sorted(self.folder.glob("*.cpp"))],
                         ["cuda_nvcc.cpp", "omp_same.cpp"])

    def test_given_statements_and_directives_do_not_count(self):
        why, same, left = self.split_up('# 1 "omp_mine.cpp"\nint of_header;\n#pragma omp parallel\n'
                                        "void f(int a) {\n  int  of_stub ; a += 7 * mine;\n}\n")
        self.assertEqual((why, same, re.sub(r"\s", "", left)), ("", [], "voidf(inta){a+=0*mine;"))

    def test_a_given_file_of_another_name_is_named(self):
        renamed = re.sub(r"\b([a-z])\b", r"\1_ä", ROWS)
        for text, name, same in ((renamed, "omp_mine.cpp", True), (ROWS, "7_omp_rows.cpp", False),
                                 (ROWS.replace("+", "-"), "omp_mine.cpp", False),
                                 ("int before = 1;" + renamed + "int after;", "omp_mine.cpp", True),
                                 (ROWS.replace("{ for", "{\n#pragma omp simd\nfor"), "omp_mine.cpp", False)):
            self.assertEqual(self.split_up(text, name)[1], ["ladder/02_omp_rows.cpp"] * same, text)

    def test_a_file_that_is_too_long_or_empty_is_not_compared(self):
        choose = random.Random(1)
        text = " ".join(choose.choice("+-*/%^&|~!<>=.,?:()[]") for i in range(60001))
        self.assertEqual(self.split_up(text)[::2], ("it has more than 60000 tokens", ""))
        self.assertEqual(self.split_up(text[:-2])[0], "")
        self.assertEqual(self.split_up("int of_header; int nothing;", "omp_few.cpp")[0],
                         "it has fewer than 20 tokens")
        with mock.patch("driver.classes.similarity.MOST_BYTES", 1 << 20):
            self.assertEqual(self.split_up(" " * (1 << 20) + "x", "omp_new.cpp")[0],
                             "it has more than 1 MB after the preprocessor")


if __name__ == "__main__":
    unittest.main()
