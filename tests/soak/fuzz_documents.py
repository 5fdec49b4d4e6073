"""Small valid inputs of pages, documents, histories and archives, to be damaged like those of `fuzz_inputs`."""

import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from tests.soak.fuzz_case import WORDS, Case, encoded, lines, row_per_line, rows
from tests.unit.importers.attached_files import docx, paragraph, pdf
from tests.unit.importers.mails import mail
from tests.unit.importers.pst_bytes import pst
from tests.unit.importers.test_confluence_space import PEOPLE, body, page
from treering.errors import UnreadableInput
from treering.importers.confluence import ConfluenceJson, ConfluenceStorage
from treering.importers.confluence_space import ConfluenceSpace
from treering.importers.document_folder import DocumentFolder
from treering.importers.documents_jsonl import DocumentsJsonl
from treering.importers.git_history import GitHistory
from treering.importers.mail import MailFiles
from treering.importers.mail_pst import OutlookArchive
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive

# Time stamps are ids: no change of one digit makes one of them another.
SLACK_DAY = encoded(
    rows(lambda n, w: {"type": "message", "user": "U0INA", "text": w, "ts": f"{1709546400 + 1_111 * n}.000100"})
)
SLACK = {"users.json": b'[{"id": "U0INA"}]' + b" " * 2_000, "ops/2024-03-04.json": SLACK_DAY}


def document_cases() -> dict[str, Case]:
    """Cases by the name of their importer, with what is read beside the usual after it."""
    storage = "".join(f'<p>{w}<ac:link><ri:page ri:content-title="P"/></ac:link></p>' for w in WORDS)
    objects = (body(f"1{n}", f"<p>{w}</p>") for n, w in enumerate(WORDS))
    pages = "".join(page(f"1{n}", f"T{n}") for n in range(len(WORDS)))
    space = f"<hibernate-generic>{PEOPLE}{pages}{''.join(objects)}</hibernate-generic>"
    answers = rows(
        lambda n, w: {
            "id": str(n), "type": "page", "status": "current", "title": f"T{n}", "space": {"key": "OPS"},
            "body": {"storage": {"value": f"<p>{w}</p>"}}, "version": {"number": 1, "when": "2024-03-04T10:00:00.000Z"},
        }
    )  # fmt: skip
    mails = [
        {0x001A: "IPM.Note", 0x0037: w, 0x1000: w, 0x1035: f"<{w}@k.example>", 0x0C1F: "i@k.example"} for w in WORDS
    ]
    return {
        "confluence-storage": Case(ConfluenceStorage(), "page.xml", storage.encode()),
        "confluence-space": Case(ConfluenceSpace(), "entities.xml", space.encode(), separator=b"</object>"),
        "confluence-json": Case(ConfluenceJson(), "pages.json", encoded({"results": answers}), separator=b"}}, {"),
        "documents-jsonl": Case(DocumentsJsonl(), "d.jsonl", row_per_line(_version), separator=b"\n", resumes=True),
        "documents-folder": Case(
            DocumentFolder(), "a.md", f"---\ntitle: {WORDS[0]}\ndate: 2024-03-04\n---\n# H\n".encode()
        ),
        "git": Case(GitHistory(), "stream", _commits(), place=_imported, needs="git"),
        "mail-pst": Case(OutlookArchive(), "mail.pst", pst(mails), needs="pypff"),
        "slack-archive, in chunks": Case(
            SlackdumpArchive(), "C0OPS.json", row_per_line(_chunk), {"channels.json": _channels()}, b"\n", resumes=True
        ),
        "slack, in a zip": Case(SlackExport(), "slack.zip", _zipped(SLACK)),
        "slack, in a tar": Case(SlackExport(), "slack.tar", _tarred(SLACK)),
        "mail-files, with a PDF": Case(MailFiles(), "a.eml", _carrying("a.pdf", pdf(*WORDS)), needs="pypdf"),
        "mail-files, with a DOCX": Case(
            MailFiles(), "a.eml", _carrying("a.docx", docx("".join(map(paragraph, WORDS))))
        ),
    }


def _carrying(name: str, content: bytes) -> bytes:
    """A mail with a file."""
    head = f'--b\nContent-Disposition: attachment; filename="{name}"\nContent-Transfer-Encoding: binary\n\n'
    return mail(head.encode() + content + b"\n--b--\n", Content_Type='multipart/mixed; boundary="b"')


def _version(number: int, word: str) -> dict[str, object]:
    return {"id": f"P@{number}", "doc": "P", "version": number, "dated": f"2024-03-0{number + 1}", "title": "P",
            "author": "Ina", "text": word}  # fmt: skip


def _channels() -> bytes:
    return encoded({"t": 4, "ts": 1, "n": 1, "ch": [{"id": "C0OPS", "name": "ops", "is_channel": True}]}) + b"\n"


def _chunk(number: int, word: str) -> dict[str, object]:
    message = {"type": "message", "user": "U0INA", "text": word, "ts": f"{1709546400 + 1_111 * number}.000100"}
    return {"t": 0, "ts": number, "id": "C0OPS", "n": 1, "m": [message]}


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _tarred(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.TarFile(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def _commits() -> bytes:
    """Commits as `git fast-import` takes them, each with a version of one file and a new one."""
    text = "Ship on Friday, and tell everybody.\n" * 5
    return lines(
        lambda n, w: (
            f"commit refs/heads/main\nauthor Ina <ina@k.example> {1709546400 + n} +0100\n"
            f"committer Bo <bo@k.example> {1709546400 + n} +0000\n"
            f"data <<END\nmessage\n\nCo-authored-by: Cy <cy@k.example>\nEND\n"
            f"M 100644 inline plan.md\ndata <<END\n{text}{w}\nEND\n"
            f"M 100644 inline notes/{n}.md\ndata <<END\n# {w}\n\n{text}END\n"
        )
    )


def _imported(folder: Path, stream: bytes) -> None:
    """Make the folder a repository with the commits of a stream; as many as git takes."""
    shutil.rmtree(folder)
    folder.mkdir()
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    quiet = ["git", "init", "--quiet", "--template=", "--initial-branch=main"]
    subprocess.run(quiet, cwd=folder, env=env, check=True)
    made = subprocess.run(
        ["git", "fast-import", "--quiet", "--date-format=raw-permissive"],
        cwd=folder, env=env, input=stream, capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        raise UnreadableInput("git takes no such commits")
