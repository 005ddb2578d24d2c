"""A rung and its main as one text."""

import unittest

from driver.one_file import ROOT, one_file


class OneFileTest(unittest.TestCase):
    def test_one_text_registers_one_variant(self) -> None:
        rungs = sorted(ROOT.glob("lab*/ladder/02_*.cpp"))
        self.assertTrue(rungs)
        for rung in rungs:
            text = one_file(rung, [])
            self.assertEqual(text.count("\nstatic const Register registered{"), 1, rung)
            self.assertIn(f'.name = "{rung.stem[3:]}"', text)

    def test_the_definition_is_no_rung_beside_itself(self) -> None:
        with self.assertRaisesRegex(SystemExit, "01_seq.cpp, the definition, is part of one.cpp"):
            one_file(ROOT / "lab1-convolution/ladder/01_seq.cpp", [])
