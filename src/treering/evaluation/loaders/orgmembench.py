"""OrgMemBench: the records of an invented company, in its original schema; questions with weighted rubrics.

A pool is one tier, a record one artefact. Slot ids are not unique: a record's id is its path below `corpus/` without
the ending, and a question's slot id means the artefact of that name in the event that the name itself spells, if there
is one. Dates come from `source_of_truth/events.jsonl` where it is there, else from the body. Source: JackCGardner/
OrgMemBench.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NotRequired, TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, DocumentRow, Facet, Pool, Question
from treering.evaluation.loaders.reading import as_object, existing, json_lines, missing, objects, strings, word

__all__ = ["OrgMemQuestion", "OrgMemSubpoint", "load"]

LAYOUT = (
    "benchmark_v0.0.jsonl and corpus/EVENT/SLOT.md (a folder datasets/helix/TIER); source_of_truth/events.jsonl if any"
)
ORIGIN = "https://github.com/JackCGardner/OrgMemBench (datasets/helix)"
CAPABILITIES = {
    "C1": "supersession",
    "C2": "decision provenance",
    "C3": "bi-temporal",
    "C4": "audit replay",
    "C5": "justification chain",
    "C6": "contradiction",
}

TITLE_CHARACTERS = 600  # of a body, where a heading or a subject counts as its title

_TITLE = re.compile(r"^(?:# |(?:\*\*)?Subject:(?:\*\*)? *)(.+?) *$", re.MULTILINE)
_HEADER = re.compile(r"\s*<!--(.*?)-->\s*", re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+):\s*(.+?)\s*$", re.MULTILINE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile(r"(20[0-9]{2})-?([01][0-9])(?![0-9])")
_YEAR_OF_EVENT = re.compile(r"EV-([0-9]{4})-")
_EVENT_OF_SLOT = re.compile(r"ART-(.+)-[0-9]+")


class OrgMemSubpoint(TypedDict):
    """One entry of `rubric_subpoints`."""

    id: str
    max_score: float
    criterion: str
    fail_criterion: NotRequired[str]


class OrgMemQuestion(TypedDict):
    """One line of `benchmark_v0.0.jsonl`."""

    id: str
    category: str  # C1 to C6
    text: str
    ground_truth_answer: dict[str, object]
    rubric_subpoints: list[OrgMemSubpoint]
    evidence_artefact_ids: list[str]
    as_of: NotRequired[str | None]


def load(folder: Path) -> Benchmark:
    """One tier from its folder.

    Raises:
        UnreadableInput: it is not there, or a file is of another schema.
    """
    path = existing(folder, "benchmark_v0.0.jsonl")
    if path is None:
        raise missing("OrgMemBench", folder, "benchmark_v0.0.jsonl", LAYOUT, ORIGIN)
    artefacts = sorted((folder / "corpus").glob("**/*.md"))
    if not artefacts:
        raise missing("OrgMemBench", folder, "corpus", LAYOUT, ORIGIN)
    events = folder / "source_of_truth" / "events.jsonl"
    dates = {
        str(row["id"]): str(row["occurred_at"])[:10]
        for _, row in (json_lines(events) if events.is_file() else ())
        if row.get("id") and row.get("occurred_at")
    }
    documents = [_document(file, file.relative_to(folder / "corpus"), dates) for file in artefacts]
    ids = _Slots([row["id"] for row in documents])
    questions = tuple(_question(row, where, ids) for where, row in json_lines(path))
    notes = (f"{ids.lost} references to artefacts that are not there",) if ids.lost else ()
    pool = Pool(folder.resolve().name, questions, documents=documents, notes=notes)
    return Benchmark("orgmembench", (pool,), ORIGIN, "CC BY 4.0")


class _Slots:
    """From the slot ids of questions to the ids of records."""

    def __init__(self, ids: list[str]) -> None:
        self._by_slot: dict[str, list[str]] = {}
        for record in ids:
            self._by_slot.setdefault(record.rpartition("/")[2], []).append(record)
        self.lost = 0

    def resolved(self, slots: list[str]) -> Iterator[str]:
        for slot in slots:
            held = self._by_slot.get(slot, [])
            event = _EVENT_OF_SLOT.fullmatch(slot)
            own = [record for record in held if event and record == f"{event[1]}/{slot}"]
            self.lost += not held
            yield from own or held[:1]


def _document(path: Path, place: Path, dates: dict[str, str]) -> DocumentRow:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(f"{path} cannot be read: {error}") from error
    header = _HEADER.match(text)
    facts = dict(_FIELD.findall(header[1])) if header else {}
    event = facts.get("event_id", "")
    body = text[header.end() :] if header else text
    heading = _TITLE.search(body[:TITLE_CHARACTERS])
    return {
        "id": place.with_suffix("").as_posix(),
        "doc": place.with_suffix("").as_posix(),
        "dated": dates.get(event) or _dated(body, event, f"{header[1] if header else ''} {place.stem}"),
        "author": facts.get("author"),
        "title": heading[1] if heading else None,
        "kind": facts.get("genre"),
        "org": "Helix",
        "text": body,
    }


def _dated(body: str, event: str, rest: str) -> str | None:
    """The first day in the body that lies in the event's year, else the first day, else a month beside the body.

    A body often begins with the day of what it corrects; the event's id ("EV-2022-008") tells the year of its own.

    >>> _dated("Review of the 2021-05-22 outage. Held 2022-06-15", "EV-2022-008", "")
    '2022-06-15'
    >>> _dated("no date", "", "ATM-slack-eng-202103")
    '2021-03'
    """
    days: list[str] = _DAY.findall(body)
    year = _YEAR_OF_EVENT.match(event)
    own = [day for day in days if year and day.startswith(year[1])]
    if days:
        return (own or days)[0]
    month = _MONTH.search(rest)
    return f"{month[1]}-{month[2]}" if month else None


def _question(row: dict[str, object], where: str, ids: _Slots) -> Question:
    as_object(row, where, "id", "category", "text", "evidence_artefact_ids")
    told = as_object(row.get("ground_truth_answer") or {}, f"{where}, ground_truth_answer")
    return Question(
        id=str(row["id"]),
        text=str(row["text"]),
        category=CAPABILITIES.get(str(row["category"]), str(row["category"])),
        bound=word(row, "as_of"),
        evidence=frozenset(ids.resolved(strings(row, "evidence_artefact_ids", where))),
        answer="\n".join(f"{name}: {_spelt(value)}" for name, value in told.items()),
        facets=tuple(
            Facet(
                id=str(point["id"]),
                criterion=str(point["criterion"]),
                weight=float(str(point["max_score"])),
                fails_if=word(point, "fail_criterion") or "",
            )
            for point in objects(row, "rubric_subpoints", where, "id", "max_score", "criterion")
        ),
    )


def _spelt(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value).strip()
