"""Small mails and mailboxes, invented, and what the importer makes of them."""

from collections.abc import Mapping
from pathlib import Path

from treering.importers.mail import MailFiles
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import (
    ActorDraft,
    ChannelDraft,
    ChannelKind,
    Draft,
    Drafted,
    Quarantined,
    RecordDraft,
    RecordKind,
    Skipped,
)

FIELDS = {
    "From": "Ana Lobo <ana@kestrel.example>",
    "To": "Ben Okoro <ben@kestrel.example>",
    "Subject": "Plan",
    "Date": "Mon, 4 Mar 2024 10:00:00 +0100",
    "Message-ID": "<p1@kestrel.example>",
}


def mail(body: str | bytes = "All is ready.\n", **fields: str | None) -> bytes:
    """A mail of Ana's to Ben; fields are given with `_` for `-`, and one that is None is left out."""
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in (FIELDS | given).items() if value is not None]
    content = body if isinstance(body, bytes) else body.encode()
    return "\n".join(lines).encode() + b"\n\n" + content


def mbox(*mails: bytes, envelope: str = "From ana@kestrel.example Mon Mar  4 10:00:00 2024") -> bytes:
    """A mailbox file, with lines that begin with `From ` escaped."""
    return b"".join(
        envelope.encode() + b"\n" + one.replace(b"\nFrom ", b"\n>From ").rstrip(b"\n") + b"\n\n" for one in mails
    )


class Imported:
    """What the importer yields of files, by kind."""

    def __init__(self, root: Path, files: Mapping[str, bytes], visibility: ChannelKind = ChannelKind.PRIVATE) -> None:
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        path = root / next(iter(files)) if len(files) == 1 else root
        with open_tree(path) as tree:
            self.recognized = MailFiles().recognizes(tree)
            self.drafted: list[Drafted] = list(MailFiles().extract(tree, ImportOptions(visibility=visibility)))
        self.drafts: list[Draft] = [drafted.draft for drafted in self.drafted]
        everything = [draft for draft in self.drafts if isinstance(draft, RecordDraft)]
        self.records = [record for record in everything if record.kind is RecordKind.MESSAGE]
        self.documents = [record for record in everything if record.kind is RecordKind.DOCUMENT]
        self.skipped = [draft for draft in self.drafts if isinstance(draft, Skipped)]
        self.quarantined = [draft for draft in self.drafts if isinstance(draft, Quarantined)]
        self.actors = [draft for draft in self.drafts if isinstance(draft, ActorDraft)]
        self.channels = [draft for draft in self.drafts if isinstance(draft, ChannelDraft)]


def import_mails(root: Path, *mails: bytes, visibility: ChannelKind = ChannelKind.PRIVATE) -> Imported:
    """Import mails from one mailbox file."""
    return Imported(root, {"box.mbox": mbox(*mails)}, visibility)


def as_set(drafts: list[Draft]) -> set[Draft]:
    """Drafts without their order, and without what was skipped."""
    return {draft for draft in drafts if not isinstance(draft, Skipped)}
