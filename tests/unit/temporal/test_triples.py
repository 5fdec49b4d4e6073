"""Triples by rules, and the labels that the tag leg matches."""

import sqlite3
from pathlib import Path

from tests.builders import document, edit_of, message, remember, statement
from treering import Memory
from treering.temporal.triples import NAMED_MAX, triples_of


def told(**given: object) -> list[str]:
    fields: dict[str, object] = {
        "document": True, "author": "Ana", "title": "ADR-0007: Queues", "identifiers": (), "mentions": (), "refs": (),
        "marks": (),
    }  # fmt: skip
    return [str(triple) for triple in triples_of(**{**fields, **given})]  # type: ignore[arg-type]


def test_a_document_tells_its_author_what_it_names_and_links_to() -> None:
    assert told(identifiers=["ADR-0003"], refs=["queues/old"]) == [
        "Ana wrote ADR-0007: Queues", "ADR-0007: Queues names ADR-0003", "ADR-0007: Queues links to queues/old",
    ]  # fmt: skip


def test_a_document_tells_what_it_replaces_and_that_it_is_gone() -> None:
    assert told(marks=[("supersedes", "ADR-0003"), ("retired", "")])[1:] == [
        "ADR-0007: Queues supersedes ADR-0003", "ADR-0007: Queues is retired ",
    ]  # fmt: skip


def test_addresses_are_no_names_and_long_lists_are_cut() -> None:
    names = ["https://a.example/x", *(f"ABC-{n}" for n in range(99))]
    found = told(identifiers=names)
    assert len(found) == 1 + NAMED_MAX
    assert not any("https" in triple for triple in found)


def labels(memory: Memory, record: int) -> set[str]:
    with sqlite3.connect(memory._layout.database) as connection:
        return {row[0] for row in connection.execute("SELECT folded FROM label WHERE record = ?", (record,))}


def test_each_version_keeps_its_own_labels(tmp_path: Path) -> None:
    first = message("1", "ABC-1 is open", author="ana")
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(
            memory,
            first,
            edit_of(first, "ABC-2 is open", minute=9),
            document("d", "see RFC 9110", title="HTTP", tags=("Draft", "net")),
            statement("d", "retired", "d", day=3),
        )
        assert labels(memory, 1) == {"ana", "abc-1"}
        assert labels(memory, 2) == {"ana", "abc-2"}
        assert labels(memory, 3) == {"ana", "rfc 9110", "draft", "net"}
        assert labels(memory, 4) == set()


def test_a_rebuild_notes_the_same_statements_again(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, document("d", "see RFC 9110\n\nSuperseded by: DOC-7", title="HTTP"))

        def rows() -> list[list[tuple[object, ...]]]:
            with sqlite3.connect(memory._layout.database) as connection:
                tables = ("label", "document_name", "mark", "triple")
                return [connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in tables]

        before = rows()
        memory.rebuild(embed=False)
        assert all(before)
        assert rows() == before
