"""Segments of postings: written whole, read where they lie, refused when damaged."""

from pathlib import Path

import numpy as np
import pytest

from treering.errors import MemoryDamaged
from treering.index.postings import Entries, Segment, SegmentInfo, adjacent, gather, published, write_segment


def entries(*triples: tuple[int, int, float], keys: tuple[int, ...] = (7, 3)) -> Entries:
    terms, passages, impacts = zip(*triples, strict=True)
    return Entries(np.array(keys, np.uint64), np.array(terms, "i4"), np.array(passages, "i4"), np.array(impacts, "f4"))


@pytest.fixture
def segment(tmp_path):
    path = tmp_path / "0.post"
    write_segment(path, 10, [2, 1], entries((0, 1, 0.5), (1, 0, 2.0), (0, 0, 1.5)))
    return path


def test_a_segment_gives_back_what_was_written_in_order_of_key_and_passage(segment):
    opened = Segment.open(segment)
    assert opened.info == SegmentInfo("0.post", 10, 2)
    assert opened.keys.tolist() == [3, 7]
    postings = gather([opened], np.array([7, 99, 3], np.uint64))
    assert list(zip(postings.terms, postings.passages, postings.impacts, strict=True)) == [
        (0, 10, 1.5), (0, 11, 0.5), (2, 10, 2.0),
    ]  # fmt: skip


def test_entries_without_impacts_are_counted(tmp_path):
    repeated = Entries(np.array([5], np.uint64), np.zeros(3, "i4"), np.array([1, 0, 1], "i4"), None)
    write_segment(tmp_path / "s", 0, [1, 2], repeated)
    assert Segment.open(tmp_path / "s").impacts.tolist() == [1, 2]


def test_a_segment_of_no_passages_opens(tmp_path):
    nothing = Entries(np.empty(0, np.uint64), np.empty(0, "i4"), np.empty(0, "i4"), None)
    write_segment(tmp_path / "s", 4, [], nothing)
    opened = Segment.open(tmp_path / "s")
    assert opened.info.count == 0
    assert len(gather([opened], np.array([1], np.uint64)).passages) == 0


def test_passages_without_terms_keep_their_numbers(tmp_path):
    write_segment(tmp_path / "s", 0, [0, 1, 0], entries((0, 1, 1.0), keys=(1,)))
    assert Segment.open(tmp_path / "s").lengths.tolist() == [0, 1, 0]


@pytest.mark.parametrize("size", [0, 10, 63, 64, 100])
def test_a_segment_cut_off_anywhere_is_damaged(segment, size):
    segment.write_bytes(segment.read_bytes()[:size])
    with pytest.raises(MemoryDamaged, match=r"0\.post"):
        Segment.open(segment)


@pytest.mark.parametrize("at", range(0, 64, 3))
def test_a_wrong_byte_in_the_header_is_damage(segment, at):
    content = bytearray(segment.read_bytes())
    content[at] ^= 1
    segment.write_bytes(content)
    with pytest.raises(MemoryDamaged):
        Segment.open(segment)


def test_a_wrong_byte_in_the_body_is_found_by_the_full_check_alone(segment):
    assert Segment.open(segment).is_whole()
    content = bytearray(segment.read_bytes())
    content[-1] ^= 1
    segment.write_bytes(content)
    assert not Segment.open(segment).is_whole()


def test_a_missing_segment_is_damage_and_not_an_empty_one(tmp_path):
    with pytest.raises(MemoryDamaged, match="cannot be opened"):
        Segment.open(tmp_path / "gone")


def test_segments_must_join_up_from_the_first_passage(segment):
    with pytest.raises(MemoryDamaged, match="starts at passage 10, not 0"):
        adjacent([Segment.open(segment)])


def test_a_file_has_no_name_until_it_is_complete(tmp_path):
    path: Path = tmp_path / "s"

    def fail_half_way() -> None:
        with published(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert not path.exists()
