"""One memory for all tests of the MCP server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import hostile_memory
from treering import Memory
from treering.interfaces.verbs import Verbs


@pytest.fixture(scope="session")
def hostile_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_memory(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def verbs(hostile_path: Path) -> Iterator[Verbs]:
    with Verbs(lambda progress: Memory.open(hostile_path)) as verbs:
        yield verbs
