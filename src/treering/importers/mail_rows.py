"""Several mails in one file with nothing to part them: archives of lists were kept so, before there was mbox.

Where a header begins within a text is a guess, and a wrong one would make mails of what somebody pasted. So it is made
only where at least two further headers stand in the file, or one like the first and after several empty lines; each
with an address and a date as programs write them, and none below a line of hyphens, as forwarded mails are.
"""

import re
from collections.abc import Iterator

from treering.importers.mail_dates import read_mail_date
from treering.importers.mail_headers import Headers, split_head

__all__ = ["parted_rows"]

_BEGINNING = re.compile(
    rb"(?<!\s)(?:\r?\n(?:[ \t]++(?=\r?\n))?)++(?=[!-9;-~]{2,60}:[^\n]*\r?\n(?:[!-9;-~]{2,60}:|[ \t]))"
)
_ANNOUNCED = re.compile(rb"[ \t>]*-{3,}|.*(?:-{3,}|\bforwarded\b|\boriginal\b|\bbelow\b)", re.IGNORECASE)
_ZONED = re.compile(r"[+-]\d{4}\b|\b[A-Z]{2,4}\)?$")
_OF_PROGRAMS = frozenset({"message-id", "received", "mime-version", "list-id", "envelope-to", "x-envelope-from"})
_GAP_LINES = 3
_HEADER_BYTES = 1 << 14


def parted_rows(content: bytes) -> Iterator[bytes]:
    """The mails of a file, if there are several; else the file as it is."""
    starts = _starts(content)
    for start, stop in zip([0, *starts], [*starts, len(content)], strict=True):
        yield content[start:stop]


def _starts(content: bytes) -> list[int]:
    block, _ = split_head(content)
    first = Headers.parse(block)
    kind = first.text("content-type").partition(";")[0].strip().casefold()
    if kind not in ("", "text/plain") or not first.fields:
        return []  # within parts of a mail, headers are nothing strange
    starts: list[int] = []
    parted = 0  # of the starts, those below an empty line
    is_sure = False
    end = len(block)
    for gap in _BEGINNING.finditer(content, end):
        if gap.start() < end:
            continue  # within the header that was found last
        inner = split_head(content[gap.end() : gap.end() + _HEADER_BYTES])[0]
        headers, lines = Headers.parse(inner), gap[0].count(b"\n")
        if len(headers.fields) + lines < 5 or not _begins_mail(headers) or _is_announced(content, gap.start()):
            continue
        starts.append(gap.end())
        end = gap.end() + len(inner)
        parted += lines > 1
        is_like_first = headers.fields[0][0] == first.fields[0][0] and lines > _GAP_LINES
        is_sure |= is_like_first and any(headers.has(name) for name in _OF_PROGRAMS)
    return starts if parted >= 2 or is_sure else []


def _begins_mail(headers: Headers) -> bool:
    date = headers.text("date")
    return (
        len(headers.fields) >= 3
        and "@" in headers.text("from")
        and bool(_ZONED.search(date))
        and read_mail_date(date) is not None
        and (headers.has("subject") or headers.has("to"))
    )


def _is_announced(content: bytes, end: int) -> bool:
    """Whether the line above says that what follows was forwarded."""
    before = content[max(0, end - 500) : end].rstrip()
    return bool(_ANNOUNCED.match(before[before.rfind(b"\n") + 1 :]))
