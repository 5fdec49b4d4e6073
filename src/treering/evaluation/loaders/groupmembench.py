"""GroupMemBench: synthetic enterprise chats of four domains, in its original schema.

A pool is one domain. Contents are HTML-escaped and not in order of time; who asks is part of the query, as in the
authors' protocol. The questions name no evidence, so only answers can be scored. Source: Yang et al. 2026
(arXiv:2605.14498), KimperYang/GroupMemBench.
"""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import NotRequired, TypedDict

from treering.evaluation.benchmark import Benchmark, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, json_file, json_lines, missing, objects, word

__all__ = ["GroupMessage", "GroupQuestion", "load"]

LAYOUT = (
    "data/final/DOMAIN/synthetic_domain_channels_rolevariants_DOMAIN.json and questions/DOMAIN/KIND.jsonl, where DOMAIN"
    " is Finance, Technology, Healthcare or Manufacturing and KIND multi_hop, knowledge_update, temporal ..."
)
ORIGIN = (
    "https://huggingface.co/datasets/kimperyang/GroupMemBench (chats) and"
    " https://github.com/KimperYang/GroupMemBench (questions)"
)
ABSTENTION = "abstention"


class GroupMessage(TypedDict):
    """One message; the corpus maps each channel to a list of them."""

    msg_node: str
    author: str
    content: str  # HTML-escaped
    timestamp: str
    reply_to: NotRequired[str | None]
    topic: NotRequired[str]
    role: NotRequired[str]
    phase_name: NotRequired[str]
    is_noise: NotRequired[bool]
    is_decision_point: NotRequired[bool]
    decision_type: NotRequired[str | None]
    decision_change_metadata: NotRequired[object]


class GroupQuestion(TypedDict):
    """One line of a file of questions."""

    id: str  # "multi_hop_1"
    question: str
    answer: str
    asking_user_id: str


def load(folder: Path) -> Benchmark:
    """The domains that a folder holds.

    Raises:
        UnreadableInput: no domain is there with its questions, or a file is of another schema.
    """
    corpora = sorted((folder / "data" / "final").glob("*/synthetic_domain_channels_rolevariants_*.json*"))
    if not corpora:
        raise missing("GroupMemBench", folder, "data/final/DOMAIN", LAYOUT, ORIGIN)
    for path in corpora:
        if not _question_files(folder, path.parent.name):
            raise missing("GroupMemBench", folder, f"questions/{path.parent.name}", LAYOUT, ORIGIN)
    return Benchmark("groupmembench", _pools(folder, corpora), ORIGIN, "see its source")


def _question_files(folder: Path, domain: str) -> list[Path]:
    return sorted((folder / "questions" / domain).glob("*.jsonl*"))


def _pools(folder: Path, corpora: list[Path]) -> Iterator[Pool]:
    for path in corpora:
        domain = path.parent.name
        questions = tuple(
            _question(row, where, file.name.partition(".")[0], domain)
            for file in _question_files(folder, domain)
            for where, row in json_lines(file)
        )
        yield Pool(domain, questions, _messages(as_object(json_file(path), path.name), path.name))


def _messages(channels: dict[str, object], where: str) -> list[MessageRow]:
    rows: list[MessageRow] = []
    for channel in channels:
        for message in objects(channels, channel, where, "msg_node", "author", "content", "timestamp"):
            reply_to = word(message, "reply_to")
            rows.append(
                {
                    "id": str(message["msg_node"]),
                    "sent_at": str(message["timestamp"]),
                    "author": str(message["author"]),
                    "channel": channel,
                    "thread": word(message, "topic"),
                    "reply_to": None if reply_to == "null" else reply_to,
                    "text": html.unescape(str(message["content"])),
                }
            )
    return sorted(rows, key=lambda row: (row["sent_at"], row["channel"], str(row["id"])))


def _question(row: dict[str, object], where: str, kind: str, domain: str) -> Question:
    as_object(row, where, *sorted(GroupQuestion.__required_keys__))
    name = str(row["id"]).rpartition("_")[0] or kind
    return Question(
        id=f"{domain}/{row['id']}",
        text=str(row["question"]),
        category=name,
        asker=str(row["asking_user_id"]),
        answer=str(row["answer"]),
        abstain=name == ABSTENTION,
    )
