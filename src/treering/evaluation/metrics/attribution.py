"""Attribution: whether evidence comes with the right author from the right place.

Both are ours. `attribution` checks a promise (what is cited is cited rightly) and should be 1; `sources` measures
routing: whether the right people in the right channels are heard at all, be it with another of their messages.
"""

from collections.abc import Mapping, Sequence

from treering.evaluation.benchmark import Question
from treering.evaluation.ranking import Ranked

__all__ = ["attribution", "sources"]

Said = Mapping[str, tuple[str | None, str | None]]  # source id -> author and channel, by the corpus


def attribution(question: Question, ranking: Sequence[Ranked], said: Said) -> float | None:
    """Of the pieces of use that were found, the share whose author and channel are those that the corpus gives.

    None where nothing was found, or the corpus gives neither.
    """
    checked = []
    for item in ranking:
        author, channel = said.get(item.source_id, (None, None))
        if item.source_id in question.evidence | question.supporting and (author, channel) != (None, None):
            checked.append(author in (None, item.author) and channel in (None, item.channel))
    return sum(checked) / len(checked) if checked else None


def sources(question: Question, ranking: Sequence[Ranked], said: Said) -> float | None:
    """The share of the (author, channel) pairs behind the needed pieces that the ranking quotes.

    None where the corpus does not give both.
    """
    wanted = {said[name] for name in question.evidence if None not in said.get(name, (None, None))}
    quoted = {(item.author, item.channel) for item in ranking}
    return len(wanted & quoted) / len(wanted) if wanted else None
