"""Readers are pinned while others write, and brought up to date without making anybody wait."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
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
    with pool.memory() as memory:
        assert records(memory) == 3
    add(path, 6)
    pool.refresh()
    with pool.memory() as memory, pool.memory() as another:
        assert (records(memory), records(another)) == (6, 6)
    pool.close()


def test_a_read_that_is_under_way_ends_where_it_began(path: Path) -> None:
    with Memory.open(path) as memory:
        memory.pin()
        with memory.browsing() as before:
            add(path, 6)
            memory.pin()
            with memory.browsing() as after:
                assert (before.extent().records, after.extent().records) == (3, 6)
            assert len(before.channels()) == 1  # read from the database, in the old transaction
        assert records(memory) == 6


def test_threads_that_read_at_once_find_what_each_finds_alone(path: Path) -> None:
    add(path, 10)
    questions = [str(line["text"]) for line in LINES]
    pool = Pool(lambda: Memory.open(path), 4)
    with Memory.open(path) as memory:
        alone = [[(one.record, one.score) for one in memory.search(question)] for question in questions]

    def ask(number: int) -> list[tuple[int, float]]:
        if number == 35:
            pool.refresh()
        with pool.memory() as memory:
            return [(one.record, one.score) for one in memory.search(questions[number % len(questions)])]

    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(ask, range(80)))
    pool.close()
    assert together == alone * 8


def test_readers_are_let_in_by_order_of_arrival_and_no_more_than_there_are_places(path: Path) -> None:
    pool = Pool(lambda: Memory.open(path), 1)
    order: list[int] = []
    inside = threading.Semaphore()

    def use(number: int) -> None:
        with pool.memory():
            assert inside.acquire(blocking=False)
            order.append(number)
            inside.release()

    threads = [threading.Thread(target=use, args=(number,)) for number in range(6)]
    with pool.memory():
        for number, thread in enumerate(threads, 1):
            thread.start()
            while len(pool._turns._waiting) < number:
                time.sleep(0.001)  # a thread that waits gives no other sign
    for thread in threads:
        thread.join()
    pool.close()
    assert order == [0, 1, 2, 3, 4, 5]


def test_a_memory_that_is_not_there_yet_is_found_when_it_is(tmp_path: Path) -> None:
    pool = Pool(lambda: Memory.open(tmp_path / "m.treering"), 1)
    with pytest.raises(MemoryMissing), pool.memory():
        pass
    pool.close()
    with pytest.raises(MemoryMissing), pool.memory():
        pass
    add(tmp_path / "m.treering", 2)
    with pool.memory() as memory:
        assert records(memory) == 2
    pool.close()


def test_during_an_import_readers_stay_and_at_its_end_they_see_it_all(path: Path) -> None:
    pool = Pool(lambda: Memory.open(path), 1)
    with pool.still():
        with pool.memory() as memory:
            assert records(memory) == 3
        add(path, 6)
        with pool.memory() as memory:
            assert records(memory) == 3
    assert not pool._opened.is_behind()  # type: ignore[union-attr]
    with pool.memory() as memory:
        assert records(memory) == 6
    pool.close()
