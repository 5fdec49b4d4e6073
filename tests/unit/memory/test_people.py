"""Who is who and who may read what, by the operator's word: no leak either way."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import TickingClock
from tests.workspaces import LINES, SECRET, line, written
from treering import AmbiguousName, Memory, UnknownName
from treering.errors import UsageError
from treering.log.grants import Decision

LATER = [
    {
        **fields,
        "id": f"{fields['id']}b",
        "sent_at": f"2025-12-0{number}T12:00:00Z",
        "text": f"minutes of meeting {number}",
    }
    for number, fields in enumerate(SECRET, 1)
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as opened:
        opened.add(written(tmp_path / "all.jsonl", [*LINES, *SECRET]), embed=False)
        yield opened


def secrets_seen(memory: Memory, viewer: str) -> set[str]:
    """The secret records that any door shows the viewer; all doors must agree."""
    found = set()
    for profile in ("bm25", "egcforest", "mempp", "treering"):
        shown = memory.search("PAY-311 leak card numbers legal", profile=profile, viewer=viewer, k=50)
        found.add(frozenset(item.source_id for item in shown if item.source_id in {"90", "91", "92"}))
    by_id = set()
    for name in ("90", "91", "92"):
        try:
            by_id.add(memory.record(f"jsonl/{name}", viewer=viewer).source_id)
            memory.history(f"jsonl/{name}", viewer=viewer)
        except UnknownName:
            continue
    found.add(frozenset(by_id))
    try:
        memory.tree("channel:sec-incident", viewer=viewer)
        assert by_id
    except UnknownName:
        assert not by_id
    (agreed,) = found
    return set(agreed)


ALL = {"90", "91", "92"}


def test_a_grant_opens_a_channel_at_every_door_and_taking_it_back_closes_all(memory: Memory) -> None:
    assert secrets_seen(memory, "Ben") == set()
    memory.people.decide("sec-incident", "Ben", Decision.GRANT)
    assert secrets_seen(memory, "Ben") == ALL
    assert secrets_seen(memory, "Emi") == set()
    memory.people.decide("sec-incident", "Ben", Decision.AS_IMPORTED)
    assert secrets_seen(memory, "Ben") == set()


def test_a_revocation_hides_what_a_source_lists_and_survives_a_later_import(memory: Memory, tmp_path: Path) -> None:
    assert secrets_seen(memory, "Dora") == ALL
    memory.people.decide("sec-incident", "Dora", Decision.REVOKE)
    memory.people.decide("sec-incident", "Ben", Decision.GRANT)
    assert secrets_seen(memory, "Dora") == set()
    memory.add(written(tmp_path / "later.jsonl", [*SECRET, *LATER]), embed=False)
    assert secrets_seen(memory, "Dora") == set()
    assert secrets_seen(memory, "Ben") == ALL
    assert secrets_seen(memory, "Gus") == ALL
    access = memory.people.access("sec-incident")
    assert access.listed == ("jsonl/Dora", "jsonl/Gus")
    assert access.readers == ("jsonl/Ben", "jsonl/Gus")
    assert [(one.person, one.decision) for one in access.decisions] == [
        ("jsonl/Dora", Decision.REVOKE),
        ("jsonl/Ben", Decision.GRANT),
    ]


def test_a_person_kept_out_of_a_public_channel_reads_nothing_of_it(memory: Memory) -> None:
    memory.people.decide("eng", "Emi", Decision.REVOKE)
    assert not [
        item for item in memory.search("会議 version build", profile="bm25", viewer="Emi") if item.channel == "eng"
    ]
    assert [item for item in memory.search("version build", profile="bm25", viewer="Ben") if item.channel == "eng"]


def test_members_that_nobody_told_are_nobody_until_a_grant(tmp_path: Path) -> None:
    hidden = [line(70, "PAY-9 is lost", at="2025-11-03T09:00:00Z", channel="den", channel_kind="private")]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", [*hidden, *LINES]), embed=False)
        assert len(memory.search("PAY-9", profile="bm25", viewer="Ana")) == 0
        assert memory.people.access("den").listed is None
        memory.people.decide("den", "Ana", Decision.GRANT)
        assert [item.text for item in memory.search("PAY-9", profile="bm25", viewer="Ana")] == ["PAY-9 is lost"]
        assert len(memory.search("PAY-9", profile="bm25", viewer="Ben")) == 0


def test_everybody_may_be_let_in_and_a_public_channel_closed(memory: Memory) -> None:
    memory.people.decide("sec-incident", None, Decision.GRANT)
    assert secrets_seen(memory, "Emi") == ALL
    memory.people.decide("sec-incident", "Emi", Decision.REVOKE)
    assert secrets_seen(memory, "Emi") == set()
    memory.people.decide("sec-incident", None, Decision.AS_IMPORTED)
    assert secrets_seen(memory, "Ben") == set()
    memory.people.decide("eng", None, Decision.REVOKE)
    assert not [item for item in memory.search("version", profile="bm25", viewer="Ana") if item.channel == "eng"]


def test_a_newer_list_of_members_counts_whatever_was_added_last(tmp_path: Path) -> None:
    def export(name: str, month: str, members: list[str]) -> Path:
        fields = line(
            int(month), "the plan", at=f"2025-{month}-01T09:00:00Z", channel="den", members=members,
            channel_kind="private",
        )  # fmt: skip
        return written(tmp_path / f"{name}.jsonl", [fields])

    old, new = export("old", "01", ["Ana", "Ben"]), export("new", "02", ["Ana", "Cleo"])
    for number, order in enumerate([(old, new), (new, old)]):
        with Memory.open(tmp_path / f"{number}.treering") as memory:
            for path in order:
                memory.add(path, embed=False)
            assert memory.people.access("den").listed == ("jsonl/Ana", "jsonl/Cleo")


def test_linked_accounts_read_as_one_person_until_they_are_unlinked(memory: Memory, tmp_path: Path) -> None:
    memory.add(written(tmp_path / "b.jsonl", [line(1, "hello", at="2025-11-03T09:00:00Z", author="gus@example.org")]),
               source="mail", embed=False)  # fmt: skip
    assert secrets_seen(memory, "mail/gus@example.org") == set()
    links = tmp_path / "links.txt"
    links.write_text("# one person\n\njsonl/Gus = mail/gus@example.org\n")
    assert memory.people.link(links) == 1
    assert memory.people.link(links) == 0
    assert secrets_seen(memory, "mail/gus@example.org") == ALL
    memory.people.decide("sec-incident", "jsonl/Gus", Decision.REVOKE)
    assert secrets_seen(memory, "mail/gus@example.org") == set()
    memory.people.decide("sec-incident", "jsonl/Gus", Decision.AS_IMPORTED)
    assert [(one, other) for one, other, _ in memory.people.links()] == [("jsonl/Gus", "mail/gus@example.org")]
    assert memory.people.unlink(links) == 1
    assert secrets_seen(memory, "mail/gus@example.org") == set()
    assert secrets_seen(memory, "jsonl/Gus") == ALL


def test_a_name_of_linked_accounts_means_one_person(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        for source in ("one", "two", "three"):
            memory.add(written(tmp_path / f"{source}.jsonl", LINES[:1]), embed=False, source=source)
        with pytest.raises(AmbiguousName):
            memory.actor("Ben")
        assert [one.accounts for one in memory.people.possible_duplicates()] == [("one/Ben", "three/Ben", "two/Ben")]
        (tmp_path / "links.jsonl").write_text('["two/Ben", "one/Ben"]\n')
        memory.people.link(tmp_path / "links.jsonl")
        with pytest.raises(AmbiguousName, match=r"three/Ben"):
            memory.actor("Ben")
        (tmp_path / "more.csv").write_text('three/Ben,"two/Ben"\n')
        memory.people.link(tmp_path / "more.csv")
        assert memory.actor("Ben") == memory.actor("one/Ben")
        assert memory.people.possible_duplicates() == []
        accounts = {account.id: account for account in memory.people.accounts()}
        assert accounts["one/Ben"].linked == ("three/Ben", "two/Ben")
        assert accounts["one/Ben"].records == 1


def test_looking_alike_links_nobody(memory: Memory, tmp_path: Path) -> None:
    alike = [line(1, "hello", at="2025-11-03T09:00:00Z", author="Gus")]
    memory.add(written(tmp_path / "b.jsonl", alike), source="mail", embed=False)
    assert [(one.shared, one.accounts) for one in memory.people.possible_duplicates()] == [
        ("id", ("jsonl/Gus", "mail/Gus"))
    ]
    assert secrets_seen(memory, "mail/Gus") == set()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("jsonl/Gus = jsonl/Nobody\n", UnknownName),
        ("jsonl/Gus = jsonl/Ben\njsonl/Gus = jsonl/Nobody\n", UnknownName),
        ("jsonl/Gus\n", UsageError),
        ("Gus = Ben\n", UsageError),
        ("[1, 2]\n", UsageError),
        ("[\n", UsageError),
        ("jsonl/Gus = jsonl/Gus\n", UsageError),
    ],
)
def test_a_file_of_links_counts_whole_or_not_at_all(
    memory: Memory, tmp_path: Path, text: str, error: type[Exception]
) -> None:
    (tmp_path / "links.txt").write_text(text)
    with pytest.raises(error):
        memory.people.link(tmp_path / "links.txt")
    assert memory.people.links() == []


def test_a_memory_made_before_these_tables_is_read_and_written(memory: Memory, tmp_path: Path) -> None:
    memory.close()
    with sqlite3.connect(tmp_path / "m.treering" / "memory.db") as old:
        for table in ("told", "alias", "access_grant", "quarantine_call"):
            old.execute(f"DROP TABLE {table}")
    old.close()
    assert secrets_seen(memory, "Dora") == ALL
    assert memory.people.links() == []
    assert memory.people.access("sec-incident").decisions == ()
    assert memory.quarantined() == []
    memory.people.decide("sec-incident", "Dora", Decision.REVOKE)
    assert secrets_seen(memory, "Dora") == set()
    assert memory.add(tmp_path / "all.jsonl", embed=False).total.kept == 0
