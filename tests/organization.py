"""A generated organization with much to hide: private channels, group chats, documents, moves, changing members.

Every private place has words of its own in all that belongs to it: its name, texts, titles, threads, tags, identifiers,
the people who write nowhere else. `hidden_from` lists those that a viewer must never meet, in any reply. `seen_by` is
the same organization without what a viewer may not see: an oracle for counts and scores.
"""

import random
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from tests.builders import START, TickingClock, deletion_of, document, edit_of, message, remember, statement
from treering import Memory
from treering.model.drafts import ChannelDraft, ChannelKind, RecordDraft

__all__ = ["PEOPLE", "Organization", "built", "organization"]

PEOPLE = ("ana", "ben", "cleo", "dora", "emil", "fay", "gus", "hana")
WORDS = (
    *("deploy", "rollback", "queue", "latency", "invoice", "approved", "blocked", "merged", "review", "staging"),
    *("cluster", "token", "cache", "owner", "release", "schema", "vendor", "budget", "retry", "assigned", "opened"),
)
_MINUTES = 60 * 24 * 60  # two months


@dataclass(frozen=True, slots=True)
class Organization:
    """Drafts in order of arrival, and who may read where in the end."""

    drafts: tuple[RecordDraft | ChannelDraft, ...]
    members: dict[str, frozenset[str] | None]  # channel -> members now; None: everybody
    words: dict[str, str]  # a channel's own word -> the channel
    questions: tuple[str, ...]

    def readable(self, viewer: str) -> set[str]:
        """The channels that a viewer may read."""
        return {channel for channel, members in self.members.items() if members is None or viewer in members}

    def hidden_from(self, viewer: str) -> set[str]:
        """The words that nothing shown to the viewer may hold."""
        readable = self.readable(viewer)
        return {word for word, channel in self.words.items() if channel not in readable}

    def seen_by(self, viewer: str) -> tuple[RecordDraft | ChannelDraft, ...]:
        """The drafts without what the viewer may not see: a thing is read where it stands now, and where it stood."""
        readable = self.readable(viewer)
        now: dict[str, str] = {}
        for draft in self.drafts:
            if isinstance(draft, RecordDraft):
                now[draft.lineage or draft.source_id] = draft.channel
        return tuple(
            draft
            for draft in self.drafts
            if (draft.id if isinstance(draft, ChannelDraft) else draft.channel) in readable
            and (isinstance(draft, ChannelDraft) or now[draft.lineage or draft.source_id] in readable)
        )


def organization(seed: int, *, messages: int = 260, moves: bool = True) -> Organization:
    """The organization of a seed; with `moves` some messages go on in another channel."""
    chance = random.Random(seed)
    channels: dict[str, frozenset[str] | None] = {"eng": None, "ops": None, "handbook": None}
    first: dict[str, ChannelDraft] = {}
    words: dict[str, str] = {}
    for number in range(9):
        word = f"zc{number:02d}q"
        channel = f"closed-{word}"
        members = frozenset(chance.sample(PEOPLE, chance.randint(1, 4)))
        kind = chance.choice([ChannelKind.PRIVATE, ChannelKind.GROUP, ChannelKind.DIRECT])
        before = frozenset(chance.sample(PEOPLE, chance.randint(1, 5)))  # membership changes
        first[channel] = ChannelDraft(channel, f"{chance.choice(WORDS)}-{word}", kind, members=tuple(sorted(before)))
        channels[channel] = members
        words[word] = channel
    unknown = ChannelDraft("closed-zc99q", "unknown-zc99q", ChannelKind.PRIVATE, members=None)
    channels[unknown.id], words["zc99q"] = frozenset(), unknown.id
    open_channels = [ChannelDraft(name, name, ChannelKind.PUBLIC) for name in ("eng", "ops", "handbook")]
    drafts: list[RecordDraft | ChannelDraft] = [*open_channels, *first.values(), unknown]
    records = list(_records(chance, channels, messages, moves=moves))
    half = len(records) // 2
    again = [replace(draft, members=tuple(sorted(channels[name] or ()))) for name, draft in first.items()]
    questions = [" ".join(chance.sample(WORDS, chance.randint(2, 5))) for _ in range(30)]
    questions += [f"who in #{draft.name} {chance.choice(WORDS)}?" for draft in first.values()]
    questions += [f"what did ghost {word} say about SEC{word[2:4]}-1, {chance.choice(WORDS)}?" for word in words]
    questions += [f"PAY-{number} {chance.choice(WORDS)} by Ana after Ben" for number in range(1, 6)]
    questions += ["is DOC-1 retired or superseded?", "latest version of DOC-2", "Plan DOC-3", "zc", "", "?!"]
    return Organization(
        (*drafts, *records[:half], *again, *records[half:]), channels, words, tuple(filter(None, questions))
    )


def _records(
    chance: random.Random, channels: dict[str, frozenset[str] | None], count: int, *, moves: bool
) -> list[RecordDraft]:
    names = sorted(channels)
    made: list[RecordDraft] = []
    roots: dict[str, list[str]] = {}
    for number in range(count):
        channel = chance.choice(names)
        word = channel.removeprefix("closed-") if channel.startswith("closed-") else ""
        minute = number * _MINUTES // count
        author = chance.choice(PEOPLE)
        if word and chance.random() < 0.3:
            author = f"ghost {word}"
        text = f"{' '.join(chance.choices(WORDS, k=chance.randint(4, 14)))} {word}"
        if chance.random() < 0.35:
            text += f" PAY-{chance.randint(1, 5)}"
        if word and chance.random() < 0.3:
            text += f" SEC{word[2:4]}-1"
        thread = None
        if roots.get(channel) and chance.random() < 0.4:
            thread = chance.choice(roots[channel])
        else:
            roots.setdefault(channel, []).append(f"m{number}")
        draft = message(f"m{number}", text, minute=minute, author=author, channel=channel, thread=thread)
        if chance.random() < 0.2 and made:
            draft = replace(draft, reply_to=chance.choice(made).source_id)
        if word:
            draft = replace(draft, tags=(f"tag-{word}",))
        made.append(draft)
        if chance.random() < 0.08:
            made.append(edit_of(draft, f"{text} edited", minute=minute + 30))
        elif moves and author in PEOPLE and chance.random() < 0.08:
            moved = edit_of(draft, f"{chance.choice(WORDS)} moved here", minute=minute + 50)
            made.append(replace(moved, channel=chance.choice(names)))
        elif chance.random() < 0.04:
            made.append(deletion_of(draft, minute=minute + 40))
    made += [
        document(
            f"doc{number}", f"{' '.join(chance.choices(WORDS, k=40))} DOC-{number}", day=day, title=f"DOC-{number}"
        )
        for number in range(1, 7)
        for day in sorted(chance.sample(range(60), 2))
    ]
    for number, channel in enumerate(name for name in names if name.startswith("closed-")):
        word = channel.removeprefix("closed-")
        text = f"Supersedes: DOC-{number % 6 + 1}\n\n{' '.join(chance.choices(WORDS, k=30))} {word}"
        made.append(document(f"secret{number}", text, day=20 + number, title=f"Closed {word}", channel=channel))
        if number % 3 == 0:
            retired = statement(f"doc{number % 6 + 1}", "retired", f"doc{number % 6 + 1}", day=30)
            made.append(replace(retired, source_id=f"retired{number}", channel=channel))
    return made


def built(folder: Path, drafts: tuple[RecordDraft | ChannelDraft, ...]) -> Memory:
    """A memory of the drafts, by words alone; everybody is known by a name, whoever writes."""
    memory = Memory.open(folder, clock=TickingClock(START + timedelta(days=400)))
    memory._layout.make()
    remember(memory, *drafts)
    return memory
