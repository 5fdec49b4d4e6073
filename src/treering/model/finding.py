"""What an examination finds: one thing that was looked at, how it stands, and what to do now."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Finding", "Verdict", "failure", "fine", "warning"]


class Verdict(StrEnum):
    """How a thing stands."""

    OK = "ok"
    WARNING = "warning"  # works, and is not as it should be or will not be for long
    FAILURE = "failure"  # does not work, or what it says cannot be trusted


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    verdict: Verdict
    found: str
    advice: str = ""  # what to do now; empty where nothing has to be done


def fine(about: str, found: str) -> Finding:
    """All is well."""
    return Finding(about, Verdict.OK, found)


def warning(about: str, found: str, advice: str) -> Finding:
    """It works, but."""
    return Finding(about, Verdict.WARNING, found, advice)


def failure(about: str, found: str, advice: str) -> Finding:
    """It does not work."""
    return Finding(about, Verdict.FAILURE, found, advice)
