"""A server over a small memory without vectors: for the owner alone, and with a token for each of three people."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.workspaces import LINES, SECRET, written
from treering.interfaces.rest.app import make_app
from treering.interfaces.rest.callers import LoopbackOwner, TokenFile
from treering.interfaces.verbs import Verbs
from treering.memory import Memory

TOKENS = {who: f"{who}-0123456789-0123456789" for who in ("owner", "Ben", "Gus", "Dora", "Nobody")}


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rest")
    edited = {**LINES[3], "id": 4}
    with Memory.open(folder / "m.treering") as opened:
        opened.add(written(folder / "all.jsonl", [*LINES, *SECRET, edited]), embed=False)
    return folder / "m.treering"


@pytest.fixture(scope="session")
def owner(memory: Path) -> Iterator[TestClient]:
    """Loopback, without tokens: every caller is the owner."""
    verbs = Verbs(lambda progress: Memory.open(memory, progress=progress), size=2)
    with TestClient(make_app(verbs, LoopbackOwner())) as client:
        yield client


@pytest.fixture(scope="session")
def guarded(memory: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with tokens; `headers=as_("Ben")` calls as Ben."""
    tokens = tmp_path_factory.mktemp("tokens") / "tokens"
    tokens.write_text("# who may call\n" + "".join(f"{token} {who}\n" for who, token in TOKENS.items()))
    verbs = Verbs(lambda progress: Memory.open(memory, progress=progress), size=2)
    with TestClient(make_app(verbs, TokenFile.read(tokens))) as client:
        yield client


@pytest.fixture(scope="session")
def fresh_owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The owner's server over a memory of its own, that may be added to."""
    folder = tmp_path_factory.mktemp("fresh")
    with Memory.open(folder / "m.treering") as opened:
        opened.add(written(folder / "some.jsonl", LINES[:3]), embed=False)
    verbs = Verbs(partial(Memory.open, folder / "m.treering"), size=1)
    with TestClient(make_app(verbs, LoopbackOwner())) as client:
        yield client


@pytest.fixture(scope="session")
def as_() -> "As":
    return As()


class As:
    """The headers with which somebody calls."""

    def __call__(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {TOKENS[who]}"}
