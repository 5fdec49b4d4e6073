"""Five messages in every format that holds several: split and repeated in any way, they are the same five."""

import json
import tempfile
from collections.abc import Callable, Collection
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.property.test_reimport import Log
from tests.soak.fuzz_case import WORDS, Case
from tests.soak.fuzz_inputs import cases

Wanted = Collection[int]
ALL = range(len(WORDS))


def of_lines(content: bytes, wanted: Wanted) -> bytes:
    *head, a, b, c, d, e = content.splitlines(keepends=True)
    return b"".join([*head, *((a, b, c, d, e)[place] for place in wanted)])


def of_json(content: bytes, wanted: Wanted) -> bytes:
    """The document with some items of its list of five."""

    def cut(value: object) -> object:
        if isinstance(value, list):
            return [value[place] for place in wanted] if len(value) == len(WORDS) else [cut(item) for item in value]
        return {key: cut(item) for key, item in value.items()} if isinstance(value, dict) else value

    return json.dumps(cut(json.loads(content))).encode()


def of_bson(content: bytes, wanted: Wanted) -> bytes:
    found, at = [], 0
    while at < len(content):
        size = int.from_bytes(content[at : at + 4], "little")
        found.append(content[at : at + size])
        at += size
    return b"".join(found[place] for place in wanted)


def of_mails(content: bytes, wanted: Wanted) -> bytes:
    mails = content.split(b"From ana@")[1:]
    return b"".join(b"From ana@" + mails[place] for place in wanted)


SPLIT: dict[str, Callable[[bytes, Wanted], bytes]] = {
    **dict.fromkeys(("mattermost", "jsonl", "csv", "jira-csv", "irc", "discord-package", "documents-jsonl"), of_lines),
    **dict.fromkeys(("whatsapp", "slack-archive, in chunks"), of_lines),
    **dict.fromkeys(("slack", "zulip-export", "zulip-archive", "matrix", "googlechat", "gitter", "discord"), of_json),
    **dict.fromkeys(("telegram", "teams", "teams-account", "github", "jira-json", "confluence-json"), of_json),
    "rocketchat": of_bson,
    "mail-files": of_mails,
}


@cache
def made() -> dict[str, Case]:
    with tempfile.TemporaryDirectory() as folder:
        return cases(Path(folder))


@pytest.mark.parametrize("name", SPLIT)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parts=st.lists(st.sets(st.sampled_from(ALL), min_size=1), max_size=3))
def test_any_split_and_any_repeat_of_five_messages_are_these_five(name: str, parts: list[set[int]]) -> None:
    case = made()[name]
    with tempfile.TemporaryDirectory() as path:

        def export(number: int, wanted: Wanted) -> Path:
            folder = Path(path, str(number), "export")  # called alike: of some formats that is the place's name
            for file, content in {**case.beside, case.name: SPLIT[name](case.content, sorted(wanted))}.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(content)
            return folder

        rest = set(ALL).difference(*parts) or {0}
        exports = [export(number, wanted) for number, wanted in enumerate([*parts, rest])]
        whole = export(len(exports), ALL)
        with closing(Log(Path(path, "once.db"))) as once, closing(Log(Path(path, "parts.db"))) as piecewise:
            new = once.add(whole).total
            assert new.kept + new.versions >= len(WORDS)
            for one in exports:
                piecewise.add(one)
            assert piecewise.state() == once.state()
            again = [piecewise.add(whole).total, once.add(*exports).total]
            assert [(total.kept, total.versions) for total in again] == [(0, 0)] * 2
