"""What the parts of the schema share: how long a name may be, and how a reply is made."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "CURSOR_MAX",
    "NAME_MAX",
    "PAGE_MAX",
    "QUESTION_MAX",
    "Cursor",
    "Name",
    "Reply",
    "ViewName",
]

NAME_MAX = 500  # characters of a name, an id or a date
QUESTION_MAX = 8_000
CURSOR_MAX = 4_000  # it holds a name
PAGE_MAX = 200

Name = Annotated[str, Field(max_length=NAME_MAX)]
Cursor = Annotated[str, Field(max_length=CURSOR_MAX)]
ViewName = Literal["channel", "actor", "artifact", "thread"]


class Reply(BaseModel):
    """Made from our own values only."""

    model_config = ConfigDict(from_attributes=True)
