"""The access that a report of AddressSanitizer names."""

import unittest

from driver.run import sanitized
from driver.tests.samples import FolderTest

SOURCE = """void pass(float* to, int radius) {
    float rows[5];
    for (int k = 0; k <= 2 * radius; ++k) {
        rows[k] = 0;
    }
}
void omp_new(Image in) {
    const auto values =
        static_cast<size_t>(in.width * in.height);
    const auto data = std::make_unique<float[]>(values);
    pass(data.get(), 3);
}
"""


class AccessTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("ladder/02_omp_new.cpp", SOURCE)
        self.frame = f"    #1 0x5 in pass (int) {self.folder}/ladder/02_omp_new.cpp:"

    def cause(self, kind: str, more: str = "", channels: int = 1) -> str:
        self.said = (
            f"{'=' * 60}\nlabs: on 5x4x{channels}\n"
            f"==7==ERROR: AddressSanitizer: {kind} on address 0x6\n"
            "WRITE of size 4 at 0x6 thread T0\n    #0 0x5 in memset (libasan.so)\n"
            f"{self.frame}4\n{self.frame}11:5\n{more}\n")
        return sanitized.cause_in(self.said)

    def test_array_of_the_heap(self) -> None:
        region = ("\n0x6 is located 0 bytes to the right of 80-byte region [0x1,0x6)\n"
                  f"allocated by thread T0 here:\n    #0 0x5 in operator new\n{self.frame}10\n")
        at = "out of bounds: ladder/02_omp_new.cpp:4 writes beyond an array of 80 bytes"
        loop = "; the loop in line 3 runs while k <= 2 * radius, called in line 11"
        self.assertEqual(self.cause("heap-buffer-overflow", region),
                         f"{at} (ladder/02_omp_new.cpp:10){loop}")
        self.assertIn(": its size has the width, and not the 3 channels;",
                      self.cause("heap-buffer-overflow", region, channels=3))

    def test_local_array(self) -> None:
        self.assertIn("writes before `rows`, an array of 20 bytes (line 2); the loop",
                      self.cause("stack-buffer-underflow", "\nAddress 0x6 is located in stack\n"
                                 "    [32, 52) 'rows' (line 2) <== Memory access at offset 28 "
                                 "underflows this variable\n"))
        self.assertIn("an index beyond its array `rows[5]` (line 2), in ladder/02_omp_new.cpp:4; "
                      "the loop in line 3", self.cause("ILL"))

    def test_guard_bytes(self) -> None:
        for byte, row, where in ((20, 1, "beyond the end of a row (the width) of the output, in "
                                  "row 1"), (-4, 0, "before column 0 of the output, in row 0"),
                                 (0, 4, "below the last row of the output;"),
                                 (0, -1, "above row 0 of the output;")):
            report = f"labs: byte {byte} of row {row} of the output, which has 4 rows of 20 bytes\n"
            self.assertIn(f"writes {where}", self.cause("use-after-poison", "\n" + report))

    def test_bytes_that_may_be_read(self) -> None:
        self.cause("use-after-poison", "\nlabs: byte -3 of row 2 of the input, which has 4 rows "
                   "of 20 bytes\n")
        read = self.said.replace("WRITE", "READ")
        self.assertEqual(sanitized.cause_in(read, "WRONG v on 5x4x1: expected 1, got 2"), "")
        self.assertIn("reads before column 0", sanitized.cause_in(read, "it reads outside"))
        self.assertIn("writes before column 0", sanitized.cause_in(read + self.said, "WRONG v"))

    def test_report_without_a_line_of_the_lab(self) -> None:
        self.frame = "    #1 0x5 in main "
        self.assertEqual(self.cause("SEGV"), "")
        self.assertEqual(sanitized.cause_in("[  FAILED  ] 1 test"), "")

    def test_message(self) -> None:
        for before, after in (
                ("it crashed: SEGFAULT (a recursion)",
                 "it crashed: SEGFAULT; looks like: L reads a"),
                ("WRONG v on 1x1: expected 1, got 2; difference image: /a",
                 "WRONG v on 1x1: expected 1, got 2; looks like: L reads a; difference image: /a"),
                ("WRONG v on 1x1: all right; looks like: it writes outside the output, at byte 1",
                 "WRONG v on 1x1: all right; looks like: L writes a"),
                ("WRONG v on 9x9: got 1; looks like: 2 values are never written; difference image: /a",
                 "WRONG v on 9x9: got 1; looks like: L reads a; difference image: /a")):
            self.assertEqual(sanitized.with_cause(before, "L reads a"), after)


if __name__ == "__main__":
    unittest.main()
