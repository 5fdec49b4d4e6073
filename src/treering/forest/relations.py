"""What leaves say: the identifiers they carry, the steps they report, the replies and references they make.

Links are kept by the target's natural key, so that a link to a record that comes later, or never, resolves itself.
"""

import json
import sqlite3
from typing import Final

from treering.text.identifiers import identifiers
from treering.text.lifecycle import transitions

__all__ = ["REFERENCE", "REPLY", "note_relations"]

REPLY: Final = "reply"
REFERENCE: Final = "ref"
_BLOCK: Final = 2_000


def note_relations(connection: sqlite3.Connection) -> None:
    """Bring `identifier`, `transition` and `link` up to date for the staged leaves."""
    for table in ("identifier", "transition", "link"):
        connection.execute(f"DELETE FROM {table} WHERE leaf IN (SELECT leaf FROM dirty WHERE known)")
    cursor = connection.execute(
        "SELECT d.leaf, l.first_at, d.source, r.title, r.text, r.reply_to, r.extra"
        " FROM dirty d JOIN leaf l ON l.id = d.leaf JOIN record r ON r.id = d.record WHERE NOT d.event"
    )
    while rows := cursor.fetchmany(_BLOCK):
        carried: list[tuple[str, int, int]] = []
        stated: list[tuple[int, str]] = []
        linked: list[tuple[str, str, int, str]] = []
        for leaf, at, source, title, text, reply_to, extra in rows:
            said = f"{title}\n{text}" if title else text
            if '"attachments"' in extra:
                said += "\n" + "\n".join(str(one[0]) for one in json.loads(extra)["attachments"])
            carried += [(value, at, leaf) for value in identifiers(said)]
            stated += [(leaf, name) for name in transitions(said)]
            if reply_to is not None:
                linked.append((source, reply_to, leaf, REPLY))
            if '"refs"' in extra:
                linked += [(source, target, leaf, REFERENCE) for target in json.loads(extra).get("refs", ())]
        connection.executemany("INSERT OR IGNORE INTO identifier (value, at, leaf) VALUES (?, ?, ?)", carried)
        connection.executemany("INSERT OR IGNORE INTO transition (leaf, name) VALUES (?, ?)", stated)
        connection.executemany(
            "INSERT OR IGNORE INTO link (target_source, target_key, leaf, kind) VALUES (?, ?, ?, ?)", linked
        )
