"""Every parameter of retrieval in frozen values; a profile is a set of them, not a class of its own.

Each field carries its `source`: a table or section of the EGCForest paper, or "ours" with the reason.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from treering.errors import UsageError
from treering.model.evidence import Stage

__all__ = ["PROFILES", "ForestSettings", "Leg", "Profile", "Signal", "profile_named", "setting_sources"]


class Leg(StrEnum):
    """A way to rank every record on its own."""

    LEXICAL = "lexical"
    DENSE = "dense"


class Signal(StrEnum):
    """What speaks for a tree in S1."""

    ROOT = "root"
    LEAF2TREE = "leaf2tree"
    COLLAPSED = "collapsed"


ALL_STAGES = frozenset({Stage.S1, Stage.S2, Stage.S3, Stage.S4})
ALL_VIEWS = ("channel", "actor", "artifact")


@dataclass(frozen=True, slots=True)
class ForestSettings:
    """The parameters of EGCForest's four stages. Counts are per question unless a field says otherwise."""

    stages: frozenset[Stage] = field(default=ALL_STAGES, metadata={"source": "section 3.2; fewer for ablation"})
    views: tuple[str, ...] = field(default=ALL_VIEWS, metadata={"source": "section 3.1; fewer for ablation"})
    signals: frozenset[Signal] = field(default=frozenset(Signal), metadata={"source": "section 3.2.1"})
    weight_root: float = field(default=0.8, metadata={"source": "table 8"})
    weight_leaf2tree: float = field(default=2.0, metadata={"source": "table 8"})
    weight_collapsed: float = field(default=0.8, metadata={"source": "table 8"})
    eta_tree: int = field(default=0, metadata={"source": "table 8; 1/rank within a view"})
    anchors: int = field(default=20, metadata={"source": "ours: as many as are shown; more let weak ones take places"})
    trees_kept: int = field(default=10, metadata={"source": "ours: per view; more widen S2 and S3, and slow them"})
    view_quotas: tuple[tuple[str, int], ...] = field(
        default=(("channel", 6), ("actor", 4), ("artifact", 4)),
        metadata={"source": "ours: they sum to the paper's 14; the channel view holds every message"},
    )
    quota_anchors: int = field(default=14, metadata={"source": "table 8, S1 quota"})
    quota_expansion: int = field(default=6, metadata={"source": "table 8, shared by S2 and S3"})
    reserve_s3: int = field(default=3, metadata={"source": "ours: S2 alone would fill the shared quota"})
    paths: int = field(default=8, metadata={"source": "table 8"})
    leaves_per_path: int = field(default=4, metadata={"source": "table 8"})
    entities_min: int = field(default=2, metadata={"source": "section 3.2.3"})
    join_window: int = field(default=32, metadata={"source": "ours: leaves looked at on each side of an anchor"})
    completion_threshold: float = field(
        default=0.5, metadata={"source": "ours: quantile of the candidates' relevance that a join or hop must reach"}
    )
    bridge_fanout: int = field(default=2, metadata={"source": "table 8"})
    bridge_messages: int = field(default=2, metadata={"source": "table 8; neighbours counted"})
    bridge_window: int = field(default=4, metadata={"source": "ours: leaves on each side of a bridge's far end"})
    header_share: float = field(default=0.35, metadata={"source": "table 8; of the token budget"})
    messages: int = field(default=20, metadata={"source": "table 8; the quotas above are for this many"})


@dataclass(frozen=True, slots=True)
class Profile:
    """A named way to answer: which legs rank, and whether the stages work on what they find."""

    name: str
    legs: tuple[Leg, ...]
    forest: ForestSettings | None = None  # None: the fused ranking is the answer
    pool: int = field(default=200, metadata={"source": "ours: candidates a leg; more cost time and change little"})
    eta: int = field(default=60, metadata={"source": "table 8; Cormack et al. 2009"})
    lambda_dense: float = field(default=1.0, metadata={"source": "ours: the paper gives none; 1 is plain RRF"})


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("bm25", (Leg.LEXICAL,)),
        Profile("dense", (Leg.DENSE,)),
        Profile("hybrid", (Leg.LEXICAL, Leg.DENSE)),
        Profile("egcforest", (Leg.LEXICAL, Leg.DENSE), ForestSettings()),
    )
}
DEFAULT = "egcforest"


def profile_named(name: str) -> Profile:
    """The profile of that name; `egcforest:S1+S2` runs only the stages named, `egcforest:channel+actor` only the views.

    Raises:
        UsageError: there is no such profile, stage, signal or view.

    >>> sorted(profile_named("egcforest:S1+S2").forest.stages)
    [<Stage.S1: 'S1'>, <Stage.S2: 'S2'>]
    """
    base, _, parts = name.partition(":")
    profile = PROFILES.get(base)
    if profile is None:
        raise UsageError(f"no profile is called {base!r}; there are {', '.join(PROFILES)}")
    if not parts:
        return profile
    if profile.forest is None:
        raise UsageError(f"the profile {base!r} has no stages or views to choose from")
    chosen = parts.split("+")
    stages = frozenset(stage for stage in ALL_STAGES if stage.value in chosen)
    views = tuple(view for view in ALL_VIEWS if view in chosen)
    signals = frozenset(signal for signal in Signal if signal.value in chosen)
    unknown = set(chosen) - {*stages, *views, *signals}
    if unknown:
        known = ", ".join([*sorted(ALL_STAGES), *ALL_VIEWS, *Signal])
        raise UsageError(f"{name!r}: {', '.join(sorted(unknown))} is none of {known}")
    forest = replace(
        profile.forest,
        stages=stages or profile.forest.stages,
        views=views or profile.forest.views,
        signals=signals or profile.forest.signals,
    )
    return replace(profile, name=name, forest=forest)


def setting_sources(settings: ForestSettings | Profile) -> dict[str, str]:
    """Where each parameter comes from, for documentation and for `--explain`."""
    return {name: f.metadata["source"] for name, f in settings.__dataclass_fields__.items() if "source" in f.metadata}
