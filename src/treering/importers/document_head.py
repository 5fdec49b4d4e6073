"""What a document says of itself: fields at its top or in its first lines, headings, and the dates it bears.

Several conventions are read side by side: front matter, an HTML comment, header blocks of proposals and mails, labels
(`**Status:** final`, `:Author: Ana`), sections (`## Status`). What they mean together is decided in `document_reading`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.importers.document_dates import dates_in, stated_moment
from treering.importers.front_matter import Fields, field_key, read_comment, read_front_matter, read_headers
from treering.importers.moments import Moment

__all__ = ["DocumentHead", "date_of", "read_head"]

HEAD_LINES = 40  # labels further down are part of what the document tells, not of what it is
OPENING_LINES = 5  # where a date that stands alone, or in a heading, is the document's own
LINE_CHARS_MAX = 160  # what is longer is a paragraph

# In order of precedence: when this text was written comes before when the document was begun.
DATE_KEYS = (
    ("dated", "lastupdated", "updated", "updatedat", "updatedon", "lastmodified", "modified", "lastmod", "lastedited"),
    ("revised", "lastrevised", "revisiondate", "dateupdated", "datemodified", "lastupdatedate", "lastchanged"),
    ("date", "sent", "meetingdate", "documentdate", "reportdate", "postmortemdate", "decisiondate", "decided"),
    ("published", "publishedat", "publishdate", "pubdate", "publicationdate", "issued", "issuedate", "releasedate"),
    ("approved", "adopted", "signed", "approvedon", "adoptedon"),
    ("created", "createdat", "createdon", "creationdate", "datecreated"),
    ("resolved", "closed", "ended", "started", "opened"),
    ("lastreviewed", "reviewed", "effective", "effectivedate"),
)

_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,20}|~{3,20})[^\n]*\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.M | re.S)
_LABEL = re.compile(
    r"[>*+|\s-]*(?:\*\*|__)?:?(?P<key>[A-Za-z][A-Za-z /-]{1,30}?)(?:\*\*|__)?:(?:\*\*|__)?\s+(?P<rest>\S.*?)[\s|]*"
)
_SECTION = re.compile(
    r"^(?:#{1,6}[ \t]+(?P<atx>[A-Za-z ]{4,20}?)[ \t#]*|(?P<under>[A-Za-z ]{4,20}?)[ \t]*\n[-=~^\"]{3,}[ \t]*)"
    r"\n\s*(?P<rest>[^\n]+)",
    re.M,
)
_SECTIONS = frozenset({"status", "date", "author", "authors", "deciders", "decisionmakers", "tags", "lastupdated"})
_MAIL = re.compile(r"^(?:(?:From|To|Cc|Bcc|Sent|Date|Subject|Reply-To):[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){3,}", re.M)
_MAIL_DATE = re.compile(r"^(?:Date|Sent):[ \t]*(?P<date>[^\n]*\S)", re.M)
_STAMP = re.compile(r"^[^\w\n\[]{0,6}\[(?P<date>\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]{0,20})\]", re.M)
_DATING = re.compile(r"\A[#=]|\b(?:dated|minutes|meeting|revised|updated|as of|[a-z]{3,6}day)\b", re.I)
_ATX = re.compile(r"^(?:#{1,6}|=)[ \t]+(?P<title>\S[^\n]{0,300})", re.M)
_FIRST_RANK = re.compile(r"^[#=][ \t]+(?P<title>\S[^\n]{0,300})", re.M)
_UNDERLINED = re.compile(
    r"^(?:(?P<over>[=\-~^*#+])(?P=over){2,}[ \t]*\n)?[ \t]*(?P<title>\S[^\n]{0,119})\n"
    r"(?P<under>[=\-~^*\"+#])(?P=under){2,}[ \t]*$",
    re.M,
)


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """The fields of a document by where they were found, and its first heading."""

    declared: Fields  # front matter, and a comment before everything
    headers: Fields  # a block of headers, with which the rest begins
    labels: Fields
    sections: Fields
    heading: str
    plain: str  # the text after front matter, comment and headers, with blanks for code

    def values(self, *keys: str) -> tuple[str, ...]:
        """The values of the first of the keys that any part has; parts come in order of formality."""
        for fields in (self.declared, self.headers, self.labels, self.sections):
            for key in keys:
                if any(fields.get(key, ())):
                    return fields[key]
        return ()

    def value(self, *keys: str) -> str:
        """The first of those values; empty where there is none."""
        return next(iter(self.values(*keys)), "")


def read_head(text: str) -> DocumentHead:
    """Read what a document says of itself."""
    front, body = read_front_matter(text)
    comment, body = read_comment(text, body)
    headers, body = read_headers(text, body)
    plain = _FENCE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text[body:])
    return DocumentHead(
        {**comment, **front},
        headers,
        dict(_labels(plain)),
        dict(_sections(plain)),
        _heading(plain),
        plain,
    )


def date_of(head: DocumentHead, text: str) -> Moment | None:
    """The date that the document bears, by the first rule that finds one.

    1. front matter and comments; 2. of mails that follow one another, the latest; 3. a block of headers; 4. labels in
    the first lines; 5. a section "Date"; 6. what stands alone in the first lines, in a heading there, or after words
    such as "Dated" or "Minutes of"; 7. the title; 8. the latest of the stamps `[2021-05-10 09:12]` with which lines
    begin: a thread was complete at its last message. A date that is merely spoken of is none.
    """
    return (
        _ranked(head.declared)
        or (_latest(date["date"] for date in _mail_dates(text)) if "from" in head.headers else None)
        or _ranked(head.headers)
        or _ranked(head.labels)
        or _ranked(head.sections)
        or next(_opening(head.plain), None)
        or next(dates_in(head.value("title") or head.heading), None)
        or _latest(stamp["date"] for stamp in _STAMP.finditer(head.plain))
    )


def _ranked(fields: Fields) -> Moment | None:
    for keys in DATE_KEYS:
        for key in keys:
            for value in fields.get(key, ())[:1]:
                if moment := stated_moment(value):
                    return moment
    return None


def _mail_dates(text: str) -> Iterator[re.Match[str]]:
    return (date for mail in _MAIL.finditer(text) for date in _MAIL_DATE.finditer(mail[0]))


def _latest(dates: Iterator[str]) -> Moment | None:
    moments = [moment for date in dates if (moment := stated_moment(date))]
    return max(moments, key=lambda moment: moment.at, default=None)


def _opening(plain: str) -> Iterator[Moment]:
    for line in _first_lines(plain, OPENING_LINES):
        words = line.strip(" \t*_()")
        for moment in dates_in(words):
            if words == moment.raw or (_DATING.search(words) and not words.endswith((".", ",", ";"))):
                yield moment


def _first_lines(text: str, count: int) -> list[str]:
    """The first lines that are not blank, without those that are paragraphs."""
    lines = [line for line in text.split("\n", count * 3)[: count * 3] if line.strip()][:count]
    return [line for line in lines if len(line) <= LINE_CHARS_MAX]


def _labels(plain: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Labels of the first lines; where one is repeated, the first counts (the dictionary is filled from below)."""
    for line in reversed(_first_lines(plain, HEAD_LINES)):
        if label := _LABEL.fullmatch(line):
            yield field_key(label["key"]), (label["rest"].strip("*_ "),)


def _sections(plain: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for section in reversed([*_SECTION.finditer(plain)]):
        key = field_key(section["atx"] or section["under"])
        if key in _SECTIONS and not section["rest"].startswith("#"):
            yield key, (section["rest"].strip(" *_-"),)


def _heading(plain: str) -> str:
    """The heading with which the text begins, or else one of the first rank in the first lines."""
    head = "\n".join(plain.lstrip("\n").split("\n", HEAD_LINES)[:HEAD_LINES])
    found = _UNDERLINED.match(head) or _ATX.match(head) or _FIRST_RANK.search(head)
    found = found or next((one for one in _UNDERLINED.finditer(head) if one["under"] == "="), None)
    return _words(found["title"]) if found else ""


def _words(title: str) -> str:
    """A heading without the marks of links, emphasis and anchors."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    title = re.sub(r"\s*\{[#:.][^}]*\}\s*$", "", title)
    return re.sub(r"\*\*|__|`", "", re.sub(r"[ \t]+#+[ \t]*$", "", title)).strip(" *")
