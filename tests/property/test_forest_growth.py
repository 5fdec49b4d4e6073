"""However records arrive, the forests are the same; and they keep the shape that the design gives them."""

import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.forest.logs import Memory, at, message, new_memory
from treering.forest.artifacts import grow_artifacts
from treering.forest.extractive import Extractive
from treering.forest.kinds import View
from treering.forest.layout import K
from treering.model.drafts import Change, RecordDraft

PEOPLE = ("ann", "bob", "cy")
CHANNELS = ("ops", "dev/ui")
WORDS = st.sampled_from(["OPS-1 is merged.", "who takes OPS-1?", "lunch", "I will release OPS-2 today.", "blocked", ""])
FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def histories(draw: st.DrawFn) -> list[RecordDraft]:
    """Records of some threads in two channels, with edits, deletions, moves between threads and equal times."""
    records: list[RecordDraft] = []
    for number in range(draw(st.integers(5, 45))):
        name, minutes = f"m{number}", draw(st.integers(0, 30))
        thread = draw(st.sampled_from([None, None, "topic", f"m{draw(st.integers(0, 9))}"]))
        first = message(
            name,
            minutes,
            draw(WORDS),
            draw(st.sampled_from(CHANNELS)),
            draw(st.sampled_from(PEOPLE)),
            order_hint=draw(st.integers(0, 1)),
            thread=thread,
            reply_to=None if thread in (None, "topic") else thread,
            mentions=tuple(draw(st.lists(st.sampled_from(PEOPLE), max_size=2))),
            event="joined" if draw(st.integers(0, 9)) == 0 else None,
        )
        records.append(first)
        for version in range(1, draw(st.sampled_from([1, 1, 1, 2, 3]))):
            gone = draw(st.booleans())
            records.append(
                RecordDraft(
                    f"{name}.{version}",
                    first.channel,
                    first.author,
                    at(100 + 10 * number + version),
                    "" if gone else draw(WORDS),
                    lineage=name,
                    change=Change.DELETE if gone else Change.EDIT,
                    created_at=first.valid_from,
                    order_hint=first.order_hint,
                    thread=draw(st.sampled_from([thread, "topic"])),
                    mentions=() if gone else tuple(draw(st.lists(st.sampled_from(PEOPLE), max_size=1))),
                    event=first.event,
                )
            )
    return records


def grown(batches: list[list[RecordDraft]]) -> tuple[Memory, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory()
    memory = new_memory(Path(folder.name))
    for person in PEOPLE:
        memory.name_actor(person, person.title())
    for channel in CHANNELS:
        memory.name_channel(channel, channel)
    for batch in batches:
        memory.add(batch)
        with memory.database.writing() as connection:
            grow_artifacts(connection, summarizer=Extractive())
    return memory, folder


@FEW
@given(histories(), st.data())
def test_any_order_of_arrival_and_any_split_into_batches_grow_the_same_forests(history, data):
    shuffled = data.draw(st.permutations(history))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(history)), max_size=4)))
    batches = [shuffled[a:b] for a, b in zip([0, *cuts], [*cuts, len(history)], strict=True)]
    once, folder = grown([history])
    piecewise, other_folder = grown(batches)
    with folder, other_folder, closing(once.database), closing(piecewise.database):
        assert piecewise.shape() == once.shape()
        assert piecewise.summaries() == once.summaries()
        stored = [m.connection.execute("SELECT count(*) FROM summary").fetchone() for m in (once, piecewise)]
        assert stored[0] == stored[1], "summaries of nodes that are no more were left behind"


@FEW
@given(histories())
def test_the_forests_keep_their_shape(history):
    memory, folder = grown([history])
    with folder, closing(memory.database):
        view = memory.view()
        connection = memory.connection
        leaves = {row[0]: row[1:] for row in connection.execute("SELECT id, author, channel FROM leaf WHERE NOT event")}
        mentions = set(
            connection.execute(
                "SELECT DISTINCT leaf, m.value FROM record r JOIN json_each(r.extra, '$.mentions') m ON 1 JOIN leaf l"
                " ON l.id = r.leaf AND l.head = r.id WHERE r.event IS NULL"
            )
        )
        assert set(view.leaves.tolist()) == set(leaves)

        # At most K children, and the leaves below a node are the union of its children's.
        children = Counter(view.node_parent[view.node_parent >= 0].tolist())
        fixed = {
            node
            for tree in np.flatnonzero([t.view is View.ACTOR for t in view.trees])
            for node in [int(view.tree_root[tree]), *view.children(int(view.tree_root[tree])).tolist()]
        }
        for node in range(len(view.node_tree)):
            below = view.leaves_below(node).tolist()
            assert below
            if node not in fixed:
                assert children[node] <= K
            if children[node]:
                union = [leaf for child in view.children(node).tolist() for leaf in view.leaves_below(child).tolist()]
                assert union == below
            else:
                assert len(below) <= K

        # One leaf in the channel's tree, one authored leaf, one for each mentioned actor.
        for leaf, (author, channel) in leaves.items():
            kinds: Counter[tuple[View, int, bool | None]] = Counter()
            for place in view.placements(leaf):
                host = view.trees[place.tree]
                part = view.path(place.parent)[1] if host.view is View.ACTOR else None
                first = part is not None and view.node_first[part] == view.tree_first[place.tree]
                kinds[host.view, host.subject, part if part is None else bool(first)] += 1
            assert kinds[View.CHANNEL, channel, None] == 1
            assert sum(n for (kind, _, _), n in kinds.items() if kind is View.CHANNEL) == 1
            assert kinds[View.ACTOR, author, True] >= 1
        for leaf, actor in mentions:
            assert any(view.trees[t].view is View.ACTOR and view.trees[t].subject == actor for t in view.trees_of(leaf))

        # Placements and trees agree both ways.
        for tree, row in enumerate(view.trees):
            span = view.leaves[view.tree_first[tree] : view.tree_first[tree + 1]]
            assert span.size, row
            for leaf in span.tolist():
                assert tree in view.trees_of(leaf)
        for leaf in leaves:
            for place in view.placements(leaf):
                assert view.leaves[place.position] == leaf
                assert view.node_first[place.parent] <= place.position < view.node_last[place.parent]
                assert view.node_level[place.parent] == 1
                assert view.path(place.parent)[0] == view.tree_root[place.tree]
