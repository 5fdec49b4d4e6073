"""Reads small exports with a given importer, and damages them; for the tests of chat formats."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from treering.errors import TreeringError
from treering.importers.protocol import Importer, ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ChannelDraft, Draft, Quarantined, RecordDraft, Skipped

__all__ = ["Chats", "damaged", "lines", "read", "survives", "written"]

DEFAULT = ImportOptions()


@dataclass(slots=True)
class Chats:
    """What an importer yields, by kind; of an actor or channel the last draft."""

    drafts: list[Draft] = field(default_factory=list)

    @property
    def records(self) -> list[RecordDraft]:
        return [draft for draft in self.drafts if isinstance(draft, RecordDraft)]

    @property
    def texts(self) -> list[str]:
        return [record.text for record in self.records]

    @property
    def skipped(self) -> list[str]:
        return [draft.reason for draft in self.drafts if isinstance(draft, Skipped)]

    @property
    def quarantined(self) -> list[Quarantined]:
        return [draft for draft in self.drafts if isinstance(draft, Quarantined)]

    @property
    def actors(self) -> dict[str, ActorDraft]:
        return {draft.id: draft for draft in self.drafts if isinstance(draft, ActorDraft)}

    @property
    def channels(self) -> dict[str, ChannelDraft]:
        return {draft.id: draft for draft in self.drafts if isinstance(draft, ChannelDraft)}

    @property
    def content(self) -> frozenset[RecordDraft]:
        """The records, whatever their order; their places among equal times are no content."""
        return frozenset(replace(record, order_hint=0) for record in self.records)


def read(importer: Importer, path: Path, options: ImportOptions = DEFAULT) -> Chats:
    """Read an export that the importer has to recognize."""
    with open_tree(path) as tree:
        assert importer.recognizes(tree)
        assert importer.source(tree)
        return Chats([drafted.draft for drafted in importer.extract(tree, options)])


def written(path: Path, content: object) -> Path:
    """The path of a file with this content: bytes and text as they are, all else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        content = content.encode()
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def lines(*rows: object) -> str:
    """The rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def damaged(content: bytes, seed: int, times: int = 200) -> Iterator[bytes]:
    """The content with bytes changed, taken away, put in, doubled or cut off; the same for the same seed."""
    dice = random.Random(seed)
    junk = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\x00", b"\xff", b"null", b"1e999", b"\\ud800", b"\n"]
    for _ in range(times):
        text = bytearray(content)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text) or 1)
            match dice.randrange(5):
                case 0:
                    text[at : at + 1] = bytes([dice.randrange(256)])
                case 1:
                    del text[at : at + dice.randint(1, 30)]
                case 2:
                    text[at:at] = dice.choice(junk)
                case 3:
                    text[at:at] = text[at : at + dice.randint(1, 60)]
                case _:
                    del text[at + len(text) // 2 :]
        yield bytes(text)


def survives(importer: Importer, path: Path, content: bytes, options: ImportOptions = DEFAULT) -> int:
    """Read damaged content; anything raised but our own errors is a failure. Returns how many drafts came of it."""
    path.write_bytes(content)
    try:
        with open_tree(path) as tree:
            importer.recognizes(tree)
            return sum(1 for _ in importer.extract(tree, options))
    except TreeringError:
        return 0
