"""What a node says of the leaves below it: the value, how it reads, and who may make one.

A summary is navigation, never evidence. Its text is what headers show and what the encoder embeds. Summarizers are
named with their version, because the name is part of the key that a summary is stored by. Times are microseconds since
1970, as the log has them.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from treering.forest.kinds import Kind, View
from treering.forest.leaves import DIGEST_BYTES, LeafText
from treering.model.records import instant
from treering.text.keys import text_key

__all__ = ["WORDS_MAX", "Selected", "Summarizer", "Summary", "SummaryStore", "summary_key"]

WORDS_MAX: Final = 120  # of a rendered summary: encoders of sentences read little more
CHARS_MAX: Final = 900  # the same bound for scripts without spaces
NAMES_SHOWN_MAX: Final = 6
NAME_CHARS_MAX: Final = 48  # a longer identifier is an address, and says little to a reader or an encoder
HELD_MAX: Final = 4_096  # decoded summaries at hand while a level is built from the one below


@dataclass(frozen=True, slots=True)
class Selected:
    """A sentence picked to stand for many, with the leaf that it is from."""

    score: float
    leaf: int
    at: int
    author: str
    channel: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What is said of a node; the counted lists hold the first few, most frequent first."""

    first_at: int
    last_at: int
    leaves: int
    participants: tuple[tuple[str, int], ...] = ()
    channels: tuple[tuple[str, int], ...] = ()
    identifiers: tuple[tuple[str, int], ...] = ()
    transitions: tuple[tuple[str, int], ...] = ()  # with the time each is first stated
    terms: tuple[tuple[str, int], ...] = ()  # words that recur in it
    sentences: tuple[Selected, ...] = ()  # best first
    prose: str = ""  # by a model; shown in place of the sentences

    def render(self, kind: Kind, title: str) -> str:
        """The summary in words: heading, interval, people, identifiers, states, then sentences in order of time."""
        days = sorted({instant(at).date().isoformat() for at in (self.first_at, self.last_at)})
        head = [f"{title}, {' to '.join(days)}"]
        if self.participants and kind.view is not View.ACTOR:
            head.append(", ".join(name for name, _ in self.participants[:NAMES_SHOWN_MAX]))
        if kind.view is View.ARTIFACT and self.channels:
            head.append("in " + ", ".join(name for name, _ in self.channels[:NAMES_SHOWN_MAX]))
        if short := [value for value, _ in self.identifiers if len(value) <= NAME_CHARS_MAX][:NAMES_SHOWN_MAX]:
            head.append("about " + ", ".join(short))
        if self.transitions:
            head.append("states: " + ", ".join(name for name, _ in self.transitions))
        lines = [". ".join(head) + "."]
        if self.prose:
            return _clipped(f"{lines[0]} {self.prose}")
        words, chars = len(lines[0].split()), len(lines[0])
        kept: list[tuple[int, int, str]] = []
        for place, sentence in enumerate(self.sentences):
            where = f" in {sentence.channel}" if kind.view is View.ARTIFACT else ""
            line = f"{sentence.author}{where}: {sentence.text}"
            words += len(line.split())
            chars += len(line) + 1
            if kept and (words > WORDS_MAX or chars > CHARS_MAX):
                break
            kept.append((sentence.at, place, line))
        return _clipped(" ".join(lines + [line for _, _, line in sorted(kept)]))

    def encoded(self) -> str:
        """The summary as one JSON array."""
        chosen = [[s.score, s.leaf, s.at, s.author, s.channel, s.text] for s in self.sentences]
        fields = [
            self.first_at, self.last_at, self.leaves, self.participants, self.channels, self.identifiers,
            self.transitions, self.terms, chosen, self.prose,
        ]  # fmt: skip
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def decoded(cls, body: str) -> "Summary":
        """The inverse of `encoded`."""
        first_at, last_at, leaves, people, channels, identifiers, transitions, terms, chosen, prose = json.loads(body)
        return cls(
            first_at,
            last_at,
            leaves,
            tuple(map(tuple, people)),
            tuple(map(tuple, channels)),
            tuple(map(tuple, identifiers)),
            tuple(map(tuple, transitions)),
            tuple(map(tuple, terms)),
            tuple(Selected(*fields) for fields in chosen),
            prose,
        )


class Summarizer(Protocol):
    """Makes the summary of a node: at level 1 from leaves, above from the summaries of its children."""

    @property
    def name(self) -> str:
        """What it is called, with the version of its rules or of its model and prompt."""

    def summarize_leaves(self, kind: Kind, title: str, items: Sequence[LeafText]) -> Summary:
        """The summary of a level-1 node, from its leaves in order."""

    def summarize_nodes(self, kind: Kind, title: str, children: Sequence[Summary]) -> Summary:
        """The summary of a higher node, from its children in order."""


def summary_key(node: bytes, title: str, summarizer: str) -> bytes:
    """What a summary is stored by: the node's structure, the heading it reads under, and who made it."""
    name = f"{len(title)}:{title}{summarizer}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(name, digest_size=DIGEST_BYTES, key=node).digest()


class SummaryStore:
    """The table of summaries; each is computed once for its key."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._held: dict[bytes, Summary] = {}

    def text_key(self, key: bytes) -> bytes | None:
        """The key of the stored text, where the summary is stored."""
        row = self._db.execute("SELECT text_key FROM summary WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def get(self, key: bytes) -> Summary:
        """A summary that is stored."""
        held = self._held.get(key)
        if held is None:
            (body,) = self._db.execute("SELECT body FROM summary WHERE key = ?", (key,)).fetchone()
            held = self._hold(key, Summary.decoded(body))
        return held

    def put(self, key: bytes, summary: Summary, kind: Kind, title: str) -> bytes:
        """Store a summary with its text; returns the key of that text."""
        text = summary.render(kind, title)
        key_of_text = text_key(text)
        self._db.execute(
            "INSERT OR REPLACE INTO summary (key, body, text, text_key) VALUES (?, ?, ?, ?)",
            (key, summary.encoded(), text, key_of_text),
        )
        self._hold(key, summary)
        return key_of_text

    def drop(self, keys: Iterable[bytes]) -> None:
        """Forget summaries of nodes that are no more: what a leaf once said must not outlive it here."""
        gone = [(key,) for key in keys if any(key)]
        self._db.executemany("DELETE FROM summary WHERE key = ?", gone)
        for (key,) in gone:
            self._held.pop(key, None)

    def _hold(self, key: bytes, summary: Summary) -> Summary:
        if len(self._held) >= HELD_MAX:
            del self._held[next(iter(self._held))]
        self._held[key] = summary
        return summary


def _clipped(text: str) -> str:
    words = text.split(" ")
    if len(words) > WORDS_MAX:
        text = " ".join(words[:WORDS_MAX]) + " ..."
    return text if len(text) <= CHARS_MAX else text[: CHARS_MAX - 4].rstrip() + " ..."
