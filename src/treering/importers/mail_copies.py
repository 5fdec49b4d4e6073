"""Mails that share one Message-ID: copies of one mail, or several that a faulty program numbered alike.

Copies say the same (`Letter.digest`) in the same channel; one of them is kept. A copy that went to its reader directly
counts as one of the copy that came through a list. Two lists that one mail was posted to keep one each. Of what is left
the earliest has the Message-ID for its id, and each of the others the Message-ID, `#` and eight digits of the hash of
its content and channel. All this is settled before the first draft, and so independent of the order of files.
"""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from treering.importers.mail_letters import Letter
from treering.importers.mail_places import MAILBOX, is_of_list

__all__ = ["Copies"]


@dataclass(frozen=True, slots=True, order=True)
class _Kind:
    """What copies have in common; in the order in which they come by the plain id."""

    sent_at: datetime
    rank: int  # of the channel: a list, people, unknown readers
    channel: str
    digest: str


class Copies:
    """Weighs all mails whose id is repeated, then says which of them are kept."""

    def __init__(self) -> None:
        self._best: defaultdict[str, dict[_Kind, str]] = defaultdict(dict)  # id -> kind -> hash of its first copy
        self._kept: dict[tuple[str, _Kind], str] = {}
        self._given: set[str] = set()

    def weigh(self, letter: Letter, channel: str) -> None:
        """Take in one of the mails that share an id."""
        kind, whole = _kind(letter, channel), _whole(letter)
        known = self._best[letter.message_id]
        known[kind] = min(whole, known.get(kind, whole))

    def settle(self) -> None:
        """Decide; after that, nothing more is weighed."""
        for own_id, known in self._best.items():
            kept = [kind for kind in sorted(known) if not any(_absorbs(other, kind) for other in known)]
            for number, kind in enumerate(kept):
                suffix = hashlib.sha256(f"{kind.digest} {kind.channel}".encode()).hexdigest()[:8]
                self._kept[own_id, kind] = f"{own_id}#{suffix}" if number else own_id

    def lineage(self, letter: Letter, channel: str) -> str | None:
        """The id under which a mail is kept; None if another copy is."""
        known = self._best.get(letter.message_id)
        kind = _kind(letter, channel)
        if known and (known.get(kind) != _whole(letter) or (letter.message_id, kind) not in self._kept):
            return None
        lineage = self._kept[letter.message_id, kind] if known else _lineage_of(letter, channel)
        if known or not letter.is_numbered:
            if lineage in self._given:
                return None
            self._given.add(lineage)
        return lineage


def _lineage_of(letter: Letter, channel: str) -> str:
    """The id of a mail that shares it with no other: its Message-ID, or else a hash of what no transport changes."""
    if letter.is_numbered:
        return letter.message_id
    parts = (
        letter.digest(),
        channel,
        letter.subject,
        letter.text,
        letter.answered or "",
        *letter.references,
        *(each.id for each in (*letter.to, *letter.cc)),
    )
    return "sha256:" + hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _kind(letter: Letter, channel: str) -> _Kind:
    rank = 0 if is_of_list(channel) else 2 if channel == MAILBOX else 1
    return _Kind(letter.sent.at, rank, channel, letter.digest())


def _whole(letter: Letter) -> str:
    return hashlib.sha256(repr(letter).encode("utf-8", "replace")).hexdigest()


def _absorbs(other: _Kind, kind: _Kind) -> bool:
    return other.digest == kind.digest and other.rank < kind.rank
