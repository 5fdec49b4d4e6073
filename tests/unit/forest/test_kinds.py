"""Natural keys."""

from hypothesis import given
from hypothesis import strategies as st

from treering.forest.kinds import KINDS, View, natural_key, natural_parts

PARTS = st.lists(st.text("a/%~2F7E", max_size=4), min_size=1, max_size=3)


@given(PARTS, PARTS)
def test_different_parts_never_share_a_key(one, other):
    assert (natural_key(*one) == natural_key(*other)) == (one == other)


@given(PARTS)
def test_a_key_gives_its_parts_back(parts):
    assert natural_parts(natural_key(*parts)) == parts


def test_every_view_has_its_kind():
    assert set(KINDS) == set(View)
    assert all(kind.view is view for view, kind in KINDS.items())
