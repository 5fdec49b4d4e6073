"""The Python in the documentation runs, and prints what the pages say."""

import contextlib
import io
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, page_name, programs

TEXTS = {page_name(path): path.read_text(encoding="utf-8") for path in PAGES}


@pytest.mark.model
@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if programs(text) and page != "README.md"])
def test_the_python_of_a_page_prints_what_the_page_says(page: str, scratch: Path) -> None:
    for code, shown in programs(TEXTS[page]):
        printed = run(page, code)
        assert shown is None or printed.strip() == shown.strip()


@pytest.mark.model
def test_the_python_in_readme_prints_what_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((code, shown),) = programs(TEXTS["README.md"])
    monkeypatch.chdir(tmp_path)  # there is no memory yet: the default encoders work
    assert run("README.md", code).strip() == (shown or "").strip()


def run(page: str, code: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, page, "exec"), {"__name__": "__main__"})
    return printed.getvalue()
