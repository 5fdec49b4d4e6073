"""The importer of WhatsApp's "Export chat": a text file a chat, alone or in a zip beside the photos and files.

A file is read twice: first for the shape of its lines and the order of its dates, then for its messages. The name of a
chat is in the name of its file or archive and nowhere else; its members are nowhere. Follows FORMATS section 9.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.errors import UnreadableInput, UsageError
from treering.importers.chat_files import ChatFiles
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tree import FileTree
from treering.importers.whatsapp_dates import ORDERS, AmbiguousOrder, Plan, Survey
from treering.importers.whatsapp_lines import header_of, lines_of
from treering.importers.whatsapp_message import Said, Writer
from treering.importers.whatsapp_words import MARKS, chat_name, plain
from treering.model.drafts import ChannelDraft, Drafted, RecordDraft, Skipped

__all__ = ["WhatsAppExport"]

FILES_TRIED = 200
LINES_TRIED = 60
AUTHOR_CHARS_MAX = 200  # with the invisible marks around a name
MESSAGE_LINES_MAX = 100_000  # a longer one means that later first lines were not recognised

_AUTHOR = re.compile(rf"[{MARKS}]*(?P<who>[^\n]{{1,100}}?)[{MARKS}]*:(?: |\Z)")
_QUOTE = re.compile('["“„«]')
_CLOSED = re.compile('"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»')


class WhatsAppExport:
    """Chats as WhatsApp writes them on Android and iPhones."""

    name = "whatsapp"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a text file begins with messages that have a date, a time and an author."""
        return any(_is_chat(tree, name) for name in _text_files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: a chat does not say whose phone it was exported on; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every chat; nothing, if the order of the dates of one of them is not known.

        Raises:
            UsageError: day and month cannot be told apart and no order is stated, or order or zone are none.
        """
        LocalTimes(options.zone)
        if options.date_order not in (None, *ORDERS):
            raise UsageError(f"no order of dates is called {options.date_order!r}; there are {', '.join(ORDERS)}")
        plans = _plans(tree, options.date_order)
        roster, files = Roster(), ChatFiles(tree, plans)
        for name, plan in plans.items():
            for drafted in _read_chat(tree, name, plan, options, roster):
                yield drafted
                if isinstance(drafted.draft, RecordDraft) and drafted.draft.attachments:
                    paths = [file.name for file in drafted.draft.attachments]
                    yield from files.documents(drafted.draft, paths, name)
        yield from files.leftovers()


def _plans(tree: FileTree, order: str | None) -> dict[str, Plan]:
    """How to read each chat."""
    plans: dict[str, Plan] = {}
    ambiguous = []
    for name in _text_files(tree):
        if not _is_chat(tree, name):
            continue
        try:
            plan = Survey(_whole_lines(tree, name)).plan(order)
        except AmbiguousOrder:
            ambiguous.append(name)
            continue
        if plan is not None:
            plans[name] = plan
    if ambiguous:
        shown = ", ".join(ambiguous[:5]) + (f" and {len(ambiguous) - 5} more" if len(ambiguous) > 5 else "")
        raise AmbiguousOrder(
            f"{shown}: the dates do not tell whether the day or the month comes first. "
            f"Say --date-order dmy (3/4/24 is 3 April), mdy (4 March) or ymd."
        )
    return plans


def _read_chat(tree: FileTree, name: str, plan: Plan, options: ImportOptions, roster: Roster) -> Iterator[Drafted]:
    title = _title(tree, name)
    writer = Writer(f"chat:{title}", title, plan.shape.has_seconds)
    channel = ChannelDraft(writer.channel, title, options.visibility, None, stated=False)
    times = LocalTimes(options.zone)
    yield Drafted(name, channel)
    said: Said | None = None
    number = 0
    before: list[str] = []  # lines above the first message
    begun = iter(plan.begins)
    try:
        for number, line in enumerate(lines_of(tree, name), start=1):
            header = header_of(line)
            is_first = header is not None and header.shape == plan.shape and next(begun, 0) == 1
            if header is None or not is_first:
                (before if said is None else said.lines).append(line)
                if said is not None and len(said.lines) > MESSAGE_LINES_MAX:
                    raise UnreadableInput(f"the message of {said.position} has more than {MESSAGE_LINES_MAX:,} lines")
                continue
            if said is not None:
                yield from _drafted(name, said, writer, roster)
                said = None
            local = plan.local_time(header)
            assert local is not None  # lines without a day that exists begin nothing
            author, text = _split(header.rest, plan)
            try:
                moment = times.moment(local, header.raw)
            except FieldError as error:
                yield kept_aside(name, f"line {number}", str(error), line)
                continue
            said = Said(local, header.raw, moment, author, [text], f"line {number}", plan.shape.bracket)
    except UnreadableInput as error:
        yield kept_aside(name, f"after line {number}", str(error))
    if said is not None:
        yield from _drafted(name, said, writer, roster)
    if any(line.strip() for line in before):
        yield kept_aside(name, "line 1", "no message begins above these lines", "\n".join(before))
    if options.zone is None:
        yield Drafted(name, Skipped(UTC_ASSUMED))
    names = tuple(sorted(writer.names - {title}))
    if names:
        yield Drafted(name, replace(channel, aliases=names))


def _drafted(name: str, said: Said, writer: Writer, roster: Roster) -> Iterator[Drafted]:
    while len(said.lines) > 1 and not said.lines[-1].strip():
        said.lines.pop()
    record = writer.record(said, roster)
    yield from (Drafted(name, actor) for actor in roster.news())
    yield Drafted(name, record)


def _split(rest: str, plan: Plan) -> tuple[str | None, str]:
    """The author and the words; no author where the app speaks."""
    match = _AUTHOR.match(rest[:AUTHOR_CHARS_MAX])
    if match is not None and not _QUOTE.search(_CLOSED.sub("", match["who"])):
        return match["who"], rest[match.end() :]
    author, colon, text = rest.partition(":")  # "Ana:." of somebody who wrote elsewhere in the file
    return (author, text) if colon and text[:1] != " " and author in plan.authors else (None, rest)


def _title(tree: FileTree, name: str) -> str:
    """The name of a chat: of its file or, as iPhones call all files the same, of what it came in."""
    leaf = name.rpartition("/")[2]
    if plain(leaf).lower() != "_chat.txt":
        return chat_name(leaf)
    folder = name.rpartition("/")[0].rpartition("/")[2]
    return chat_name(folder or ("chat" if tree.label == name else tree.label))


def _is_chat(tree: FileTree, name: str) -> bool:
    """Whether the first lines of a file hold one with a date and an author, not far from the beginning."""
    try:
        lines = [line for line in islice(lines_of(tree, name), LINES_TRIED) if line.strip()]
    except UnreadableInput:
        return False
    headers = [header for line in lines if (header := header_of(line)) is not None]
    begins_early = any(header_of(line) is not None for line in lines[:5])
    return begins_early and any(_AUTHOR.match(header.rest[:AUTHOR_CHARS_MAX]) for header in headers)


def _whole_lines(tree: FileTree, name: str) -> Iterator[str]:
    """The lines of a file as far as it can be read."""
    try:
        yield from lines_of(tree, name)
    except UnreadableInput:
        return


def _text_files(tree: FileTree) -> list[str]:
    names = tree.names()
    return [name for name in names if name.lower().endswith(".txt")] or (names if len(names) == 1 else [])
