"""The benchmarks that have names, each with the loader that reads its data as published."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from treering.errors import UnreadableInput, UsageError
from treering.evaluation.benchmark import Benchmark
from treering.evaluation.loaders import (
    evermembench,
    evidence_questions,
    groupmembench,
    locomo,
    longmemeval,
    memora,
    orgmembench,
    qmsum,
)

__all__ = ["LOADERS", "load"]


def _chats(name: str, origin: str) -> Callable[[Path], Benchmark]:
    return partial(evidence_questions.load, name=name, origin=origin, licence="Apache-2.0")


LOADERS: dict[str, Callable[[Path], Benchmark]] = {
    "ncar": _chats("ncar", "https://github.com/NCAR/zulip-archive"),
    "bytecode": _chats("bytecode", "https://github.com/bytecodealliance/zulip-archive"),
    "orgdocs": partial(
        evidence_questions.load,
        name="orgdocs",
        origin="public documents of five organizations; each record's `source` names its own",
        licence="each record's own",
    ),
    "evidence": evidence_questions.load,
    "locomo": locomo.load,
    "locomo-published": partial(locomo.load, corrected=False),
    "qmsum": qmsum.load,
    "memora": memora.load,
    "longmemeval-s": longmemeval.load,
    "longmemeval-s-sessions": partial(longmemeval.load, by_session=True),
    "longmemeval-oracle": partial(longmemeval.load, haystack="oracle"),
    "longmemeval-oracle-sessions": partial(longmemeval.load, haystack="oracle", by_session=True),
    "groupmembench": groupmembench.load,
    "evermembench": evermembench.load,
    "orgmembench": orgmembench.load,
}


def load(name: str, folder: Path) -> Benchmark:
    """The benchmark of that name, from the folder that holds its data. `evidence` reads any folder of its schema.

    Raises:
        UsageError: no benchmark has that name.
        UnreadableInput: the data are not there, or of another schema; the message says where they come from.
    """
    if name not in LOADERS:
        raise UsageError(f"no benchmark is called {name!r}; there are {', '.join(LOADERS)}")
    if not folder.exists():
        raise UnreadableInput(f"{folder} does not exist; give the folder that holds the data of {name}")
    return LOADERS[name](folder)
