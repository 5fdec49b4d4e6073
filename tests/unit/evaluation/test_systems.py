import pytest

from treering.errors import UsageError
from treering.evaluation.benchmark import MessageRow, Pool
from treering.evaluation.full_context import FullContext
from treering.evaluation.raptor import BRANCHING, clusters, gist
from treering.evaluation.systems import ABLATIONS, profile_system


def test_plain_rankings_are_asked_for_once_and_staged_ones_at_every_cut():
    assert profile_system("hybrid").depths((5, 20)) == {5: 20, 20: 20}
    assert profile_system("egcforest").depths((5, 20)) == {5: 5, 20: 20}
    assert FullContext().depths((5, 20)) == {5: 20, 20: 20}


def test_a_part_of_mempp_can_be_left_out():
    assert profile_system("mempp:-vector").profile == "mempp:lexical+tag+reserve"
    assert profile_system("mempp:-tag-reserve").profile == "mempp:lexical+vector"
    assert profile_system("egcforest:S1+S2").profile == "egcforest:S1+S2"


@pytest.mark.parametrize("name", ["mempp:-colour", "egcforest:-S1"])
def test_a_part_that_mempp_does_not_have_is_refused(name):
    with pytest.raises(UsageError, match="of mempp can be left out"):
        profile_system(name)


def test_ablations_end_with_the_whole_or_begin_with_it():
    assert list(ABLATIONS["views"].values())[-1] == list(ABLATIONS["stages"].values())[-1] == "egcforest"
    assert next(iter(ABLATIONS["legs"].values())) == "mempp"


def records(count: int, thread: str = "t") -> Pool:
    rows: list[MessageRow] = [
        {
            "id": f"{thread}{number}",
            "sent_at": f"2024-01-01T00:{number:02}:00Z",
            "channel": "c",
            "thread": thread,
            "text": f"The kiln holds {number} pots.",
        }
        for number in range(count)
    ]
    return Pool("p", (), rows)


def test_clusters_hold_sixteen_in_order_of_time_up_to_one_root():
    found = clusters(records(40))
    lowest = [cluster for cluster in found if len(cluster.members) <= BRANCHING]
    root = max(found, key=lambda cluster: len(cluster.members))

    assert [len(cluster.members) for cluster in lowest] == [16, 16, 8]
    assert root.members == tuple(f"t{number}" for number in range(40))
    assert root.last_at == "2024-01-01T00:39:00Z"
    assert len(found) == 4


@pytest.mark.parametrize("count", [0, 1, 2, 16, 17, 33])
def test_every_cluster_is_made_once(count):
    found = clusters(records(count))

    assert len({cluster.id for cluster in found}) == len(found)
    assert all(len(cluster.members) > 1 for cluster in found)
    assert (count > 1) == bool(found)


def test_threads_never_share_a_cluster():
    both = Pool("p", (), [*records(5, "a").messages, *records(5, "b").messages])

    assert {frozenset(name[0] for name in cluster.members) for cluster in clusters(both)} == {
        frozenset("a"),
        frozenset("b"),
    }


def test_the_gist_of_texts_without_anything_in_common_is_empty():
    assert gist(["apples", "bridges"]) == ""
    assert gist([]) == ""
