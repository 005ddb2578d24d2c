"""A rung and its main as one text."""

import unittest
from pathlib import Path

from driver.tools.one_file import ROOT, one_file
from driver.trouble import Trouble


def is_definition(rung: Path) -> bool:
    return f'"ladder/{rung.name}"' in (rung.parents[1] / "one.cpp").read_text("utf-8")


class OneFileTest(unittest.TestCase):
    def test_one_text_registers_one_variant(self) -> None:
        rungs = sorted(ROOT.glob("lab*/ladder/02_*.cpp"))
        self.assertTrue(rungs)
        for rung in rungs:
            text = one_file(rung, [])
            self.assertEqual(text.count("\nstatic const Register registered{"), 1, rung)
            self.assertIn(f'.name = "{rung.stem[3:]}"', text)

    def test_the_definition_is_no_rung_beside_itself(self) -> None:
        rungs = list(filter(is_definition, ROOT.glob("lab*/ladder/*.cpp")))
        self.assertTrue(rungs)
        for rung in rungs:
            said = f"{rung.name}, the definition, is part of one.cpp"
            with self.assertRaisesRegex(Trouble, said):
                one_file(rung, [])

    def test_a_rung_brings_the_parts_that_it_needs(self) -> None:
        rungs = sorted(rung for rung in ROOT.glob("lab*/ladder/[0-9]*_*.c*")
                       if not is_definition(rung))
        for rung in rungs:
            lines = one_file(rung, []).splitlines()
            for line in lines:
                if line.startswith("// ---- ") and "/parts/" in line and line.endswith(".hpp"):
                    part = line.removesuffix(".hpp") + ".cpp"
                    is_there = (ROOT / part.removeprefix("// ---- ")).exists()
                    self.assertEqual(lines.count(part), int(is_there), rung.name)
        self.assertTrue(rungs)
