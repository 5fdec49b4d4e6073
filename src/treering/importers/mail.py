"""The importer of mail: mbox files, single mails, Maildirs, and folders that hold all of these.

Here files are told apart; how one is taken apart, what a mail means and in which passes drafts are made of them has its
own modules, so that the same mails give the same drafts, however they are split into files and whatever these are
called. Outlook's archives are read by `mail_pst`. Follows FORMATS section 13.
"""

import re
from collections.abc import Iterator
from enum import Enum
from functools import partial

from treering.errors import UnreadableInput
from treering.importers.json_stream import RAW_CHARS_MAX
from treering.importers.mail_desk import Found, drafts_of_all
from treering.importers.mail_headers import Headers, split_head
from treering.importers.mail_kinds import HEAD_BYTES, kind_of
from treering.importers.mail_letters import read_letter
from treering.importers.mailboxes import read_mails
from treering.importers.narrowing import kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["MailFiles"]

FILES_LOOKED_AT = 60  # of a tree, before it counts as one of mails or not

_BESIDE = re.compile(
    r"(.*/)?([^/]*\.(msf|dat|idx|index|log|cache|lock|sbd|snm|plist|db|sqlite|toc|summary)|dovecot[^/]*|courier[^/]*|"
    r"maildirfolder|maildirsize|subscriptions|\.(uidvalidity|mh_sequences)|tmp/[^/]*)",
    re.IGNORECASE,
)
_OUTLOOK = re.compile(r".*\.(msg|pst|ost|dbx|olm)", re.IGNORECASE)


class Holding(Enum):
    """What a file of the tree holds."""

    MAILS = 1
    DAMAGED = 2
    OTHER = 3


class MailFiles:
    """Reads files of mails."""

    name = "mail-files"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether at least a third of the files hold mails, without those that mail programs put beside them."""
        names = [name for name in tree.names() if not _BESIDE.fullmatch(name)]
        looked_at = names[:: max(1, len(names) // FILES_LOOKED_AT)]
        return sum(_holding(tree, name) is Holding.MAILS for name in looked_at) * 3 >= len(looked_at) > 0

    def source(self, tree: FileTree) -> str:
        """A constant: Message-IDs are unique in the world, and mailboxes do not say whose they are; `--source` does."""
        return "mail"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every mail of every file; a file that holds none is a named skip."""
        holdings = {name: _holding(tree, name) for name in tree.names()}
        return drafts_of_all(partial(_find, tree, holdings), options.visibility)


def _find(tree: FileTree, holdings: dict[str, Holding]) -> Iterator[Found | Drafted]:
    for name, holding in holdings.items():
        if holding is Holding.OTHER:
            yield Drafted(name, Skipped(_reason_to_skip(name), name))
        else:
            yield from _find_in(tree, name)


def _find_in(tree: FileTree, name: str) -> Iterator[Found | Drafted]:
    """The mails of one file, up to where it breaks off."""
    position = "the beginning"
    try:
        with tree.open(name) as file:
            for number, mail in enumerate(read_mails(file, name), 1):
                position = f"mail {number}"
                original = mail.content[: 2 * RAW_CHARS_MAX].decode("utf-8", "replace")
                if mail.fault:
                    yield kept_aside(name, position, mail.fault, original)
                    continue
                block, body = split_head(mail.content)
                headers = Headers.parse(block)
                read = partial(read_letter, headers, body, mail.envelope)
                yield Found(name, position, headers, read, mail.envelope, original)
    except UnreadableInput as error:
        yield kept_aside(name, f"after {position}", str(error))


def _holding(tree: FileTree, name: str) -> Holding:
    if _BESIDE.fullmatch(name):
        return Holding.OTHER
    try:
        with tree.open(name) as file:
            return Holding.MAILS if kind_of(file.read(HEAD_BYTES), name) else Holding.OTHER
    except UnreadableInput:
        return Holding.DAMAGED


def _reason_to_skip(name: str) -> str:
    if _OUTLOOK.fullmatch(name):
        return "Outlook's own file; a .pst is added by itself, a message saved as .eml"
    return "beside mailboxes" if _BESIDE.fullmatch(name) else "no mail"
