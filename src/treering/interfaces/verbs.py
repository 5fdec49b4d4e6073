"""The verbs behind every door: each takes who looks, decided by the door and never by what is asked, and a request.

Thread-safe. Whatever a reply holds was bounded by the viewer before it was found; what names somebody or something that
the viewer may not know of is not told from what names nobody.
"""

import base64
import binascii
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from treering.answers.answer import Answer
from treering.answers.answering import answer, stream_answer
from treering.answers.extractive import EXTRACTIVE, extractive_answer
from treering.clock import Clock, system_clock
from treering.errors import UnknownName, UsageError
from treering.forest.kinds import View
from treering.interfaces import replies
from treering.interfaces.apart import OpenMemory, prepare
from treering.interfaces.jobs import Jobs
from treering.interfaces.pool import Lent, Pool
from treering.interfaces.schema import (
    ActorEntry,
    ActorsReply,
    AskReply,
    AskRequest,
    ChannelEntry,
    ChannelsReply,
    ContextReply,
    HistoryReply,
    ImportOptionsRequest,
    JobReply,
    JobsReply,
    ListRequest,
    RecordReply,
    SearchReply,
    SearchRequest,
    StatusReply,
    TimelineReply,
    TimelineRequest,
    TreeEntry,
    TreeReply,
    TreeRequest,
    TreesReply,
    TreesRequest,
)
from treering.memory import Memory
from treering.memory.around import branch, context, timeline
from treering.memory.browsing import Browser
from treering.memory.when import moment
from treering.model.evidence import EvidenceSet
from treering.models.generator import Generator

__all__ = ["Verbs"]

Item = TypeVar("Item")


class Verbs:
    """What can be asked of one memory.

    In every method `viewer` is the name or id of the actor through whose eyes the memory is read; None is the owner,
    who sees all.

    Raises, all of them:
        UnknownName: the viewer is nobody here, or several.
        BadDate: a bound does not read as a date.
    """

    def __init__(
        self,
        open_memory: OpenMemory,
        generator: Generator | None = None,
        *,
        size: int | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._generator = generator
        self._pool: Pool | Lent = Pool(lambda: open_memory(progress=None), size or os.cpu_count() or 1)
        self._jobs = Jobs(open_memory, clock, self._pool.still)

    @classmethod
    def over(cls, memory: Memory, generator: Generator | None = None) -> Self:
        """The verbs over a memory that the caller opened and closes; nothing is imported through them."""
        made = cls(lambda progress: memory, generator)
        made._pool = Lent(memory)
        return made

    def close(self) -> None:
        """Stop a running import at its next safe point, then release the files."""
        self._jobs.close()
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def warm(self) -> None:
        """Load now what the first questions would wait for.

        Raises:
            MemoryMissing: there is no memory.
            ModelUnavailable: the encoder's weights cannot be had.
        """
        prepare()
        with self._pool.memory() as memory:
            memory.search("is anybody there?", k=1)

    # Asking

    def search(self, viewer: str | None, request: SearchRequest) -> SearchReply:
        """Evidence for a question."""
        return replies.evidence(self._found(viewer, request), explain=request.explain)

    def ask(self, viewer: str | None, request: AskRequest) -> AskReply:
        """An answer from evidence: by the configured model, else the best sentences, and it says which.

        Raises:
            ModelUnavailable: the configured model does not answer.
        """
        found = self._found(viewer, request)
        said = extractive_answer(found) if self._generator is None else answer(found, self._generator)
        return _answered(found, said, request)

    def ask_stream(self, viewer: str | None, request: AskRequest) -> Iterator[SearchReply | str | AskReply]:
        """As `ask`, bit by bit: the evidence, checked pieces of the answer as they come, the whole answer.

        The whole stands in place of the pieces: it may be "not in the record" after all.
        """
        found = self._found(viewer, request)
        yield replies.evidence(found, explain=request.explain)
        if self._generator is None:
            said = extractive_answer(found)
            yield said.text
        else:
            said = yield from stream_answer(found, self._generator)
        yield _answered(found, said, request)

    # Records

    def record(self, viewer: str | None, name: str) -> RecordReply:
        """One record, whole.

        Raises:
            UnknownName: there is none, or the viewer may not see it; AmbiguousName: several sources know the id.
        """
        with self._browsing(viewer, None, None) as browser:
            return replies.record(browser.shown([browser.find(name)])[0])

    def history(self, viewer: str | None, name: str, as_of: str | None = None) -> HistoryReply:
        """Every version of a record, oldest first, and what it changed; errors as for `record`."""
        with self._memory(viewer) as memory:
            versions = memory.chain(name, viewer=viewer, as_of=as_of)
            with memory.browsing(viewer=viewer, as_of=as_of) as browser:
                shown = browser.shown([version.record for version in versions])
        return replies.history(versions, shown)

    def context(self, viewer: str | None, name: str, as_of: str | None = None) -> ContextReply:
        """Who may see a record, where it hangs in the trees, and what is linked with it; errors as for `record`."""
        with self._browsing(viewer, as_of, None) as browser:
            return replies.context(context(browser, name))

    # Looking around

    def channels(self, viewer: str | None, request: ListRequest) -> ChannelsReply:
        """The channels that the viewer may read, by name."""
        with self._browsing(viewer, request.as_of, request.known_at) as browser:
            found = [one for one in browser.channels() if _holds(one.name, request.q)]
        page, total, further = _page(found, lambda one: (one.name.casefold(), one.id), request)
        return ChannelsReply(channels=[ChannelEntry.model_validate(one) for one in page], total=total, next=further)

    def actors(self, viewer: str | None, request: ListRequest) -> ActorsReply:
        """The participants that the viewer may know of, by name."""
        with self._browsing(viewer, request.as_of, request.known_at) as browser:
            found = [one for one in browser.actors() if _holds(one.name, request.q)]
        page, total, further = _page(found, lambda one: (one.name.casefold(), one.id), request)
        return ActorsReply(actors=[ActorEntry.model_validate(one) for one in page], total=total, next=further)

    def trees(self, viewer: str | None, request: TreesRequest) -> TreesReply:
        """The trees of a forest, or of all, with something in them that the viewer may see."""
        with self._browsing(viewer, request.as_of, request.known_at) as browser:
            listed = browser.trees(View(request.view) if request.view else None)
        found = [one for one in listed if _holds(one.label, request.q)]
        page, total, further = _page(found, lambda one: (one.view, one.label.casefold(), one.key), request)
        return TreesReply(trees=[TreeEntry.model_validate(one) for one in page], total=total, next=further)

    def tree(self, viewer: str | None, view: str, key: str, request: TreeRequest) -> TreeReply:
        """A node of a tree and what is below it.

        Raises:
            UnknownName: there is no such tree or node, or nothing in it is visible.
        """
        with self._browsing(viewer, request.as_of, request.known_at) as browser:
            row = browser.tree(View(view), key)
            tree = browser.memory.forest.trees[row]
            node = branch(browser, row, request.node, request.depth)
        return TreeReply(view=tree.view.value, key=tree.key, label=tree.label, node=replies.node(node))

    def timeline(self, viewer: str | None, request: TimelineRequest) -> TimelineReply:
        """Records of a place in order of time.

        Raises:
            UnknownName: there is no such place, or nothing of it is visible.
            UsageError: the place or the cursor does not read.
        """
        with self._browsing(viewer, request.as_of, request.known_at) as browser:
            found = timeline(
                browser,
                request.of,
                at=moment(request.at),
                cursor=request.cursor,
                limit=request.limit,
                newest=request.newest,
            )
        return replies.stretch(found)

    # The memory itself

    def status(self, viewer: str | None) -> StatusReply:
        """What the viewer may see, counted; for the owner also how far the derived parts are."""
        with self._memory(viewer) as memory:
            with memory.browsing(viewer=viewer) as browser:
                seen = browser.extent()
            whole = memory.status() if viewer is None else None
        name = EXTRACTIVE if self._generator is None else self._generator.name
        return StatusReply(**asdict(seen), viewer=viewer, answers=name if viewer is None else "", memory=whole)

    def add(self, viewer: str | None, folder: Path, names: Sequence[str], options: ImportOptionsRequest) -> JobReply:
        """Import files of a folder, which becomes the job's own and is removed after it; the owner's alone.

        Raises:
            MemoryBusy: too many imports wait.
        """
        _require_owner(viewer)
        return self._jobs.add(folder, names, options)

    def jobs(self, viewer: str | None) -> JobsReply:
        """The imports since the start, newest first; the owner's alone."""
        _require_owner(viewer)
        return JobsReply(jobs=self._jobs.all())

    def job(self, viewer: str | None, name: str) -> JobReply:
        """One import; the owner's alone."""
        _require_owner(viewer)
        return self._jobs.one(name)

    # Inside

    @contextmanager
    def _memory(self, viewer: str | None) -> Iterator[Memory]:
        """A memory in which the viewer is somebody; who shares the name is not told."""
        with self._pool.memory() as memory:
            if viewer is not None:
                try:
                    memory.actor(viewer)
                except UnknownName:
                    raise UnknownName(f"the viewer {viewer!r} is nobody here, or several") from None
            yield memory

    @contextmanager
    def _browsing(self, viewer: str | None, as_of: str | None, known_at: str | None) -> Iterator[Browser]:
        with self._memory(viewer) as memory, memory.browsing(viewer=viewer, as_of=as_of, known_at=known_at) as browser:
            yield browser

    def _found(self, viewer: str | None, request: SearchRequest) -> EvidenceSet:
        with self._memory(viewer) as memory:
            return memory.search(
                request.question,
                profile=request.profile,
                asker=request.asker,
                viewer=viewer,
                as_of=request.as_of,
                known_at=request.known_at,
                asked_at=request.asked_at,
                zone=request.zone,
                k=request.k,
                budget=request.budget,
            )


def _answered(found: EvidenceSet, said: Answer, request: AskRequest) -> AskReply:
    return replies.answered(said, replies.evidence(found, explain=request.explain))


def _require_owner(viewer: str | None) -> None:
    """The doors refuse others by themselves, with words of their own."""
    assert viewer is None, "imports are the owner's"


def _holds(name: str, letters: str) -> bool:
    return letters.casefold() in name.casefold()


def _page(
    found: Sequence[Item], key: Callable[[Item], tuple[str, ...]], request: ListRequest
) -> tuple[list[Item], int, str | None]:
    """The page after a cursor, how many there are in all, and the cursor of the page after it."""
    ordered = sorted(found, key=key)
    after = _unpacked(request.cursor) if request.cursor else None
    rest = ordered if after is None else [one for one in ordered if key(one) > after]
    page = rest[: request.limit]
    return page, len(ordered), _packed(key(page[-1])) if len(rest) > len(page) else None


def _packed(key: tuple[str, ...]) -> str:
    return base64.urlsafe_b64encode("\0".join(key).encode()).decode()


def _unpacked(cursor: str) -> tuple[str, ...]:
    try:
        return tuple(base64.b64decode(cursor, altchars=b"-_", validate=True).decode().split("\0"))
    except (binascii.Error, ValueError) as error:
        raise UsageError(f"{cursor!r} is no cursor; give `next` of a reply, as it was") from error
