"""A text document as its own words describe it: title, date, authors, tags, retirement, and where its links lead.

For documents that come as files, out of folders and out of git. What stands in the text about other documents
("Superseded-By: ...") is not read here: the text is kept whole, and such marks are found in the log.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.importers.decision_records import decision_title
from treering.importers.document_dates import dates_in, stated_moment
from treering.importers.document_head import DocumentHead, date_of, read_head
from treering.importers.document_links import document_links, web_links
from treering.importers.document_text import without_ending
from treering.importers.moments import Moment
from treering.importers.narrowing import distinct

__all__ = ["DocumentReading", "read_document"]

TAG_CHARS_MAX = 60  # what is longer is a sentence
PEOPLE_CHARS_MAX = 4_000  # of a list of people on one line

AUTHOR_KEYS = ("author", "authors", "by", "from", "owner", "owners", "notetaker", "scribe", "editor", "editors")
DECIDER_KEYS = ("decisionmakers", "deciders")
TAG_KEYS = ("tags", "tag", "keywords", "labels", "topics", "categories", "category", "type", "kind", "genre")
ID_KEYS = ("id", "slotid", "eventid", "docid", "documentid", "identifier", "reference")
RETIRED_KEYS = (
    "retired",
    "retiredat",
    "retiredon",
    "deprecated",
    "deprecatedat",
    "deprecatedon",
    "withdrawn",
    "obsolete",
)
SERIES = ("pep", "rfc", "eip", "erc", "bip", "jep", "dep", "kep", "sep", "xep", "adr")  # proposals with numbers

_SPACED = frozenset({"pep", "rfc"})  # written "PEP 8", where the others are written "EIP-1559"
_STATUS_END = re.compile(r"\s+(?:by|on|since|as of|in favou?r of)\b|\s*[(\[,;:.–—]|\s+[-#]", re.I)
_ENDED = re.compile(r"(?:retired|deprecated|withdrawn|obsolete|archived)\b", re.I)
# What a line of running text says behind "From:" or "By:" begins small and goes on; names that do so have particles.
_IN_WORDS = re.compile(
    r"(?!(?:the(?=\s+[A-Z])|de|d[aeiou]s?|el|al|la|le|van|von|vom|zu|ten|ter|bin|ibn|af|av)\b)[a-z][\w'’]*\s+[^\W_][^@]*\Z"
)
_CONTACT = re.compile(r"\s*(?:<[^<>]*>|\((?:@[^()]*|[^()@\s]+@[^()\s]+)\)|\[email\])\s*")
_IN_BRACKETS = re.compile(r"(?:\[email\]|[^\s()]+@[^\s()]+)\s*\((?P<name>[^()]+)\)")


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """What was read; paths of links are relative to the tree, with the ending that they are written with."""

    title: str
    dated: Moment | None
    authors: tuple[str, ...]
    deciders: tuple[str, ...]
    tags: tuple[str, ...]
    retired: Moment | None
    links: tuple[str, ...]
    paths: tuple[str, ...]


def read_document(path: str, text: str, place: str = "") -> DocumentReading:
    """Read a document that lies at a path within a tree, which has a name of its own ("adr")."""
    head = read_head(text)
    folder, _, name = path.rpartition("/")
    title = head.value("title", "subject") or head.heading or without_ending(name)
    return DocumentReading(
        title=_numbered(head, decision_title(f"{place}/{without_ending(path)}", title, text)),
        dated=date_of(head, text),
        authors=distinct([*_people(head, AUTHOR_KEYS)]),
        deciders=distinct([*_people(head, DECIDER_KEYS)]),
        tags=distinct([*_tags(head)]),
        retired=_retired(head),
        links=web_links(text),
        paths=document_links(text, folder),
    )


def _numbered(head: DocumentHead, title: str) -> str:
    """The title with the number that a series of proposals keeps in a field of its own."""
    for series in SERIES:
        number = head.value(series)
        if re.fullmatch(r"[0-9]{1,6}", number):
            name = f"{series.upper()}{' ' if series in _SPACED else '-'}{number if series == 'adr' else int(number)}"
            return title if re.search(rf"\b{name}\b", title, re.I) else f"{name}: {title}"
    return title


def _people(head: DocumentHead, keys: tuple[str, ...]) -> Iterator[str]:
    values = head.values(*keys)
    if not any(key in head.declared for key in keys):
        values = tuple(value for value in values if not _IN_WORDS.match(value))
    for value in _names(values[0][:PEOPLE_CHARS_MAX]) if len(values) == 1 else values:
        bracketed = _IN_BRACKETS.fullmatch(value.strip())
        name = bracketed["name"].strip() if bracketed else _CONTACT.sub(" ", value).strip(" ,;*_")
        if name and "{" not in name:
            yield name
        elif "@" in value:
            yield value.strip(" <>(),;")


def _names(value: str) -> list[str]:
    """The people in one value; "Lobo, Ana" is one, as single words with one comma between them are."""
    if ";" in value:
        return value.split(";")
    parts = re.split(r",(?![^(<]{0,80}[)>])\s*", value)
    return [value] if len(parts) == 2 and all(part and " " not in part.strip() for part in parts) else parts


def _tags(head: DocumentHead) -> Iterator[str]:
    found = [value for key in TAG_KEYS for value in _words(head.values(key))]
    found += [value for key in ID_KEYS for value in head.declared.get(key, ())]
    found += [_STATUS_END.split(value, 1)[0].lower() for value in head.values("status")[:1]]
    for value in found:
        tag = value.strip(" *_`#")
        if 0 < len(tag) <= TAG_CHARS_MAX and "|" not in tag and "{" not in tag:  # what a template asks for
            yield tag


def _words(values: tuple[str, ...]) -> list[str]:
    return values[0].split(",") if len(values) == 1 else [*values]


def _retired(head: DocumentHead) -> Moment | None:
    """When the document ceased to hold, if that is said with a date."""
    for key in RETIRED_KEYS:
        if moment := stated_moment(head.value(key)):
            return moment
    status = head.value("status")
    return next(dates_in(status), None) if _ENDED.match(status) else None
