"""What tests of several folders share."""

from collections.abc import Iterator

import pytest

from tests.small_model import NoSmallModel, served


@pytest.fixture(scope="session")
def small_model() -> Iterator[str]:
    """The spec of a real model behind a server on this machine; the test is skipped, with the reason, without one."""
    try:
        with served() as spec:
            yield spec
    except NoSmallModel as reason:
        pytest.skip(str(reason))
