"""S3, structural completion: evidence that no similarity finds, reached through placements and bridges.

Follows section 3.2.3 of the EGCForest paper. A join runs only for questions that name two things the memory knows: from
the evidence of one, through the Placement Map, to what lies around it in a tree of the other. A bridge hop leaves the
trees at hand by a reply, a reference or a shared identifier, and looks around where it lands.
"""

import json
from dataclasses import dataclass

import numpy as np

from treering.forest.kinds import View
from treering.model.evidence import Stage, StageTrace
from treering.retrieval.profiles import ForestSettings
from treering.retrieval.query import Entity, EntityKind, Order
from treering.retrieval.searchable import VIEWS, Asking, Searchable
from treering.text.identifiers import identifiers

__all__ = ["Completed", "complete"]

_VIEW_OF = {EntityKind.ACTOR: View.ACTOR, EntityKind.CHANNEL: View.CHANNEL, EntityKind.ARTIFACT: View.ARTIFACT}
PAIRS_MAX = 6  # ordered pairs of named entities that are joined


@dataclass(frozen=True, slots=True)
class Completed:
    """What S3 offers: rows in order, and in words how each was reached."""

    rows: tuple[int, ...]
    how: dict[int, str]
    trace: StageTrace


def complete(
    memory: Searchable, asking: Asking, settings: ForestSettings, have: list[int], bridges_max: int
) -> Completed:
    """Rows joined or bridged from the evidence at hand (in order of confidence), none of it again."""
    how: dict[int, str] = {}
    seen = 0
    for row, reason, looked_at in _joins(memory, asking, settings, have):
        seen += looked_at
        if row is not None and row not in how:
            how[row] = reason
    joined = len(how)
    for row, reason in _hops(memory, asking, settings, [*have, *how], bridges_max):
        seen += 1
        how.setdefault(row, reason)
    trace = StageTrace(
        Stage.S3,
        seen=seen,
        kept=(),
        notes=(f"{joined} joined, {len(how) - joined} bridged",),
    )
    return Completed(tuple(how), how, trace)


def _joins(
    memory: Searchable, asking: Asking, settings: ForestSettings, have: list[int]
) -> list[tuple[int | None, str, int]]:
    """For each ordered pair (A, B): the best leaf around A's evidence that is about B, or None below the threshold."""
    entities = asking.spec.entities
    if len(entities) < settings.entities_min or not len(asking.fused):
        return []
    found: list[tuple[int | None, str, int]] = []
    pairs = [(a, b) for a in entities for b in entities if a != b][:PAIRS_MAX]
    threshold = _least(asking, settings)
    about = {entity: _About(memory, entity) for entity in entities}
    taken = set(have)
    for a, b in pairs:
        start = next((row for row in have if about[a](row)), None)
        if start is None:
            continue
        candidates = [row for row in _around(memory, asking, settings, start, b) if row not in taken]
        matching = [row for row in candidates if about[b](row)]
        if not matching:
            found.append((None, "", len(candidates)))
            continue
        relevance = asking.relevance(matching)
        best = int(np.lexsort((memory.record_ties[matching], -relevance))[0])
        if relevance[best] < threshold:
            found.append((None, "", len(candidates)))
            continue
        taken.add(matching[best])
        found.append((matching[best], f"joined from {a.label} to {b.label}", len(candidates)))
    return found


def _around(memory: Searchable, asking: Asking, settings: ForestSettings, start: int, towards: Entity) -> list[int]:
    """Rows near a record in a tree of the kind that fits the entity, before or after it where the question says so."""
    leaf = int(memory.columns.record_leaf[start])
    trees = [tree for tree in asking.trees_of(memory, leaf) if VIEWS[memory.tree_view[tree]].value in settings.views]
    wanted = _VIEW_OF[towards.kind]
    trees.sort(key=lambda tree: (VIEWS[memory.tree_view[tree]] is not wanted, tree))
    rows: list[int] = []
    for tree in trees[:2]:
        near = memory.forest.window(leaf, tree, settings.join_window, asking.admissible.leaves)
        rows += [int(asking.admissible.leaf_record[other]) for other in near]
    at = memory.columns.record_valid_from[start]
    if asking.spec.order is not None:
        times = memory.columns.record_valid_from[rows]
        wanted_side = times > at if asking.spec.order is Order.AFTER else times < at
        rows = [row for row, wanted_here in zip(rows, wanted_side.tolist(), strict=True) if wanted_here]
    return list(dict.fromkeys(rows))


class _About:
    """Whether a record is about an entity: written by it, mentioning it, said in it, or carrying it."""

    def __init__(self, memory: Searchable, entity: Entity) -> None:
        self._memory = memory
        self._entity = entity
        self._known: dict[int, bool] = {}

    def __call__(self, row: int) -> bool:
        if row not in self._known:
            self._known[row] = self._judge(row)
        return self._known[row]

    def _judge(self, row: int) -> bool:
        leaf = self._memory.columns.record_leaf[row]
        entity = self._entity
        if entity.kind is EntityKind.CHANNEL:
            return bool(self._memory.columns.leaf_channel[leaf] == entity.id)
        if entity.kind is EntityKind.ACTOR and self._memory.columns.leaf_author[leaf] == entity.id:
            return True
        text, extra = self._memory.connection.execute(
            "SELECT text, extra FROM record WHERE id = ?", (row + 1,)
        ).fetchone()
        if entity.kind is EntityKind.ACTOR:
            return entity.id in json.loads(extra).get("mentions", ())
        return entity.label in identifiers(text)


def _least(asking: Asking, settings: ForestSettings) -> float:
    """How near to the question what S3 adds must be, told by the candidates that the legs found."""
    return float(np.quantile(asking.relevance(asking.fused.rows), settings.completion_threshold))


def _hops(
    memory: Searchable, asking: Asking, settings: ForestSettings, have: list[int], count: int
) -> list[tuple[int, str]]:
    """At most `count` rows reached over bridges that lead out of the trees at hand, neighbours counted."""
    forest = memory.forest
    admissible = asking.admissible
    pool = set(have)
    inside = {tree for row in have for tree in asking.trees_of(memory, int(memory.columns.record_leaf[row]))}
    views = {VIEWS.index(View(view)) for view in settings.views}
    found: list[tuple[int, str]] = []
    if not len(asking.fused):
        return found
    least = _least(asking, settings)
    for row in have:
        if len(found) >= count:
            break
        leaf = int(memory.columns.record_leaf[row])
        best: tuple[float, int, int, str] | None = None
        for bridge in memory.bridges.of(leaf, admissible.whole & admissible.leaves)[: settings.bridge_fanout]:
            other = int(admissible.leaf_record[bridge.other])
            outside = [
                tree
                for tree in asking.trees_of(memory, bridge.other)
                if tree not in inside and memory.tree_view[tree] in views
            ]
            if other < 0 or other in pool or not outside:
                continue
            score = float(asking.relevance([other])[0])
            if score >= least and (best is None or score > best[0]):
                best = (score, other, outside[0], f"bridge: {bridge.kind} {bridge.identifier or ''}".rstrip())
        if best is None:
            continue
        _, other, tree, reason = best
        found.append((other, reason))
        pool.add(other)
        if len(found) < count:
            near = forest.window(
                int(memory.columns.record_leaf[other]), tree, settings.bridge_window, admissible.leaves
            )
            rows = [r for r in (int(admissible.leaf_record[n]) for n in near) if r >= 0 and r not in pool]
            if rows:
                relevance = asking.relevance(rows)
                best_place = int(np.lexsort((memory.record_ties[rows], -relevance))[0])
                if relevance[best_place] >= least:
                    found.append((rows[best_place], f"beside the far end of a {reason}"))
                    pool.add(rows[best_place])
    return found
