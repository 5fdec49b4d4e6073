"""The importer of meeting transcripts: WebVTT of Zoom, Teams and Meet, SubRip, and Meet's transcripts as text.

What one speaker says in consecutive cues is one message, which names its cues; of captions without speakers each cue is
one. A meeting is known by when it began and by its first words, so that a copy of its file under another name is the
same meeting. Who was there without a word is not in the file, and who may read it neither. Follows FORMATS section 14.
"""

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from treering.errors import UnreadableInput
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.narrowing import clean, kept_aside, urls
from treering.importers.protocol import ImportOptions
from treering.importers.roster import NOBODY, Roster
from treering.importers.transcript_cues import BadCue, Cue, Words, head_of, is_timed, parse, words_of
from treering.importers.transcript_meet import head_of_meet, is_meet, parse_meet
from treering.importers.transcript_start import Start, start_in, start_unknown
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, Drafted, RecordDraft, Skipped

__all__ = ["Transcripts"]

LOOKED_AT_MAX = 20  # files, before a tree is held to be of another format
SHARE_MIN = 0.25  # of them, that have to be transcripts: a folder of documents may have one in it
HEAD_BYTES = 1 << 14
FILE_BYTES_MAX = 64 << 20  # ten hours of talk have 2 MB
FIRST_CUES = 3  # that tell one meeting from another
TURN_CHARS_MAX = 1_200  # of one message: what an encoder takes in at once; longer speeches are several
PAUSE_MS_MAX = 60_000  # within one message

UNDATED_MEETING = "meeting without a date: put its start into the file's name, as in GMT20240304-100000"

_OTHER_FILES = re.compile(
    r".*\.(mp[34]|m4[av]|wav|mov|webm|mkv|jsonl?|bson|csv|tsv|eml|mbox|pdf|docx|png|jpe?g|gif|zip)", re.IGNORECASE
)


class Transcripts:
    """Transcripts, one a file."""

    name = "transcript"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a good part of the files begin as transcripts do; recordings beside them do not count."""
        names = [name for name in tree.names() if not _OTHER_FILES.fullmatch(name)][:LOOKED_AT_MAX]
        transcripts = sum(_is_transcript(tree, name) for name in names)
        return transcripts > 0 and transcripts >= SHARE_MIN * len(names)

    def source(self, tree: FileTree) -> str:
        """A constant: a transcript does not say which organization it is of; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every meeting as a channel, with what was said in it."""
        people = Roster()
        for name in tree.names():
            if _OTHER_FILES.fullmatch(name) or not _is_transcript(tree, name):
                yield Drafted(name, Skipped("not a transcript"))
                continue
            try:
                yield from _drafted(tree, name, options, people)
            except UnreadableInput as error:
                yield kept_aside(name, "the whole file", str(error))


@dataclass(slots=True)
class _Turn:
    """What one speaker says without being interrupted."""

    words: Words
    first: Cue
    last: Cue
    part: int  # of the first cue, where several speak in it

    def takes(self, words: Words, cue: Cue) -> bool:
        """Whether the words go on with it."""
        return (
            bool(words.speaker)
            and words.speaker == self.words.speaker
            and cue.start_ms - self.last.end_ms <= PAUSE_MS_MAX
            and len(self.words.text) + len(words.text) < TURN_CHARS_MAX
        )


def _drafted(tree: FileTree, name: str, options: ImportOptions, people: Roster) -> Iterator[Drafted]:
    text = _text(tree, name)
    timed = is_timed(text)
    head = head_of(text)
    local = LocalTimes(options.zone)
    start = start_in(head.text if timed else head_of_meet(text), name, local)
    is_assumed = start is not None and "(UTC assumed)" in start.raw
    start = start or start_unknown(tree.modified_at(name))
    found = list(parse(text) if timed else parse_meet(text))
    for bad in found:
        if isinstance(bad, BadCue):
            yield kept_aside(name, f"line {bad.line}", bad.reason, bad.text)
    cues = [cue for cue in found if isinstance(cue, Cue)]
    if not cues:
        return
    channel = _channel(name, cues, start, options)
    yield Drafted(name, channel)
    turns: list[_Turn] = []
    for cue in cues:
        spoken = words_of(cue, has_voices=timed and head.has_voices)
        if not spoken:
            yield Drafted(name, Skipped("cue without words", f"cue {cue.number}"))
        for part, words in enumerate(spoken, start=1):
            if turns and turns[-1].takes(words, cue):
                turn = turns[-1]
                turn.words = Words(words.speaker, f"{turn.words.text} {words.text}", turn.words.at)
                turn.last = cue
            else:
                turns.append(_Turn(words, cue, cue, part))
    for place, turn in enumerate(turns):
        record = _record(turn, channel.id, start, place, people)
        yield from (Drafted(name, actor) for actor in people.news())
        yield Drafted(name, record)
    if not start.is_stated and not all(turn.words.at for turn in turns):
        yield Drafted(name, Skipped(UNDATED_MEETING))
    if is_assumed:
        yield Drafted(name, Skipped(UTC_ASSUMED))


def _channel(name: str, cues: list[Cue], start: Start, options: ImportOptions) -> ChannelDraft:
    """The meeting; of one without a date all the words together are the id, as there is nothing else."""
    begun, known_by = (start.at.isoformat(), cues[:FIRST_CUES]) if start.is_stated else ("", cues)
    said = "\0".join(f"{cue.start_ms} {cue.text}" for cue in known_by)
    key = hashlib.sha256(f"{begun}\0{said}".encode()).hexdigest()[:16]
    label = name.rpartition("/")[2].rpartition(".")[0] or name
    since = start.at if start.is_stated else None
    return ChannelDraft(f"meeting:{key}", label, options.visibility, since=since, stated=False)


def _record(turn: _Turn, meeting: str, start: Start, place: int, people: Roster) -> RecordDraft:
    words, first, last = turn.words, turn.first, turn.last
    at, raw = start.at, f"{start.raw} + {_clock(first.start_ms)}"
    if start.is_exact:
        at += timedelta(milliseconds=first.start_ms)
    if words.at is not None:
        at, raw = words.at.at, words.at.raw
    cues = f"cue {first.number}" if first.number == last.number else f"cues {first.number} to {last.number}"
    return RecordDraft(
        source_id=f"{meeting}/{first.number}" + (f".{turn.part}" if turn.part > 1 else ""),
        channel=meeting,
        author=people.add(words.speaker or NOBODY, words.speaker),
        valid_from=at,
        valid_from_raw=f"{raw} ({cues})",
        order_hint=place,
        text=words.text,
        links=urls(words.text),
        id_is_final=not start.is_stated,  # the time of a file says nothing new of what was said
    )


def _clock(ms: int) -> str:
    seconds, part = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{part:03}"


def _is_transcript(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            head = file.read(HEAD_BYTES)
    except UnreadableInput:
        return False
    text = _decoded(head)
    return is_timed(text) or is_meet(text)


def _text(tree: FileTree, name: str) -> str:
    with tree.open(name) as file:
        content = file.read(FILE_BYTES_MAX + 1)
    if len(content) > FILE_BYTES_MAX:
        raise UnreadableInput(f"{name} is longer than {FILE_BYTES_MAX:,} bytes; no transcript is")
    return _decoded(content)


def _decoded(content: bytes) -> str:
    """The text in the encoding that its first bytes tell, with one kind of line end."""
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = content.decode("utf-16" if is_wide else "utf-8-sig", "replace")
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))
