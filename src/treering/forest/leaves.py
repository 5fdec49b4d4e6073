"""Reading leaves for the trees: their place in the order, their digest, and the text that a summary reads.

Texts are clipped and only a bounded number is held at a time, so that a tree over two million leaves costs no more
memory than one over ten thousand.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["DIGEST_BYTES", "LeafReader", "LeafText", "OrderKey"]

DIGEST_BYTES: Final = 16
TEXT_CHARS_MAX: Final = 1_500  # of one leaf, as a summary reads it; a document's opening says what it is about
HELD_MAX: Final = 16_384  # leaves whose text stays at hand: a channel's leaves come again in its threads and authors

OrderKey = tuple[int, int, str, str]  # first_at, order_hint, source, key: the order of leaves in every tree


@dataclass(frozen=True, slots=True)
class LeafText:
    """A leaf as a summarizer sees it. A deleted leaf has a digest and no words."""

    leaf: int
    first_at: int  # microseconds since 1970
    author: str
    channel: str
    title: str
    text: str  # clipped
    identifiers: tuple[str, ...]
    transitions: tuple[str, ...]
    digest: bytes  # of source, key and content


_FETCH: Final = """
SELECT l.id, l.source, l.key, l.first_at, c.name, r.author_name, r.title, substr(r.text, 1, ?), r.hash,
       CASE WHEN l.head THEN (SELECT group_concat(value, char(10)) FROM identifier WHERE leaf = l.id) END,
       CASE WHEN l.head THEN (SELECT group_concat(name, char(10)) FROM transition WHERE leaf = l.id) END
FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value CROSS JOIN channel c ON c.id = l.channel
LEFT JOIN record r ON r.id = l.head
"""


class LeafReader:
    """Reads leaves within the caller's transaction; what it holds is never older than that transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._held: dict[int, LeafText] = {}

    def order_key(self, leaf: int) -> OrderKey:
        """Where a leaf stands among all leaves."""
        row: OrderKey = self._db.execute(
            "SELECT first_at, order_hint, source, key FROM leaf WHERE id = ?", (int(leaf),)
        ).fetchone()
        return row

    def fetch(self, leaves: Iterable[int]) -> None:
        """Have the leaves at hand: one query for many is several times faster than one for each."""
        missing = [leaf for leaf in leaves if leaf not in self._held]
        if not missing:
            return
        for old in list(self._held)[: max(0, len(self._held) + len(missing) - HELD_MAX)]:
            del self._held[old]
        rows = self._db.execute(_FETCH, (TEXT_CHARS_MAX, json.dumps(missing)))
        for leaf, source, key, first_at, channel, author, title, text, content, named, stated in rows:
            self._held[leaf] = LeafText(
                leaf,
                first_at,
                author or "",
                channel,
                title or "",
                text or "",
                tuple(named.split("\n")) if named else (),
                tuple(stated.split("\n")) if stated else (),
                _digest(source, key, content or b""),
            )

    def leaf(self, leaf: int) -> LeafText:
        """One leaf; `fetch` it with its neighbours first."""
        if leaf not in self._held:
            self.fetch([leaf])
        return self._held[leaf]


def _digest(source: str, key: str, content: bytes) -> bytes:
    """The id of a leaf: what it is and what it says, nothing of when it arrived."""
    name = f"{len(source)}:{source}{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(
        content, digest_size=DIGEST_BYTES, key=hashlib.blake2b(name, digest_size=32).digest()
    ).digest()
