"""One memory for all integrations: open channels and one that only Gus and Dora may read."""

from collections.abc import Iterator

import pytest

from tests.hostile import hostile_memory
from treering import Memory


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(hostile_memory(tmp_path_factory.mktemp("integrations"))) as memory:
        yield memory
