"""Archives as listings of members: zip, tar and gzip, with the limits that keep a hostile one from filling the disk.

A member is opened when it is first read, and every way in which reading can break becomes `UnreadableInput`, so that an
importer has one thing to catch. Which archive to open, and what its folders mean, is not decided here but in `tree`.
Follows FORMATS section 0, rule 1.
"""

import gzip
import io
import re
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, cast

from treering.errors import UnreadableInput

__all__ = ["LINK", "OUTSIDE", "Listing", "Member", "archive_kind", "list_archive", "open_member", "ungzipped"]

RATIO_MAX = 250  # unpacked bytes for a packed one: JSON of a busy day reaches 30, a bomb about 1,000
RATIO_FREE_BYTES = 64 << 20  # what unpacks to less than this is never called a bomb
TOTAL_BYTES_MAX = 1 << 40  # of one archive, unpacked
MEMBERS_MAX = 5_000_000  # of one archive
BUFFER_BYTES = 1 << 18

OUTSIDE = "name leads outside the archive"
LINK = "link, or not a regular file"

_BREAKS = (
    OSError,  # gzip.BadGzipFile is one
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,  # zipfile: a password is needed
    NotImplementedError,  # zipfile: an unknown compression
)

Opener = Callable[[ExitStack], io.BufferedIOBase]


@dataclass(frozen=True, slots=True)
class Member:
    """A file not yet opened."""

    open: Opener  # what it opens is closed with the stack that it is given
    path: Path | None = None  # where it lies on disk, if it does so unpacked
    packed_bytes: int | None = None  # None: its size is not a matter of trust


@dataclass(frozen=True, slots=True)
class Listing:
    """The members of an archive or folder by name, and the names that were refused, each with the reason."""

    members: dict[str, Member] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)


def open_member(member: Member, where: str) -> io.BufferedReader:
    """A buffered stream of a member's bytes; reading it raises `UnreadableInput` and nothing else."""
    return io.BufferedReader(_Guarded(member, where), BUFFER_BYTES)


def ungzipped(member: Member, packed_bytes: int | None) -> Member:
    """The member that a gzip file holds."""
    return Member(
        lambda stack: stack.enter_context(gzip.GzipFile(fileobj=member.open(stack))),
        packed_bytes=packed_bytes,
    )


def archive_kind(head: bytes) -> str:
    """What a file is by its first 512 bytes: "zip", "tar", "gzip", or "" for anything else."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "tar" if head[257:262] == b"ustar" else ""


def list_archive(member: Member, kind: str, where: str, stack: ExitStack) -> Listing:
    """The members of a zip or tar; what has to stay open for them to be read is left to `stack`.

    Raises:
        UnreadableInput: the archive is damaged, or unpacks to more than any export does.
    """
    try:
        file = cast(IO[bytes], member.open(stack)) if member.path else _spooled(member, where, stack)
        return _list_zip(file, where, stack) if kind == "zip" else _list_tar(file, where, stack)
    except (*_BREAKS, UnicodeDecodeError) as error:
        raise UnreadableInput(
            f"{where} is a damaged {kind} archive ({error}). Copy or download it again, or unpack what can be "
            f"unpacked and give the folder."
        ) from error


def _list_zip(file: IO[bytes], where: str, stack: ExitStack) -> Listing:
    archive = stack.enter_context(zipfile.ZipFile(file))
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    _refuse_bomb(where, len(entries), sum(entry.file_size for entry in entries), file.seek(0, io.SEEK_END))
    listing = Listing()
    for entry in entries:
        name = _zip_name(entry)
        if not _is_safe(name):
            listing.refused.append((name, OUTSIDE))
        elif stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            listing.refused.append((name, LINK))
        else:
            listing.members[name] = Member(partial(_open_zipped, archive, entry), packed_bytes=entry.compress_size)
    return listing


def _list_tar(file: IO[bytes], where: str, stack: ExitStack) -> Listing:
    archive = stack.enter_context(tarfile.TarFile(fileobj=file))
    listing = Listing()
    for entry in archive:
        name = entry.name.removeprefix("./")
        if entry.isdir():
            continue
        if not _is_safe(name):
            listing.refused.append((name, OUTSIDE))
        elif not entry.isreg():
            listing.refused.append((name, LINK))
        else:
            listing.members[name] = Member(partial(_open_tarred, archive, entry))
    return listing


def _open_zipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, stack: ExitStack) -> io.BufferedIOBase:
    return stack.enter_context(cast(io.BufferedIOBase, archive.open(entry)))


def _open_tarred(archive: tarfile.TarFile, entry: tarfile.TarInfo, stack: ExitStack) -> io.BufferedIOBase:
    file = archive.extractfile(entry)
    assert file is not None  # only regular members are listed
    return stack.enter_context(cast(io.BufferedIOBase, file))


def _zip_name(entry: zipfile.ZipInfo) -> str:
    """The name as its maker meant it: Slack and others write UTF-8 without saying so in flag bit 11."""
    name = entry.filename
    if not entry.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = entry.filename
    return name.replace("\\", "/")  # some Windows tools write backslashes


def _is_safe(name: str) -> bool:
    parts = name.split("/")
    return not (name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name) or not parts[-1])


def _refuse_bomb(where: str, members: int, unpacked_bytes: int, packed_bytes: int) -> None:
    if members > MEMBERS_MAX or unpacked_bytes > TOTAL_BYTES_MAX or _is_bomb(unpacked_bytes, packed_bytes):
        raise UnreadableInput(
            f"{where} would unpack to {unpacked_bytes:,} bytes in {members:,} files from {packed_bytes:,}: more than "
            f"any export does, so it is not opened. If you trust it, unpack it yourself and give the folder."
        )


def _is_bomb(unpacked_bytes: int, packed_bytes: int) -> bool:
    return unpacked_bytes > RATIO_FREE_BYTES and unpacked_bytes > RATIO_MAX * packed_bytes


def _spooled(member: Member, where: str, stack: ExitStack) -> IO[bytes]:
    spool = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with the stack
    with open_member(member, where) as file:
        while chunk := file.read(BUFFER_BYTES):
            spool.write(chunk)
    spool.seek(0)
    return spool


class _Guarded(io.RawIOBase):
    """A member that opens on its first read, breaks in one way only, and stops when it grows like a bomb."""

    def __init__(self, member: Member, where: str) -> None:
        self._member = member
        self._where = where
        self._stack = ExitStack()
        self._file: io.BufferedIOBase | None = None
        self._bytes_read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            if self._file is None:
                self._file = self._member.open(self._stack)
            chunk = self._file.read1(len(buffer))  # one step: what stands before damage comes out first
        except _BREAKS as error:
            raise UnreadableInput(
                f"{self._where} cannot be read beyond byte {self._bytes_read:,} ({error}). "
                f"Copy or download it again; what stood before is kept."
            ) from error
        self._bytes_read += len(chunk)
        if self._member.packed_bytes is not None and _is_bomb(self._bytes_read, self._member.packed_bytes):
            _refuse_bomb(self._where, 1, self._bytes_read, self._member.packed_bytes)
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._stack.close()
        super().close()
