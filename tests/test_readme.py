"""What README shows is what happens."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.model
def test_the_python_in_readme_prints_what_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = re.findall(r"```(?:python)?\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[:2]
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown
