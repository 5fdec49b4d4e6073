"""Profiles: the published parameters, and ablations by name."""

import pytest

from treering.errors import UsageError
from treering.model.evidence import Stage
from treering.retrieval.profiles import PROFILES, ForestSettings, Signal, profile_named, setting_sources


def test_the_published_parameters_are_the_defaults() -> None:
    settings = ForestSettings()
    published = {
        "weight_root": 0.8, "weight_leaf2tree": 2.0, "weight_collapsed": 0.8, "eta_tree": 0, "paths": 8,
        "leaves_per_path": 4, "bridge_fanout": 2, "bridge_messages": 2, "quota_anchors": 14, "quota_expansion": 6,
        "messages": 20, "header_share": 0.35,
    }  # fmt: skip
    assert {name: getattr(settings, name) for name in published} == published
    assert PROFILES["egcforest"].eta == 60


def test_every_parameter_says_where_it_comes_from() -> None:
    settings = ForestSettings()
    assert set(setting_sources(settings)) == set(ForestSettings.__dataclass_fields__)


def test_the_view_quotas_are_the_anchors_quota() -> None:
    settings = ForestSettings()
    assert sum(places for _, places in settings.view_quotas) == settings.quota_anchors


def test_a_profile_can_be_cut_down_by_name() -> None:
    forest = profile_named("egcforest:S1+channel+root").forest
    assert forest is not None
    assert forest.stages == {Stage.S1}
    assert forest.views == ("channel",)
    assert forest.signals == {Signal.ROOT}


@pytest.mark.parametrize("name", ["egcforst", "egcforest:S9", "bm25:S1", ""])
def test_a_name_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        profile_named(name)
