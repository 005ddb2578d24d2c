"""Whose hand-in a folder or a file is, by the names that teaching platforms give them."""

import re
import unicodedata
from pathlib import Path

from driver import texts
from driver.classes import gradebooks, results
from driver.trouble import Trouble

# Moodle: "Ada Lovelace_1234_assignsubmission_file_" is a folder, or begins the name of a file.
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+(_(?P<file>.*))?",
                    re.DOTALL)
# Canvas: "lovelaceada_LATE_1234_56789_omp_rows-1.cpp"; -1 is of the second attempt.
CANVAS = re.compile(r"(?P<name>[^_]+)_(LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)", re.DOTALL)
GITHUB = "github_username"  # a column of the roster, as in the one of GitHub Classroom


def spellings(name: str) -> set[str]:
    """Letters and digits of a full name, whichever word comes first."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name.casefold())
                    if not unicodedata.combining(letter))
    words = ["".join(filter(str.isalnum, word)) for word in re.split(r"[\s,_]+", plain)]
    words = list(filter(None, words))
    return {"".join(words[first:] + words[:first]) for first in range(len(words))}


class People:
    """The students of a roster. `like` is what Moodle or Canvas exported: numbers and ids."""

    def __init__(self, roster: Path, like: Path | None, id_field: str):
        names = results.read_roster(roster)
        self.ids = list(names)
        self._exact: dict[str, set[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        for row in (row for _, row in texts.read_table(roster)[1]):
            for word in (row["id"], row.get(GITHUB, "").strip()):
                if word:
                    self._exact.setdefault(word.casefold(), set()).add(row["id"])
        for student, name in names.items():
            for spelling in spellings(name):
                self._by_name.setdefault(spelling, set()).add(student)
        self._numbers = _numbers(like, id_field) if like else {}

    def who(self, name: str) -> str:
        """The id. Raises Trouble if it is nobody's, or may be that of two."""
        if found := self._exact.get(name.casefold(), set()):
            return _only(found)
        if match := MOODLE.fullmatch(name) or CANVAS.fullmatch(name):
            return self._of_platform(match["name"], match["number"])
        parts = name.casefold().split("-")  # "lab1-ada"
        for first in range(1, len(parts)):  # the longest
            if found := self._exact.get("-".join(parts[first:]), set()):
                return _only(found)
        if found := set().union(*(self._by_name.get(word, set()) for word in spellings(name))):
            return _only(found)
        raise Trouble("belongs to nobody in the roster")

    def _of_platform(self, name: str, number: str) -> str:
        if self._numbers:
            if self._numbers.get(number) in self.ids:
                return self._numbers[number]
            raise Trouble(f"the number {number} belongs to nobody in the roster")
        found = set().union(*(self._by_name.get(word, set()) for word in spellings(name)))
        if not found:
            raise Trouble(f"nobody in the roster has the name '{name}': --like says whose number "
                          f"{number} is")
        return _only(found)


def _only(found: set[str]) -> str:
    if len(found) > 1:
        raise Trouble(f"may be of {' or '.join(sorted(found))}: --like says whose number it has")
    return next(iter(found))


def _numbers(like: Path, id_field: str) -> dict[str, str]:
    """The roster's ids by the number in the names of files."""
    header, rows = gradebooks.read_table(like)
    identity = gradebooks.MOODLE_IDS[id_field]
    if "Identifier" in header and identity in header:
        return {row["Identifier"].rpartition(" ")[2]: row[identity] for row in rows}
    if {"ID", "SIS Login ID"} <= set(header):
        return {row["ID"]: row["SIS Login ID"] for row in rows}
    raise Trouble(f"{like}: is neither a grading worksheet of Moodle with the column '{identity}' "
                  "nor a gradebook of Canvas")


def own_name(name: str) -> str:
    """Of a file, without what the platform has put before and after it."""
    if match := MOODLE.fullmatch(name):
        return match["file"] or ""
    if match := CANVAS.fullmatch(name):
        return re.sub(r"-\d+(?=\.[^.]+$)", "", match["file"])
    return name
