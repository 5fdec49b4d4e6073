"""The importer of Outlook's archives, .pst and .ost: their mails; appointments, contacts and the like are named skips.

The archive is read by libpff, which comes with the extra `pst`; without it, an archive is recognized and refused. Ids
and channels are those of other mail, so that a mail kept by Outlook and in an mbox is one. Follows FORMATS section 13.
"""

import importlib
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from types import ModuleType
from typing import Protocol

from treering.errors import UnreadableInput
from treering.importers.mail_desk import Found, drafts_of_all
from treering.importers.mail_headers import Headers
from treering.importers.mail_letters import Letter, letter_from
from treering.importers.mail_mapi import (
    ITEM_BREAKS,
    ITEMS_TOLD,
    Item,
    Thing,
    headers_of_item,
    is_mail,
    number_of,
    parts_of_item,
)
from treering.importers.narrowing import FieldError, clean, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["OutlookArchive"]

FILES_LOOKED_AT = 60
DEPTH_MAX = 100  # of folders within folders
KIND_BITS, FOLDER_KIND = 0x1F, 2  # of an identifier

_SIGNATURE = b"!BDN"


class Folder(Thing, Protocol):
    """A folder of an archive, as libpff gives it."""

    name: str | None
    identifier: int
    number_of_sub_messages: int
    number_of_sub_folders: int

    def get_sub_message(self, number: int, /) -> Item:
        """An item; of those that are no mails, some lack what mails have."""

    def get_sub_folder(self, number: int, /) -> "Folder":
        """A folder within it."""


class Archive(Protocol):
    """An open archive."""

    def get_root_folder(self) -> Folder | None:
        """The folder that holds all others; None where damage hides it."""


class OutlookArchive:
    """Reads .pst and .ost files."""

    name = "mail-pst"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first files is an archive of Outlook's."""
        return any(_is_archive(tree, name) for name in tree.names()[:FILES_LOOKED_AT])

    def source(self, tree: FileTree) -> str:
        """That of other mail."""
        return "mail"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every mail of every archive.

        Raises:
            UnreadableInput: libpff is not installed, or does not read an archive.
        """
        try:
            libpff = importlib.import_module("pypff")
        except ImportError as error:
            raise UnreadableInput(
                f"{tree.label} is an archive of Outlook's, and reading those needs the extra pst: "
                f"pip install 'treering[pst]', then add it again."
            ) from error
        with ExitStack() as stack:
            archives: dict[str, Archive | None] = {}
            for name in tree.names():
                archives[name] = _opened(libpff, tree, name, stack) if _is_archive(tree, name) else None
            yield from drafts_of_all(partial(_find, archives), options.visibility)


def _opened(libpff: ModuleType, tree: FileTree, name: str, stack: ExitStack) -> Archive:
    """An archive, as libpff reads it: from a file on disk that it can move about in."""
    spool = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with the stack
    with tree.open(name) as file:
        shutil.copyfileobj(file, spool)
    spool.seek(0, io.SEEK_SET)
    archive = libpff.file()
    try:
        archive.open_file_object(spool)
    except ITEM_BREAKS as error:
        raise UnreadableInput(
            f"{tree.label}: {name} does not read as an archive of Outlook's ({error}). Copy it again, or let Outlook "
            f"repair it (scanpst), and add it then."
        ) from error
    stack.callback(archive.close)
    opened: Archive = archive
    return opened


def _find(archives: dict[str, Archive | None]) -> Iterator[Found | Drafted]:
    for name, archive in archives.items():
        if archive is None:
            yield Drafted(name, Skipped("no archive of Outlook's", name))
            continue
        try:
            top = archive.get_root_folder()
        except ITEM_BREAKS:
            top = None
        if top is None:
            yield kept_aside(
                name, "the whole archive", "damaged: none of its folders can be found; scanpst may mend it"
            )
        else:
            yield from _find_in(top, name, "")


def _find_in(folder: Folder, file: str, path: str, depth: int = 0) -> Iterator[Found | Drafted]:
    """The items of a folder and those below it; what cannot be reached is set aside one by one."""
    where = path or "the top"
    items, folders = _count(folder, "number_of_sub_messages"), _count(folder, "number_of_sub_folders")
    if items is None or folders is None:
        yield kept_aside(file, where, "damaged in the archive: what the folder holds cannot be listed")
    elif (told := _told(folder)) > items:
        yield kept_aside(file, where, f"the folder counts {told} items, and {items} can be found")
    for number in range(items or 0):
        position = f"{where}, item {number + 1}"
        try:
            item = folder.get_sub_message(number)
            if not is_mail(item):
                yield Drafted(file, Skipped("item of Outlook's that is no mail", position))
                continue
            headers = headers_of_item(item)
        except ITEM_BREAKS as error:
            yield kept_aside(file, position, f"damaged in the archive ({error})")
            continue
        yield Found(file, position, headers, partial(_read, headers, item))
    for number in range((folders or 0) if depth < DEPTH_MAX else 0):
        try:
            inner = folder.get_sub_folder(number)
            name = clean(str(inner.name or f"folder {number + 1}"))
        except ITEM_BREAKS as error:
            yield kept_aside(file, f"{path}/folder {number + 1}", f"damaged in the archive ({error})")
            continue
        yield from _find_in(inner, file, f"{path}/{name}", depth + 1)


def _read(headers: Headers, item: Item) -> Letter:
    try:
        parts = parts_of_item(item)
    except ITEM_BREAKS as error:
        raise FieldError(f"damaged in the archive ({error})") from error
    return letter_from(headers, parts)


def _count(folder: Folder, what: str) -> int | None:
    """How many things a folder holds; None if that cannot be read."""
    try:
        return int(getattr(folder, what) or 0)
    except ITEM_BREAKS:
        return None


def _told(folder: Folder) -> int:
    """How many items a folder says to hold; 0 where it does not say, and of a search, which finds those of others."""
    try:
        return number_of(folder, ITEMS_TOLD) if folder.identifier & KIND_BITS == FOLDER_KIND else 0
    except ITEM_BREAKS:
        return 0


def _is_archive(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            return file.read(4) == _SIGNATURE
    except UnreadableInput:
        return False
