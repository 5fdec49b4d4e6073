"""Every parameter of retrieval in frozen values; a profile is a set of them, not a class of its own.

Each field carries its `source`: a table or section of the EGCForest paper, or "ours" with the reason.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from treering.errors import UsageError
from treering.model.evidence import Stage

__all__ = [
    "DEFAULT",
    "PROFILES",
    "ForestSettings",
    "Leg",
    "LiftSettings",
    "MemppSettings",
    "Profile",
    "Signal",
    "profile_named",
    "setting_sources",
]


class Leg(StrEnum):
    """A way to rank every record on its own."""

    LEXICAL = "lexical"
    DENSE = "dense"
    SPARSE = "sparse"  # learned terms and weights; `treering` alone
    TAG = "tag"  # exact labels: author, given tags, identifiers; `mempp` alone
    FACT = "fact"  # triples whose ends the question names; `mempp` alone, and only where asked for


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
class MemppSettings:
    """The parameters of Mem++, with the values that its public implementation documents."""

    legs: tuple[Leg, ...] = field(
        default=(Leg.LEXICAL, Leg.TAG, Leg.DENSE), metadata={"source": "section 3.3; fewer for ablation"}
    )
    weight_lexical: float = field(default=1.0, metadata={"source": "public implementation"})
    weight_tag: float = field(default=1.0, metadata={"source": "public implementation"})
    weight_vector: float = field(default=4.0, metadata={"source": "public implementation; 2 for LoCoMo"})
    weight_fact: float = field(default=1.0, metadata={"source": "ours: as the other exact leg; the paper gives none"})
    eta: int = field(default=60, metadata={"source": "public implementation; ranks count from 0"})
    pool: int = field(default=200, metadata={"source": "public implementation: 50 or 200 candidates a leg"})
    conjunctive: bool = field(
        default=False, metadata={"source": "ours: all words of a sentence hardly ever stand in one record"}
    )
    places: int = field(default=50, metadata={"source": "section 3.3, k; the reserve below is for this many"})
    reserve: int = field(default=3, metadata={"source": "section 3.3; places for the latest of the matched rest"})
    consolidated: bool = field(default=True, metadata={"source": "section 3.2; without marks it changes nothing"})
    date_boost: float = field(
        default=1.25, metadata={"source": "ours: factor on what held at a time the question names"}
    )
    triples: int = field(default=0, metadata={"source": "Memg++: up to five"})


@dataclass(frozen=True, slots=True)
class LiftSettings:
    """The parameters of the default profile: every leg scores each text by itself and by the windows around it."""

    legs: tuple[Leg, ...] = field(
        default=(Leg.LEXICAL, Leg.SPARSE, Leg.DENSE), metadata={"source": "ours: measured, results.md"}
    )
    windows: tuple[int, ...] = field(
        default=(8, 24), metadata={"source": "ours: neighbours in a thread; two levels of a tree, as DESIGN 6 tried"}
    )
    in_documents: tuple[Leg, ...] = field(
        default=(Leg.LEXICAL,),
        metadata={"source": "ours: legs with windows in documents; an encoder reads a passage as a whole already"},
    )
    sparse_terms: int = field(
        default=16, metadata={"source": "ours: the heaviest of the question; more cost time alone"}
    )
    place_names: bool = field(default=True, metadata={"source": "ours: names of channel and thread count as words"})
    weight_asker: float = field(
        default=0.2, metadata={"source": "ours: of one leg, for what the asker wrote when asked in the first person"}
    )
    weight_date: float = field(
        default=0.5, metadata={"source": "ours: of one leg, for what held at a time the question names"}
    )
    demotion: bool = field(
        default=True, metadata={"source": "ours: a version below the one that replaced it and answers the same"}
    )
    reserve_versions: float = field(
        default=0.1, metadata={"source": "ours: share of places for what the best document said before, and says since"}
    )
    rerank_pool: int = field(
        default=50, metadata={"source": "ours: candidates that a reranker reads, where one is configured"}
    )
    weight_rerank: float = field(
        default=1.0, metadata={"source": "ours: to the legs' sum, each brought to 0..1 among those candidates"}
    )


@dataclass(frozen=True, slots=True)
class Profile:
    """A named way to answer: which legs rank, and what works on what they find."""

    name: str
    legs: tuple[Leg, ...]
    forest: ForestSettings | None = None  # EGCForest's stages
    mempp: MemppSettings | None = None
    lift: LiftSettings | None = None  # with none of the three, the fused ranking is the answer
    pool: int = field(default=200, metadata={"source": "ours: candidates a leg; more cost time and change little"})
    eta: int = field(default=60, metadata={"source": "table 8; Cormack et al. 2009"})
    lambda_dense: float = field(default=1.0, metadata={"source": "ours: the paper gives none; 1 is plain RRF"})

    @property
    def names_asker(self) -> bool:
        """Whether the asker's name is matched with the question; it pulls up the asker's own words."""
        return self.lift is None


_BOTH = (Leg.LEXICAL, Leg.DENSE)
PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("bm25", (Leg.LEXICAL,)),
        Profile("dense", (Leg.DENSE,)),
        Profile("hybrid", _BOTH),
        Profile("egcforest", _BOTH, forest=ForestSettings()),
        Profile("mempp", _BOTH, mempp=MemppSettings()),
        Profile("memgpp", _BOTH, mempp=MemppSettings(triples=5)),
        Profile("treering", (*_BOTH, Leg.SPARSE), lift=LiftSettings()),
    )
}
DEFAULT = "treering"

_MEMPP_PARTS = {"lexical": Leg.LEXICAL, "tag": Leg.TAG, "vector": Leg.DENSE, "fact": Leg.FACT}
_LIFT_PARTS = {"lexical": Leg.LEXICAL, "sparse": Leg.SPARSE, "dense": Leg.DENSE}


def profile_named(name: str) -> Profile:
    """The profile of that name; after a colon, the parts of it that are kept, for ablation.

    `egcforest` has stages (S1 to S4), views and signals; `mempp` and `memgpp` have lexical, tag, vector, reserve and
    two that are off unless named, conjunctive and fact; `treering` has lexical, sparse, dense, windows, names and
    demotion, which stands for all that versions do to the order.

    Raises:
        UsageError: there is no such profile or part.

    >>> sorted(profile_named("egcforest:S1+S2").forest.stages)
    [<Stage.S1: 'S1'>, <Stage.S2: 'S2'>]
    >>> profile_named("mempp:vector+tag").mempp.reserve
    0
    """
    base, _, parts = name.partition(":")
    profile = PROFILES.get(base)
    if profile is None:
        raise UsageError(f"no profile is called {base!r}; there are {', '.join(PROFILES)}")
    if not parts:
        return profile
    chosen = set(parts.split("+"))
    if profile.forest is not None:
        return replace(profile, name=name, forest=_forest_of(profile.forest, name, chosen))
    if profile.mempp is not None:
        _require(name, chosen, {*_MEMPP_PARTS, "reserve", "conjunctive"})
        mempp = replace(
            profile.mempp,
            legs=tuple(leg for part, leg in _MEMPP_PARTS.items() if part in chosen) or profile.mempp.legs,
            reserve=profile.mempp.reserve if "reserve" in chosen else 0,
            conjunctive="conjunctive" in chosen,
        )
        legs = tuple(leg for leg in mempp.legs if leg in _BOTH) or (Leg.LEXICAL,)
        return replace(profile, name=name, mempp=mempp, legs=legs)
    if profile.lift is not None:
        _require(name, chosen, {*_LIFT_PARTS, "windows", "names", "demotion"})
        kept = tuple(leg for part, leg in _LIFT_PARTS.items() if part in chosen) or profile.lift.legs
        lift = replace(
            profile.lift,
            legs=kept,
            windows=profile.lift.windows if "windows" in chosen else (),
            place_names="names" in chosen,
            demotion="demotion" in chosen,
            reserve_versions=profile.lift.reserve_versions if "demotion" in chosen else 0.0,
        )
        return replace(profile, name=name, lift=lift, legs=kept)
    raise UsageError(f"the profile {base!r} has no parts to choose from")


def _forest_of(forest: ForestSettings, name: str, chosen: set[str]) -> ForestSettings:
    stages = frozenset(stage for stage in ALL_STAGES if stage.value in chosen)
    views = tuple(view for view in ALL_VIEWS if view in chosen)
    signals = frozenset(signal for signal in Signal if signal.value in chosen)
    _require(name, chosen, {*sorted(ALL_STAGES), *ALL_VIEWS, *Signal})
    return replace(
        forest,
        stages=stages or forest.stages,
        views=views or forest.views,
        signals=signals or forest.signals,
    )


def _require(name: str, chosen: set[str], known: set[str]) -> None:
    unknown = chosen - known
    if unknown:
        raise UsageError(f"{name!r}: {', '.join(sorted(unknown))} is none of {', '.join(sorted(known))}")


def setting_sources(settings: ForestSettings | MemppSettings | LiftSettings | Profile) -> dict[str, str]:
    """Where each parameter comes from, for documentation and for `--explain`."""
    return {name: f.metadata["source"] for name, f in settings.__dataclass_fields__.items() if "source" in f.metadata}
