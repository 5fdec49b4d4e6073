"""What both Zulip formats say within a message, whether it is kept as Markdown or as rendered HTML.

A link to a message ends in `/near/<id>`; `/with/<id>` links to a topic, and refers to no message in particular.
"""

import re
from dataclasses import dataclass

from treering.model.drafts import Attachment

__all__ = ["Reading", "near", "upload"]

_NEAR = re.compile(r"#narrow/\S*?/near/([0-9]+)")
_UPLOAD = re.compile(r"/user_uploads/[^\s)\"?#]*?([^/\s)\"?#]+)(?=[\s)\"?#]|\Z)")


@dataclass(frozen=True, slots=True)
class Reading:
    """The readable text of a message, and what it points to."""

    text: str
    mentions: tuple[str, ...] = ()  # users, as the format knows them: by id, or by name
    refs: tuple[str, ...] = ()  # ids of messages
    reply_to: str | None = None  # the first message that is quoted to be answered
    links: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()


def near(url: str) -> str | None:
    """The message that a link leads to.

    >>> near("https://chat.example/#narrow/channel/5-ops/topic/release.204/near/101"), near("https://chat.example/")
    ('101', None)
    """
    match = _NEAR.search(url)
    return match[1] if match else None


def upload(url: str) -> str | None:
    """The file name under which an uploaded file was stored.

    >>> upload("/user_uploads/2/ab/Xy9/plan.pdf")
    'plan.pdf'
    """
    match = _UPLOAD.search(url)
    return match[1] if match else None
