"""Whether a file holds mails, and in which way: judged by its first lines, and by its name where that says more.

A text that merely begins with lines like `Date: 4 March` is no mail: two fields of mails are asked for, and one of them
must be such as only programs write. Follows FORMATS section 13.
"""

import re
from enum import StrEnum
from itertools import islice

from treering.importers.mail_dates import read_mail_date
from treering.importers.mail_headers import Headers, split_head

__all__ = ["HEAD_BYTES", "Kind", "is_envelope", "kind_of", "names_one_mail"]

HEAD_BYTES = 1 << 16
MAILS_TRIED = 5  # of a mailbox: the first may be damaged

_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(rb"(?:[ \t]*\r?\n)*")
_ENVELOPE = re.compile(rb"^From ([^\r\n]*)\r?\n(?=>?From |[!-9;-~]+[ \t]*:)", re.MULTILINE)
_MARK = re.compile(rb"(\x01{4}|[12][0-9]{3})\r?\n(?=[!-9;-~]+[ \t]*:)")  # of MMDF; of one list archive, the year
_COUNT = re.compile(rb"([0-9]{1,12})[ \t]*\r?\n(?=[!-9;-~]+[ \t]*:)")
_FIELD = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_DATED = re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\d{1,2}:\d\d|\b\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d")
_ONE_MAIL = re.compile(r"(.*/)?(cur|new)/[^/]+|.*\.(eml|emlx|rfc822|mht)", re.IGNORECASE)
_FIELDS = frozenset(
    {"from", "to", "subject", "date", "message-id", "received", "mime-version", "return-path", "delivered-to", "cc",
     "envelope-to", "x-envelope-from", "x-envelope-to", "content-type", "content-transfer-encoding", "reply-to",
     "sender", "in-reply-to", "references", "list-id", "delivery-date", "newsgroups"}
)  # fmt: skip
_OF_PROGRAMS = frozenset(
    {"message-id", "received", "mime-version", "return-path", "delivered-to", "envelope-to", "x-envelope-from",
     "in-reply-to", "references", "list-id", "content-transfer-encoding"}
)  # fmt: skip


class Kind(StrEnum):
    """How mails lie in a file."""

    MBOX = "mbox"
    MARKED = "marked"  # parted by a line that begins the file, too
    EMLX = "emlx"
    PLAIN = "plain"  # one mail, or several one after the other


def kind_of(head: bytes, name: str = "") -> Kind | None:
    """How the mails of a file lie in it; None if it holds none.

    Args:
        head: the file's first `HEAD_BYTES`.
        name: its name.
    """
    head = head.removeprefix(_BOM)
    blank = _BLANK.match(head)
    head = head[blank.end() if blank else 0 :]
    if head.startswith(b"From "):
        begins = islice(_ENVELOPE.finditer(head), MAILS_TRIED) if is_envelope(head[5:].partition(b"\n")[0]) else ()
        has_mail = any(is_envelope(one[1]) and _has_fields(head[one.end() :], wanted=1) for one in begins)
        return Kind.MBOX if has_mail else None
    count = _COUNT.match(head)
    if count and name.casefold().endswith(".emlx") and _has_fields(head[count.end() :], wanted=1):
        return Kind.EMLX
    mark = _MARK.match(head)
    if mark:
        return Kind.MARKED if _has_fields(head[mark.end() :], wanted=2) else None
    if not _FIELD.match(head):
        return None  # front matter, for one, begins with a line of hyphens
    return Kind.PLAIN if _has_fields(head, wanted=1 if names_one_mail(name) else 2) else None


def is_envelope(rest: bytes) -> bool:
    """Whether `From ` and this begin a mail: a sender and a date, or of a sender's kind alone what nobody writes.

    >>> [is_envelope(rest) for rest in (b"a@k.example Mon Mar  4 10:00:00 2024", b"-", b"12@xxx", b"Russia with love")]
    [True, True, True, False]
    """
    text = rest.decode("latin-1").strip()
    return bool(_DATED.search(text)) or text == "-" or bool(re.fullmatch(r"[^\s@]+@[^\s@]+", text))


def names_one_mail(name: str) -> bool:
    """Whether a file is one mail by its name: of a Maildir, or as mail programs save one."""
    return bool(_ONE_MAIL.fullmatch(name))


def _has_fields(head: bytes, *, wanted: int) -> bool:
    """Whether a header begins here, by its names."""
    headers = Headers.parse(split_head(head)[0])
    names = {name for name, _ in headers.fields}
    if len(names & _FIELDS) < wanted or len(names & _FIELDS) * 8 < len(names):
        return False
    if wanted == 1 or not names.isdisjoint(_OF_PROGRAMS):
        return True
    is_addressed = any("@" in headers.text(name) for name in ("from", "to"))
    return is_addressed and ("from" in names) and (read_mail_date(headers.text("date")) is not None or "to" in names)
