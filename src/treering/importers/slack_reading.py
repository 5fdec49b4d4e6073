"""One raw message of Slack's, whatever container it lay in, as all that it becomes: people, versions, attached texts.

Shared by exports, slackdump's databases and slackdump's chunks, so that one message gives the same drafts from each.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.slack_json import Json, stripped
from treering.importers.slack_messages import Place, versions_of
from treering.importers.slack_uploads import Uploads
from treering.model.drafts import Drafted, RecordDraft, Skipped

__all__ = ["read_message"]


def read_message(raw: Json, place: Place, uploads: Uploads, file: str, position: str) -> Iterator[Drafted]:
    """Each thing that a message becomes; if it cannot be read, the message kept aside."""
    try:
        drafts = list(versions_of(raw, place))
    except FieldError as error:
        yield kept_aside(file, position, str(error), stripped(json.dumps(raw, ensure_ascii=False)))
        return
    for actor in place.people.news():
        yield Drafted(file, actor)
    for draft in drafts:
        yield Drafted(file, replace(draft, position=position) if isinstance(draft, Skipped) else draft)
    yield from uploads.documents(raw, (draft for draft in drafts if isinstance(draft, RecordDraft)))
