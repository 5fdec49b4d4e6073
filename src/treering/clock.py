"""The only places where time and chance enter: whoever needs them is given one of these."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

__all__ = ["Clock", "Entropy", "system_clock", "system_entropy"]

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]


def system_clock() -> datetime:
    """The present moment, aware, UTC."""
    return datetime.now(UTC)


def system_entropy(bytes_wanted: int) -> bytes:
    """Unpredictable bytes from the operating system."""
    return secrets.token_bytes(bytes_wanted)
