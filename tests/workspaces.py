"""A small invented workspace as JSONL lines, for tests of the whole engine."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["LINES", "SECRET", "line", "written"]


def line(
    number: int, text: str, *, at: str, author: str = "Ana", channel: str = "ops", **more: object
) -> dict[str, object]:
    """One message in the benchmark schema."""
    return {"id": number, "sent_at": at, "author": author, "channel": channel, "text": text, **more}


LINES: list[dict[str, object]] = [
    line(1, "PAY-311: customers are charged twice, I opened a ticket", at="2025-11-03T09:00:00Z", author="Ben"),
    line(2, "PAY-311 is assigned to me, looking at the queue", at="2025-11-03T09:10:00Z", author="Cleo", reply_to="1"),
    line(3, "lunch at 12?", at="2025-11-03T11:50:00Z"),
    line(4, "the retry job runs twice after a restart", at="2025-11-03T13:00:00Z", author="Cleo", channel="eng"),
    line(5, "PAY-311: fix merged, please review the rollout", at="2025-11-04T10:00:00Z", author="Cleo", channel="eng"),
    line(6, "PAY-311 released, refunds are approved", at="2025-11-05T16:00:00Z", author="Dora", mentions=["Cleo"]),
    line(7, "we ship version 2.4 on Friday", at="2025-11-06T08:00:00Z", channel="eng"),
    line(8, "会議は来週の火曜日に延期されました", at="2025-11-06T09:00:00Z", author="Emi", channel="eng"),
    line(9, "C++ build is green again 🔥", at="2025-11-07T09:00:00Z", author="Ben", channel="eng"),
    line(10, "thanks all, good week", at="2025-11-07T17:00:00Z", author="Dora"),
]

SECRET: list[dict[str, object]] = [
    line(
        90 + number, text, at=f"2025-11-0{3 + number}T12:00:00Z", author="Gus", channel="sec-incident",
        channel_kind="private", members=["Gus", "Dora"],
    )
    for number, text in enumerate(
        ["PAY-311 leaked card numbers, keep it here", "legal knows of PAY-311 and the leak", "PAY-311 leak is closed"]
    )
]  # fmt: skip


def written(path: Path, lines: Iterable[Mapping[str, object]]) -> Path:
    """The lines as a JSONL file whose open channels are public."""
    with path.open("w", encoding="utf-8") as file:
        for fields in lines:
            file.write(json.dumps({"channel_kind": "public", **fields}, ensure_ascii=False) + "\n")
    return path
