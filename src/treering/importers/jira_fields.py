"""The fields of an issue in Jira's JSON, in words: what they are called, what they say, which issues they name."""

import re
from collections.abc import Mapping
from typing import Final

from treering.importers.jira_text import adf_text
from treering.importers.json_fields import Json, record_at, records_at, text_at
from treering.importers.narrowing import clean, distinct, identity

__all__ = ["refs_of", "state_of", "words_of"]

_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+")
_NAMED: Final = {
    "status": "Status", "resolution": "Resolution", "issuetype": "Issue Type", "priority": "Priority",
    "components": "Components", "fixVersions": "Fix versions", "versions": "Affects versions",
    "duedate": "Due date", "environment": "Environment", "labels": "Labels",
}  # fmt: skip


def state_of(fields: Json, names: Mapping[str, object]) -> dict[str, str]:
    """The fields of an issue in words, each under the label that Jira shows it by."""
    state = {label: ", ".join(words_of(fields.get(field))) for field, label in _NAMED.items()}
    state["Assignee"] = text_at(record_at(fields, "assignee"), "displayName")
    if resolved := text_at(fields, "resolutiondate"):
        state["Resolved"] = resolved
    if parent := text_at(record_at(fields, "parent"), "key"):
        state["Parent"] = parent
    for link in records_at(fields, "issuelinks"):
        for way in ("inward", "outward"):
            if other := text_at(record_at(link, f"{way}Issue"), "key"):
                label = text_at(record_at(link, "type"), way) or way
                state[label] = f"{state[label]}, {other}" if state.get(label) else other
    for custom, name in names.items():
        if custom.startswith("customfield_") and isinstance(name, str):
            state.setdefault(name, ", ".join(words_of(fields.get(custom))))
    return {label: value for label, value in state.items() if value}


def refs_of(fields: Json, key: str) -> tuple[str, ...]:
    """The issues that an issue is linked to."""
    others = [record_at(fields, "parent"), *records_at(fields, "subtasks")]
    links = records_at(fields, "issuelinks")
    others += [record_at(link, way) for link in links for way in ("inwardIssue", "outwardIssue")]
    found = [text_at(other, "key") for other in others]
    found += [value for field, value in fields.items() if field.startswith("customfield_") and isinstance(value, str)]
    return distinct([other for other in found if _KEY.fullmatch(other) and other != key])


def words_of(value: object) -> tuple[str, ...]:
    """What a field says in words: itself, or the names of the objects that it holds."""
    if isinstance(value, dict):
        names = [text_at(value, key) for key in ("name", "value", "displayName", "key")]
        return tuple(name for name in names if name)[:1] or ((adf_text(value)[0],) if "content" in value else ())
    if isinstance(value, list):
        return distinct([name for item in value for name in words_of(item)])
    if isinstance(value, str):
        return (clean(value).strip(),) if value.strip() else ()
    number = identity(value)
    return (number,) if number else (str(value),) if isinstance(value, float) else ()
