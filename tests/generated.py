"""Exports made on the spot, of any size, the same on every run."""

import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

WORDS = (
    *("deploy", "rollback", "queue", "latency", "invoice", "approved", "blocked", "merged", "review", "staging"),
    *("cluster", "token", "cache", "owner", "release", "schema", "vendor", "budget", "retry", "alert", "customer"),
    *("design", "draft", "signed", "postponed", "migration"),
)
PEOPLE = tuple(f"U0{number:03d}" for number in range(40))
CHANNELS = ("eng", "ops", "sales", "docs")
FIRST = 1_709_546_400  # 2024-03-04 10:00 UTC


def messages(count: int, *, seed: int = 1) -> Iterator[tuple[str, dict[str, object]]]:
    """(channel, Slack message) in order of time: threads, mentions, ticket numbers, edits."""
    chance = random.Random(seed)
    roots: dict[str, list[str]] = {channel: [] for channel in CHANNELS}
    for number in range(count):
        channel = chance.choice(CHANNELS)
        ts = f"{FIRST + number * 37}.{number % 1_000_000:06d}"
        text = " ".join(chance.choices(WORDS, k=chance.randint(3, 25)))
        if chance.random() < 0.2:
            text += f" PAY-{chance.randint(1, 60)}"
        if chance.random() < 0.1:
            text += f" <@{chance.choice(PEOPLE)}>"
        message: dict[str, object] = {"type": "message", "user": chance.choice(PEOPLE), "text": text, "ts": ts}
        if roots[channel] and chance.random() < 0.3:
            message["thread_ts"] = chance.choice(roots[channel][-20:])
        else:
            roots[channel].append(ts)
        if chance.random() < 0.02:
            message["edited"] = {"user": message["user"], "ts": f"{FIRST + number * 37 + 600}.000000"}
        yield channel, message


def slack_export(path: Path, count: int, *, seed: int = 1) -> Path:
    """A Slack export zip of `count` messages, one day file for each channel and 500 messages."""
    files: dict[str, list[dict[str, object]]] = {}
    for number, (channel, message) in enumerate(messages(count, seed=seed)):
        day = 1 + number // 500
        files.setdefault(f"{channel}/2024-{1 + day // 28:02d}-{1 + day % 28:02d}.json", []).append(message)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        users = [{"id": person, "name": person.lower(), "real_name": f"Person {person}"} for person in PEOPLE]
        archive.writestr("users.json", json.dumps(users))
        listed = [{"id": f"C0{name.upper()}", "name": name, "members": list(PEOPLE)} for name in CHANNELS]
        archive.writestr("channels.json", json.dumps(listed))
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    return path
