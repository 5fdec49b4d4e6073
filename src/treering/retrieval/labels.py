"""Exact labels: what a question names, and which records bear those names."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treering.log.registry import folded
from treering.retrieval.searchable import Searchable
from treering.text.identifiers import identifiers

__all__ = ["phrases_of", "tag_scores"]

LABEL_WORDS_MAX = 5
_WORD = re.compile(r"[\w.@'’+#/-]+")


def tag_scores(memory: Searchable, question: str) -> NDArray[np.float32]:
    """How many of each record's labels the question names: author, given tags, identifiers; exact once normalised."""
    scores = np.zeros(memory.columns.records, dtype=np.float32)
    phrases = list(dict.fromkeys(phrases_of(question)))
    for start in range(0, len(phrases), 500):
        some = phrases[start : start + 500]
        found = memory.connection.execute(
            f"SELECT record - 1 FROM label WHERE folded IN ({','.join('?' * len(some))}) AND record <= ?",
            (*some, memory.last),
        ).fetchall()
        np.add.at(scores, np.array(found, dtype=np.int64).reshape(-1), 1.0)
    return scores


def phrases_of(question: str) -> Iterator[str]:
    """What a label would have to be to match: identifiers, and runs of up to five words."""
    yield from map(folded, identifiers(question))
    words = [word.strip(".'’-/").removesuffix("'s").removesuffix("’s") for word in _WORD.findall(question)]
    for length in range(1, LABEL_WORDS_MAX + 1):
        for at in range(len(words) - length + 1):
            phrase = folded(" ".join(words[at : at + length]))
            if phrase:
                yield phrase
