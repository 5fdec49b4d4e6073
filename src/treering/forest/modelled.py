"""Summaries and verdicts by a model that writes, over the same two protocols as those by rules.

The counted parts of a summary (people, identifiers, states) stay those of the rules, so that a summary by a model can
always be read without its prose, and written again by another model from what is stored. A name says the model and the
exact words of the prompts: with another model, or other words for one kind of tree, only what those wrote is stale.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treering.errors import ModelUnavailable
from treering.forest.extractive import Extractive
from treering.forest.kinds import KINDS, Kind
from treering.forest.leaves import LeafText
from treering.forest.prompts import PROMPT_VERSION, judge_prompt, leaves_prompt, nodes_prompt
from treering.forest.summaries import WORDS_MAX, Summarizer, Summary
from treering.models.generator import Generator, Message, without_thinking
from treering.text.inert import inert

__all__ = ["PROSE_TOKENS_MAX", "ModelJudge", "ModelSummarizer"]

PROSE_TOKENS_MAX: Final = 500  # 120 words of most languages
VERDICT_TOKENS_MAX: Final = 2_000  # one word, and what a reasoning model thinks before it
WORDS_MIN: Final = WORDS_MAX // 2  # fewer words than that, in all, are shown as they are: no summary is shorter
CHILDREN_MAX: Final = 48  # of a fixed node; of an actor's hundred channels the largest are read
SEED: Final = 0
_VERDICT: Final = re.compile(r"\W*\b(yes|no)\b", re.IGNORECASE)


class ModelSummarizer:
    """A `Summarizer` whose prose a model writes.

    Args:
        generator: The model.
        base: Makes all of a summary but its prose.
    """

    def __init__(self, generator: Generator, base: Summarizer | None = None) -> None:
        self._generator = generator
        self._base = base or Extractive()
        self._names = {
            (kind.view, over_leaves): f"{generator.name} {_hash(template)}"
            for kind in KINDS.values()
            for over_leaves, template in (
                (True, leaves_prompt(kind, "", ())),
                (False, leaves_prompt(kind, "", ()) + nodes_prompt(kind, "", ())),
            )
        }
        self.name = f"{generator.name} {_hash(' '.join(self._names.values()))}"

    def name_of(self, kind: Kind, *, over_leaves: bool) -> str:
        """Model and prompts of one kind of node: a node above others is made anew when they are."""
        return self._names[kind.view, over_leaves]

    def summarize_leaves(self, kind: Kind, title: str, items: Sequence[LeafText]) -> Summary:
        """The summary of a level-1 node, from its leaves in order."""
        summary = self._base.summarize_leaves(kind, title, items)
        return replace(summary, prose=self.write(self.prompt_of_leaves(kind, title, items)))

    def summarize_nodes(self, kind: Kind, title: str, children: Sequence[Summary]) -> Summary:
        """The summary of a higher node, from its children in order."""
        summary = self._base.summarize_nodes(kind, title, children)
        if len(children) == 1:
            return replace(summary, prose=children[0].prose)
        return replace(summary, prose=self.write(self.prompt_of_nodes(kind, title, children)))

    def prompt_of_leaves(self, kind: Kind, title: str, items: Sequence[LeafText]) -> str:
        """What the model is asked for; empty where so little is said that nobody needs to be."""
        said = [item for item in items if item.author]
        if sum(len(f"{item.title} {item.text}".split()) for item in said) < WORDS_MIN and not _unspaced(said):
            return ""
        return inert(leaves_prompt(kind, title, items))

    def prompt_of_nodes(self, kind: Kind, title: str, children: Sequence[Summary]) -> str:
        """What the model is asked for, from the summaries of two or more children."""
        largest = sorted(range(len(children)), key=lambda at: (-children[at].leaves, at))[:CHILDREN_MAX]
        return inert(nodes_prompt(kind, title, [children[at] for at in sorted(largest)]))

    def write(self, prompt: str) -> str:
        """The prose for a prompt, on one line; none for none.

        Raises:
            ModelUnavailable: The server does not answer, or refuses.
        """
        if not prompt:
            return ""
        asked: list[Message] = [{"role": "user", "content": prompt}]
        reply = self._generator.complete(asked, max_tokens=PROSE_TOKENS_MAX, seed=SEED)
        return inert(" ".join(without_thinking(reply.text).split()))


class ModelJudge:
    """A `Judge` that asks a model."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self.name = f"{generator.name} judge-{PROMPT_VERSION}-{_hash(judge_prompt('', (), ()))}"

    def same(self, identifier: str, one: Sequence[LeafText], other: Sequence[LeafText]) -> bool:
        """Whether both groups of messages are about the same deliverable.

        Raises:
            ModelUnavailable: The server does not answer, or says neither yes nor no: a verdict is kept for good, and
                no verdict is better than a chance one.
        """
        prompt = inert(judge_prompt(identifier, one, other))
        reply = self._generator.complete(
            [{"role": "user", "content": prompt}], max_tokens=VERDICT_TOKENS_MAX, seed=SEED
        )
        said = _VERDICT.match(without_thinking(reply.text))
        if said is None:
            raise ModelUnavailable(
                f"{self._generator.name} was asked for yes or no and wrote {reply.text[:80]!r}: is it a model that"
                " follows instructions? Without a judge, borderline artifacts stay apart"
            )
        return said[1].casefold() == "yes"


def _unspaced(items: Sequence[LeafText]) -> bool:
    """Whether there is more text than its words tell, as in scripts that do not set words apart."""
    return sum(len(item.text) for item in items) >= WORDS_MIN * 6


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
