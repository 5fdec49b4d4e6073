"""Two exports that hold differing copies under one id: whichever comes first, and in whatever split, one root."""

import csv
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.property.test_reimport import Log

Json = dict[str, object]
Write = Callable[[Path, Sequence[Json]], None]
AT = "2024-03-04T10:00:00Z"
API = "https://api.github.com/repos/heron/api/issues"


def row(number: int, text: str, **fields: object) -> Json:
    return {"id": str(number), "sent_at": AT, "author": "ina", "channel": "ops", "text": text} | fields


def issue(number: int, text: str, **fields: object) -> Json:
    return {"url": f"{API}/{number}", "number": number, "title": text, "body": text, "user": {"login": "ina"},
            "state": "open", "created_at": AT, "updated_at": "2024-03-06T10:00:00Z"} | fields  # fmt: skip


def comment(number: int, text: str, **fields: object) -> Json:
    return {"url": f"{API}/comments/{number}", "issue_url": f"{API}/1", "id": number, "body": text,
            "user": {"login": "bo"}, "created_at": AT, "updated_at": AT} | fields  # fmt: skip


def ticket(number: int, text: str, updated: str = "05") -> Json:
    at = "2024-03-{}T10:00:00.000+0000"
    return {"key": f"KES-{number}", "fields": {"summary": text, "description": text, "created": at.format("04"),
                                               "updated": at.format(updated)}}  # fmt: skip


def page(number: int, version: int, text: str) -> Json:
    return {"id": str(number), "type": "page", "title": "T", "space": {"key": "OPS"},
            "version": {"number": version, "when": f"2024-03-0{version}T10:00:00.000Z"},
            "body": {"storage": {"value": f"<p>{text}</p>"}}}  # fmt: skip


def version(number: int, text: str, **fields: object) -> Json:
    return {"id": f"P@{number}", "doc": "P", "version": number, "dated": f"2024-01-0{number}", "author": "ina",
            "title": "P", "text": text} | fields  # fmt: skip


def telegram(number: int, text: str, **fields: object) -> Json:
    return {"id": number, "type": "message", "date_unixtime": "1709546400", "from": "Ina", "from_id": "user1",
            "text": text} | fields  # fmt: skip


def matrix(number: int, text: str) -> Json:
    return {"type": "m.room.message", "event_id": f"$e{number}", "room_id": "!o:h.example", "sender": "@i:h.example",
            "origin_server_ts": 1709546400000, "content": {"msgtype": "m.text", "body": text}}  # fmt: skip


def within(around: Callable[[Sequence[Json]], object]) -> Write:
    """A JSON file with what is put around the units."""

    def write(path: Path, units: Sequence[Json]) -> None:
        path.with_suffix(".json").write_text(json.dumps(around(units)))

    return write


def by_line(path: Path, units: Sequence[Json]) -> None:
    path.with_suffix(".jsonl").write_text("".join(json.dumps(unit) + "\n" for unit in units))


def table(path: Path, units: Sequence[Json]) -> None:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "sent_at", "author", "channel", "text", "edited_at"])
    writer.writeheader()
    writer.writerows(units)
    path.with_suffix(".csv").write_text(out.getvalue())


ROWS = [row(1, "a"), row(1, "b"), row(1, "a", edited_at="2024-03-04T11:00:00Z"), row(2, "a"), row(2, "a", author="bo")]
FORMATS: dict[str, tuple[Sequence[Json], Write]] = {
    "jsonl": ([*ROWS, row(1, "a", deleted_at="2024-03-04T12:00:00Z")], by_line),
    "csv": (ROWS, table),
    "documents": (
        [version(1, "a"), version(1, "b"), version(2, "b"), version(2, "b", retired_at="2024-02-01")],
        by_line,
    ),
    "github": (
        [
            *(issue(1, "a"), issue(1, "b", updated_at="2024-03-07T10:00:00Z"), issue(1, "b", state="closed")),
            *(comment(7, "x"), comment(7, "y", updated_at="2024-03-09T10:00:00Z"), comment(7, "z")),
        ],
        within(list),
    ),
    "jira": ([ticket(1, "a"), ticket(1, "b"), ticket(1, "b", "06")], within(lambda units: {"issues": units})),
    "confluence": ([page(1, 1, "a"), page(1, 2, "b"), page(1, 2, "c")], within(lambda units: {"results": units})),
    "telegram": (
        [telegram(1, "a"), telegram(1, "b"), telegram(1, "b", edited_unixtime="1709550000"), telegram(2, "a")],
        within(lambda units: {"name": "H", "type": "private_supergroup", "id": 4, "messages": units}),
    ),
    "matrix": (
        [matrix(1, "a"), matrix(1, "b"), matrix(2, "a")],
        within(lambda units: {"room_name": "Ops", "messages": units}),
    ),
}


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_order_and_any_split_of_differing_copies_gives_one_root(name: str, data: st.DataObject) -> None:
    units, write = FORMATS[name]
    order = data.draw(st.permutations(units))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(units) - 1))))
    with tempfile.TemporaryDirectory() as path:
        parts = []
        for number, (start, stop) in enumerate(zip([0, *cuts], [*cuts, len(units)], strict=True)):
            parts.append(Path(path, f"part{number}"))
            parts[-1].mkdir()
            write(parts[-1] / "export", order[start:stop])
        whole = Path(path, "whole")
        whole.mkdir()
        write(whole / "export", units)
        with closing(Log(Path(path, "once.db"))) as once, closing(Log(Path(path, "parts.db"))) as piecewise:
            once.add(whole)
            for part in parts:
                piecewise.add(part)
            assert piecewise.state()[0] == once.state()[0]
            again = [piecewise.add(whole).total, once.add(*parts).total]
            assert [(total.kept, total.versions) for total in again] == [(0, 0)] * 2
