"""The bytes of mails as text: charsets under the names that mail programs give them, and transfer encodings.

Nothing is refused here: what was declared is tried first, then what it usually means, then UTF-8, then Windows-1252,
which every byte can be read as. Whether the declaration held is told, so that the record can say so. Follows FORMATS
section 13.
"""

import binascii
import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Decoded", "decoded", "transfer_decoded"]

# What the label is found to mean in mails: supersets of the charset named, and spellings that Python does not know.
_MEANT = {
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "iso_8859-1": "cp1252",
    "ansi_x3.4-1968": "us-ascii", "iso-8859-8-i": "iso-8859-8", "iso-8859-8-e": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6", "iso-8859-6-e": "iso-8859-6", "iso-8859-9": "cp1254", "iso-8859-11": "cp874",
    "tis-620": "cp874", "windows-874": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030",
    "x-gbk": "gb18030", "chinesebig5": "big5hkscs", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "ks_c_5601-1987": "cp949", "ks_c_5601": "cp949", "ksc5601": "cp949", "ks_c_5601-1989": "cp949", "euc-kr": "cp949",
    "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932", "iso-2022-jp": "iso2022_jp_ext",
    "x-euc-jp": "euc_jp", "unicode-1-1-utf-7": "utf-7", "unicode-1-1-utf-8": "utf-8", "utf8": "utf-8",
    "x-mac-roman": "mac_roman", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "x-mac-ce": "mac_latin2",
}  # fmt: skip
_WESTERN = frozenset({"cp1252", "iso8859-15", "cp1254"})
_ASCII_WITHIN = _WESTERN | {"", "ascii", "utf-8"}
_NO_LABELS = frozenset({"", "unknown-8bit", "x-unknown", "unknown", "default", "8bit", "binary", "none"})
_NO_CHARSETS = frozenset({"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"})
_UUENCODED = re.compile(r"x?[-_]?uu(e|encode)?")
_BASE64_LINE = re.compile(rb"[ \t]*[A-Za-z0-9+/]+={0,2}[ \t]*")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and the charset that its bytes were read in."""

    text: str
    charset: str
    as_declared: bool  # False: a charset was declared, and the text is not in it


def decoded(content: bytes, declared: str = "", hint: str = "") -> Decoded:
    r"""Read bytes as text, in the charset declared if that is possible.

    Args:
        content: the bytes.
        declared: the label of the charset, "" where there is none.
        hint: another charset that is likelier than Windows-1252.

    >>> decoded(b"caf\xe9 \x80", "iso-8859-1").text, decoded(b"caf\xc3\xa9", "us-ascii").text
    ('café €', 'café')
    """
    label = declared.strip(" \t\"'").casefold().partition("*")[0]
    codec = _codec(label)
    if content.isascii() and codec in _ASCII_WITHIN:
        return Decoded(content.decode("ascii"), codec or "ascii", as_declared=bool(codec) or label in _NO_LABELS)
    tried = [codec] if codec and (codec != "ascii" or content.isascii()) else []
    if codec in _WESTERN and not content.isascii():
        tried.insert(0, "utf-8")  # what reads as UTF-8 is; in these charsets it would be gibberish
    for name in (*tried, "utf-8", _codec(hint)):
        text = _strictly(content, name) if name else None
        if text is not None:
            return Decoded(text, name, name == codec or label in _NO_LABELS)
    if codec == "cp1252":
        return Decoded(content.decode("latin-1"), "latin-1", as_declared=True)
    if codec and codec != "ascii":
        text = content.decode(codec, "replace")
        if codec != "utf-8" or text.count("\ufffd") * 4 <= sum(byte >= 0x80 for byte in content):
            return Decoded(text, codec, as_declared=True)
    return Decoded(content.decode("cp1252", "replace"), "cp1252", label in _NO_LABELS)


def transfer_decoded(content: bytes, encoding: str) -> bytes:
    r"""Undo a Content-Transfer-Encoding; one that is unknown or does not hold leaves the bytes as they are.

    >>> transfer_decoded(b"a=3Db =\nc", "Quoted-Printable"), transfer_decoded(b"aGk=\n\nlist footer", "base64")
    (b'a=b c', b'hi\nlist footer')
    """
    name = (encoding.split() or [""])[0].strip("\"';").casefold()
    if name == "base64":
        return _from_base64(content)
    if name == "quoted-printable":
        return binascii.a2b_qp(re.sub(rb"=[ \t]+(\r?\n)", rb"=\1", content))
    if _UUENCODED.fullmatch(name):
        return _from_uuencoded(content)
    return content


@lru_cache(maxsize=512)
def _codec(label: str) -> str:
    """Python's name of a charset; "" if the label means none."""
    label = label.strip().casefold()
    name = _MEANT.get(label, re.sub(r"^cp-(?=\d)", "cp", label))
    if label in _NO_LABELS or name in _NO_CHARSETS or not name.isascii() or "\0" in name:
        return ""
    try:
        "a".encode(name)  # refuses those that are no encodings of text
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _NO_CHARSETS else found


def _strictly(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except ValueError:
        return None


def _from_base64(content: bytes) -> bytes:
    """The decoded lines, and after them the plain ones that some list software adds at the end."""
    lines = content.strip().split(b"\n")
    encoded = 0
    while encoded < len(lines) and _BASE64_LINE.fullmatch(lines[encoded].strip(b"\r")):
        encoded += 1
    if not encoded:
        return content
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", b"".join(lines[:encoded]).partition(b"=")[0])
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    rest = b"\n".join(lines[encoded:]).strip()
    found = binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    return found + b"\n" + rest if rest else found


def _from_uuencoded(content: bytes) -> bytes:
    found: list[bytes] = []
    for line in content.replace(b"\r", b"").split(b"\n"):
        if line.startswith(b"begin ") or not line.strip(b" `"):
            continue
        if line == b"end":
            break
        try:
            found.append(binascii.a2b_uu(line))
        except binascii.Error:
            length = ((line[0] - 32 & 63) * 4 + 5) // 3  # some encoders pad the last group with anything
            try:
                found.append(binascii.a2b_uu(line[:length]))
            except binascii.Error:
                return content
    return b"".join(found)
