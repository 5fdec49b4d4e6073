"""Of what several imports tell, the newest holds, in whatever order they came."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import log_at, private, public
from treering.log.registry import Registry
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind

PEOPLE = ("ana", "ben", "cleo")
drafts = st.builds(
    ChannelDraft,
    id=st.just("C1"),
    name=st.sampled_from(["C1", "ops", "board"]),
    kind=st.sampled_from(list(ChannelKind)),
    members=st.none() | st.lists(st.sampled_from(PEOPLE), unique=True).map(tuple),
)
tellings = st.lists(st.tuples(drafts, st.integers(1, 3)), min_size=1, max_size=4)


def state(registry: Registry) -> tuple[object, ...]:
    names = {actor.id: actor.native for actor in registry.actors()}
    (channel,) = registry.channels()
    members = None if channel.members is None else sorted(names[actor] for actor in channel.members)
    return channel.name, channel.kind, members


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=tellings, order=st.data())
def test_any_order_of_tellings_leaves_the_same_channel(
    tmp_path_factory, told: list[tuple[ChannelDraft, int]], order: st.DataObject
) -> None:
    states = []
    for some in (told, order.draw(st.permutations(told))):
        with log_at(tmp_path_factory.mktemp("told") / "m.db") as (_, writer):
            for draft, at in some:
                writer.registry.put_channel("slack", draft, at)
            states.append(state(writer.registry))
    assert states[0] == states[1]


def test_an_older_list_of_members_changes_nothing(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", private("board", "ana"), at=9)
        writer.registry.put_channel("slack", private("board", "ana", "ben"), at=5)
        assert state(writer.registry)[2] == ["ana"]
        writer.registry.put_channel("slack", private("board", "cleo"), at=10)
        assert state(writer.registry)[2] == ["cleo"]


def test_of_two_lists_of_one_date_only_the_members_on_both_are_members(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", private("board", "ana", "ben"), at=9)
        writer.registry.put_channel("slack", private("board", "ben", "cleo"), at=9)
        assert state(writer.registry)[2] == ["ben"]


def test_a_channel_that_was_closed_is_not_opened_by_an_older_export(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", private("board", "ana"), at=9)
        writer.registry.put_channel("slack", public("board"), at=8)
        assert state(writer.registry)[1] is ChannelKind.PRIVATE
        writer.registry.put_channel("slack", public("board"), at=10)
        assert state(writer.registry)[1] is ChannelKind.PUBLIC


def test_a_list_without_a_date_is_older_than_any_dated_one(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", private("board", "ana"), at=9)
        writer.registry.put_channel("slack", private("board", "ben"))
        assert state(writer.registry)[2] == ["ana"]


def test_a_rename_is_a_dated_name_and_the_newest_is_shown_in_any_order(tmp_path: Path) -> None:
    maiden = ActorDraft("U1", "Ana Sol", ActorKind.HUMAN, since=datetime(2024, 1, 1, tzinfo=UTC))
    married = replace(maiden, name="Ana Lobo", since=datetime(2024, 6, 1, tzinfo=UTC))
    passing = ActorDraft("U1", "U1")
    for number, order in enumerate(itertools.permutations([maiden, married, passing])):
        with log_at(tmp_path / f"{number}.db") as (database, writer):
            for draft in order:
                writer.registry.put_actor("slack", draft)
                writer.registry.settle_actor("slack", draft)
            (actor,) = writer.registry.actors()
            assert (actor.name, actor.kind) == ("Ana Lobo", ActorKind.HUMAN)
            since = dict(database.connection.execute("SELECT name, since FROM actor_name").fetchall())
            assert [since[name] is not None for name in ("Ana Sol", "Ana Lobo", "U1")] == [True, True, False]
            assert writer.registry.find_actor("ana sol") == writer.registry.find_actor("Ana Lobo")
