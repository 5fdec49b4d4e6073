"""Tokens: what a file of them may hold, and whom one stands for."""

from pathlib import Path

import pytest

from treering.errors import UsageError
from treering.interfaces.rest.callers import LoopbackOwner, TokenFile, new_token, token_line
from treering.interfaces.rest.serving import Listening

TOKEN = "a-token-of-twenty-characters"


def read(tmp_path: Path, text: str) -> TokenFile:
    (tmp_path / "tokens").write_text(text)
    return TokenFile.read(tmp_path / "tokens")


def test_a_token_stands_for_the_owner_or_for_one_viewer(tmp_path: Path) -> None:
    file = read(tmp_path, f"# people\n\n{TOKEN} owner\n{TOKEN}2   Ana Lobo\n")
    owner, viewer = file.caller(TOKEN), file.caller(f"{TOKEN}2")
    assert owner is not None
    assert owner.is_owner
    assert viewer is not None
    assert (viewer.viewer, viewer.is_owner) == ("Ana Lobo", False)
    for other in (None, "", TOKEN[:-1], TOKEN.upper(), "owner", f"{TOKEN} owner", "\udcff"):
        assert file.caller(other) is None


def test_a_hash_stands_in_place_of_its_token(tmp_path: Path) -> None:
    made = new_token()
    file = read(tmp_path, token_line(made, "Ben"))
    caller = file.caller(made)
    assert caller is not None
    assert caller.viewer == "Ben"
    assert made not in (tmp_path / "tokens").read_text()
    assert file.caller(token_line(made, "Ben").split()[0]) is None, "the hash itself opens nothing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no token"),
        ("short Ben\n", "at least 20"),
        (f"{TOKEN}\n", "line 1"),
        (f"{TOKEN} Ben\n{TOKEN} owner\n", "twice"),
    ],
)
def test_a_file_that_does_not_read_is_refused_without_showing_a_token(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        read(tmp_path, text)
    assert TOKEN not in str(refused.value)
    assert "short" not in str(refused.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])
def test_nobody_listens_beyond_this_machine_without_tokens(tmp_path: Path, host: str) -> None:
    with pytest.raises(UsageError, match="token-file"):
        Listening(host).authenticator()
    (tmp_path / "tokens").write_text(f"{TOKEN} owner\n")
    assert isinstance(Listening(host, token_file=tmp_path / "tokens").authenticator(), TokenFile)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert isinstance(Listening(host).authenticator(), LoopbackOwner)
    assert host in (Listening(host).limits().hosts or ())
