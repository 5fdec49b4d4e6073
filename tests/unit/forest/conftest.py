"""A small memory for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.forest.logs import Memory, new_memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = new_memory(tmp_path)
    yield memory
    memory.database.close()
