"""Who wrote a mail and who got it: the addresses of its header fields.

An address is an id, folded to small letters; the name beside it is a label. The standard library's parser is not used:
what it makes of a broken list differs between patch releases of Python, and ids must not. Follows RFC 5322, with what
archives put in place of an `@`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from treering.importers.mail_headers import decoded_words

__all__ = ["UNKNOWN", "Address", "addresses", "is_automatic"]

PIECE_CHARS_MAX = 1_000  # of an address with its name; what is longer is damage

_AT = re.compile(
    r"^(?:mailto:)?(?P<local>\"[^\"]*\"|[^\s\"<>()@]+)(?:\s+at\s+|\s*@\s*)(?P<host>[^\s\"<>(),;:]+)$", re.IGNORECASE
)
_ANGLE = re.compile(r"<([^<>]*)>?")
_BARE = re.compile(r"[^\s\"<>(),;:\[\]]+@[^\s\"<>(),;:\[\]@]+")
_COMMENT = re.compile(r"\(([^()]*)\)")
_AUTOMATIC = re.compile(
    r"(no-?_?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?|notifications?|daemon|root|cron|alerts?|robot)([+-].*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Address:
    """Somebody who is written from or to."""

    id: str  # the address in small letters; where there is none, the name
    name: str  # "" where the field gives the address alone


UNKNOWN = Address("unknown", "")  # the author of mails that name none


def addresses(values: Iterable[str]) -> tuple[Address, ...]:
    """The addresses of fields, as they stand there with encoded words, in order; the first name of each is kept.

    >>> addresses(["Lobo, Ana <Ana@K.example>", "team: ben@k.example (Ben Okoro);", "undisclosed-recipients:;"])
    (Address(id='ana@k.example', name='Lobo, Ana'), Address(id='ben@k.example', name='Ben Okoro'))
    """
    found: dict[str, Address] = {}
    for value in values:
        for address in _listed(value):
            found.setdefault(address.id, address)
    return tuple(found.values())


@lru_cache(maxsize=8192)  # the same few lists of people stand in most mails of a mailbox
def _listed(value: str) -> tuple[Address, ...]:
    found: list[Address | None] = []
    waiting = ""  # a name alone: a reader on the same machine, or the first half of `Lobo, Ana <ana@...>`
    for piece in _pieces(value):
        address = _address(f"{waiting}, {piece}" if waiting and "<" in piece else piece)
        if address is None:
            continue
        if "<" not in piece:
            found.append(_named(_label(waiting)))
        waiting = ""
        if "@" in address.id or "<" in piece:
            found.append(address)
        else:
            waiting = piece.strip()
    return tuple(address for address in (*found, _named(_label(waiting))) if address)


def is_automatic(address: Address) -> bool:
    """Whether a program stands behind an address, by the usual names.

    >>> is_automatic(Address("no-reply@k.example", "")), is_automatic(Address("ana@k.example", "Ana"))
    (True, False)
    """
    return bool(_AUTOMATIC.fullmatch(address.id.partition("@")[0]))


def _pieces(value: str) -> Iterator[str]:
    """The addresses of a list, each with all that belongs to it; names of groups are dropped."""
    piece: list[str] = []
    quoted, depth, angle = False, 0, False
    last = {sign: value.rfind(sign) for sign in '")>'}  # what is never closed opens nothing
    for place, sign in enumerate(value):
        if quoted:
            quoted = sign != '"' or value[place - 1] == "\\"
        elif depth:
            depth += (sign == "(") - (sign == ")")
        elif sign == '"':
            quoted = place < last['"']
        elif sign == "(":
            depth = int(place < last[")"])
        elif sign in "<>":
            angle = sign == "<" and place < last[">"]
        elif sign in ",;" and not angle:
            yield "".join(piece)
            piece = []
            continue
        elif sign == ":" and not angle and not "".join(piece).strip().casefold().endswith("mailto"):
            piece = []  # the name of a group
            continue
        piece.append(sign)
    yield "".join(piece)


def _address(piece: str) -> Address | None:
    piece = piece.strip()[:PIECE_CHARS_MAX]
    angles = list(_ANGLE.finditer(piece))
    if angles:
        angle = angles[-1]  # a name may hold another
        name = _label(piece[: angle.start()]) or _label(piece[angle.end() :]) or _label(_comment(piece))
        address = _spelled(angle[1])
        return Address(address, "" if name.casefold() == address else name) if address else _named(name)
    plain = _COMMENT.sub("", piece).strip()
    address = _spelled(plain)
    if address and "@" in address:
        return Address(address, _label(_comment(piece)))
    bare = _BARE.search(plain)
    if bare:
        return Address(bare[0].casefold(), _label(plain.replace(bare[0], "").replace("[mailto:", "")))
    return _named(_label(plain) or _label(_comment(piece)))


def _spelled(text: str) -> str:
    """The address in one spelling; "" if it is none that leads to anybody."""
    text = text.strip().strip("'")
    match = _AT.match(text)
    if match:
        return f"{match['local']}@{match['host']}".casefold().rstrip(".")
    return re.sub(r"\s+", "", text).casefold() if text and ":" not in text and ";" not in text else ""


def _named(name: str) -> Address | None:
    return Address(name.casefold(), name) if name else None


def _comment(piece: str) -> str:
    match = _COMMENT.search(piece)
    return match[1] if match else ""


def _label(text: str) -> str:
    """A display name without its quotes, decoded."""
    text = decoded_words(re.sub(r"\\(.)", r"\1", text.strip().strip('"')))
    return " ".join(text.split()).strip("\"' ,<>[]")
