"""Having a model write the summaries of trees that have grown: after the fact, and in short steps.

Trees grow with summaries by rules, at once and without a network. This goes over them from the leaves up and puts prose
into every summary that the model has not written yet, many at a time; each step is one short transaction. So a server
that fails or a process that dies costs one step and the next run goes on, an append costs its right edge, and another
model or prompt costs what it wrote.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from treering.errors import ModelUnavailable
from treering.forest.kinds import View
from treering.forest.leaves import DIGEST_BYTES, LeafReader
from treering.forest.modelled import PROSE_TOKENS_MAX, ModelSummarizer
from treering.forest.stale import PASSES, Stale, prompt_for, stale_nodes
from treering.forest.summaries import SummaryStore
from treering.store.database import Database
from treering.text.tokens import estimate_tokens

__all__ = ["ALL_VIEWS", "Estimate", "estimate_summaries", "write_summaries"]

ALL_VIEWS: Final = tuple(View)
STEP: Final = 32  # summaries written between two commits: what a crash can cost
WORKERS: Final = 4  # requests at a time
_TOKENS_OUT: Final = 170  # about what 120 words take

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What it would take to write every summary that is stale."""

    nodes: int
    calls: int  # fewer: a node with few words, or with one child, needs none
    tokens_in: int
    tokens_out: int
    tokens_out_max: int


def estimate_summaries(
    database: Database, summarizer: ModelSummarizer, views: Collection[View] = ALL_VIEWS
) -> Estimate:
    """The cost beforehand; no model is asked. Higher nodes are counted as if the summaries below were written."""
    nodes = calls = tokens_in = 0
    with database.reading() as connection:
        reader, store = LeafReader(connection), SummaryStore(connection)
        for one in _all_stale(database, summarizer, views):
            nodes += 1
            if prompt := prompt_for(summarizer, one, reader, store):
                calls += 1
                tokens_in += estimate_tokens(prompt)
    return Estimate(nodes, calls, tokens_in, calls * _TOKENS_OUT, calls * PROSE_TOKENS_MAX)


def write_summaries(
    database: Database,
    summarizer: ModelSummarizer,
    *,
    views: Collection[View] = ALL_VIEWS,
    most: int | None = None,
    workers: int = WORKERS,
    progress: Progress = lambda _what, _done, _of: None,
) -> int:
    """Write stale summaries, from the leaves up; says how many nodes have theirs now that had not.

    The caller holds the writer's lock. Summaries have new texts afterwards, which want vectors.

    Args:
        database: With trees that have grown.
        summarizer: Who writes.
        views: The forests to go over.
        most: Nodes at most, for a caller who lets other writers in between; None for all.
        workers: Requests at a time.
        progress: Told how many of how many nodes are done.

    Raises:
        ModelUnavailable: The server does not answer, or refuses. What was written before stays.
    """
    total = sum(1 for _ in _all_stale(database, summarizer, views))
    total = total if most is None else min(total, most)
    done = 0
    for at in PASSES:
        todo = iter(list(stale_nodes(database.connection, summarizer, at, views)) if done < total else ())
        while done < total and (step := list(islice(todo, min(STEP, total - done)))):
            _write(database, summarizer, step, workers)
            done += len(step)
            progress("writing summaries", done, total)
    return done


def _all_stale(database: Database, summarizer: ModelSummarizer, views: Collection[View]) -> Iterator[Stale]:
    for at in PASSES:
        yield from stale_nodes(database.connection, summarizer, at, views)


def _write(database: Database, summarizer: ModelSummarizer, step: Sequence[Stale], workers: int) -> None:
    with database.reading() as connection:
        reader, store = LeafReader(connection), SummaryStore(connection)
        prompts = [prompt_for(summarizer, one, reader, store) for one in step]
    asked: list[Future[str]] = []
    failed: ModelUnavailable | None = None
    with ThreadPoolExecutor(workers) as pool:
        asked = [pool.submit(summarizer.write, prompt) for prompt in prompts]
        for answer in asked:
            try:
                answer.result()
            except ModelUnavailable as error:
                failed = error
                pool.shutdown(wait=False, cancel_futures=True)  # the rest would only wait for the same server
                break
    with database.writing():
        for one, answer in zip(step, asked, strict=True):
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                _put(database, one, answer.result())
    if failed is not None:
        raise failed


def _put(database: Database, one: Stale, prose: str) -> None:
    """Store the summary with this prose in place of what it was, under the key that says who wrote it."""
    connection = database.connection
    store = SummaryStore(connection)
    if len(one.children) == 1:
        prose = store.get(one.children[0]).prose
    text_key = store.put(one.wanted, replace(store.get(one.summary), prose=prose), one.kind, one.title)
    store.drop([one.summary])
    summaries, texts = connection.execute(
        f"SELECT summaries, texts FROM {one.table} WHERE id = ?", (one.id,)
    ).fetchone()
    at = slice(one.row * DIGEST_BYTES, (one.row + 1) * DIGEST_BYTES)
    patched = [bytearray(summaries), bytearray(texts)]
    patched[0][at], patched[1][at] = one.wanted, text_key
    connection.execute(f"UPDATE {one.table} SET summaries = ?, texts = ? WHERE id = ?", (*map(bytes, patched), one.id))
