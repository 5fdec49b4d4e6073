"""/v1/imports: an upload becomes a job, and the job is followed by its number. The owner's alone."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, UploadFile

from treering.errors import UsageError
from treering.interfaces.rest.doors import OwnerOnly, TheVerbs
from treering.interfaces.schema import ImportOptionsRequest, JobReply, JobsReply

__all__ = ["router"]

FILES_MAX = 100
NAME_BYTES_MAX = 200  # file systems take 255

router = APIRouter(prefix="/v1/imports", tags=["importing"])


class Upload(ImportOptionsRequest):
    """Files and how they are to be read."""

    files: list[UploadFile]


@router.post("", status_code=202, summary="Import an export")
def add(
    _: OwnerOnly,
    verbs: TheVerbs,
    asked: Annotated[Upload, Form(media_type="multipart/form-data")],
) -> JobReply:
    """Zips and files as they were downloaded. What is in the memory already is left alone."""
    if len(asked.files) > FILES_MAX:
        raise UsageError(f"{len(asked.files)} files are more than {FILES_MAX}; send a zip")
    folder = Path(tempfile.mkdtemp(prefix="treering-upload-"))
    try:
        names = [_kept(file, folder) for file in asked.files]
        return verbs.add(None, folder, names, ImportOptionsRequest(**asked.model_dump(exclude={"files"})))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@router.get("", summary="The imports since the server started")
def jobs(_: OwnerOnly, verbs: TheVerbs) -> JobsReply:
    """Newest first."""
    return verbs.jobs(None)


@router.get("/{number}", summary="How far an import is")
def job(_: OwnerOnly, number: str, verbs: TheVerbs) -> JobReply:
    """Waiting, running, done or failed; with the report of `treering add` when it is done."""
    return verbs.job(None, number)


def _kept(file: UploadFile, folder: Path) -> str:
    """Write an upload into the job's folder, under the last part of the name it came with."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2].strip()
    if not name or name in (".", "..") or not name.isprintable() or len(name.encode(errors="replace")) > NAME_BYTES_MAX:
        raise UsageError("every file needs a plain name, as it was downloaded")
    path = folder / name
    if path.exists():
        raise UsageError(f"two files are called {name!r}; send them one after the other, or in a zip")
    with path.open("xb") as kept:
        shutil.copyfileobj(file.file, kept)
    return name
