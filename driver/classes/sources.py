"""The files of hand-ins, in a folder or in zip archives. Nothing is unpacked: a file is read when it
is taken, so no name in an archive leads anywhere, and no link is followed."""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from driver.trouble import Trouble

MOST_BYTES = 256 << 10  # of a file that is taken, as in grading
MOST_OF_ARCHIVE = 256 << 20  # of an archive in an archive
MOST_FILES = 200_000
DEEPEST = 3  # archives in archives
_SKIPPED = {".git", "__MACOSX"}
_FAULTS = (OSError, EOFError, RuntimeError, NotImplementedError, ValueError, zipfile.BadZipFile,
           zlib.error)


@dataclass(frozen=True)
class File:
    path: PurePosixPath  # in the source
    size: int
    content: Callable[[int], bytes]  # at most so many bytes
    is_regular: bool = True

    def read(self, most: int = MOST_BYTES) -> bytes:
        """Raises Trouble if it cannot be taken."""
        if not self.is_regular:
            raise Trouble("is no regular file")
        try:
            content = self.content(most + 1)
        except _FAULTS as error:
            raise Trouble(f"cannot be read: {error}") from error
        if len(content) > most:
            raise Trouble(f"is larger than {most >> 10} KB")
        return content


def of(source: Path) -> list[File]:
    """All files in a folder, or in a zip archive."""
    if source.is_dir():
        return _of_folder(source)
    if not zipfile.is_zipfile(source):
        raise Trouble(f"{source}: is neither a folder nor a zip archive")
    return _of_archive(source, PurePosixPath(), str(source))


def is_archive(path: PurePosixPath) -> bool:
    return path.suffix.lower() == ".zip"


def expanded(file: File, depth: int = 0) -> list[File]:
    """The files in an archive, with the archive's name as a folder; any other file itself."""
    if not is_archive(file.path):
        return [file]
    if depth == DEEPEST:
        raise Trouble(f"{file.path}: has too many archives in archives")
    try:
        content = io.BytesIO(file.read(MOST_OF_ARCHIVE))
    except Trouble as trouble:
        raise Trouble(f"{file.path}: {trouble}") from trouble
    inner = _of_archive(content, file.path, str(file.path))
    return [each for found in inner for each in expanded(found, depth + 1)]


def _of_folder(folder: Path) -> list[File]:
    found: list[File] = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in sorted(names):
            path = Path(at, name)
            state = path.lstat()
            found.append(File(PurePosixPath(path.relative_to(folder)), state.st_size,
                              _reader(path), stat.S_ISREG(state.st_mode)))
        if len(found) > MOST_FILES:
            raise Trouble(f"{folder}: has more than {MOST_FILES} files")
    return found


def _reader(path: Path) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return file.read(most)
    return read


def _of_archive(source: Path | io.BytesIO, at: PurePosixPath, name: str) -> list[File]:
    try:
        archive = zipfile.ZipFile(source)
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except _FAULTS as error:
        raise Trouble(f"{name}: cannot be read as a zip archive: {error}") from error
    if len(entries) > MOST_FILES:
        raise Trouble(f"{name}: has more than {MOST_FILES} files")

    def reader(entry: zipfile.ZipInfo) -> Callable[[int], bytes]:
        def read(most: int) -> bytes:
            with archive.open(entry) as file:
                return file.read(most)
        return read

    def is_regular(entry: zipfile.ZipInfo) -> bool:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        return kind in (0, stat.S_IFREG)
    files = [File(at / _relative(entry.filename), entry.file_size, reader(entry), is_regular(entry))
             for entry in entries]
    return sorted((file for file in files if not _SKIPPED & set(file.path.parts)),
                  key=lambda file: file.path.parts)


def _relative(name: str) -> PurePosixPath:
    """For messages and to find files; nothing is written there."""
    return PurePosixPath(*(part for part in name.replace("\\", "/").split("/")
                           if part not in ("", ".", "..")))
