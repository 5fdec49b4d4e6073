"""The files that the pages speak of: small, invented, each under the name that a page gives it."""

import gzip
import json
import subprocess
import tarfile
from pathlib import Path

from tests.soak.fuzz_case import Case
from tests.soak.fuzz_inputs import cases
from tests.unit.evaluation.written import chats
from tests.unit.importers.exports import write_folder, write_zip

__all__ = ["write_inputs"]

# How a page's name relates to the input of an importer: where its file lies within, None: as the case has it.
FOLDERS = {
    "slackdump_20240304": ("slack-archive", None),
    "discord-export": ("discord", None),
    "ChatExport_2024-03-04": ("telegram", None),
    "dump": ("rocketchat", None),
    "home/.znc/moddata/log": ("irc", "kestrel/#ops/2024-03-04.log"),
    "takeout/Mail": ("mail-files", "All mail.mbox"),
    "jira": ("jira-json", None),
    "github": ("github", None),
}
ZIPS = {
    "slack-export.zip": ("slack", None),
    "export.zip": ("mattermost", "import.jsonl"),
    "TeamsData.zip": ("teams", "teams/a/messages_a.json"),
    "package.zip": ("discord-package", None),
    "WhatsApp Chat - Ops.zip": ("whatsapp", "_chat.txt"),
    "takeout-20240304.zip": ("googlechat", "Takeout/Google Chat/Groups/Space A/messages.json"),
    "matrix - Ops - Chat Export.zip": ("matrix", None),
    "Confluence-space-export.zip": ("confluence-space", None),
}
FILES = {
    "minutes.mbox": "mail-files",
    "lists/announce.mbox": "mail-files",
    "old/result.json": "telegram",
    "WhatsApp Chat with Ops.txt": "whatsapp",
    "kestrel-ops.json": "gitter",
    "GMT20240304-100000_Recording.transcript.vtt": "transcript",
    "issues.csv": "jira-csv",
}
TRAVEL = "---\ntitle: Travel\nauthor: Ana Ribeiro\ndate: 2025-11-03\n---\n# Travel\n\nTrains before planes.\n"
DOCUMENT = {"id": "t@1", "doc": "t", "dated": "2025-11-03", "author": "Ana", "title": "Travel", "text": "By train."}
LINE = {"id": 1, "sent_at": "2025-11-03T09:00:00Z", "author": "Ana", "channel": "ops", "text": "the pump is repaired"}
QUESTION = {"id": "q1", "question": "who approved DOC-024?", "asker": "Greta Lindqvist", "as_of": "2025-12-31"}


def write_inputs(folder: Path, work: Path) -> None:
    """Write all of them into `folder`; `work` is for what is needed on the way."""
    made = cases(work)
    for name, (case, at) in FOLDERS.items():
        write_folder(folder / name, _files(made[case], at))
    for name, (case, at) in ZIPS.items():
        write_zip(folder / name, _files(made[case], at))
    for name, case in FILES.items():
        write_folder(folder, {name: made[case].content})
    with tarfile.open(folder / "zulip-export.tar.gz", "w:gz") as archive:
        archive.add(write_folder(work / "zulip", _files(made["zulip-export"])), "zulip")
    (folder / "messages.jsonl.gz").write_bytes(gzip.compress(json.dumps(LINE).encode()))
    (folder / "documents.jsonl.gz").write_bytes(gzip.compress(json.dumps(DOCUMENT).encode()))
    (folder / "log.csv").write_text("id,created,author,channel,body\n1,2024-03-04 10:00,Ina,ops,hello\n")
    (folder / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n")
    (folder / "people.txt").write_text("slack:T0MERLOW/U0LEO = slack:T0MERLOW/U0VERA\n")
    write_folder(folder / "handbook", {"travel.md": TRAVEL.encode()})
    chats(folder / "bakery")
    _repository(folder / "path/to/repository")


def _files(case: Case, at: str | None = None) -> dict[str, object]:
    return {at or case.name: case.content, **case.beside}


def _repository(folder: Path) -> None:
    write_folder(folder / "docs", {"travel.md": TRAVEL.encode()})
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@merlow.example"]
    for arguments in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "Travel"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
