"""Checking the log against itself: every hash and every link of the chain, from the first record on."""

import json
import sqlite3

from treering.log.content import GENESIS, Content, chained, commitment, digest_of, plain

__all__ = ["faults_in_log"]

FAULTS_MAX = 20


def faults_in_log(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the log, in words; empty when every record is as it was logged."""
    actors = dict(connection.execute("SELECT id, native FROM actor").fetchall())
    channels = dict(connection.execute("SELECT id, native FROM channel").fetchall())
    faults: list[str] = []
    before, expected = GENESIS, 1
    rows = connection.execute(
        "SELECT id, source, source_id, lineage, kind, change, channel, author, valid_from, created_at, logged_at,"
        " reply_to, thread, title, text, event, extra, salt, hash, chain FROM record ORDER BY id"
    )
    for (
        record, source, source_id, lineage, kind, change, channel, author, valid_from, created_at, logged_at,
        reply_to, thread, title, text, event, extra, salt, digest, chain,
    ) in rows:  # fmt: skip
        if record != expected:
            faults.append(f"records {expected} to {record - 1} are missing")
            expected = record
        expected += 1
        more = json.loads(extra)
        mark = more.get("mark")
        content = Content(
            source=source,
            source_id=plain(source_id, mark),
            lineage=plain(lineage, mark),
            kind=kind,
            deleted=change == "delete",
            channel=channels.get(channel, ""),
            author=actors.get(author, ""),
            valid_from=valid_from,
            created_at=created_at,
            reply_to=plain(reply_to, mark) if reply_to else reply_to,
            thread=None if thread == plain(lineage, mark) else thread,
            title=title,
            text=text,
            event=event,
            refs=tuple(more.get("refs", ())),
            mentions=tuple(actors.get(actor, "") for actor in more.get("mentions", ())),
            attachments=tuple(fields[0] for fields in more.get("attachments", ())),
        )
        encoded = content.encoded()
        if digest_of(encoded) != digest:
            faults.append(f"record {record} ({source}/{source_id}) no longer has the content that was logged")
        if chained(before, commitment(salt, encoded), logged_at) != chain:
            faults.append(f"the chain breaks at record {record} ({source}/{source_id})")
        before = chain
        if len(faults) >= FAULTS_MAX:
            return [*faults, "and more: the check stopped here"]
    return faults
