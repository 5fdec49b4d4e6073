"""What an importer makes of a path, sorted by kind; and how a file is damaged at random, for the tests that do."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from treering.importers.protocol import Importer, ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ChannelDraft, Drafted, Quarantined, RecordDraft, Skipped

_SHARP = (b'"', b"{}", b"null", b"\0", b"-1e999", b"\xff", b"]]>", b"<", b"99")  # what formats turn on


class Outcome:
    """The drafts of one input."""

    def __init__(self, importer: Importer, path: Path, options: ImportOptions | None = None) -> None:
        with open_tree(path) as tree:
            self.recognized = importer.recognizes(tree)
            self.source = importer.source(tree)
            self.drafted: list[Drafted] = list(importer.extract(tree, options or ImportOptions()))
        self.drafts = [drafted.draft for drafted in self.drafted]
        self.records = [draft for draft in self.drafts if isinstance(draft, RecordDraft)]
        self.texts = [record.text for record in self.records]
        self.by_id = {record.source_id: record for record in self.records}
        self.skipped = Counter(draft.reason for draft in self.drafts if isinstance(draft, Skipped))
        self.quarantined = [draft for draft in self.drafts if isinstance(draft, Quarantined)]
        self.reasons = [draft.reason for draft in self.quarantined]
        self.actors = {draft.id: draft for draft in self.drafts if isinstance(draft, ActorDraft)}
        self.channels = {draft.id: draft for draft in self.drafts if isinstance(draft, ChannelDraft)}

    @property
    def only(self) -> RecordDraft:
        """The one record there is."""
        (record,) = self.records
        return record


def mutations(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """The content with bytes changed, cut out, doubled or swapped; the same ones for the same seed."""
    dice = random.Random(seed)
    for _ in range(count):
        changed = bytearray(content)
        for _ in range(dice.choice((1, 1, 2, 8, 40))):
            start = dice.randrange(len(changed) + 1)
            stop = min(len(changed), start + dice.choice((1, 1, 4, 60, 2_000)))
            match dice.randrange(4):
                case 0:
                    changed[start:stop] = dice.randbytes(stop - start)
                case 1:
                    del changed[start:stop]
                case 2:
                    changed[start:start] = changed[start:stop]
                case _:
                    changed[start:stop] = dice.choice(
                        (b'"', b"{}", b"null", b"\0", b"-1e999", b"\xff", b"]]>", b"<", b"99")
                    )
        yield bytes(changed)
