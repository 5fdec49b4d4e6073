"""The people of one import."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

from treering.importers.roster import Roster
from treering.model.drafts import ActorDraft, ActorKind

AT = datetime(2024, 3, 4, tzinfo=UTC)


def test_an_actor_is_told_when_first_met_and_again_only_if_more_was_learned():
    roster = Roster()
    roster.add("1")
    roster.add("2", "Bo")
    assert list(roster.news()) == [ActorDraft("1", "1"), ActorDraft("2", "Bo")]
    assert list(roster.news()) == []
    roster.add("1", "Ina", ActorKind.HUMAN)
    assert list(roster.corrections()) == [ActorDraft("1", "Ina", ActorKind.HUMAN)]
    assert list(roster.corrections()) == []


def test_the_best_name_does_not_depend_on_the_order_in_which_names_come():
    names = [("Ina", False, 2), ("Inka", False, 1), ("ina.r", True, 0), ("Zoe", False, 2)]
    found: set[ActorDraft] = set()
    for some in permutations(names):
        roster = Roster()
        for name, listed, day in some:
            roster.add("1", name, listed=listed, at=AT + timedelta(days=day))
        found.update(roster.news())
    assert found == {ActorDraft("1", "ina.r", ActorKind.UNKNOWN, ("Ina", "Inka", "Zoe"))}


def test_a_kind_that_says_more_is_kept():
    roster = Roster()
    roster.add("1", kind=ActorKind.BOT)
    roster.add("1", kind=ActorKind.UNKNOWN)
    assert next(roster.news()).kind is ActorKind.BOT
