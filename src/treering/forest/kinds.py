"""The four kinds of tree, as four values of one type: what differs is the key, the fixed levels and the wording.

Natural keys are made of the source's own strings, never of ids that the log gave out in order of arrival, so that equal
logs have equal trees. Follows DESIGN section 4; the thread kind is ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

__all__ = ["KINDS", "Cue", "Kind", "View", "actor_path", "natural_key", "natural_parts", "part_title", "thread_label"]


class View(StrEnum):
    """Which forest a tree stands in."""

    CHANNEL = "channel"
    ACTOR = "actor"
    ARTIFACT = "artifact"
    THREAD = "thread"


class Cue(StrEnum):
    """What a sentence does for the work, told by its words; an extractive summary prefers such sentences."""

    DECISION = "decision"
    TRANSITION = "transition"
    COMMITMENT = "commitment"
    BLOCKER = "blocker"
    OWNERSHIP = "ownership"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Kind:
    """One forest: its fixed levels above the grouped nodes, and what its summaries stress."""

    view: View
    parts: tuple[str, ...]  # the fixed level below the root; empty: the grouped nodes reach up to the root
    cues: Mapping[Cue, float]  # weight of a sentence with that cue, beside its centrality of 0 to 1
    stress: str  # the same in words, for a summarizer that reads

    @property
    def fixed_levels(self) -> int:
        """How many levels stand above the grouped nodes: none, or the root and its parts."""
        return 2 if self.parts else 0


def _weights(**weights: float) -> Mapping[Cue, float]:
    return MappingProxyType({Cue(name): weight for name, weight in weights.items()})


_CHANNEL_CUES = _weights(decision=1.0, transition=0.6, commitment=0.7, blocker=0.8, ownership=0.4, question=0.4)

KINDS: Mapping[View, Kind] = MappingProxyType(
    {
        View.CHANNEL: Kind(
            View.CHANNEL,
            (),
            _CHANNEL_CUES,
            "who took part, the work in progress, decisions, commitments, blockers and questions left open",
        ),
        View.ACTOR: Kind(
            View.ACTOR,
            ("authored", "mentioned"),
            _weights(decision=0.7, transition=0.4, commitment=0.9, blocker=0.5, ownership=1.0, question=0.3),
            "what this person asks, states, promises and decides, what they are responsible for, know well and own,"
            " and whom they report to",
        ),
        View.ARTIFACT: Kind(
            View.ARTIFACT,
            (),
            _weights(decision=0.8, transition=1.2, commitment=0.5, blocker=0.8, ownership=0.7, question=0.2),
            "each change of state of this deliverable with its date, who was responsible for it, and where different"
            " channels report different states",
        ),
        View.THREAD: Kind(
            View.THREAD,
            (),
            _CHANNEL_CUES,
            "the question or task that started the thread, the positions taken, and how it ended",
        ),
    }
)


def natural_key(*parts: str) -> str:
    """Strings joined so that different parts never give the same key.

    >>> natural_key("slack", "C01"), natural_key("docs", "handbook/travel")
    ('slack/C01', 'docs/handbook%2Ftravel')
    """
    return "/".join(p.replace("%", "%25").replace("/", "%2F").replace("~", "%7E") for p in parts)


def natural_parts(key: str) -> list[str]:
    """The inverse of `natural_key`.

    >>> natural_parts(natural_key("docs", "a/b", "50%"))
    ['docs', 'a/b', '50%']
    """
    return [p.replace("%7E", "~").replace("%2F", "/").replace("%25", "%") for p in key.split("/")]


def actor_path(part: str, channel_key: str) -> str:
    """The path of an actor tree's branch: what the actor wrote in a channel, or was mentioned in there."""
    return f"{part}/{channel_key}"


def part_title(label: str, part: str, channel: str = "") -> str:
    """The heading of a node below the root of an actor tree.

    >>> part_title("Bob", "authored"), part_title("Bob", "mentioned", "ops")
    ('written by Bob', 'mentioning Bob in ops')
    """
    heading = {"authored": f"written by {label}", "mentioned": f"mentioning {label}"}[part]
    return f"{heading} in {channel}" if channel else heading


def thread_label(channel: str, thread: str) -> str:
    """What a thread is called: its topic below its channel; of a thread known by a number, the channel alone says more.

    >>> thread_label("ops", "rack 12 is down"), thread_label("ops", "1700000000.000100")
    ('ops > rack 12 is down', 'ops > thread')
    """
    return f"{channel} > {thread if any(letter.isalpha() for letter in thread) else 'thread'}"
