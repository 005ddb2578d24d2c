"""grade collect: hand-ins as teachers get them become what `grade class` takes.

Clones as GitHub Classroom's tools make them, Moodle's and Canvas's archive of all submissions, a
folder of zip archives or of folders. OUT/ID has the files of the lab's tasks, OUT/collected.csv what
was taken from where, OUT/times.csv when each was handed in.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from driver import texts
from driver.classes import handin, sources, writing
from driver.classes.deadlines import time_of
from driver.classes.people import GITHUB, People, own_name
from driver.trouble import Trouble
from driver.tree import all_labs

VARIANT = re.compile(r"(\d{1,3}_)?(omp|cuda|mpi)_[a-z0-9_]+\.(cpp|cu)")
ANSWERS = "answers.txt"
ARCHIVE = re.compile(r".+\.(zip|tar|t?gz|tar\.\w+|tgz|7z|rar|xz|bz2)", re.IGNORECASE)
LIST, TIMES = "collected.csv", "times.csv"
TAKEN = "taken"
_NEVER = datetime.min.replace(tzinfo=timezone.utc)


@dataclass
class HandIn:
    """Of a student: entries of the source."""

    files: list[tuple[str, sources.File]] = field(default_factory=list)  # with the file's own name
    folders: list[str] = field(default_factory=list)  # that may be clones


@dataclass
class Listed:
    """A row of collected.csv."""

    student: str
    file: str
    path: str
    said: str

    @property
    def is_fault(self) -> bool:
        return self.said != TAKEN and bool(self.path)


class Lab:
    """Which files of a hand-in count."""

    def __init__(self, number: str):
        self.number, self.folder = number, handin.lab_folder(number).name
        self.wanted = {Path(name).name for name in handin.task_files(number)}
        self.others = set(all_labs()) - {self.folder}

    def rank(self, path: PurePosixPath, name: str, is_tree: bool) -> int | None:
        """The least counts, of files with one name. A lab's folder is that of the starter: beside
        the tasks it has given files, and other labs have files of the same names."""
        folders = set(path.parts[:-1])
        if folders & self.others and self.folder not in folders:
            return None
        if name in self.wanted:
            return 0 if self.folder in folders else 1 if "ladder" in folders else 2
        return 3 if VARIANT.fullmatch(name) and not is_tree else None

    def nearest(self, path: PurePosixPath, name: str) -> str:
        """The wanted name that a file is nearly called; "" if it is called otherwise."""
        if set(path.parts[:-1]) & self.others:
            return ""
        by_plain_name = {re.sub(r"^\d+_", "", wanted): wanted for wanted in self.wanted}
        near = difflib.get_close_matches(re.sub(r"^\d+\W", "", name.lower()), by_plain_name, 1, 0.75)
        return by_plain_name[near[0]] if near else ""


def _level_of_entries(files: list[sources.File], people: People) -> int:
    """How many folders are around all hand-ins, as in an archive of a folder: in them are folders
    and files of students."""
    def is_somebodys(name: str) -> bool:
        try:
            return bool(people.who(_stem(name)))
        except Trouble:
            return False
    level = 0
    while True:
        first = {file.path.parts[level] for file in files if len(file.path.parts) > level}
        inside = {file.path.parts[level + 1] for file in files if len(file.path.parts) > level + 1}
        if len(first) != 1 or is_somebodys(first.pop()):
            return level
        if not any(map(is_somebodys, inside)) and len(inside) != 1:
            return 0
        level += 1


def _is_tree(file: sources.File, level: int) -> bool:
    """Of a starter, or of a part of it."""
    return not {"ladder", *all_labs()}.isdisjoint(file.path.parts[level:-1])


def _stem(name: str) -> str:
    return name[:-4] if name.lower().endswith(".zip") else name


def _is_beside(file: sources.File, level: int) -> bool:
    """A file that is no hand-in, such as the roster or a table of grades."""
    name = own_name(file.path.name)
    return (file.path.parts[level].startswith(".") or len(file.path.parts) == level + 1
            and name != ANSWERS and not VARIANT.fullmatch(name)
            and not ARCHIVE.fullmatch(file.path.name))


def sort_by_student(files: list[sources.File], people: People) -> tuple[dict[str, HandIn], list[Listed]]:
    """The hand-ins, and what is nobody's or cannot be read."""
    files = [file for file in files if not file.path.name.startswith(".")]
    level = _level_of_entries(files, people)
    files = [file for file in files if not _is_beside(file, level)]
    trees = {file.path.parts[level] for file in files if _is_tree(file, level + 1)}
    found: dict[str, HandIn] = {}
    faults: dict[str, Listed] = {}
    for file in files:
        entry, whole = file.path.parts[level], "/".join(file.path.parts[:level + 1])
        student = ""
        try:
            student = people.who(_stem(entry))
            hand_in = found.setdefault(student, HandIn())
            inner = [file] if entry in trees else sources.expanded(file)
        except Trouble as trouble:
            faults.setdefault(whole, Listed(student, "", whole, str(trouble)))
            continue
        hand_in.files += [(own_name(each.path.name) if each is file else each.path.name, each)
                          for each in inner]
        if len(file.path.parts) > level + 1 and whole not in hand_in.folders:
            hand_in.folders.append(whole)
    return found, list(faults.values())


def chosen_files(student: str, hand_in: HandIn, lab: Lab) -> tuple[dict[str, bytes], list[Listed]]:
    """The contents by name, and what is to be said of each."""
    is_tree = any({"ladder", lab.folder} & set(file.path.parts) for _, file in hand_in.files)
    ranked: dict[str, list[tuple[int, sources.File]]] = {}
    others: list[tuple[str, sources.File]] = []
    for name, file in hand_in.files:
        rank = lab.rank(file.path, name, is_tree)
        if rank is not None:
            ranked.setdefault(name, []).append((rank, file))
        else:
            others.append((name, file))
    taken: dict[str, bytes] = {}
    listed = []
    for name, candidates in sorted(ranked.items()):
        least = min(rank for rank, _ in candidates)
        best = [file for rank, file in candidates if rank == least]
        try:
            contents = {file.read() for file in best}
            if len(contents) > 1:
                raise Trouble(f"there are {len(best)} different files of this name")
            taken[name] = contents.pop()
            listed.append(Listed(student, name, str(best[0].path), TAKEN))
        except Trouble as trouble:
            listed += [Listed(student, name, str(file.path), str(trouble)) for file in best]
    for name, file in others:
        near = lab.nearest(file.path, name)
        if near and not (is_tree and near in ranked):  # given files are called like others
            listed.append(Listed(student, name, str(file.path), f"the nearest expected name is {near}"))
    if not ranked:
        unread = next((str(file.path) for name, file in hand_in.files if ARCHIVE.fullmatch(name)), "")
        listed.append(Listed(student, "", unread, f"has no file of a task of lab {lab.number}"
                             + (": only zip archives are read" if unread else "")))
    return taken, listed


# --- Times ----------------------------------------------------------------------------------------


def last_commit(clone: Path, lab_folder: str) -> str:
    """When the lab's files were last changed in a clone, by the committer's clock; or "". Nothing in
    the clone's settings starts a program."""
    if not (clone / ".git").is_dir():
        return ""
    settings = ["core.fsmonitor=false", "log.showSignature=false", f"safe.directory={clone}"]
    git = ["git", *(word for setting in settings for word in ("-c", setting)),
           f"--git-dir={clone}/.git", "--no-pager", "log", "-1", "--no-show-signature",
           "--no-ext-diff", "--no-textconv", "--format=%cI"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for more in (["--", lab_folder], []):
        done = subprocess.run([*git, *more], cwd=clone, capture_output=True, text=True,
                              env=environment | {"GIT_NO_LAZY_FETCH": "1"})
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip()
    return ""


def given_times(path: Path, lab: str, people: People) -> dict[str, str]:
    """By id: of a table with the columns id, lab, time, or of the grades that GitHub Classroom
    exports, whose times are in UTC."""
    header, rows = texts.read_table(path)
    if {"id", "lab", "time"} <= set(header):
        times: dict[str, datetime] = {}
        for line, row in rows:
            if row["lab"] == lab:  # the last one counts
                time = time_of(row["time"], f"{path}:{line}")
                student = row["id"].removeprefix("'")  # of a text like a formula
                times[student] = max(time, times.get(student, time))
        return {student: time.isoformat() for student, time in times.items()}
    if {GITHUB, "submission_timestamp"} <= set(header):
        return {_who(people, row[GITHUB]): _utc(row["submission_timestamp"], f"{path}:{line}")
                for line, row in rows if row["submission_timestamp"].strip()}
    raise Trouble(f"{path}:1: expected the columns id, lab, time, or those of GitHub Classroom: "
                  f"{GITHUB}, submission_timestamp")


def _who(people: People, name: str) -> str:
    try:
        return people.who(name)
    except Trouble:
        return name


def _utc(text: str, where: str) -> str:
    plain = text.strip().removesuffix("UTC").strip().replace("Z", "+00:00")
    try:
        time = datetime.fromisoformat(plain)
    except ValueError as error:
        raise Trouble(f"{where}: expected a time like 2026-11-02 23:59:00 UTC, not '{text}'") from error
    return (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).isoformat()


# --- The folder of hand-ins -----------------------------------------------------------------------


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Instead of an earlier hand-in, whole or not at all."""
    beside = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    for name, content in files.items():
        (beside / name).write_bytes(content)
    shutil.rmtree(folder, ignore_errors=True)
    beside.rename(folder)


def _refuse(source: Path, out: Path) -> None:
    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise Trouble(f"--out: '{out}' is in the folder of the hand-ins")
    if out.exists() and not out.is_dir():
        raise Trouble(f"--out: '{out}' is no folder")
    if out.is_dir() and any(out.iterdir()) and not (out / LIST).is_file():
        raise Trouble(f"--out: the folder '{out}' has other files: it has to be new, or one of "
                      "`grade collect`")


def _times(source: Path, hand_ins: dict[str, HandIn], lab: Lab, given: dict[str, str]) -> Iterator:
    """Pairs of a student and a time."""
    for student in sorted({*hand_ins, *given}):
        folders = hand_ins.get(student, HandIn()).folders
        time = given.get(student) or max(
            (last_commit(source / folder, lab.folder) for folder in folders), default="",
            key=lambda time: datetime.fromisoformat(time) if time else _NEVER)
        if time:
            yield student, time


def collect(people: People, source: Path, number: str, out: Path, times: Path | None) -> int:
    """Returns 1 if something that may be a hand-in was not taken."""
    lab = Lab(number)
    _refuse(source, out)
    given = given_times(times, number, people) if times else {}
    os.umask(0o077)
    hand_ins, listed = sort_by_student(sources.of(source), people)
    out.mkdir(parents=True, exist_ok=True)
    for student in people.ids:
        if student in hand_ins:
            files, said = chosen_files(student, hand_ins[student], lab)
            _write(out / student, files)
            listed += said
        else:
            was = "nothing new; its earlier hand-in stays" if (out / student).is_dir() else ""
            listed.append(Listed(student, "", "", was or "nothing was handed in"))
    writing.write_csv(out / LIST, [["id", "file", "from", "what"], *(
        [row.student, row.file, row.path, row.said] for row in listed)])
    known = list(_times(source, hand_ins, lab, given))
    writing.write_csv(out / TIMES, [["id", "lab", "time"], *([student, number, time]
                                                             for student, time in known)])
    return _report(people, hand_ins, listed, [student for student, _ in known], out)


def _report(people: People, hand_ins: dict[str, HandIn], listed: list[Listed], timed: list[str],
            out: Path) -> int:
    for student in people.ids:
        rows = [row for row in listed if row.student == student]
        files = " ".join(row.file for row in rows if row.said == TAKEN)
        print(f"{student}: {files or rows[-1].said}" + ("" if student in timed or not files
                                                       else " (time not known)"))
    faults = [row for row in listed if row.is_fault]
    for row in faults:
        print(f"not taken: {writing.text(row.path)}: {row.said}", file=sys.stderr)
    print(f"{len(people.ids)} students: {len(hand_ins)} hand-ins, {len(timed)} with a time; "
          f"{out / LIST} says what was taken from where")
    return 1 if faults else 0
