"""Mails that share one Message-ID: copies of one mail, or several that a faulty program numbered alike.

A mail is known by its id, what it says (`Letter.digest`) and its channel: one that came through a list and directly is
there for the readers of either. All three are properties of the mail alone, so it does not matter which others are
imported with it, before it or after it. Copies that say the same in other white space are versions of one record.
"""

import hashlib

from treering.importers.mail_letters import Letter
from treering.model.drafts import Shared

__all__ = ["lineage_of", "shared_id"]


def lineage_of(letter: Letter, channel: str) -> str:
    """The id of a mail: its Message-ID, or else a hash of what no transport changes."""
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


def shared_id(letter: Letter, channel: str) -> Shared | None:
    """What tells a mail from others of its Message-ID; None where the id is a hash already."""
    if not letter.is_numbered:
        return None
    return Shared(letter.message_id, hashlib.sha256(f"{letter.digest()} {channel}".encode()).hexdigest()[:8])
