"""Readers are pinned while others write, and brought up to date without making anybody wait."""

import threading
from pathlib import Path

import pytest

from tests.workspaces import LINES, written
from treering.errors import MemoryMissing
from treering.interfaces.pool import Pool
from treering.memory import Memory


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES[:3]), embed=False)
    return tmp_path / "m.treering"


def add(path: Path, count: int) -> None:
    with Memory.open(path) as memory:
        memory.add(written(path.parent / "more.jsonl", LINES[:count]), embed=False)


def records(memory: Memory) -> object:
    return memory.status()["records"]


def test_a_pinned_memory_stays_where_it_is_until_it_is_pinned_again(path: Path) -> None:
    with Memory.open(path) as memory:
        memory.pin()
        add(path, 5)
        assert records(memory) == 3
        assert not memory.search("retry job").items
        memory.pin()
        assert records(memory) == 5
        add(path, 7)
        memory.unpin()
        assert records(memory) == 7


def test_commits_of_others_are_noticed(path: Path) -> None:
    with Memory.open(path) as memory:
        before = memory.commits()
        assert memory.commits() == before
        add(path, 5)
        assert memory.commits() != before


def test_after_a_refresh_every_reader_sees_what_was_written(path: Path) -> None:
    pool = Pool(lambda: Memory.open(path), 2)
    pool.warm(records)
    add(path, 6)
    pool.refresh()
    seen: list[object] = []
    pool.warm(lambda memory: seen.append(records(memory)))
    assert seen == [6, 6, 6]
    pool.close()


def test_a_reader_in_use_is_brought_up_to_date_when_it_is_given_back(path: Path) -> None:
    pool = Pool(lambda: Memory.open(path), 1)
    with pool.memory() as memory:
        add(path, 6)
        refreshing = threading.Thread(target=pool.refresh)
        refreshing.start()
        assert records(memory) == 3
    refreshing.join()
    with pool.memory() as memory:
        assert records(memory) == 6
    pool.close()


def test_threads_share_the_readers_and_none_is_lent_twice(path: Path) -> None:
    pool = Pool(lambda: Memory.open(path), 2)
    lent: set[int] = set()
    lock = threading.Lock()
    clashes: list[int] = []

    def use() -> None:
        for _ in range(20):
            with pool.memory() as memory:
                with lock:
                    if id(memory) in lent:
                        clashes.append(id(memory))
                    lent.add(id(memory))
                records(memory)
                with lock:
                    lent.discard(id(memory))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pool.close()
    assert not clashes


def test_a_memory_that_is_not_there_yet_is_found_when_it_is(tmp_path: Path) -> None:
    pool = Pool(lambda: Memory.open(tmp_path / "m.treering"), 1)
    with pytest.raises(MemoryMissing), pool.memory():
        pass
    add(tmp_path / "m.treering", 2)
    with pool.memory() as memory:
        assert records(memory) == 2
    pool.close()
