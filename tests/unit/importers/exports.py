"""Small exports, invented and written to disk by the tests that need them."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from treering.importers.protocol import ImportOptions
from treering.importers.slack import SlackExport
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ChannelDraft, Draft, Drafted, Quarantined, RecordDraft, Skipped

INA = {"id": "U0INA", "team_id": "T0ORG", "name": "ina.r", "profile": {"display_name": "Ina", "real_name": "Ina Reis"}}
BOS = {"id": "U0BOS", "team_id": "T0ORG", "name": "bo", "profile": {"display_name": "", "real_name": "Bo Strand"}}
OPS = {"id": "C0OPS", "name": "ops", "members": ["U0INA", "U0BOS"]}

Files = Mapping[str, object]


def write_folder(root: Path, files: Files) -> Path:
    """Write files by name: bytes as they are, all else as JSON."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return root


def write_zip(path: Path, files: Files) -> Path:
    """Write the same as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path


def _bytes(content: object) -> bytes:
    return content if isinstance(content, bytes) else json.dumps(content).encode()


class Imported:
    """What the Slack importer yields of an export, by kind."""

    def __init__(self, path: Path) -> None:
        importer = SlackExport()
        with open_tree(path) as tree:
            self.recognized = importer.recognizes(tree)
            self.source = importer.source(tree)
            self.drafted: list[Drafted] = list(importer.extract(tree, ImportOptions()))
        self.drafts: list[Draft] = [drafted.draft for drafted in self.drafted]
        self.records = [draft for draft in self.drafts if isinstance(draft, RecordDraft)]
        self.skipped = [draft for draft in self.drafts if isinstance(draft, Skipped)]
        self.quarantined = [draft for draft in self.drafts if isinstance(draft, Quarantined)]
        self.actors = {draft.id: draft for draft in self.drafts if isinstance(draft, ActorDraft)}
        self.channels = {draft.id: draft for draft in self.drafts if isinstance(draft, ChannelDraft)}


def import_messages(root: Path, *messages: object, users: object = (INA, BOS), **lists: object) -> Imported:
    """Import one day of the channel #ops."""
    files = {"users.json": users, "channels.json": [OPS], "ops/2024-03-04.json": list(messages)}
    return Imported(write_folder(root, files | {f"{name}.json": entries for name, entries in lists.items()}))


def message(ts: str = "1709546400.000100", **fields: object) -> dict[str, object]:
    """A message of Ina's."""
    return {"type": "message", "user": "U0INA", "text": "hello", "ts": ts} | fields
