"""The deletion of a message hides what was attached to it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.builders import START, deletion_of, document, log_at, message, public
from treering.access.bounds import Admissible, Bounds, admissible
from treering.log.reader import LogReader
from treering.log.writer import LogWriter
from treering.model.drafts import RecordDraft


def attached_to(carrier: RecordDraft, *, minute: int = 0) -> RecordDraft:
    return replace(
        document(f"{carrier.source_id}/quote.txt", "the vendor quotes 40k", channel="ops"),
        reply_to=carrier.source_id,
        valid_from=START + timedelta(minutes=minute),
    )


def masks(writer: LogWriter, reader: LogReader, bounds: Bounds) -> Admissible:
    return admissible(reader.columns(reader.last()), writer.registry.channels(), bounds)


def test_a_document_attached_to_a_deleted_message_is_hidden_and_as_of_before_it_is_not(tmp_path: Path) -> None:
    carrier = message("1", "see the quote")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.registry.put_channel("slack", public("ops"))
        for draft in (carrier, attached_to(carrier), message("2", "lunch?", minute=1)):
            writer.append("slack", draft)
        reader = LogReader(database.connection)
        assert masks(writer, reader, Bounds()).records.tolist() == [True, True, True]
        writer.append("slack", deletion_of(carrier, minute=9))
        now = masks(writer, reader, Bounds())
        assert now.records.tolist() == [False, False, True, False]
        attachment_leaf = reader.record(2).leaf
        assert not now.whole[attachment_leaf], "summaries above it hold its text"
        before = masks(writer, reader, Bounds(as_of=START + timedelta(minutes=5)))
        assert before.records.tolist() == [True, True, True, False]


def test_it_is_hidden_too_when_it_comes_after_the_deletion(tmp_path: Path) -> None:
    carrier = message("1", "see the quote")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.registry.put_channel("slack", public("ops"))
        writer.append("slack", deletion_of(carrier, minute=9))
        writer.append("slack", attached_to(carrier))
        assert masks(writer, LogReader(database.connection), Bounds()).records.tolist() == [False, False]


def test_another_source_and_other_records_are_left_alone(tmp_path: Path) -> None:
    carrier = message("1", "see the quote")
    with log_at(tmp_path / "m.db") as (database, writer):
        for source in ("slack", "zulip"):
            writer.registry.put_channel(source, public("ops"))
        writer.append("slack", carrier)
        writer.append("slack", message("2", "thanks", minute=1, reply_to="1"))
        writer.append("zulip", attached_to(carrier))
        writer.append("slack", deletion_of(carrier, minute=9))
        assert masks(writer, LogReader(database.connection), Bounds()).records.tolist() == [False, True, True, False]
