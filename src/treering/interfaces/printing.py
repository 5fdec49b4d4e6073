"""How results look: text for people, one JSON document for programs."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from rich.console import Console

from treering.memory import Memory
from treering.model.evidence import Evidence, EvidenceSet, Stage
from treering.model.outline import Outline
from treering.model.records import Record
from treering.model.report import ImportReport
from treering.model.versions import Version
from treering.sample import SampleQuestion
from treering.temporal.consolidation import Mark

__all__ = [
    "evidence_json",
    "note",
    "print_demo_answer",
    "print_evidence",
    "print_facts",
    "print_history",
    "print_json",
    "print_lines",
    "print_marks",
    "print_records",
    "print_report",
    "print_rows",
    "print_tree",
]

QUARANTINE_SHOWN = 10
DEMO_CHARS = 220


def note(message: str) -> None:
    """Say something to the person at the terminal, beside the results."""
    if sys.stderr is not None:  # a caller may have closed it
        sys.stderr.write(f"{message}\n")


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n")


def _line(text: str = "", style: str | None = None) -> None:
    Console(soft_wrap=True, highlight=False, markup=False, emoji=False).print(text, style=style)


def print_lines(lines: Sequence[str]) -> None:
    """Plain text on standard output."""
    for line in lines:
        _line(line)


def print_report(report: ImportReport, *, as_json: bool) -> None:
    """What became of every record of an import."""
    if as_json:
        print_json(report.as_json())
    else:
        total = report.total
        _line(
            f"read {total.read:,}: kept {total.kept:,}, unchanged {total.unchanged:,},"
            f" new versions {total.versions:,}, quarantined {total.quarantined:,}"
        )
        for reason, count in sorted(total.skipped.items()):
            _line(f"  skipped {count:,}: {reason}")
    if report.visibility is not None:
        note(f"this source knows no membership: channels without it are {report.visibility} (--visibility)")
    if report.channels_unknown:
        note(f"{report.channels_unknown} channels have unknown members: only the owner sees them")
    bad = [(file.path, one) for file in report.files.values() for one in file.quarantined]
    for path, one in bad[:QUARANTINE_SHOWN]:
        note(f"quarantined: {path}: {one.file}, {one.position}: {one.reason}")
    if report.total.quarantined > QUARANTINE_SHOWN:
        note(f"... {report.total.quarantined - QUARANTINE_SHOWN} more: `treering quarantine MEMORY` lists them")
    if not report.embedded:
        note("some vectors are still missing: lexical search works; `treering add` or `rebuild` completes them")


def evidence_json(item: Evidence) -> dict[str, object]:
    """One piece of evidence, field by field."""
    return {
        "id": item.record,
        "source_id": item.source_id,
        "source": item.source,
        "version": item.version,
        "kind": item.kind,
        "channel": item.channel,
        "thread": item.thread,
        "title": item.title,
        "author": item.author,
        "valid_from": item.valid_from.isoformat(),
        "text": item.text,
        "spans": [list(span) for span in item.spans],
        "tokens": item.tokens,
        "state": item.state,
        "stage": item.stage.value,
        "score": item.score,
        "why": item.why,
        "citation": item.citation,
    }


def evidence_set_json(found: EvidenceSet, *, explain: bool) -> dict[str, object]:
    """An evidence set as `treering search --json` prints it."""
    document: dict[str, object] = {
        "question": found.question,
        "profile": found.profile,
        "bounds": found.bounds,
        "evidence": [evidence_json(item) for item in found],
        "headers": [asdict(header) for header in found.headers],
        "facts": [{**asdict(fact), "valid_from": fact.valid_from.isoformat()} for fact in found.facts],
        "tokens": found.tokens,
        "notes": list(found.notes),
    }
    if explain:
        document["trace"] = [asdict(stage) for stage in found.trace]
    return document


def print_evidence(found: EvidenceSet, *, as_json: bool, explain: bool) -> None:
    """The evidence for a question."""
    if as_json:
        print_json(evidence_set_json(found, explain=explain))
    else:
        if not found:
            _line("nothing found within these bounds")
        for number, item in enumerate(found, 1):
            _line(f"{number:>2}. {item.citation}", style="bold")
            if item.title:
                _line(f"    {item.title}", style="bold dim")
            for line in item.text.split("\n"):
                _line(f"    {line}")
            _line(f"    {item.state} · {item.stage.value} · {item.why}", style="dim")
        for header in found.headers:
            _line(f"~ {header.tree}, level {header.level}: {header.text}", style="italic")
        for fact in found.facts:
            _line(f"+ {fact}  [{fact.valid_from:%Y-%m-%d}, {fact.source}/{fact.source_id}]", style="italic")
        _line(f"{len(found)} pieces of evidence, {found.tokens:,} tokens", style="dim")
        if explain:
            _print_trace(found)
    for message in found.notes:
        note(message)


def print_demo_answer(number: int, sample: SampleQuestion, found: EvidenceSet, shown: int) -> None:
    """One question of the demo: what it shows, and the first pieces of evidence that each stage found."""
    _line()
    bounds = ", ".join(
        f"{name} {value}"
        for name, value in (("asked by", sample.asker), ("as of", sample.as_of), ("seen by", sample.viewer))
        if value
    )
    _line(f"Question {number}: {sample.question}", style="bold")
    _line(f"({bounds}) {sample.shows}", style="dim")
    for trace in found.trace:
        items = [item for item in found if item.stage is trace.stage]
        if trace.stage is Stage.S4:
            _line(f"   S4 assembled {len(found)} pieces, {found.tokens:,} tokens with headers", style="dim")
            continue
        _line(f"   {trace.stage.value} saw {trace.seen}, kept {len(items)}", style="dim")
        for item in [*items[:shown], *(item for item in items[shown:] if item.source_id in sample.evidence)]:
            mark = "*" if item.source_id in sample.evidence else " "
            _line(f" {mark} {item.citation}")
            _line(f"     {_clipped(item.text)}")
            _line(f"     {item.why}", style="dim")
    for header in found.headers[:1]:
        _line(f" ~ {header.tree}, level {header.level}: {_clipped(header.text)}", style="italic")


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= DEMO_CHARS else f"{text[:DEMO_CHARS]}…"


def _print_trace(found: EvidenceSet) -> None:
    for name, value in found.bounds.items():
        if value is not None:
            _line(f"bound {name}: {value}")
    for stage in found.trace:
        dropped = ", ".join(f"{count} {reason}" for reason, count in stage.dropped.items()) or "none"
        _line(f"{stage.stage.value}: saw {stage.seen}, kept {len(stage.kept)}, dropped {dropped}")
        for remark in stage.notes:
            _line(f"    {remark}")
        if stage.kept:
            _line(f"    kept: {', '.join(stage.kept)}")


def print_records(records: Sequence[Record], memory: Memory, *, as_json: bool, as_list: bool) -> None:
    """Records, whole."""
    names = memory.channel_names()
    if as_json:
        documents = [{**_plain(asdict(record)), "channel_name": names[record.channel]} for record in records]
        print_json(documents if as_list else documents[0])
        return
    for record in records:
        _line(
            f"{record.id}  version {record.version} ({record.change.value})  {names[record.channel]}"
            f"  {record.author_name}  {record.valid_from.isoformat()}  {record.source}/{record.source_id}",
            style="bold",
        )
        for label, value in (("title", record.title), ("thread", record.thread), ("reply to", record.reply_to)):
            if value:
                _line(f"    {label}: {value}", style="dim")
        for line in (record.text or f"({record.event or record.change.value})").split("\n"):
            _line(f"    {line}")


def print_history(versions: Sequence[Version], memory: Memory, *, as_json: bool) -> None:
    """The versions of a record, each with what it changed."""
    names = memory.channel_names()
    if as_json:
        rows = [{**_plain(asdict(one.record)), "channel_name": names[one.record.channel]} for one in versions]
        print_json([{**row, "state": one.state, "diff": one.diff} for row, one in zip(rows, versions, strict=True)])
        return
    for one in versions:
        record = one.record
        _line(
            f"version {record.version}  {record.valid_from:%Y-%m-%d %H:%M} UTC  {record.author_name}"
            f"  {names[record.channel]}  {record.source}/{record.source_id}",
            style="bold",
        )
        _line(f"    {one.state}" + (f": {record.title}" if record.title else ""), style="dim")
        for line in (one.diff or record.text or f"({record.event or record.change.value})").split("\n"):
            _line(f"    {line}")


def print_marks(found: Sequence[Mark], memory: Memory, *, as_json: bool) -> None:
    """The marks of consolidation."""
    rows = [
        {"older": one.older, "newer": one.newer, "similarity": one.similarity, "relation": one.relation.value,
         "why": one.why} for one in found
    ]  # fmt: skip
    if as_json:
        print_json(rows)
        return
    for one in found:
        older, newer = memory.record(one.older), memory.record(one.newer)
        _line(f"{one.relation.value} ({one.similarity:.3f}): {one.why}", style="bold")
        for record in (older, newer):
            _line(
                f"    {record.id}  {record.valid_from:%Y-%m-%d}  {record.author_name}"
                f"  {record.source}/{record.source_id}: {_clipped(record.text)}"
            )


def _plain(fields: dict[str, object]) -> dict[str, object]:
    def plain(value: object) -> object:
        return value.hex() if isinstance(value, bytes) else value.isoformat() if isinstance(value, datetime) else value

    return {name: plain(value) for name, value in fields.items()}


def print_tree(outline: Outline, *, as_json: bool) -> None:
    """A tree and the summaries of its nodes."""
    if as_json:
        print_json(asdict(outline))
    else:
        _print_node(outline, 0)


def _print_node(outline: Outline, depth: int) -> None:
    _line(f"{'  ' * depth}{outline.label}  [{outline.leaves:,} leaves]", style="bold" if depth == 0 else None)
    if outline.summary:
        _line(f"{'  ' * depth}  {outline.summary}", style="dim")
    for child in outline.children:
        _print_node(child, depth + 1)


def print_facts(facts: Mapping[str, object], *, as_json: bool) -> None:
    """Named values, one a line."""
    if as_json:
        print_json(facts)
        return
    for name, value in facts.items():
        if isinstance(value, Mapping):
            _line(f"{name}:")
            for inner, detail in value.items():
                _line(f"    {inner}: {detail}")
        elif isinstance(value, list):
            _line(f"{name}: {'none' if not value else ''}")
            for detail in value:
                _line(f"    {detail}")
        else:
            _line(f"{name}: {value}")


def print_rows(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Rows of equal shape."""
    if as_json:
        print_json(list(rows))
        return
    for row in rows:
        _line("  ".join(f"{name}={value}" for name, value in row.items()))
