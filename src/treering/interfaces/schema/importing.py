"""Uploads and the jobs that they become."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from treering.interfaces.schema.common import Name, Reply

__all__ = [
    "ImportOptionsRequest",
    "JobReply",
    "JobsReply",
    "ProgressEntry",
]


class ImportOptionsRequest(BaseModel):
    """How an upload is to be read."""

    format: Name = "auto"
    source: Name | None = None
    visibility: Literal["public", "private"] = "private"
    zone: Name | None = None
    date_order: Literal["dmy", "mdy", "ymd"] | None = None
    embed: bool = True


class ProgressEntry(Reply):
    """How far one step of an import is; total 0: not known."""

    what: str
    done: int
    total: int


class JobReply(Reply):
    """An import: waiting, running, done or failed."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    files: list[str]
    created_at: datetime
    finished_at: datetime | None
    progress: list[ProgressEntry]
    report: dict[str, object] | None = Field(description="As `treering add --json` prints it.")
    error: str | None


class JobsReply(Reply):
    """The imports since the server started, newest first."""

    jobs: list[JobReply]
