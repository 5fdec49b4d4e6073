"""Small valid inputs of every importer, damaged at random: nothing but our own errors, and nothing lost beside it.

A mutation touches one stretch of a file. In formats whose records stand one after the other, every record that lies
wholly before that stretch must still be kept; where records are lines, so must every one after it. A seeded fiftieth of
the mutations runs in CI, all of them with `make soak`.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.soak.fuzz_case import Case
from tests.soak.fuzz_inputs import cases
from treering.errors import TreeringError
from treering.importers.detect import ASKED_FOR, IMPORTERS
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import RecordDraft

WHOLE = 10_000  # mutations of each input
SHARE = 200  # of them in CI
SHARP = (  # what formats turn on
    b'"', b"{}", b"null", b"\0", b"-1e999", b"\xff", b"]]>", b"<", b"99", b"\\", b"\n\n", b"\xe2\x80\xa8", b"]", b"}",
)  # fmt: skip
BESIDE = (  # further ways in which an importer reads
    *("slack-archive, in chunks", "slack, in a zip", "slack, in a tar"),
    *("mail-files, with a PDF", "mail-files, with a DOCX"),
)
NAMES = (*(importer.name for importer in (*IMPORTERS, *ASKED_FOR)), *BESIDE)
ODD = (  # values of another kind
    b"{}", b"[]", b'{"a": []}', b"[[1, null]]", b"null", b"true", b"-1", b"1.5", b"1" + b"0" * 30, b'""', b'"\\ud800"',
)  # fmt: skip
_WORD = re.compile(rb"word\d+word")
_VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:null|true|false)\b')


@dataclass(frozen=True, slots=True)
class Damaged:
    content: bytes
    start: int  # of the stretch in the sound content that was touched
    stop: int


def mutations(content: bytes, count: int, seed: str) -> Iterator[Damaged]:
    """The content with one stretch changed, cut out, doubled, swapped, put in other letters or made another value."""
    dice = random.Random(seed)
    for _ in range(count):
        start = dice.randrange(len(content) + 1)
        stop = min(len(content), start + dice.choice((1, 1, 2, 8, 40, 300)))
        old = content[start:stop]
        match dice.randrange(9):
            case 0:
                new = dice.randbytes(len(old))
            case 1:
                new = b""
            case 2:
                new = old + old
            case 3:
                start = stop if dice.random() < 0.5 else start
                new = dice.choice(SHARP)
            case 4:
                new = bytes(byte ^ 1 << dice.randrange(8) for byte in old[:1]) + old[1:]
            case 5:
                pieces = old.split(b"\n")
                dice.shuffle(pieces)
                new = b"\n".join(pieces)
            case 6:
                new = old.decode("latin-1").encode(dice.choice(("utf-16-le", "utf-8", "utf-7", "cp037")), "replace")
            case 7 if value := _VALUE.search(content, start):  # a value of another kind
                (start, stop), new = value.span(), dice.choice(ODD)
            case _:
                stop, new = len(content), b""  # the file ends too soon
        yield Damaged(content[:start] + new + content[stop:], start, stop)


def untouched(case: Case, damaged: Damaged) -> set[str]:
    """The words of the records before the damage, and of those after it where a reader finds its place again."""
    safe = set()
    for found in _WORD.finditer(case.content):
        ends = case.content.find(case.separator, found.end())
        before = ends >= 0 and ends + len(case.separator) <= damaged.start
        begins = case.content.rfind(case.separator, 0, found.start())
        if before or (case.resumes and begins >= damaged.stop):
            safe.add(found[0].decode())
    return safe


def kept(case: Case, root: Path) -> set[str] | None:
    """The words that arrive; None if the input is refused, as one of no known format is."""
    with open_tree(root) as tree:
        if not case.importer.recognizes(tree):
            return None
        assert case.importer.source(tree)
        drafts = [drafted.draft for drafted in case.importer.extract(tree, ImportOptions(date_order="dmy"))]
    records = [draft for draft in drafts if isinstance(draft, RecordDraft)]
    return {word for record in records for word in re.findall(r"word\d+word", f"{record.title} {record.text}")}


def fuzz(name: str, root: Path, count: int) -> None:
    scratch = root / "made"
    scratch.mkdir()
    case = cases(scratch)[name]
    if not case.is_readable:
        pytest.skip(f"{case.needs} is not installed")
    folder = root / "input"
    for beside, content in {**case.beside, case.name: case.content}.items():
        path = folder / beside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    case.write(folder, case.content)
    assert kept(case, folder), "the sound input gives nothing: what is fuzzed is no parser"
    refused = 0
    for number, damaged in enumerate(mutations(case.content, count, name)):
        try:
            case.write(folder, damaged.content)
            found = kept(case, folder)
        except TreeringError:
            found = None
        except Exception as error:
            raise AssertionError(f"mutation {number} of {name}: {damaged.content!r}") from error
        refused += found is None
        if case.separator and found is not None:
            lost = untouched(case, damaged) - found
            assert not lost, f"mutation {number} of {name} lost {lost}: {damaged.content!r}"
    assert refused <= count / 2, "most of the damaged inputs are refused: what is fuzzed is no parser"


def test_every_importer_has_an_input(tmp_path: Path):
    assert set(cases(tmp_path)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_share_of_the_damage_raises_nothing_and_costs_nothing_beside_it(name: str, tmp_path: Path):
    fuzz(name, tmp_path, SHARE)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_no_damage_raises_anything_but_our_own_errors(name: str, tmp_path: Path):
    fuzz(name, tmp_path, WHOLE)
