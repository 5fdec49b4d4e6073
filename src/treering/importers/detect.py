"""Which importer reads a tree of files: asked of the importers themselves, in a fixed order, never of file names."""

from collections.abc import Iterator

from treering.errors import UnknownFormat, UsageError
from treering.importers.confluence import ConfluenceJson, ConfluenceStorage
from treering.importers.confluence_space import ConfluenceSpace
from treering.importers.discord import DiscordExport
from treering.importers.discord_package import DiscordPackage
from treering.importers.document_folder import DocumentFolder
from treering.importers.documents_jsonl import DocumentsJsonl
from treering.importers.git_history import GitHistory
from treering.importers.github import GithubJson
from treering.importers.gitter import Gitter
from treering.importers.googlechat import GoogleChat
from treering.importers.irc import IrcLogs
from treering.importers.jira import JiraCsv, JiraJson
from treering.importers.mail import MailFiles
from treering.importers.mail_pst import OutlookArchive
from treering.importers.matrix import MatrixExport
from treering.importers.mattermost import MattermostExport
from treering.importers.protocol import Importer, ImportOptions
from treering.importers.rocketchat import RocketChatDump
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive
from treering.importers.table import CsvTable, JsonLines
from treering.importers.teams import TeamsExport
from treering.importers.teams_account import TeamsAccountExport
from treering.importers.telegram import TelegramExport
from treering.importers.transcript import Transcripts
from treering.importers.tree import FileTree
from treering.importers.whatsapp import WhatsAppExport
from treering.importers.zulip_archive import ZulipArchive
from treering.importers.zulip_export import ZulipExport
from treering.model.drafts import Drafted, Skipped

__all__ = ["FORMATS", "IMPORTERS", "TABLES", "detect", "extract"]

# Those that know their files by fields of their own come first; what takes any table or any text comes last.
IMPORTERS: tuple[Importer, ...] = (
    SlackExport(),
    SlackdumpArchive(),
    ZulipArchive(),
    ZulipExport(),
    MattermostExport(),
    DiscordExport(),
    DiscordPackage(),
    TeamsExport(),
    TeamsAccountExport(),
    TelegramExport(),
    RocketChatDump(),
    MatrixExport(),
    GoogleChat(),
    Gitter(),
    ConfluenceSpace(),
    JiraCsv(),
    JiraJson(),
    GithubJson(),
    ConfluenceJson(),
    ConfluenceStorage(),
    OutlookArchive(),
    MailFiles(),
    DocumentsJsonl(),
    JsonLines(),
    CsvTable(),
    Transcripts(),
    IrcLogs(),
    WhatsAppExport(),
    DocumentFolder(),
)
# A folder in a working tree is read as a folder, unless its history is asked for.
ASKED_FOR: tuple[Importer, ...] = (GitHistory(),)

FORMATS = tuple(dict.fromkeys(importer.name.partition("-")[0] for importer in (*IMPORTERS, *ASKED_FOR)))
FILES_TRIED = 20  # before a tree that nobody recognizes counts as one that is not damaged
ARCHIVES = (".zip", ".tar", ".tgz")  # as they are called
TABLES = ("jsonl", "csv")  # formats whose fields can be renamed, and whose sources know no membership


def detect(tree: FileTree, wanted: str = "auto", *, renamed: bool = False) -> Importer:
    """The importer for a tree; `wanted` is "auto" or one of `FORMATS`, and "zulip" stands for both Zulip formats.

    A table whose fields are `renamed` (`--map`) has no names to be recognized by: the format given is taken at its
    word, and without one the first character tells JSON from CSV.

    Raises:
        UsageError: `wanted` is no format, or fields are renamed and it is no table.
        UnknownFormat: no importer reads it, or none of the format wanted; the message says what it looks like.
        UnreadableInput: it cannot be told, as the first file that is looked at is damaged from its beginning on.
    """
    if wanted not in ("auto", *FORMATS):
        raise UsageError(f"no format is called {wanted!r}; there are auto, {', '.join(FORMATS)}")
    if renamed:
        name = _looks_like_table(tree) if wanted == "auto" else wanted
        if name not in TABLES:
            raise UsageError(f"--map renames the fields of a table (jsonl or csv), not of {wanted}")
        return next(importer for importer in IMPORTERS if importer.name == name)
    asked = () if wanted == "auto" else ASKED_FOR
    found = next((one for one in (*asked, *IMPORTERS) if _is(one, wanted) and one.recognizes(tree)), None)
    if found is not None:
        return found
    other = next((importer for importer in IMPORTERS if importer.recognizes(tree)), None)
    if other is not None:
        looks_like = other.name.partition("-")[0]
        raise UnknownFormat(
            f"{tree.label} does not read as {wanted}: it looks like {looks_like}. "
            f"Say --format {looks_like}, or leave the format out."
        )
    _refuse_if_damaged(tree)
    names = tree.names()
    shown = f"{len(names)} files, such as {', '.join(names[:3])}" if names else "no files"
    raise UnknownFormat(
        f"{tree.label} is of no format that Treering knows ({', '.join(FORMATS)}); it holds {shown}. {_advice(names)}"
    )


def _advice(names: list[str]) -> str:
    if any(name.lower().endswith(ARCHIVES) for name in names):
        return "Archives beside each other are several exports: give each by itself, in one call or several."
    return "Give the export as it was downloaded, or its unpacked folder."


def _refuse_if_damaged(tree: FileTree) -> None:
    for name in tree.names()[:FILES_TRIED]:
        with tree.open(name) as file:
            file.read(1)


def _looks_like_table(tree: FileTree) -> str:
    for name in tree.names()[:1]:
        with tree.open(name) as file:
            head = file.read(256).removeprefix(b"\xef\xbb\xbf").lstrip()
            return "jsonl" if head.startswith((b"{", b"[")) else "csv"
    return "jsonl"


def extract(tree: FileTree, importer: Importer, options: ImportOptions) -> Iterator[Drafted]:
    """What the importer yields, and first a named skip for every file that the tree itself left out."""
    for name, reason in tree.left_out:
        yield Drafted(name, Skipped(reason))
    yield from importer.extract(tree, options)


def _is(importer: Importer, wanted: str) -> bool:
    return wanted in ("auto", importer.name.partition("-")[0])
