"""Reading the best candidates once more, with the question beside them: optional, by configuration.

A window's lift brings the right thread up and cannot tell its messages apart; a cross-encoder reads each and can. Its
scores and the legs' sum are brought to 0..1 among the candidates and added, so that neither rules alone.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treering.models.protocol import Reranker
from treering.retrieval.demotion import demoted
from treering.retrieval.excerpts import excerpt, matching_words
from treering.retrieval.profiles import LiftSettings
from treering.retrieval.s4_assemble import Candidate
from treering.retrieval.searchable import Asking, Searchable

__all__ = ["reranked"]

TOKENS_SHOWN = 300  # of a candidate's text, where it is longer: the stretch that holds most of the question's words


def reranked(
    memory: Searchable, asking: Asking, settings: LiftSettings, candidates: list[Candidate], reranker: Reranker
) -> list[Candidate]:
    """The candidates in their new order, each telling what the reranker gave it; those past the pool keep theirs.

    Raises:
        ModelUnavailable: the reranker is behind an endpoint that does not answer.
    """
    pool, rest = candidates[: settings.rerank_pool], candidates[settings.rerank_pool :]
    if len(pool) < 2:
        return candidates
    read = _scaled(reranker.scores(asking.spec.text, _texts(memory, asking, pool)))
    summed = _scaled(np.array([one.score for one in pool], dtype=np.float32)) + settings.weight_rerank * read
    floor = rest[0].score if rest else 0.0
    by_row = {
        one.row: replace(one, score=floor + float(score), why=f"{one.why}; reranker {share:.0%}")
        for one, score, share in zip(pool, summed, read, strict=True)
    }
    order = sorted(by_row, key=lambda row: -by_row[row].score)  # stable: equal ones keep their order
    if settings.demotion:
        order, _ = demoted(memory, asking, order, {row: one.score - floor for row, one in by_row.items()})
    return [*(by_row[row] for row in order), *rest]


def _texts(memory: Searchable, asking: Asking, candidates: list[Candidate]) -> list[str]:
    """What the reranker reads: where it was said, who said it, and the text."""
    names = {channel.id: channel.name for channel in memory.channels}
    words = matching_words(asking.spec.text)
    texts = []
    for record in memory.log.records([one.row + 1 for one in candidates]):
        start, stop = excerpt(record.text, TOKENS_SHOWN, words)
        place = record.title or names[record.channel]
        texts.append(f"{place}: {record.author_name}: {record.text[start:stop]}")
    return texts


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    least, most = float(scores.min()), float(scores.max())
    return ((scores - least) / max(most - least, 1e-9)).astype(np.float32)
