"""Running the application: where it may listen, and how it logs."""

import ipaddress
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import uvicorn

from treering.errors import UsageError
from treering.interfaces.rest.app import make_app
from treering.interfaces.rest.callers import Authenticator, LoopbackOwner, TokenFile
from treering.interfaces.rest.frame import UPLOAD_BYTES_MAX, Limits
from treering.interfaces.verbs import Verbs

__all__ = ["Listening", "serve"]

GRACE_S: Final = 30  # for answers that are being written when the server is told to stop
CONNECTIONS_MAX: Final = 512
_LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server listens, and who may call."""

    host: str = "127.0.0.1"
    port: int = 8480
    token_file: Path | None = None
    upload_bytes_max: int = UPLOAD_BYTES_MAX

    def authenticator(self) -> Authenticator:
        """Who tells who calls.

        Raises:
            UsageError: others could reach the server, and there are no tokens; or their file does not read.
        """
        if self.token_file is not None:
            return TokenFile.read(self.token_file)
        if not _is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached by others, who would all be the owner: give --token-file FILE"
                " (`treering token` makes tokens), or listen on 127.0.0.1"
            )
        return LoopbackOwner()

    def limits(self) -> Limits:
        """What is let in; without tokens only what calls this machine by its own names, against rebound domains."""
        limits = Limits(upload_bytes_max=self.upload_bytes_max)
        return limits if self.token_file is not None else replace(limits, hosts=_LOOPBACK | {self.host.lower()})


def serve(verbs: Verbs, listening: Listening) -> None:
    """Answer until told to stop; the verbs are closed then.

    Raises:
        UsageError: it may not listen there.
    """
    verbs.warm()
    app = make_app(verbs, listening.authenticator(), listening.limits())
    with _logging():
        uvicorn.run(
            app,
            host=listening.host,
            port=listening.port,
            log_config=None,
            access_log=False,  # the frame writes its own line, without what was asked
            proxy_headers=False,
            server_header=False,
            limit_concurrency=CONNECTIONS_MAX,
            timeout_graceful_shutdown=GRACE_S,
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _JsonLines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "said": record.getMessage(),
        }
        return json.dumps(line | getattr(record, "fields", {}))


@contextmanager
def _logging() -> Iterator[None]:
    """Lines of JSON on standard error, from us and from the server underneath."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    loggers = [logging.getLogger(name) for name in ("treering", "uvicorn")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.propagate = True
