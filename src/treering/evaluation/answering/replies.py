"""Reading what models reply: a letter, yes or no, a label, a rubric. What does not read is None, never a guess."""

import json
import re
from collections.abc import Collection
from typing import Any, Final

from treering.models.generator import without_thinking

__all__ = ["label", "letter", "rubric", "yes_or_no"]

_BARE: Final = re.compile(r"[\W_]*([A-Za-z])[\W_]*")
_HEADED: Final = re.compile(r"\W*([A-Z])\s*[.):]\s")
_NAMED: Final = re.compile(r"\b(?i:answer|option|choice)\s*(?:is|:)?\s*[\W_]*([A-Z])\b(?!['’])(?!\s+[a-z])")
_OBJECT: Final = re.compile(r"\{.*\}", re.DOTALL)


def letter(reply: str, letters: Collection[str]) -> str | None:
    """The one option that a reply names: alone, at the head of its text, or after "answer".

    >>> letter("(B)", "ABCD"), letter("B. Next week", "ABCD"), letter("The answer is **C**.", "ABCD")
    ('B', 'B', 'C')
    >>> letter("A meeting was held", "ABCD"), letter("E", "ABCD")
    (None, None)
    """
    said = without_thinking(reply).strip()
    if bare := _BARE.fullmatch(said):
        found = {bare[1].upper()}
    elif headed := _HEADED.match(said):
        found = {headed[1]}
    else:
        found = set(_NAMED.findall(said))
    return found.pop() if len(found) == 1 and found <= set(letters) else None


def yes_or_no(reply: str) -> bool | None:
    """What a reply says that was to be one word: its first word, else the only one of the two that it has.

    >>> yes_or_no("Yes."), yes_or_no("The answer is: no"), yes_or_no("Yes and no"), yes_or_no("Maybe")
    (True, False, True, None)
    """
    return _either(reply, "yes", "no")


def label(reply: str) -> bool | None:
    """Whether a reply says CORRECT or WRONG, in JSON or not.

    >>> label('{"label": "WRONG"}'), label("It has the date. CORRECT"), label("INCORRECT")
    (False, True, None)
    """
    said = _json(reply)
    return _either(str(said["label"]) if said is not None and "label" in said else reply, "correct", "wrong")


def rubric(reply: str) -> tuple[dict[str, float], bool] | None:
    """The points of a rubric by their ids, each from 0 to 1, and whether the answer is faithful.

    >>> rubric('Here: {"points": {"a": 1, "b": "0.5"}, "faithful": false}')
    ({'a': 1.0, 'b': 0.5}, False)
    """
    said = _json(reply)
    if said is None or not isinstance(said.get("points"), dict):
        return None
    try:
        points = {str(name): min(1.0, max(0.0, float(value))) for name, value in said["points"].items()}
    except (TypeError, ValueError):
        return None
    return points, said.get("faithful") is not False


def _either(reply: str, one: str, other: str) -> bool | None:
    words = re.findall(r"[^\W_]+", without_thinking(reply).casefold())
    if words[:1] in ([one], [other]):
        return one in words[:1]
    found = {one, other}.intersection(words)
    return one in found if len(found) == 1 else None


def _json(reply: str) -> dict[str, Any] | None:
    found = _OBJECT.search(without_thinking(reply))
    if found is None:
        return None
    try:
        said: dict[str, Any] = json.loads(found[0])  # what begins with a brace is an object, or does not read
    except ValueError:
        return None
    return said
