"""JSON in UTF-16 read as UTF-8: PowerShell writes so whatever a command prints into a file (`gh issue list > a.json`).

Only what begins with a byte order mark counts as UTF-16; what does not decode becomes U+FFFD. Other texts are decoded
by those who read them.
"""

import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, IncrementalDecoder, getincrementaldecoder

__all__ = ["as_utf8", "may_be_recoded"]

CHUNK_BYTES = 1 << 18


def may_be_recoded(name: str) -> bool:
    """Whether a file is named as JSON, so that its encoding is looked at."""
    return name.lower().endswith((".json", ".jsonl", ".ndjson"))


def as_utf8(file: io.BufferedReader) -> io.BufferedReader:
    """The stream in UTF-8; nothing is read before it is."""
    return io.BufferedReader(_Recoded(file), CHUNK_BYTES)


class _Recoded(io.RawIOBase):
    """Decides at its first reading what it reads."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._decoder: IncrementalDecoder | None = None
        self._is_begun = False
        self._held = b""  # what was recoded and did not fit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not self._is_begun:
            self._is_begun = True
            if self._file.peek(2)[:2] in (BOM_UTF16_LE, BOM_UTF16_BE):
                self._decoder = getincrementaldecoder("utf-16")(errors="replace")
        size = len(buffer)
        chunk = self._file.read1(size) if self._decoder is None else self._recoded(self._decoder, size)
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._file.close()
        super().close()

    def _recoded(self, decoder: IncrementalDecoder, size: int) -> bytes:
        is_last = False
        while not self._held and not is_last:
            chunk = self._file.read1(CHUNK_BYTES)
            is_last = not chunk
            self._held = decoder.decode(chunk, final=is_last).encode("utf-8", "replace")
        taken, self._held = self._held[:size], self._held[size:]
        return taken
