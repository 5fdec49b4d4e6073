r"""Rich text as plain text: the body of Outlook mails that were kept in no other form.

Read are the characters, paragraphs and tabs; HTML that Outlook wrapped into RTF (`\fromhtml1`) comes out as HTML.
Formatting, pictures and embedded objects are dropped. Follows the RTF specification 1.9.1 and MS-OXRTFEX.
"""

import re
from dataclasses import dataclass

from treering.importers.mail_charsets import decoded
from treering.importers.mail_html import html_text
from treering.importers.narrowing import clean

__all__ = ["rtf_text"]

_TOKEN = re.compile(
    r"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.IGNORECASE
)
_SIGNS = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "tab": "\t", "cell": " ", "emdash": "—",
    "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ",
    "enspace": " ",
}  # fmt: skip
_DESTINATIONS = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "datastore", "listtable", "rsidtbl",
     "listoverridetable", "latentstyles", "generator", "header", "footer", "xmlnstbl", "fldinst", "filetbl"}
)  # fmt: skip


@dataclass(slots=True)
class _Group:
    """What holds between two braces."""

    dropped: bool = False
    skip: int = 1  # characters that stand in for one that is given by its number


def rtf_text(content: str) -> str:
    r"""Read a rich text.

    >>> rtf_text(r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}caf\'e9\par \u8364?5}")
    'café\n€5'
    """
    charset = f"cp{match[1]}" if (match := re.search(r"\\ansicpg(\d{3,5})", content)) else "cp1252"
    holds_html = "\\fromhtml" in content[:1000]
    units = "".join(_characters(content, charset, holds_html=holds_html))
    written = units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # emoji come as two numbers
    return html_text(written).text if holds_html else clean(written).strip()


def _characters(content: str, charset: str, *, holds_html: bool) -> list[str]:
    groups = [_Group()]
    found: list[str] = []
    pending = b""  # characters of more than one byte come byte by byte
    passed_over = 0
    in_rtf_only = False  # between \\htmlrtf and \\htmlrtf0: what stands for the HTML beside it

    def put(text: str) -> None:
        nonlocal pending
        if pending:
            found.append(decoded(pending, charset).text)
            pending = b""
        if not groups[-1].dropped and not in_rtf_only:
            found.append(text)

    for token in _TOKEN.finditer(content):
        word, number, byte, sign, brace, text = token.groups()
        if brace == "{":
            put("")
            groups.append(_Group(groups[-1].dropped, groups[-1].skip))
        elif brace and len(groups) > 1:
            put("")
            groups.pop()
        elif sign == "*":
            after = content[token.end() : token.end() + 8]
            groups[-1].dropped = not (holds_html and after.startswith("\\htmltag"))
        elif word in _DESTINATIONS:
            groups[-1].dropped = True
        elif word == "htmlrtf" and holds_html:
            put("")
            in_rtf_only = number != "0"
        elif word == "uc":
            groups[-1].skip = min(int(number or 1), 9)
        elif word == "u" and number:
            code = int(number) % 0x10000
            put(chr(code))
            passed_over = groups[-1].skip
        elif byte and passed_over:
            passed_over -= 1
        elif byte and not groups[-1].dropped and not in_rtf_only:
            pending += bytes([int(byte, 16)])
        elif word or sign:
            put(_SIGNS.get(word or "", {"~": "\xa0", "_": "-", "\n": "\n"}.get(sign, sign or "") if sign else ""))
        elif text:
            put(text[passed_over:])
            passed_over = 0
    put("")
    return found
