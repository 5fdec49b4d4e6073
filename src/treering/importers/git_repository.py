"""A git repository, read through the `git` program: its commits with what they changed, and the texts they left.

Only reading commands are run, with fixed arguments and never through a shell. What a repository's configuration could
make git do meanwhile (check signatures by a program of its choice, fetch what is missing) is turned off, as is whatever
the environment says to git; that git refuses repositories of other users (`safe.directory`) is left as it is.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from treering.errors import UnreadableInput
from treering.importers.document_text import BARE_NAMES, ENDINGS

__all__ = ["Blobs", "Commit", "FileChange", "GitRepository"]

CHUNK_BYTES = 1 << 16

_SETTINGS = (
    *("-c", "log.showSignature=false", "-c", "log.mailmap=true", "-c", "diff.renameLimit=1000"),
    *("-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "-c", "core.quotePath=false"),
)
_FORMAT = "%x01%H%x00%aN%x00%aE%x00%at%x00%aI%x00%ct%x00%(trailers:key=Co-authored-by,valueonly,separator=%x0a)"
_LOG = (
    *(
        "log",
        "--full-history",
        "--topo-order",
        "--reverse",
        "--no-notes",
        "--no-decorate",
        "--no-relative",
        "--encoding=UTF-8",
    ),
    *("--raw", "-z", "--no-abbrev", "-c", "--combined-all-paths", "-M50%", "--no-ext-diff", "--no-textconv"),
    *(f"--format={_FORMAT}", "HEAD", "--"),
)
_DOCUMENTS = (
    *(f":(top,icase)*{ending}" for ending in ENDINGS),
    *(f":(top,glob,icase)**/{name}" for name in BARE_NAMES),
)


@dataclass(frozen=True, slots=True)
class Commit:
    """Who changed something, and when; times in seconds since 1970."""

    id: str
    author: str
    email: str
    authored_at: int
    authored_raw: str  # ISO 8601, in the author's zone
    committed_at: int
    coauthors: tuple[str, ...]  # "Ana Lobo <ana@w.example>"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one document; of a merge, only what none of its parents had so."""

    status: str  # A, M, R..., D, T; one letter for each parent of a merge
    mode: str
    blob: str  # id of the text that the commit left
    before: tuple[str, ...]  # ids of the texts that its parents had
    path: str
    paths_before: tuple[str, ...]


class GitRepository:
    """The repository around a path.

    Raises:
        UnreadableInput: git is missing, there is no repository, it is a shallow copy, or it holds no commit.
    """

    def __init__(self, path: Path) -> None:
        git = shutil.which("git")
        if git is None:
            raise UnreadableInput("git is not installed, and a history is read through it. Install git.")
        self._git = git
        self._folder = path if path.is_dir() else path.parent
        self.prefix = self._run("rev-parse", "--show-prefix") + (path.name if not path.is_dir() else "")
        self.name = Path(self._run("rev-parse", "--show-toplevel")).name
        if self._run("rev-parse", "--is-shallow-repository") == "true":
            raise UnreadableInput(
                f"{path} is in a shallow clone, whose history is cut off. Run `git fetch --unshallow` in it first."
            )
        try:
            self._run("rev-parse", "--verify", "HEAD^{commit}")
        except UnreadableInput as error:
            raise UnreadableInput(f"{path} is in a repository without commits. Commit something first.") from error

    def root(self) -> str:
        """The first commit of all, along first parents: the same in every clone."""
        return self._run("rev-list", "--first-parent", "--max-parents=0", "HEAD")

    def paths(self) -> set[str]:
        """The paths of all files as of now."""
        return {*self._run("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD").split("\0")}

    def changes(self) -> Iterator[tuple[Commit, FileChange]]:
        """Every change to a document in every commit that leads to the present one, parents before children."""
        with self._reading(*_LOG, *_DOCUMENTS) as stream:
            yield from _parsed(_tokens(stream))

    @contextmanager
    def blobs(self) -> Iterator["Blobs"]:
        """A reader of texts by their ids."""
        with self._process("cat-file", "--batch") as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield Blobs(process.stdin, process.stdout)

    def _run(self, *arguments: str) -> str:
        with self._reading(*arguments) as stream:
            return stream.read().decode("utf-8", "replace").rstrip("\n")

    @contextmanager
    def _reading(self, *arguments: str) -> Iterator[IO[bytes]]:
        with self._process(*arguments) as process:
            assert process.stdout is not None
            yield process.stdout

    @contextmanager
    def _process(self, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Run git; that it failed is an error when all it wrote has been read."""
        command = [self._git, "--no-pager", *_SETTINGS, *arguments]
        pipe = subprocess.PIPE
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(  # noqa: S603 - fixed arguments, no shell
                command, cwd=self._folder, env=_environment(), stdin=pipe, stdout=pipe, stderr=complaints
            )
            try:
                yield process
                process.communicate()
            finally:
                process.kill()  # nothing, unless the reader gave up half-way
                process.communicate()
            if process.returncode != 0:
                complaints.seek(0)
                words = complaints.read(2_000).decode("utf-8", "replace").strip()
                raise UnreadableInput(f"git cannot read the history of {self._folder}: {words}")


class Blobs:
    """Texts by their ids, from a running `git cat-file --batch`."""

    def __init__(self, asked: IO[bytes], answers: IO[bytes]) -> None:
        self._asked = asked
        self._answers = answers

    def read(self, blob: str, bytes_max: int) -> bytes | None:
        """The bytes of a file; None if there are more of them than that, or they are not in this clone."""
        try:
            self._asked.write(f"{blob}\n".encode())
            self._asked.flush()
        except OSError:  # git has ended, and says why when it is waited for
            return None
        kind, _, size = self._answers.readline().decode().rstrip("\n").rpartition(" ")
        if not kind.endswith(" blob"):
            return None
        content = self._answers.read(int(size)) if int(size) <= bytes_max else None
        rest = 1 if content is not None else int(size) + 1  # a line end follows
        while rest:
            rest -= len(self._answers.read(min(rest, CHUNK_BYTES))) or rest
        return content


def _environment() -> dict[str, str]:
    """The environment that git is run in: without variables that would turn it to another repository or program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
    }


def _tokens(stream: IO[bytes]) -> Iterator[str]:
    rest = b""
    while chunk := stream.read(CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\0")
        for token in whole:
            yield token.decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


def _parsed(tokens: Iterator[str]) -> Iterator[tuple[Commit, FileChange]]:
    """The output of `git log --raw -z`: a commit's fields, then a line of modes, ids and status before each path."""
    commit: Commit | None = None
    for token in tokens:
        token = token.lstrip("\n")
        if token.startswith("\x01"):
            commit = _commit(token[1:], *(next(tokens, "") for _ in range(6)))
        elif token.startswith(":") and commit is not None:
            parents = len(token) - len(token.lstrip(":"))
            *modes, status = token[parents:].split(" ")
            count = parents + 1 if parents > 1 or status[0] in "RC" else 1
            *before, path = (next(tokens, "") for _ in range(count))
            ids = modes[parents + 1 :]
            yield commit, FileChange(status, modes[parents], ids[-1], tuple(ids[:-1]), path, tuple(before))


def _commit(name: str, author: str, email: str, at: str, raw: str, committed_at: str, coauthors: str) -> Commit:
    people = tuple(filter(None, (line.strip() for line in coauthors.split("\n"))))
    return Commit(name, author.strip(), email.strip(), int(at or 0), raw, int(committed_at or 0), people)
