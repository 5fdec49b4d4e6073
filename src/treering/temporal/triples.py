"""Entity-relation triples by rules: who wrote what, what names what, who is spoken to, what replaces what.

No model, and no guess: each triple repeats what the record says in so many words or in its metadata. The record it
comes from gives it its date and its visibility. Source: Memg++, whose triples are undated; DESIGN section 5.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

__all__ = ["Triple", "triples_of"]

NAMED_MAX: Final = 20  # identifiers of one record: a long document lists hundreds of addresses


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, relation, object, each as written."""

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        """The triple as a sentence without grammar."""
        return f"{self.subject} {self.relation} {self.object}"


_RELATION_OF_MARK: Final = {"superseded_by": "is superseded by", "supersedes": "supersedes", "retired": "is retired"}


def triples_of(
    *,
    document: bool,
    author: str,
    title: str,
    identifiers: Iterable[str],
    mentions: Sequence[str],
    refs: Sequence[str],
    marks: Iterable[tuple[str, str]],
) -> Iterator[Triple]:
    """The triples of one record.

    >>> [str(t) for t in triples_of(document=False, author="Ana", title="", identifiers=["ABC-1"], mentions=["Bob"],
    ...                             refs=(), marks=())]
    ['Ana wrote about ABC-1', 'Ana spoke to Bob']
    """
    named = islice((name for name in identifiers if "://" not in name and name != title), NAMED_MAX)
    if document:
        if title:
            yield Triple(author, "wrote", title)
        yield from (Triple(title or author, "names", name) for name in named)
        yield from (Triple(title, "links to", ref) for ref in refs if title)
        for kind, target in marks:
            yield Triple(title or author, _RELATION_OF_MARK[kind], target)
    else:
        yield from (Triple(author, "wrote about", name) for name in named)
        yield from (Triple(author, "spoke to", name) for name in mentions)
