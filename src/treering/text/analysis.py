r"""The one analyzer of index and question: from any text to terms that can be looked up.

A text is folded, cut into tokens by one regular expression, and each token becomes terms: words are stemmed;
identifiers, paths and addresses are kept whole *and* split; scripts without spaces become characters and pairs of
characters; pictographs are terms. No text is ever parsed as a query language. Source: DESIGN section 9.

The index keeps everything. A question asks for less (`ABC-123` asks for itself, not for every `abc`), and never for a
term that its own text would not be indexed under.
"""

import re
from functools import lru_cache
from typing import Final

from treering.text.english import STOP_WORDS, contracted, stem
from treering.text.folding import PICTOGRAPHS, fold
from treering.text.identifiers import identifiers
from treering.text.pictographs import named_pictograph, pictograph_terms

__all__ = ["UNSPACED", "analyze", "analyze_query"]

_LATIN: Final = r"A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff"
UNSPACED: Final = (
    r"\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"  # Han, kana, bopomofo
    r"\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17dd"  # Thai, Lao, Burmese, Khmer
)
_SIGNS: Final = (
    r"\u0711\u07a6-\u07b0\u0900-\u0963\u0971-\u0df3\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0fbc\u135d-\u135f"
)
_WORD: Final = rf"(?:[{_LATIN}]+|(?:(?![_{_LATIN}{UNSPACED}])[\w{_SIGNS}])+)"
_PICTURE: Final = rf"[{PICTOGRAPHS}][\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
_JOIN: Final = r"[-_.:/\\'@\#+&=?~%](?:(?<=:):|(?<=:)//)?"  # one sign, or "::" or "://"
_NAME_SIGNS: Final = r"(?:\+\+[0-9]*|\#(?<=\b[A-Za-z]\#)(?!\w))?"  # C++, C++17, C#
_REST: Final = rf"(?:{_JOIN}{_WORD})*{_NAME_SIGNS}"
_SHORTCODE: Final = r"[\w+-]+:(?::skin-tone-[2-6]:)?"  # after its first colon
_TOKEN: Final = re.compile(
    rf"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|{_PICTURE}(?:\u200d{_PICTURE})*"  # flags, keycaps, pictographs
    rf"|(?<![\w:]):{_SHORTCODE}"
    rf"|[{UNSPACED}]+"
    rf"|(?:(?<![\w.])\.(?=[A-Za-z])|(?<![\w#])\#(?=[0-9]))?{_WORD}{_REST}"  # .NET, #1234, words and compounds
)
# The same tokens where all is ASCII, as most texts are. It starts with a set of characters, so that the search skips
# what lies between tokens without trying anything: three times as fast.
_ASCII_REST: Final = _REST.replace(_WORD, "[A-Za-z0-9]+")
_ASCII_TOKEN: Final = re.compile(
    rf"[A-Za-z0-9.\#:](?:(?<=[A-Za-z0-9])[A-Za-z0-9]*{_ASCII_REST}"
    rf"|(?<=:)(?<![\w:]:){_SHORTCODE}"
    rf"|(?:(?<=\.)(?<![\w.]\.)(?=[A-Za-z])|(?<=\#)(?<![\w\#]\#)(?=[0-9]))[A-Za-z0-9]+{_ASCII_REST})"
)
_SEGMENT_ENDS: Final = re.compile(r"[:/\\@?&=#%]+")
_WORD_ENDS: Final = re.compile(r"[-_.:/\\'@#+&=?~%]+")
_PREFIXED: Final = re.compile(r"\.[A-Za-z]|#[0-9]")
_SIGNED: Final = re.compile(r"(\w+)(\+\+)([0-9]*)")
_NUMBER_SIGN: Final = re.compile(r"#[0-9]+$")
_HUMPED: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_UNSPACED_TOKEN: Final = re.compile(rf"[{UNSPACED}]")
_TICKET: Final = re.compile(r"[A-Z][A-Z0-9]*-[0-9]+")
_NUMERIC: Final = re.compile(r"v?[0-9]+(?:[-_.:/][0-9]+)+")

_CACHED_LENGTH_MAX: Final = 48  # of a token: longer ones rarely come twice and would fill the caches with pasted logs
_WHOLE_LENGTH_MAX: Final = 256  # of a compound: beyond it nobody asks for the whole


def analyze(text: str) -> list[str]:
    """The index terms of a text, in order and with repeats.

    >>> analyze("ABC-123: Alice's café, 東京")
    ['abc-123', 'abc', '123', 'alic', 'cafe', '東', '東京', '京']
    """
    terms: list[str] = []
    for token in _tokens(text):
        terms += _index_terms(token) if len(token) <= _CACHED_LENGTH_MAX else _expand(token)
    return terms


def analyze_query(text: str) -> list[str]:
    """The distinct terms that a question asks for, in order of first sight; empty only when the text has no token.

    Stop words are left out unless nothing else is left. A ticket, a number with parts and a humped word ask for the
    whole alone, everything else for the whole and its words. All of them are among `analyze(text)`.

    >>> analyze_query("who owns ABC-123?"), analyze_query("to be or not")
    (['own', 'abc-123'], ['not'])
    """
    telling: dict[str, None] = {}
    stopping: dict[str, None] = {}
    for token in _tokens(text):
        terms, stops = _query_terms(token) if len(token) <= _CACHED_LENGTH_MAX else (tuple(_asked(token)), False)
        (stopping if stops else telling).update(dict.fromkeys(terms))
    return list(telling or stopping)


def _tokens(text: str) -> list[str]:
    folded = fold(text)
    tokens: list[str] = (_ASCII_TOKEN if folded.isascii() else _TOKEN).findall(folded)
    return tokens


@lru_cache(maxsize=1 << 16)
def _index_terms(token: str) -> tuple[str, ...]:
    return tuple(_expand(token))


@lru_cache(maxsize=1 << 12)
def _query_terms(token: str) -> tuple[tuple[str, ...], bool]:
    """The terms asked for by a token, and whether it is a stop word."""
    word = token.casefold()
    return tuple(_asked(token)), (contracted(word) or word) in STOP_WORDS


def _expand(token: str) -> list[str]:
    """Everything that one token is indexed under, the whole first."""
    if _UNSPACED_TOKEN.match(token):
        pairs = _pairs(token)
        return [term for pair in zip(token, [*pairs, ""], strict=True) for term in pair if term]
    if token.isalnum():
        return _humps(token)
    if token[0] == ":":
        picture = named_pictograph(token)
        if picture is not None:
            return list(pictograph_terms(picture))
        return [term for inner in _TOKEN.findall(token[1:-1]) for term in _expand(inner)]
    if not (token[0].isalnum() or _PREFIXED.match(token)) or token[-1] == "\u20e3":
        return list(pictograph_terms(token))
    return _compound_terms(token)


def _asked(token: str) -> list[str]:
    """What one token of a question asks for."""
    if len(token) > 1 and _UNSPACED_TOKEN.match(token):
        return _pairs(token)
    terms = _expand(token)
    if token.isalnum() or (_TICKET.fullmatch(token) and identifiers(token)):
        return terms[:1]
    if terms and _NUMERIC.fullmatch(terms[0]):
        return terms[: 2 if terms[0][0] == "v" else 1]  # v1.2.3, and 1.2.3 as others write it
    return terms


def _compound_terms(token: str) -> list[str]:
    """The terms of words joined by signs: the whole, the parts that keep a meaning of their own, the words."""
    whole = token.casefold()
    if "'" in whole:
        whole = contracted(whole) or whole
        if whole.isalnum():
            return [stem(whole)]
    if not _WORD_ENDS.search(whole):  # one word, with vowel signs that Python does not count as letters
        return [whole]
    terms = [whole] if len(whole) <= _WHOLE_LENGTH_MAX else []
    signed = _SIGNED.fullmatch(whole)
    if signed and signed[3]:
        terms.append(signed[1] + signed[2])
    one_letter = (signed is not None and len(signed[1]) == 1) or (len(whole) == 2 and whole[1] == "#")
    if one_letter:  # "c" is another language than "c++" or "c#"
        return terms
    terms += [part for part in _SEGMENT_ENDS.split(whole) if part and part != whole and not part.isalnum()]
    number = _NUMBER_SIGN.search(whole)
    if number and number[0] != whole:
        terms += dict.fromkeys((whole.rpartition("/")[2], number[0]))
    if whole[0] == "v" and _NUMERIC.fullmatch(whole):
        terms.append(whole[1:])
    for word in filter(None, _WORD_ENDS.split(token)):
        terms += _humps(word)
    return terms


def _humps(word: str) -> list[str]:
    """A word, and the words inside it where capitals part them."""
    whole = stem(word.casefold())
    if _HUMPED.search(word):
        return [whole, *(stem(hump.casefold()) for hump in _HUMPS.findall(word) if len(hump) > 1)]
    return [whole]


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]
