"""The same log and question give the same bytes, however many processors there are."""

from pathlib import Path

from threadpoolctl import threadpool_info, threadpool_limits

from treering import Memory


def test_products_are_computed_on_one_thread_once_a_memory_is_open(tmp_path: Path) -> None:
    with threadpool_limits(2, user_api="blas"), Memory.open(tmp_path / "m.treering"):
        assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
