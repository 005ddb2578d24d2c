"""What other files say of the driver's modules is so."""

import re
import subprocess
import unittest

from driver.trouble import ROOT

# python3 -m driver.MODULE, ["-m", "driver.MODULE"], from driver.ROOM import MODULE in a script, and
# files of the driver.
NAMES = re.compile(r"""-m[", ]+driver(?P<module>(?:\.[a-z]\w*)*)
                       |from\ driver(?P<room>(?:\.[a-z]\w*)*)\ import\ (?P<one>[a-z]\w*)
                       |(?<![\w./-])driver/(?P<file>[a-z][a-z0-9_/]*\.(?:py|sql|gp|j2|txt|json|css))\b""",
                   re.VERBOSE)


def is_there(found: re.Match) -> bool:
    if found["file"]:
        return (ROOT / "driver" / found["file"]).exists()
    place = ROOT / ("driver" + (found["module"] or found["room"] or "")).replace(".", "/")
    if place.is_dir() and found["one"]:
        place /= found["one"]
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


class NamesTest(unittest.TestCase):
    def test_lead_to_modules(self) -> None:
        listed = subprocess.run(["git", "grep", "-lIE", r"driver[./]", "--", ":!CHANGELOG.md"],
                                cwd=ROOT, capture_output=True, text=True)
        if listed.returncode:
            self.skipTest("no clone")
        seen = 0
        for name in listed.stdout.splitlines():
            for line, text in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1):
                for found in NAMES.finditer(text):
                    seen += 1
                    if not is_there(found):
                        with self.subTest(place=f"{name}:{line}"):
                            self.fail(f"there is no {found[0]}")
        self.assertGreater(seen, 100)
