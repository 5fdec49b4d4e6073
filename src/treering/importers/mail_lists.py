"""Through which mailing list or newsgroup a mail came, as the software that ran it wrote into the header.

Only such fields count. That an address is one of a list cannot be told from the address, so a mail that its author kept
before the list had it belongs to no list here.
"""

import re
from dataclasses import dataclass

from treering.importers.mail_headers import Headers

__all__ = ["MailingList", "list_of"]

_ANGLE = re.compile(r"<([^<>]+)>\s*$")
_ADDRESS = re.compile(r"[^\s<>@,;:\"]+@[^\s<>@,;:\"]+")
_POST = re.compile(r"<mailto:([^>?]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MailingList:
    """A place where mails are sent to many."""

    id: str  # "python-dev.python.org", the same whichever field said so
    name: str
    phrase: str = ""  # what the list calls itself
    is_newsgroup: bool = False


def list_of(headers: Headers) -> MailingList | None:
    """The list of a mail; None if it came through none.

    >>> list_of(Headers.parse(b"List-Id: Label switching <mpls.k.example>"))
    MailingList(id='mpls.k.example', name='mpls', phrase='Label switching', is_newsgroup=False)
    """
    for value in headers.texts("list-id"):
        angle = _ANGLE.search(value)
        name = (angle[1] if angle else value).strip().replace("@", ".").casefold()
        if name and " " not in name:
            phrase = value[: angle.start()].strip().replace("\\", "").strip(' "') if angle else ""
            return MailingList(name, name.partition(".")[0], phrase)
    for field in ("x-beenthere", "list-post", "x-mailing-list", "mailing-list", "delivered-to"):
        for value in headers.texts(field):
            address = _posting_address(field, value)
            if address:
                return MailingList(address.replace("@", "."), address.partition("@")[0])
    group = headers.text("newsgroups").partition(",")[0].strip().casefold()
    return MailingList(group, group, is_newsgroup=True) if re.fullmatch(r"[\w+-]+(\.[\w+-]+)+", group) else None


def _posting_address(field: str, value: str) -> str:
    """The address that a field gives for the list; only ezmlm's way of delivery names one in Delivered-To."""
    if field == "delivered-to" and not value.casefold().startswith("mailing list "):
        return ""
    post = _POST.search(value) if field == "list-post" else None
    if field == "list-post" and post is None:
        return ""
    match = _ADDRESS.search((post[1] if post else value)[:1000])
    return match[0].casefold() if match else ""
