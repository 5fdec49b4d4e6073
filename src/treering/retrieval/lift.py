"""The default profile: each text is scored by itself and by the windows around it, by every leg, and all is summed.

An answer rarely repeats the words of its question; the messages around it do. So inner nodes lift their leaves instead
of filling left-over places: a window of 8 or 24 neighbours in the thread is scored as one text (counts added, learned
weights pooled by sum, cosines averaged) and lends its score to each message in it. In a document that holds for words
alone: a passage is long enough for an encoder to read it as a whole, but too short to repeat its section. Every part
is brought to 0..1 among the admissible texts before the sum, so that its share can be told. All statistics are those of
the admissible texts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.model.evidence import Stage, StageTrace
from treering.retrieval.demotion import demoted
from treering.retrieval.fusion import Ranking, top
from treering.retrieval.other_versions import first_document, given_places, versions_beside
from treering.retrieval.profiles import Leg, LiftSettings
from treering.retrieval.s4_assemble import Candidate
from treering.retrieval.searchable import Asking, Searchable
from treering.retrieval.sequences import Sequences, Totals, Windows
from treering.retrieval.timing import held_in, spoken_of
from treering.text.analysis import analyze_query

__all__ = ["rank_lifted"]

K1: Final = 1.5  # of BM25, as in `index.lexical`
B: Final = 0.75
WEIGHT_STEP: Final = 2.0**-10  # learned weights lie between 0 and 4
COSINE_STEP: Final = 2.0**-20
DEPTH: Final = 4  # times k: how far down a superseded version may be moved, and dates are looked at
_FIRST_PERSON: Final = re.compile(r"\b(?:I|me|my|mine|myself)\b|\bI'", re.UNICODE)

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Part:
    """One signal: a leg, over single texts (window 1) or over windows."""

    leg: Leg
    window: int
    scores: Scores  # of each position, 0 to 1

    @property
    def name(self) -> str:
        """As the trace shows it."""
        return str(self.leg) if self.window == 1 else f"{self.leg} in windows of {self.window}"


@dataclass(frozen=True, slots=True)
class Sums:
    """What all parts give together, one value a position: a passage within its sequence."""

    parts: tuple[Part, ...]
    passages: NDArray[np.int64]
    rows: NDArray[np.int32]  # the record of each
    total: Scores

    def of_records(self, records: int) -> Scores:
        """For each record its best passage's sum; -1 where it has none."""
        scores = np.full(records, -1.0, dtype=np.float32)
        np.maximum.at(scores, self.rows, self.total)
        return scores

    def matched(self, row: int) -> int:
        """The passage by which a record scores."""
        at = np.flatnonzero(self.rows == row)
        return int(self.passages[at[self.total[at].argmax()]])


def rank_lifted(
    memory: Searchable, asking: Asking, settings: LiftSettings, k: int
) -> tuple[list[Candidate], StageTrace]:
    """At most `k` candidates, best first."""
    sums = _summed(memory, asking, settings)
    scores = _personal(memory, asking, settings, sums.of_records(memory.columns.records))
    best = top(scores, DEPTH * k, memory.record_ties)
    if asking.spec.dates:
        best = _with_their_time(memory, asking, settings, best)
    found, moved = _arranged(memory, asking, settings, best, sums, k)
    why, said = _shares(sums, found[:k]), spoken_of(memory, asking, found[:k])
    candidates = [
        Candidate(
            row, Stage.RANK, float(scores[row]), "; ".join(filter(None, (why[row], moved.get(row), said.get(row))))
        )
        for row in found[:k]
    ]
    trace = StageTrace(
        Stage.RANK,
        seen=int(np.count_nonzero(asking.admissible.records)),
        kept=(),
        dropped={"past k": max(len(found) - k, 0)},
        notes=tuple(f"signal {part.name}" for part in sums.parts),
    )
    return candidates, trace


def _summed(memory: Searchable, asking: Asking, settings: LiftSettings) -> Sums:
    """Every part of every admissible text, and their sum."""
    sequences = memory.sequences.within(asking.admissible.passages)
    parts = tuple(_parts(memory, asking, settings, sequences))
    total = np.zeros(len(sequences.passages), dtype=np.float32)
    for part in parts:
        total += part.scores
    return Sums(parts, sequences.passages, memory.columns.passage_record[sequences.passages], total)


def _with_their_time(memory: Searchable, asking: Asking, settings: LiftSettings, best: Ranking) -> Ranking:
    """The same rows, those first that are of a time which the question names."""
    lifted = best.scores + settings.weight_date * held_in(memory, asking, best.rows)
    places = np.lexsort((memory.record_ties[best.rows], -lifted))
    return Ranking(best.rows[places], lifted[places])


def _arranged(
    memory: Searchable, asking: Asking, settings: LiftSettings, best: Ranking, sums: Sums, k: int
) -> tuple[list[int], dict[int, str]]:
    """The rows in the order that versions ask for, and why some stand where they do."""
    found: list[int] = best.rows.tolist()
    moved: dict[int, str] = {}
    if settings.demotion:
        found, moved = demoted(memory, asking, found, dict(zip(found, best.scores.tolist(), strict=True)))
    places = int(k * settings.reserve_versions)
    document = first_document(memory, found[: k - places])  # it keeps its own place
    if document is None or not places:
        return found, moved
    found, came = given_places(found, versions_beside(memory, asking, document, sums.matched(document)), k, places)
    return found, moved | came


def _parts(memory: Searchable, asking: Asking, settings: LiftSettings, sequences: Sequences) -> Iterator[Part]:
    """Every signal of the settings that the memory has."""
    if not len(sequences.passages):
        return
    windows = _windows(settings, sequences)
    if Leg.LEXICAL in settings.legs:
        counts, lengths = _words(memory, asking, settings, sequences)
        yield Part(Leg.LEXICAL, 1, _scaled(_bm25(counts, lengths)))
        words, sizes = Totals(counts), Totals(lengths)
        for size, window in windows[Leg.LEXICAL]:
            yield Part(Leg.LEXICAL, size, _scaled(_bm25(words.over(window), sizes.over(window))))
    if Leg.SPARSE in settings.legs and memory.sparse is not None and asking.query_terms is not None:
        heavy = np.argsort(-asking.query_terms.weights, kind="stable")[: settings.sparse_terms]
        weights = asking.query_terms.weights[heavy]
        impacts = memory.sparse.impacts(asking.query_terms.terms[heavy], asking.admissible.passages)
        impacts = np.ascontiguousarray(impacts.T)[sequences.passages]
        yield Part(Leg.SPARSE, 1, _scaled(impacts @ (weights * _idf(impacts))))
        totals = Totals(impacts, WEIGHT_STEP)
        for size, window in windows[Leg.SPARSE]:
            pooled = totals.over(window)
            usual = (window.sizes / window.sizes.mean()).astype(np.float32)
            yield Part(Leg.SPARSE, size, _scaled((pooled / (pooled + usual[:, None])) @ (weights * _idf(pooled))))
    if Leg.DENSE in settings.legs and asking.passages_similar is not None:
        similar = asking.passages_similar[sequences.passages]
        present = similar > -1.0
        if present.any():
            similar = np.where(present, similar, similar[present].min()).astype(np.float32)
            yield Part(Leg.DENSE, 1, _scaled_cosines(similar))
            totals = Totals(similar, COSINE_STEP)
            for size, window in windows[Leg.DENSE]:
                yield Part(Leg.DENSE, size, _scaled_cosines(totals.over(window) / window.sizes))


def _windows(settings: LiftSettings, sequences: Sequences) -> dict[Leg, list[tuple[int, Windows]]]:
    """For each leg its windows and how long they are, of messages."""
    laid = {
        inside: [(size, sequences.windows(size, in_documents=inside)) for size in settings.windows]
        for inside in {leg in settings.in_documents for leg in settings.legs}
    }
    return {leg: laid[leg in settings.in_documents] for leg in settings.legs}


def _words(
    memory: Searchable, asking: Asking, settings: LiftSettings, sequences: Sequences
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How often each term stands at each position, shape (positions, terms), and how long each position is."""
    terms = analyze_query(asking.spec.text)
    passages = sequences.passages
    counts = np.ascontiguousarray(memory.lexical.counts(terms, asking.admissible.passages).T)[passages]
    lengths = memory.lexical.lengths[passages].astype(np.float32)
    if settings.place_names:
        places = memory.place_names.record_place[memory.columns.passage_record[passages]]
        for number, term in enumerate(terms):
            named = memory.place_names.counts(term)
            if named is not None:
                counts[:, number] += named[places]
        lengths = lengths + memory.place_names.lengths[places]
    return counts, lengths


def _bm25(counts: NDArray[np.float32], lengths: NDArray[np.float32]) -> Scores:
    """BM25 of texts given by their counts, shape (texts, terms), as `index.lexical` computes it."""
    norms = (K1 * (B * lengths / max(float(lengths.mean()), 1.0) + 1 - B)).astype(np.float32)
    scores: Scores = (counts / (counts + norms[:, None])) @ _idf(counts)
    return scores


def _idf(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    # As a product: twice as fast as counting, and exact up to 16 million texts.
    holding = np.ones(len(counts), dtype=np.float32) @ (counts > 0).astype(np.float32)
    idf: Scores = np.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return idf


def _scaled(scores: NDArray[np.floating], least: float = 0.0) -> Scores:
    """Brought to 0..1 among the admissible: `least` becomes 0 and the best 1; all 0 where nothing matches."""
    return ((scores - least) / max(float(scores.max()) - least, 1e-9)).astype(np.float32)


def _scaled_cosines(cosines: NDArray[np.floating]) -> Scores:
    """The same for cosines, which have no zero of their own: the farthest text becomes 0; a lone one is the nearest."""
    least = float(cosines.min())
    return _scaled(cosines, least) if float(cosines.max()) > least else np.ones(len(cosines), dtype=np.float32)


def _personal(memory: Searchable, asking: Asking, settings: LiftSettings, scores: Scores) -> Scores:
    """Lift what the asker wrote, when asked in the first person: "what did I promise" is about them."""
    if asking.spec.asker is None or not _FIRST_PERSON.search(asking.spec.text):
        return scores
    own = (memory.columns.record_author == asking.spec.asker) & (scores > 0)
    return np.where(own, scores + np.float32(settings.weight_asker), scores).astype(np.float32)


def _shares(sums: Sums, wanted: list[int]) -> dict[int, str]:
    """For each row the share of each leg in its score, in percent, at the position that scored best."""
    shares: dict[int, str] = {}
    found_at = np.flatnonzero(np.isin(sums.rows, wanted))
    places = {row: found_at[sums.rows[found_at] == row] for row in wanted}
    for row, at in places.items():
        found = np.array([part.scores[at] for part in sums.parts])
        if not found.size:
            shares[row] = ""
            continue
        best = found[:, int(found.sum(axis=0).argmax())]
        whole = max(float(best.sum()), 1e-9)
        legs = dict.fromkeys(part.leg for part in sums.parts)
        told = []
        for leg in legs:
            of_leg = [(part.window, float(v)) for part, v in zip(sums.parts, best, strict=True) if part.leg is leg]
            own = sum(value for window, value in of_leg if window == 1)
            around = sum(value for window, value in of_leg if window > 1)
            told.append(f"{leg} {own / whole:.0%} + {around / whole:.0%} around")
        shares[row] = ", ".join(told)
    return shares
