"""Rights and room, as whoever lacks them meets them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treering.memory.premises import room, writable
from treering.model.finding import Verdict


@contextmanager
def as_nobody() -> Iterator[None]:
    """As a user without rights; whoever is one already needs no change."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_place_that_may_not_be_written_is_a_failure(tmp_path: Path) -> None:
    folder = tmp_path / "shut"
    folder.mkdir(mode=0o500)
    for parent in tmp_path.parents:
        if not parent.stat().st_mode & 0o001 and parent.owner() == tmp_path.owner():
            parent.chmod(0o711)
    tmp_path.chmod(0o711)
    assert writable("rights", folder, [folder]).verdict is (Verdict.OK if os.geteuid() == 0 else Verdict.FAILURE)
    with as_nobody():
        finding = writable("rights", folder, [folder, tmp_path / "is not there"])
    assert finding.verdict is Verdict.FAILURE
    assert f"may not write {folder}" in finding.found
    assert "chown" in finding.advice


def test_a_disk_that_is_too_small_for_what_is_wanted_is_a_warning(tmp_path: Path) -> None:
    assert room("room", tmp_path, 0).verdict is Verdict.OK
    finding = room("room", tmp_path, 1 << 60)
    assert finding.verdict is Verdict.WARNING
    assert "may be needed" in finding.found


def test_a_disk_that_is_full_is_a_failure(tmp_path: Path) -> None:
    finding = room("room", tmp_path, 0, least=1 << 60)
    assert finding.verdict is Verdict.FAILURE
    assert "make room" in finding.advice
