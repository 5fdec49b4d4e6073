"""Who calls: a token stands for the owner or for one viewer, and a viewer names nobody else.

Tokens are compared by their SHA-256, all of them each time and in constant time, so that neither the file nor the time
an answer takes gives one away. Where identities come from is one small protocol, so that OIDC can stand beside it.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from treering.errors import UsageError

__all__ = ["Authenticator", "Caller", "LoopbackOwner", "TokenFile", "new_token", "token_line"]

OWNER: Final = "owner"
TOKEN_CHARS_MIN: Final = 20
_HASHED: Final = re.compile(r"sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at the door: the owner, or the actor that a token stands for."""

    viewer: str | None  # None: the owner

    @property
    def is_owner(self) -> bool:
        """Whether all is visible, and imports are allowed."""
        return self.viewer is None


class Authenticator(Protocol):
    """Tells who calls."""

    def caller(self, token: str | None) -> Caller | None:
        """Whom a bearer token stands for; None where it stands for nobody. `token` is None where none was sent."""


class LoopbackOwner:
    """A server for this machine alone, without tokens: whoever reaches it is the owner."""

    def caller(self, token: str | None) -> Caller | None:
        """The owner; a token that is sent all the same is not looked at."""
        return Caller(None)


class TokenFile:
    """Tokens from lines `TOKEN VIEWER` or `TOKEN owner`; in place of a token its hash may stand, as `sha256:HEX`."""

    def __init__(self, entries: Sequence[tuple[bytes, Caller]]) -> None:
        self._entries = tuple(entries)

    @classmethod
    def read(cls, path: Path) -> "TokenFile":
        """The tokens of a file.

        Raises:
            UsageError: the file does not read, or a line of it does not; the message never shows a token.
        """
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the token file {path} cannot be read: {error}") from error
        entries = []
        for number, line in enumerate(lines, 1):
            token, _, viewer = line.strip().partition(" ")
            if not token or token.startswith("#"):
                continue
            hashed = _HASHED.fullmatch(token)
            viewer = viewer.strip()
            if not viewer or (hashed is None and len(token) < TOKEN_CHARS_MIN):
                raise UsageError(
                    f"{path}, line {number}: write TOKEN VIEWER or TOKEN owner, with a token of at least"
                    f" {TOKEN_CHARS_MIN} characters; `treering token` makes one"
                )
            digest = bytes.fromhex(hashed[1]) if hashed else _digest(token)
            entries.append((digest, Caller(None if viewer == OWNER else viewer)))
        if len({digest for digest, _ in entries}) < len(entries):
            raise UsageError(f"{path}: a token stands there twice")
        if not entries:
            raise UsageError(f"{path} holds no token: nobody could call")
        return cls(entries)

    def caller(self, token: str | None) -> Caller | None:
        """Whom the token stands for."""
        if token is None:
            return None
        digest = _digest(token)
        found = None
        for known, caller in self._entries:
            if hmac.compare_digest(known, digest):
                found = caller
        return found


def new_token() -> str:
    """A token that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def token_line(token: str, viewer: str) -> str:
    """The line of a token file that lets the token in, without the token itself."""
    return f"sha256:{_digest(token).hex()} {viewer}"


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
