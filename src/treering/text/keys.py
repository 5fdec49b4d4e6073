"""The key of a text: what everything computed from it is cached by."""

import hashlib

__all__ = ["KEY_BYTES", "text_key"]

KEY_BYTES = 16


def text_key(text: str) -> bytes:
    """A 16-byte digest of the text; equal texts share vectors and summaries.

    >>> text_key("a") == text_key("a"), len(text_key("a"))
    (True, 16)
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()
