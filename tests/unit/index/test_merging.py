"""Merging: the same postings in fewer files."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.errors import MemoryDamaged
from treering.index import merging
from treering.index.lexical import write_lexical
from treering.index.merging import merge_segments, plan_merge
from treering.index.postings import Segment, SegmentInfo

FEW = settings(max_examples=60, deadline=None)

PASSAGES = [["a", "b", "a"], [], ["c"], ["b", "c", "c"], ["a"], ["d", "a", "b"], []]


def written(folder: Path, cuts: list[int], passages: list[list[str]] = PASSAGES) -> list[Path]:
    bounds = [0, *cuts, len(passages)]
    paths = []
    for base, stop in itertools.pairwise(bounds):
        paths.append(folder / f"{base}-{stop}.post")
        write_lexical(paths[-1], base, passages[base:stop])
    return paths


@pytest.mark.parametrize("cuts", [[1], [3], [1, 2, 5], [2, 4, 6]])
def test_merged_segments_are_the_segment_written_at_once(tmp_path, cuts):
    merge_segments(written(tmp_path, cuts), tmp_path / "merged")
    write_lexical(tmp_path / "once", 0, PASSAGES)
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "once").read_bytes()


def test_merging_in_small_steps_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "_POSTINGS_AT_ONCE", 2)
    merge_segments(written(tmp_path, [3]), tmp_path / "merged")
    write_lexical(tmp_path / "once", 0, PASSAGES)
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "once").read_bytes()


def test_segments_without_terms_merge(tmp_path):
    info = merge_segments(written(tmp_path, [1], [[], []]), tmp_path / "merged")
    assert info == SegmentInfo("merged", 0, 2)
    assert Segment.open(tmp_path / "merged").is_whole()


def test_segments_with_a_gap_between_them_are_not_merged(tmp_path):
    first, _, third = written(tmp_path, [2, 4])
    with pytest.raises(MemoryDamaged, match="do not follow"):
        merge_segments([first, third], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@FEW
@given(st.lists(st.integers(1, 1000), max_size=60))
def test_there_are_few_segments_however_appends_are_sized(counts):
    segments: list[SegmentInfo] = []
    base = rewritten = 0
    for count in counts:
        segments.append(SegmentInfo("s", base, count))
        base += count
        if (chosen := plan_merge(segments)) is not None:
            joined = sum(segment.count for segment in segments[chosen])
            rewritten += joined
            segments[chosen] = [SegmentInfo("m", segments[chosen][0].base, joined)]
        assert plan_merge(segments) is None
        assert len(segments) <= np.log(base) / np.log(3) + 1.001
        assert [segment.base for segment in segments[1:]] == np.cumsum([s.count for s in segments])[:-1].tolist()


def test_appending_one_by_one_rewrites_each_passage_a_logarithm_of_times():
    segments: list[SegmentInfo] = []
    rewritten = 0
    for base in range(3000):
        segments.append(SegmentInfo("s", base, 1))
        if (chosen := plan_merge(segments)) is not None:
            joined = sum(segment.count for segment in segments[chosen])
            rewritten += joined
            segments[chosen] = [SegmentInfo("m", segments[chosen][0].base, joined)]
    assert rewritten / 3000 < 2.5 * np.log2(3000)
