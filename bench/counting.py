"""How many messages an export holds, counted with the standard library alone: the other side of `bench.counts`.

One small counter for each format; none shares a line with the importer it checks. A counter sees the files of an export
by name and counts entries, whatever may become of them: kept, known already, left out for a reason, or quarantined.
"""

import csv
import email
import io
import json
import re
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

Files = Mapping[str, bytes]

_CUE = re.compile(r"^\s*(?:\d+:)?\d\d:\d\d[.,]\d{3}\s+-->", re.MULTILINE)
_ENVELOPE = re.compile(rb"(?:\A|\n\n)From (?:-|\S+@\S+|[^\n]*\d\d:\d\d[^\n]*)(?=\n[\w-]+:|\n>?From )")
_MMDF = re.compile(rb"(?m)^\x01\x01\x01\x01\r?$")
_CHAT_LINE = re.compile(r"^(\[?)(\d{1,4})[./-]\d{1,2}[./-](\d{1,4})\.?[,،]? +\d{1,2}[:.]\d\d", re.MULTILINE)
_DAY_FILE = re.compile(r"(?:.*/)?\d{4}-\d\d-\d\d\.json")
_SLACK_LISTS = ("users.json", "org_users.json", "channels.json", "groups.json", "dms.json", "mpims.json")


def files_of(path: Path) -> dict[str, bytes]:
    """The files of a folder, a zip or a single file, without what macOS leaves behind."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            found = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    elif path.is_dir():
        found = {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    else:
        found = {path.name: path.read_bytes()}
    return {n: content for n, content in found.items() if not re.search(r"__MACOSX|(^|/)(\._|\.DS_Store)", n)}


def text_of(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


def json_of(content: bytes) -> object:
    return json.loads(re.sub(r"(?<!\\)\\x([0-9a-fA-F]{2})", r"\\u00\1", text_of(content)), strict=False)


def listed(value: object, key: str = "") -> list[object]:
    """The list that a value is, or has at a key; else an empty one."""
    found = value.get(key) if key and isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def slack(files: Files) -> int:
    days = [name for name in files if _DAY_FILE.fullmatch(name)] or [name for name in files if name not in _SLACK_LISTS]
    return sum(len(listed(json_of(files[name]))) for name in days if name.endswith(".json"))


def slack_archive(files: Files) -> int:
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        file.write(next(iter(files.values())))
        file.flush()
        found = sqlite3.connect(file.name).execute("SELECT count(DISTINCT CHANNEL_ID || ' ' || TS) FROM MESSAGE")
        return int(found.fetchone()[0])


def bson_entries(content: bytes) -> int:
    count = at = 0
    while at + 4 <= len(content):
        at += struct.unpack_from("<i", content, at)[0]
        count += 1
    return count


def rocketchat(files: Files) -> int:
    return sum(bson_entries(content) for name, content in files.items() if name.endswith("message.bson"))


def in_lists(key: str) -> Callable[[Files], int]:
    """Counts the entries of the list at a key in every JSON file."""
    return lambda files: sum(len(listed(json_of(files[name]), key)) for name in files if name.endswith(".json"))


def gitter(files: Files) -> int:
    return sum(len(listed(json_of(content))) for content in files.values())


def telegram(files: Files) -> int:
    def of(value: object) -> int:
        if isinstance(value, dict):
            return len(listed(value, "messages")) + sum(of(inner) for key, inner in value.items() if key != "messages")
        return sum(map(of, value)) if isinstance(value, list) else 0

    return sum(of(json_of(content)) for name, content in files.items() if name.endswith(".json"))


def teams(files: Files) -> int:
    return sum(len(listed(json_of(files[name]))) for name in files if "messages_" in name)


def discord_package(files: Files) -> int:
    count = 0
    for name, content in files.items():
        if name.endswith("messages.json"):
            count += len(listed(json_of(content)))
        elif name.endswith("messages.csv"):
            count += sum(1 for _ in csv.DictReader(io.StringIO(text_of(content), newline="")))
    return count


def mattermost(files: Files) -> int:
    count = 0
    for content in files.values():
        for line in text_of(content).split("\n"):
            entry = json.loads(line) if line.strip() else {}
            kind = entry.get("type", "user")
            if kind in ("post", "direct_post"):
                count += len(entry[kind].get("replies") or ())
            count += kind not in ("user", "channel", "direct_channel")  # which are people and places, no entries
    return count


def mail(files: Files) -> int:
    """Mailboxes by their marks; else by heads (paragraphs that name a sender and a date), or by mails in mails."""
    count = 0
    for content in files.values():
        text = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        if _MMDF.search(text):
            count += len(_MMDF.findall(text)) // 2
        elif text.startswith(b"From "):
            count += len(_ENVELOPE.findall(text))
        else:
            heads = [block for block in text.split(b"\n\n") if re.search(rb"(?im)^(?:From|Date):", block)]
            mails = [head for head in heads if b"From:" in head and b"Date:" in head and not head.startswith(b"\n---")]
            mails = [head for head in mails if b"---- Forwarded message" not in head]
            parts = email.message_from_bytes(content).walk()
            count += max(len(mails), 1 + sum(part.get_content_type() == "message/rfc822" for part in parts))
    return count


def transcript(files: Files) -> int:
    """Turns: what one speaker says in cues that follow each other is one; a cue without a speaker is one as well."""
    count = 0
    for content in files.values():
        before = ""
        for cue in _CUE.split(text_of(content))[1:]:
            said = cue.replace("\r", "").partition("\n")[2].partition("\n\n")[0]
            for voice in re.split(r"(?=<v[ .])", said):
                named = re.match(r"<v[^ >]* ([^>]+)>|([A-Z][\w ]{1,30}): ", voice)
                speaker = (named[1] or named[2]) if named else ""
                if voice.strip() or not said.strip():
                    count += not speaker or speaker != before
                    before = speaker
    return count


def lines(files: Files) -> int:
    return sum(1 for content in files.values() for line in content.split(b"\n") if line.strip())


def whatsapp(files: Files) -> int:
    """Lines that begin with a date written as in the first of them: others are quoted within a message."""
    count = 0
    for content in files.values():
        dates = _CHAT_LINE.findall(re.sub("[\u200e\u200f\u202a\ufeff]", "", text_of(content)))
        shapes = [(bracket, 4 in (len(first), len(last))) for bracket, first, last in dates]
        count += shapes.count(shapes[0]) if shapes else 0
    return count


def jira_csv(files: Files) -> int:
    count = 0
    for content in files.values():
        head, *rows = csv.reader(io.StringIO(text_of(content), newline=""))
        said = [place for place, title in enumerate(head) if title == "Comment"]
        count += len(rows) + sum(bool(row[place]) for row in rows for place in said)
        count += sum("Status" in head for _ in rows)  # an issue's state is an entry of its own: it changes
    return count


def csv_rows(files: Files) -> int:
    return sum(len(list(csv.reader(io.StringIO(text_of(c), newline="")))) - 1 for c in files.values())


COUNTERS: dict[str, Callable[[Files], int]] = {
    "slack": slack,
    "slack-archive": slack_archive,
    "zulip-export": in_lists("zerver_message"),
    "rocketchat": rocketchat,
    "matrix": in_lists("messages"),
    "googlechat": in_lists("messages"),
    "discord": in_lists("messages"),
    "discord-package": discord_package,
    "gitter": gitter,
    "telegram": telegram,
    "teams": teams,
    "mattermost": mattermost,
    "mail-files": mail,
    "transcript": transcript,
    "irc": lines,
    "whatsapp": whatsapp,
    "jira-csv": jira_csv,
    "csv": csv_rows,
    "jsonl": lines,
    "confluence-storage": len,
    "documents-folder": len,
}
