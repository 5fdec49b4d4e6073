"""What a question may see: times, versions, deletions, membership."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import START, TickingClock, deletion_of, edit_of, log_at, message, private, public
from treering.access.bounds import Bounds, admissible
from treering.log.reader import LogReader
from treering.log.writer import LogWriter

Texts = Callable[[Bounds], list[str]]


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def world(tmp_path: Path, clock: TickingClock) -> Iterator[tuple[LogWriter, Texts]]:
    with log_at(tmp_path / "m.db", clock) as (database, writer):

        def texts(bounds: Bounds) -> list[str]:
            reader = LogReader(database.connection)
            masks = admissible(reader.columns(reader.last()), writer.registry.channels(), bounds)
            return [reader.record(int(row) + 1).text for row in masks.records.nonzero()[0]]

        writer.registry.put_channel("slack", public("ops"))
        yield writer, texts


def test_an_edit_hides_the_old_text_and_as_of_before_it_finds_it(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    first = message("1", "ship Monday")
    writer.append("slack", first)
    writer.append("slack", edit_of(first, "ship Friday", minute=60))
    assert texts(Bounds()) == ["ship Friday"]
    assert texts(Bounds(as_of=START + timedelta(minutes=59))) == ["ship Monday"]


def test_as_of_includes_the_very_moment(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.append("slack", message("1", "now", minute=5))
    assert texts(Bounds(as_of=START + timedelta(minutes=5))) == ["now"]
    assert texts(Bounds(as_of=START + timedelta(minutes=5) - timedelta(microseconds=1))) == []


def test_before_an_edit_whose_first_text_nobody_kept_there_is_no_text(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.append("slack", edit_of(message("1", "gone"), "ship Friday", minute=60))
    assert texts(Bounds(as_of=START + timedelta(minutes=30))) == []


def test_a_deleted_text_is_not_found_and_as_of_before_is(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    first = message("1", "the quote is 40k")
    writer.append("slack", first)
    writer.append("slack", deletion_of(first, minute=10))
    assert texts(Bounds()) == []
    assert texts(Bounds(as_of=START + timedelta(minutes=9))) == ["the quote is 40k"]


def test_known_at_bounds_what_had_been_logged(world: tuple[LogWriter, Texts], clock: TickingClock) -> None:
    writer, texts = world
    first = message("1", "ship Monday")
    writer.append("slack", first)
    known = clock.now
    writer.begin_batch()
    writer.append("slack", edit_of(first, "ship Friday", minute=60))
    assert texts(Bounds(known_at=known)) == ["ship Monday"]
    assert texts(Bounds()) == ["ship Friday"]


def test_a_private_channel_is_read_by_its_members_alone(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.registry.put_channel("slack", private("board", "ana"))
    writer.append("slack", message("1", "sell it", channel="board"))
    ana, ben = (writer.registry.actor("slack", name)[0] for name in ("ana", "ben"))
    assert texts(Bounds(viewer=ana)) == ["sell it"]
    assert texts(Bounds(viewer=ben)) == []
    assert texts(Bounds()) == ["sell it"]


def test_a_channel_with_unknown_members_is_read_by_the_owner_alone(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.append("slack", message("1", "lost and found", channel="C0LOST"))
    ana = writer.registry.actor("slack", "ana")[0]
    assert texts(Bounds(viewer=ana)) == []
    assert texts(Bounds()) == ["lost and found"]


def test_membership_is_judged_now_and_not_at_as_of(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.registry.put_channel("slack", private("board", "ana"))
    writer.append("slack", message("1", "sell it", channel="board"))
    writer.registry.put_channel("slack", private("board"))
    ana = writer.registry.actor("slack", "ana")[0]
    assert texts(Bounds(viewer=ana, as_of=START)) == []


def test_a_message_moved_to_a_private_channel_is_gone_for_outsiders_in_every_version(
    world: tuple[LogWriter, Texts],
) -> None:
    writer, texts = world
    first = message("1", "plan B")
    writer.registry.put_channel("slack", private("board", "ana"))
    writer.append("slack", first)
    moved = edit_of(message("1", "", channel="board"), "plan B", minute=5)
    writer.append("slack", moved)
    ben = writer.registry.actor("slack", "ben")[0]
    assert texts(Bounds(viewer=ben)) == []
    assert texts(Bounds(viewer=ben, as_of=START)) == []


def test_a_message_moved_out_of_a_private_channel_keeps_its_private_version_to_itself(
    world: tuple[LogWriter, Texts],
) -> None:
    writer, texts = world
    writer.registry.put_channel("slack", private("board", "ana"))
    first = message("1", "plan A with Globex", channel="board")
    writer.append("slack", first)
    writer.append("slack", edit_of(message("1", "", channel="ops"), "plan A", minute=5))
    ben = writer.registry.actor("slack", "ben")[0]
    assert texts(Bounds(viewer=ben)) == ["plan A"]
    assert texts(Bounds(viewer=ben, as_of=START)) == []


def test_of_versions_that_began_together_the_closed_one_decides_whatever_came_last(
    world: tuple[LogWriter, Texts],
) -> None:
    writer, texts = world
    writer.registry.put_channel("slack", private("board", "ana"))
    writer.append("slack", message("1", "merger", channel="board"))
    writer.append("slack", message("1", "merger", channel="ops"))
    ben = writer.registry.actor("slack", "ben")[0]
    assert texts(Bounds(viewer=ben)) == []


def test_joins_and_renames_are_logged_and_never_shown(world: tuple[LogWriter, Texts]) -> None:
    writer, texts = world
    writer.append("slack", message("1", "ana has joined", event="channel_join"))
    assert texts(Bounds()) == []


def test_a_leaf_is_whole_only_when_all_of_it_lies_within_the_bounds(tmp_path: Path) -> None:
    first = message("1", "ship Monday")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.registry.put_channel("slack", public("ops"))
        writer.append("slack", first)
        writer.append("slack", edit_of(first, "ship Friday", minute=60))
        reader = LogReader(database.connection)
        columns, channels = reader.columns(reader.last()), writer.registry.channels()
        before = admissible(columns, channels, Bounds(as_of=START + timedelta(minutes=30)))
        after = admissible(columns, channels, Bounds(as_of=START + timedelta(minutes=60)))
        assert (bool(before.leaves[1]), bool(before.whole[1])) == (True, False)
        assert (bool(after.leaves[1]), bool(after.whole[1])) == (True, True)
