"""What a batch changed: its leaves, and every place in a tree that they ought to have.

The places come out of SQLite's own external sort, branch by branch, so that two million leaves need no more memory
here than two thousand.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View

__all__ = ["PLACING", "Place", "dirty_leaves_known", "places", "stage"]

Place = tuple[int, str, int, str]  # channel, part (a view, or authored or mentioned), actor or channel, thread

_BLOCK: Final = 10_000

# The record that gives a leaf `l` its places: its newest version; of a deleted leaf, the last words that it had. Of
# words that began to hold at the same time, the hash decides, not the order of arrival.
PLACING: Final = """CASE WHEN l.head > 0 THEN l.head ELSE (
    SELECT v.id FROM record v WHERE v.leaf = l.id AND v.change != 'delete' ORDER BY v.valid_from DESC, v.hash DESC
    LIMIT 1) END"""

# A thread named by the record's own lineage says no more than no thread at all.
_STAGE: Final = f"""
INSERT INTO dirty (leaf, record, known, event, source, channel, author, thread)
SELECT l.id, r.id, EXISTS (SELECT 1 FROM record k WHERE k.leaf = l.id AND k.id <= :since), l.event, l.source,
       l.channel, coalesce(r.author, l.author), CASE WHEN r.thread NOT IN ('', r.lineage) THEN r.thread END
FROM (SELECT DISTINCT leaf FROM record WHERE id > :since AND id <= :upto) d
JOIN leaf l ON l.id = d.leaf LEFT JOIN record r ON r.id = {PLACING}
"""

_ORDER: Final = "l.first_at, l.order_hint, l.source, l.key"

_CHANNEL: Final = f"""
SELECT d.channel AS c, 'channel' AS p, d.channel AS s, '' AS t, d.leaf, {_ORDER}
FROM dirty d JOIN leaf l ON l.id = d.leaf WHERE NOT d.event
"""

_ACTOR: Final = f"""
SELECT d.channel AS c, 'authored' AS p, d.author AS s, '' AS t, d.leaf, {_ORDER}
FROM dirty d JOIN leaf l ON l.id = d.leaf WHERE NOT d.event
UNION ALL
SELECT d.channel, 'mentioned', m.value, '', d.leaf, {_ORDER}
FROM dirty d JOIN leaf l ON l.id = d.leaf JOIN record r ON r.id = d.record JOIN json_each(r.extra, '$.mentions') m
WHERE NOT d.event
"""

# A source may mark the root of a thread or not, and may mark it only after the first reply; so the root is put in by
# its key: below the thread of any reply that came, and when it comes itself, below a thread that is already there.
_THREAD: Final = f"""
SELECT d.channel AS c, 'thread' AS p, d.channel AS s, d.thread AS t, d.leaf, {_ORDER}
FROM dirty d JOIN leaf l ON l.id = d.leaf WHERE d.thread IS NOT NULL AND NOT d.event
UNION ALL
SELECT l.channel, 'thread', l.channel, l.key, l.id, {_ORDER}
FROM (SELECT DISTINCT source, channel, thread FROM dirty WHERE thread IS NOT NULL AND NOT event) d
JOIN leaf l ON l.source = d.source AND l.key = d.thread AND l.channel = d.channel WHERE NOT l.event
UNION ALL
SELECT l.channel, 'thread', l.channel, l.key, l.id, {_ORDER}
FROM dirty d JOIN leaf l ON l.id = d.leaf JOIN channel n ON n.id = l.channel
JOIN tree x ON x.view = 'thread' AND x.key =
    {{source}} || '/' || {{native}} || '/' || {{key}}
WHERE NOT d.event
"""


def _escaped(column: str) -> str:
    """`natural_key` of one part, in SQL."""
    return f"replace(replace(replace({column}, '%', '%25'), '/', '%2F'), '~', '%7E')"


_PLACES: Final = {
    View.CHANNEL: _CHANNEL,
    View.ACTOR: _ACTOR,
    View.THREAD: _THREAD.format(source=_escaped("n.source"), native=_escaped("n.native"), key=_escaped("l.key")),
}


def stage(connection: sqlite3.Connection, since: int, upto: int) -> int:
    """Find the leaves with records in (since, upto] and put them into the temporary table `dirty`; says how many."""
    connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS dirty (leaf INTEGER PRIMARY KEY, record INTEGER, known INTEGER NOT NULL,"
        " event INTEGER NOT NULL, source TEXT NOT NULL, channel INTEGER NOT NULL, author INTEGER NOT NULL, thread TEXT)"
    )
    connection.execute("DELETE FROM dirty")
    connection.execute(_STAGE, {"since": since, "upto": upto})
    return int(connection.execute("SELECT count(*) FROM dirty").fetchone()[0])


def dirty_leaves_known(connection: sqlite3.Connection) -> NDArray[np.int32]:
    """Staged leaves that earlier batches have put into trees, ascending."""
    rows = connection.execute("SELECT leaf FROM dirty WHERE known ORDER BY leaf").fetchall()
    return np.array(rows, dtype=np.int32).reshape(-1)


def places(connection: sqlite3.Connection, views: Iterable[View]) -> Iterator[tuple[Place, NDArray[np.int32]]]:
    """Each branch that staged leaves belong to, with those leaves in their order; channel by channel.

    A leaf may come along that is not staged: the root of a thread whose first reply has just come.
    """
    wanted = [_PLACES[view] for view in views if view in _PLACES]
    if not wanted:
        return
    cursor = connection.execute(" UNION ALL ".join(wanted) + " ORDER BY 1, 2, 3, 4, 6, 7, 8, 9")
    cursor.arraysize = _BLOCK
    for place, rows in groupby(cursor, key=lambda row: row[:4]):
        leaves = np.fromiter((row[4] for row in rows), dtype=np.int32)
        twice = np.zeros(len(leaves), dtype=np.bool_)  # one who is mentioned twice has one leaf
        twice[1:] = leaves[1:] == leaves[:-1]
        yield place, leaves[~twice]
