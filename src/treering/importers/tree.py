"""Whatever a person drops on us, read as one folder of files: a folder, a zip, a tar, a gzip, one file, a zip in a zip.

Nothing here knows a format of chat. Copies that macOS and Windows leave behind, links, and names that lead outside are
left out and counted; how archives are read is in `archives`. Follows FORMATS section 0, rule 1.
"""

import os
import re
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from treering.errors import UnreadableInput
from treering.importers.archives import LINK, Listing, Member, archive_kind, list_archive, open_member, ungzipped
from treering.importers.recoded import as_utf8, may_be_recoded

__all__ = ["FileTree", "open_tree"]

NESTING_MAX = 4  # archives inside archives; a tar.gz is two, a real export has one zip in another at most

JUNK = "copied metadata file"

_JUNK_NAME = re.compile(r"(^|/)(__MACOSX/|\._|(\.DS_Store|Thumbs\.db|desktop\.ini)$)", re.IGNORECASE)
_DAY_NAME = re.compile(r"\d{4}-\d\d-\d\d\.(?:json|log|txt)")
_CHANNEL_MARKS = ("#", "&")  # of IRC; no wrapper is called so


class FileTree:
    """Named files that can be read one after the other; a context manager, as an archive stays open behind it."""

    def __init__(self, label: str, listing: Listing, stack: ExitStack, path: Path | None = None) -> None:
        self.label = label  # the name of what was opened, to be shown
        self.path = path  # what was opened
        self.left_out = tuple(listing.refused)  # (name, reason) of each file that is not among the names
        self._members = listing.members
        self._stack = stack

    @property
    def junk(self) -> int:
        """How many files were left out as copied metadata."""
        return sum(reason == JUNK for _, reason in self.left_out)

    def names(self) -> list[str]:
        """Relative names of the files, with `/`, in natural order ("2" before "10")."""
        return sorted(self._members, key=_natural)

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return name in self._members

    def open(self, name: str) -> BinaryIO:
        """A stream of one file's bytes, unpacked; to be closed. Reading raises `UnreadableInput` and nothing else."""
        file = open_member(self._members[name], f"{self.label}: {name}" if name != self.label else name)
        return as_utf8(file) if may_be_recoded(name) else file

    def modified_at(self, name: str) -> datetime | None:
        """When a file was last changed, by the file system; None where it lies in an archive, which keeps no zone."""
        path = self._members[name].path
        return datetime.fromtimestamp(path.stat().st_mtime, UTC) if path else None

    def close(self) -> None:
        """Close the archive, and drop what was unpacked to disk."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_tree(path: Path) -> FileTree:
    """Open a folder, an archive or a single file as a tree of files.

    A folder that wraps all the others is stripped, an archive that holds nothing but an archive is looked through, and
    `.gz` files are read as what they contain, under the name without `.gz`.

    Raises:
        UnreadableInput: there is nothing at `path`, it may not be read, or it is a damaged or hostile archive.
    """
    label = path.name or path.resolve().name
    with ExitStack() as stack:
        try:
            listing = _list_folder(path) if path.is_dir() else _list_file(path)
        except OSError as error:
            raise UnreadableInput(f"{path} cannot be read: {error.strerror}. Check the path and its rights.") from error
        listing = _without_junk(listing)
        for _ in range(NESTING_MAX):
            inner = _look_through(listing, label, stack)
            if inner is None:
                break
            listing = _without_junk(inner)
        return FileTree(label, _without_wrapper(_without_gz(listing)), stack.pop_all(), path)
    raise AssertionError("an ExitStack that is empty swallows nothing")


def _list_file(path: Path) -> Listing:
    if not path.exists():
        raise UnreadableInput(f"{path} does not exist. Check the path.")
    with path.open("rb") as file:
        head = file.read(4)
    if path.suffix.lower() == ".zip" and archive_kind(head) != "zip":
        raise UnreadableInput(f"{path} is named .zip and is not a zip archive. Copy or download it again.")
    return Listing({os.fsencode(path.name).decode("utf-8", "replace"): _on_disk(path)})


def _list_folder(root: Path) -> Listing:
    listing = Listing()
    real_root = root.resolve()

    def refuse(error: OSError) -> None:
        raise error  # a folder that may not be listed would be lost in silence

    for folder, folders, files in os.walk(root, onerror=refuse):
        for name in [*files, *(sub for sub in folders if Path(folder, sub).is_symlink())]:
            path = Path(folder, name)
            shown = os.fsencode(path.relative_to(root).as_posix()).decode("utf-8", "replace")
            if path.is_file() and path.resolve().is_relative_to(real_root):
                listing.members[shown] = _on_disk(path)
            else:
                listing.refused.append((shown, LINK))
    return listing


def _on_disk(path: Path) -> Member:
    return Member(lambda stack: stack.enter_context(path.open("rb")), path)


def _look_through(listing: Listing, label: str, stack: ExitStack) -> Listing | None:
    """What the only file of a listing contains, if it is an archive."""
    if len(listing.members) != 1:
        return None
    ((name, member),) = listing.members.items()
    with open_member(member, label) as file:
        head = file.peek(512)
    kind = archive_kind(head)
    if kind == "gzip":
        stem = name[:-4] + ".tar" if name.lower().endswith(".tgz") else re.sub(r"(?i)\.gz$", "", name)
        return Listing({stem: ungzipped(member, _packed_bytes(member))}, listing.refused)
    if kind:
        inner = list_archive(member, kind, label, stack)
        return Listing(inner.members, [*listing.refused, *inner.refused])
    return None


def _without_gz(listing: Listing) -> Listing:
    members: dict[str, Member] = {}
    for name, member in listing.members.items():
        stem = name[:-3]
        if name.lower().endswith(".gz") and stem not in listing.members:
            members[stem] = ungzipped(member, _packed_bytes(member))
        else:
            members[name] = member
    return Listing(members, listing.refused)


def _packed_bytes(member: Member) -> int | None:
    return member.path.stat().st_size if member.path else member.packed_bytes


def _without_junk(listing: Listing) -> Listing:
    kept, refused = {}, [*listing.refused]
    for name, member in listing.members.items():
        if _JUNK_NAME.search(name):
            refused.append((name, JUNK))
        else:
            kept[name] = member
    return Listing(kept, refused)


def _without_wrapper(listing: Listing) -> Listing:
    """Strip the folders around everything; but a lone channel folder of an export is no wrapper."""
    members = listing.members
    while members and len({name.partition("/")[0] for name in members}) == 1:
        if next(iter(members)).startswith(_CHANNEL_MARKS):
            break
        inner = {name.partition("/")[2]: member for name, member in members.items()}
        if "" in inner or any(_DAY_NAME.fullmatch(name) for name in inner):
            break
        members = inner
    return Listing(members, listing.refused)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Sorting key under which digits count as numbers; ASCII digits only, as `int` and `isdigit` differ on others."""
    parts = re.split(r"([0-9]+)", name)
    return [(1, int(part[:4000]), "") if number % 2 else (0, 0, part) for number, part in enumerate(parts)], name
