"""What goes along with a piece of evidence in other frameworks: plain values, the same everywhere."""

from treering.model.evidence import Evidence

__all__ = ["metadata_of"]


def metadata_of(item: Evidence) -> dict[str, str | int | float]:
    """Citation, date, author, place, state and ids; `record` is what `memory.record` takes."""
    return {
        "citation": item.citation,
        "date": item.valid_from.isoformat(),
        "author": item.author,
        "channel": item.channel,
        "thread": item.thread or "",
        "title": item.title,
        "kind": item.kind,
        "state": item.state,
        "record": int(item.record),
        "source": item.source,
        "source_id": item.source_id,
        "version": item.version,
        "stage": item.stage.value,
        "why": item.why,
        "score": item.score,
    }
