"""Appending to the log: drafts become records, each with its place in a lineage and in the chain.

Nothing is ever changed or dropped here. Whether a draft is new, a further version or already known is decided by its
content alone, so that overlapping, repeated and interrupted imports add only what is new.
"""

import json
import sqlite3
from dataclasses import dataclass

from treering.clock import Clock, Entropy
from treering.log.content import GENESIS, Content, apart, chained, commitment, content_of, digest_of
from treering.log.passages import attached_text, attachment_fields, match_text, spans_of
from treering.log.registry import Registry
from treering.model.drafts import Change, Quarantined, RecordDraft, RecordKind, Shared
from treering.model.records import micros
from treering.text.keys import text_key

__all__ = ["Appended", "LogWriter"]

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of one draft: `record` is 0 when the log held it already."""

    record: int
    change: Change | None
    first: bool = False  # of its lineage; a message may be met edited already

    @property
    def unchanged(self) -> bool:
        """True when nothing was logged."""
        return self.change is None


class LogWriter:
    """Appends within the caller's write transaction; one writer at a time."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock, entropy: Entropy) -> None:
        self._db = connection
        self._clock = clock
        self._entropy = entropy
        self.registry = Registry(connection)
        row = connection.execute("SELECT id, chain FROM record ORDER BY id DESC LIMIT 1").fetchone()
        self._last: int = row[0] if row else 0
        self._chain: bytes = row[1] if row else GENESIS
        self._next_passage = int(connection.execute("SELECT coalesce(max(id) + 1, 0) FROM passage").fetchone()[0])
        self._logged_at = micros(clock())

    @property
    def last(self) -> int:
        """The id of the last record."""
        return self._last

    @property
    def learned_at(self) -> int:
        """When this batch was learned, in microseconds."""
        return self._logged_at

    def begin_batch(self) -> None:
        """Read the clock: every record of a batch was learned at the same moment, never before an earlier batch."""
        self._logged_at = max(self._logged_at, micros(self._clock()))

    def append(self, source: str, draft: RecordDraft) -> Appended:
        """Log one version, unless the log holds it already."""
        content = content_of(draft, source)
        encoded = content.encoded()
        digest = digest_of(encoded)
        if draft.shared and self._is_another(source, draft.shared):
            draft = apart(draft, draft.shared)
            content = content_of(draft, source)
        versions = self._db.execute(
            "SELECT hash, source_id, leaf FROM record WHERE source = ? AND lineage = ?", (source, content.lineage)
        ).fetchall()
        if any(h == digest or (draft.id_is_final and known == draft.source_id) for h, known, _ in versions):
            return Appended(0, None)
        change = draft.change
        hung = self._leaf_of(content, versions)
        if versions and change is Change.NEW:
            change = Change.EDIT if hung is not None else Change.NEXT_VERSION
        channel = self.registry.channel(source, draft.channel)
        author, author_name = self.registry.actor(source, draft.author)
        record = self.last + 1
        leaf = self._hang(record, content, draft, channel, author, hung)
        self._insert(record, leaf, content, draft, change, channel, author, author_name, digest, encoded)
        if draft.text and draft.event is None and change is not Change.DELETE:
            attached = attached_text(attachment_fields(one) for one in draft.attachments)
            for place, span in enumerate(spans_of(draft.kind, draft.title, draft.text, draft.quoted)):
                matched = match_text(draft.kind, author_name, draft.title, draft.text, span, "" if place else attached)
                self._db.execute(
                    "INSERT INTO passage (id, record, start, stop, key) VALUES (?, ?, ?, ?, ?)",
                    (self._next_passage, record, span.start, span.stop, text_key(matched)),
                )
                self._next_passage += 1
        return Appended(record, change, first=not versions)

    def quarantine(self, bad: Quarantined) -> None:
        """Keep a record that could not be read, so that nothing is lost in silence."""
        self._db.execute(
            "INSERT OR IGNORE INTO quarantine (file, position, reason, raw, seen_at) VALUES (?, ?, ?, ?, ?)",
            (bad.file, bad.position, bad.reason, bad.raw, self._logged_at),
        )

    def _is_another(self, source: str, shared: Shared) -> bool:
        """Whether the thing that bears the id in this memory is not the one that is meant."""
        row = self._db.execute(
            "SELECT json_extract(extra, '$.mark') FROM record WHERE source = ? AND lineage = ? LIMIT 1",
            (source, shared.id),
        ).fetchone()
        return row is not None and row[0] not in (None, shared.mark)  # None: of an earlier version of this program

    def _leaf_of(self, content: Content, versions: list[tuple[bytes, str, int]]) -> int | None:
        """The leaf that a version belongs to, if it hangs already: its lineage's; of a document, its own id's alone."""
        if content.kind == RecordKind.MESSAGE:
            return versions[0][2] if versions else None
        return next((leaf for _, known, leaf in versions if known == content.source_id), None)

    def _hang(
        self, record: int, content: Content, draft: RecordDraft, channel: int, author: int, leaf: int | None
    ) -> int:
        """Hang the record up: below its leaf, or as a new one."""
        if leaf is None:
            key = content.lineage if content.kind == RecordKind.MESSAGE else content.source_id
            made = self._db.execute(
                "INSERT INTO leaf (source, key, channel, author, first_at, order_hint, head, event)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, key) DO NOTHING",
                (content.source, key, channel, author, content.created_at, draft.order_hint,
                 0 if content.deleted else record, content.event is not None),
            )  # fmt: skip
            return int(made.lastrowid or 0) if made.rowcount else self._take_over(content, key, record)
        newest = self._db.execute(
            "SELECT change = 'delete', valid_from FROM record WHERE leaf = ? ORDER BY 1 DESC, 2 DESC LIMIT 1", (leaf,)
        ).fetchone()
        if (content.deleted, content.valid_from) >= newest:  # what was deleted stays deleted
            self._db.execute(
                "UPDATE leaf SET head = ?, channel = ?, author = ?, event = ? WHERE id = ?",
                (0 if content.deleted else record, channel, author if not content.deleted else self._author_of(leaf),
                 content.event is not None, leaf),
            )  # fmt: skip
        if not content.deleted:  # a deletion that came before its message named whoever deleted
            self._db.execute("UPDATE leaf SET author = ? WHERE id = ? AND head = 0", (author, leaf))
        self._db.execute(
            "UPDATE leaf SET first_at = ?, order_hint = ? WHERE id = ? AND first_at > ?",
            (content.created_at, draft.order_hint, leaf, content.created_at),
        )
        return leaf

    def _take_over(self, content: Content, key: str, record: int) -> int:
        """The leaf that bears the key already, shown as the record from now on."""
        of_key = (content.source, key)
        self._db.execute(
            "UPDATE leaf SET head = ? WHERE source = ? AND key = ?", (0 if content.deleted else record, *of_key)
        )
        return int(self._db.execute("SELECT id FROM leaf WHERE source = ? AND key = ?", of_key).fetchone()[0])

    def _author_of(self, leaf: int) -> int:
        return int(self._db.execute("SELECT author FROM leaf WHERE id = ?", (leaf,)).fetchone()[0])

    def _insert(
        self,
        record: int,
        leaf: int,
        content: Content,
        draft: RecordDraft,
        change: Change,
        channel: int,
        author: int,
        author_name: str,
        digest: bytes,
        encoded: bytes,
    ) -> None:
        salt = self._entropy(SALT_BYTES)
        self._chain = chained(self._chain, commitment(salt, encoded), self._logged_at)
        self._last = record
        self._db.execute(
            "INSERT INTO record (id, source, source_id, leaf, lineage, change, kind, channel, author, author_name,"
            " valid_from, valid_from_raw, created_at, logged_at, order_hint, reply_to, thread, title, text, event,"
            " extra, salt, hash, chain) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (record, content.source, content.source_id, leaf, content.lineage, change.value, content.kind, channel,
             author, author_name, content.valid_from, draft.valid_from_raw, content.created_at, self._logged_at,
             draft.order_hint, draft.reply_to, draft.thread, draft.title, draft.text, draft.event,
             self._extra(content.source, draft),
             salt, digest, self._chain),
        )  # fmt: skip

    def _extra(self, source: str, draft: RecordDraft) -> str:
        """What has no column of its own, as JSON without what is empty."""
        said = draft.mentions or draft.refs or draft.quoted or draft.tags or draft.links or draft.attachments
        if not said and draft.shared is None:
            return "{}"
        extra = {
            "mentions": [self.registry.actor(source, native)[0] for native in draft.mentions],
            "refs": draft.refs,
            "quoted": draft.quoted,
            "tags": draft.tags,
            "links": draft.links,
            "attachments": [attachment_fields(one) for one in draft.attachments],
            "mark": draft.shared.mark if draft.shared else None,
        }
        return json.dumps({name: value for name, value in extra.items() if value}, ensure_ascii=False)
