"""Whatever is imported again, in parts, in another order or after a break: the same records, people and rights."""

import gzip
import itertools
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import TickingClock, same_bytes
from tests.generated import CHANNELS, PEOPLE, WORDS, messages
from treering import Memory, UnreadableInput
from treering.importers.protocol import ImportOptions
from treering.log.content import root_of
from treering.log.reader import LogReader
from treering.log.registry import Registry
from treering.log.schema import TABLES
from treering.log.writer import LogWriter
from treering.memory import importing
from treering.model.drafts import ChannelKind
from treering.model.report import ImportReport
from treering.store.database import Database

FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
Units = Sequence[dict[str, object]]  # what a file holds: messages, mails or rows; never cut in two
Write = Callable[[Path, Units], Path]


class Log:
    """A log alone, without the parts derived from it: what import must get right."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, for_writing=True)
        self._database.make(TABLES)
        self._clock = TickingClock()

    def close(self) -> None:
        self._database.close()

    def add(self, *paths: Path, stop_after: int | None = None) -> ImportReport:
        """Import; `stop_after` so many batches, as Ctrl-C would."""
        batches = itertools.count(1)

        def progress(what: str, done: int, total: int) -> None:
            if what.startswith("reading") and next(batches) == stop_after:
                raise KeyboardInterrupt

        def writer() -> LogWriter:
            return LogWriter(self._database.connection, self._clock, same_bytes)

        return importing.import_paths(self._database, writer, paths, "auto", ImportOptions(), progress)

    def state(self) -> tuple[object, ...]:
        """The root, and all that is known of people, places and rights."""
        registry = Registry(self._database.connection)
        actors = {actor.id: actor for actor in registry.actors()}
        return (
            root_of(LogReader(self._database.connection).hashes()).hex(),
            [(one.source, one.native, one.kind, one.name, one.names) for one in actors.values()],
            [
                (one.source, one.native, one.kind, one.name,
                 None if one.members is None else sorted(actors[member].native for member in one.members))
                for one in registry.channels()
            ],
        )  # fmt: skip


def slack(path: Path, units: Units, members: Sequence[str] = PEOPLE, closed: bool = False) -> Path:
    """A Slack export of some messages, one day file for each channel and ten of them."""
    files: dict[str, list[dict[str, object]]] = {}
    for unit in units:
        fields = dict(unit)
        channel, number = fields.pop("in"), fields.pop("number")
        assert isinstance(number, int)
        files.setdefault(f"{channel}/2024-03-{1 + number // 10:02d}.json", []).append(fields)
    path = path.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        users = [{"id": person, "name": person.lower(), "real_name": f"Person {person}"} for person in PEOPLE]
        archive.writestr("users.json", json.dumps(users))
        listed = [{"id": f"C0{name.upper()}", "name": name, "members": list(members)} for name in CHANNELS]
        archive.writestr("groups.json" if closed else "channels.json", json.dumps(listed))
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    return path


def lines(path: Path, units: Units) -> Path:
    """A table as JSON lines."""
    path = path.with_suffix(".jsonl")
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    return path


def slack_units(count: int, seed: int) -> Units:
    found = messages(count, seed=seed)
    return [{"in": channel, "number": number, **message} for number, (channel, message) in enumerate(found)]


def rows(count: int, seed: int) -> Units:
    found = []
    for number, (channel, message) in enumerate(messages(count, seed=seed)):
        fields: dict[str, object] = {
            "id": number, "sent_at": float(str(message["ts"])), "author": message["user"], "channel": channel,
            "text": message["text"], "channel_kind": "private", "members": list(PEOPLE[:5]),
        }  # fmt: skip
        if "thread_ts" in message:
            fields["reply_to"] = str(number // 2)
        found.append(fields)
        if number % 11 == 0:
            found.append({**fields, "text": "said otherwise", "edited_at": float(str(message["ts"])) + 60})
        if number % 13 == 0:
            found.append({**fields, "deleted_at": float(str(message["ts"])) + 90})
    return found


def documents(count: int, seed: int) -> Units:
    return [
        {"id": f"DOC-{number % 7}@{number // 7}", "doc": f"DOC-{number % 7}", "version": 1 + number // 7,
         "dated": f"2024-{1 + number // 28:02d}-{1 + number % 28:02d}", "author": PEOPLE[(number + seed) % 9],
         "title": f"Policy {number % 7}", "text": " ".join(WORDS[(number + seed) % 9 :][:8]), "space": "handbook"}
        for number in range(count)
    ]  # fmt: skip


def mails(count: int, seed: int) -> Units:
    """Mails of which some share their ids: copies by way of a list, the same with a footer, and others altogether."""
    found: list[dict[str, object]] = []
    footer = "\n" + "_" * 47 + "\nops mailing list\n"
    for number, (channel, message) in enumerate(messages(count, seed=seed)):
        fields: dict[str, object] = {
            "From": f"{message['user']}@k.example", "To": "all@k.example", "Subject": f"about {channel}",
            "Date": f"Mon, 4 Mar 2024 {number // 60:02d}:{number % 60:02d}:00 +0000",
            "Message-ID": f"<m{number}@k.example>", "body": f"{message['text']}\n",
        }  # fmt: skip
        if number % 3 == 0:
            fields["In-Reply-To"] = f"<m{number // 2}@k.example>"
        found.append(fields)
        listed = {**fields, "List-Id": f"<{channel}.k.example>"}
        if number % 4 == 0:
            found.append(listed)
        if number % 8 == 0:
            found.append({**listed, "body": f"{fields['body']}{footer}"})
        if number % 5 == 0:
            found.append({**fields, "body": "something else under the same id\n"})
    return found


def mbox(path: Path, units: Units) -> Path:
    """A mailbox."""
    path = path.with_suffix(".mbox")
    with path.open("w") as file:
        for unit in units:
            file.write("From a@k.example Mon Mar  4 10:00:00 2024\n")
            file.writelines(f"{name}: {value}\n" for name, value in unit.items() if name != "body")
            file.write(f"\n{unit['body']}\n")
    return path


FORMATS: dict[str, tuple[Callable[[int, int], Units], Write]] = {
    "slack": (slack_units, slack),
    "jsonl": (rows, lines),
    "documents": (documents, lines),
    "mail": (mails, mbox),
}
formats = pytest.mark.parametrize("name", FORMATS)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def blocks(units: Units, size: int = 10) -> list[Units]:
    """The units as files hold them."""
    return [units[start : start + size] for start in range(0, len(units), size)]


@formats
@FEW
@given(data=st.data(), count=st.integers(15, 60), seed=st.integers(1, 5), calls=st.integers(1, 3))
def test_any_order_and_any_split_of_the_files_over_any_calls_give_the_same(
    name: str, data: st.DataObject, count: int, seed: int, calls: int
) -> None:
    make, write = FORMATS[name]
    units = make(count, seed)
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        parts = [write(folder / f"part{n}", some) for n, some in enumerate(data.draw(st.permutations(blocks(units))))]
        with closing(Log(folder / "once.db")) as once, closing(Log(folder / "parts.db")) as piecewise:
            once.add(write(folder / "all", units))
            for call in range(calls):
                piecewise.add(*parts[call::calls])
            assert piecewise.state() == once.state()
            again = [piecewise.add(*parts), once.add(*parts), piecewise.add(folder / write(folder / "all", units).name)]
            assert [(report.total.kept, report.total.versions) for report in again] == [(0, 0)] * 3


@formats
@FEW
@given(data=st.data(), seed=st.integers(1, 5))
def test_overlapping_later_exports_add_only_what_is_new(name: str, data: st.DataObject, seed: int) -> None:
    make, write = FORMATS[name]
    units = make(40, seed)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(units) - 1), min_size=2, max_size=2)))
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        exports = [write(folder / f"until{cut}", units[:cut]) for cut in [*cuts, len(units)]]
        order = data.draw(st.permutations(exports))
        with closing(Log(folder / "once.db")) as once, closing(Log(folder / "again.db")) as again:
            new = once.add(exports[-1]).total
            reports = [again.add(export).total for export in order]
            assert again.state() == once.state()
            logged = sum(report.kept + report.versions for report in reports)
            assert logged == new.kept + new.versions


@FEW
@given(data=st.data())
def test_of_several_exports_the_newest_says_who_may_read_in_whatever_order_they_come(data: st.DataObject) -> None:
    units = [{key: value for key, value in unit.items() if key != "edited"} for unit in slack_units(40, 1)]
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        exports = []
        for number, cut in enumerate(sorted(data.draw(st.sets(st.integers(1, 40), min_size=2, max_size=3)))):
            members = data.draw(st.lists(st.sampled_from(PEOPLE[:6]), unique=True))
            closed = data.draw(st.booleans())
            exports.append((slack(folder / f"export{number}", units[:cut], members, closed), members, closed))
        states = []
        for number, order in enumerate(itertools.permutations(exports)):
            with closing(Log(folder / f"{number}.db")) as log:
                for export, _, _ in order:
                    log.add(export)
                states.append(log.state())
        assert all(state == states[0] for state in states)
        _, members, closed = exports[-1]
        channels = states[0][2]
        assert isinstance(channels, list)
        for _, _, kind, _, listed in channels:
            assert (kind is ChannelKind.PUBLIC, listed) == (not closed, sorted(members))


@formats
@pytest.mark.parametrize("batches", [1, 3])
def test_an_interrupted_import_goes_on_to_the_same(
    name: str, batches: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 20)
    make, write = FORMATS[name]
    export = write(folder / "export", make(120, 3))
    with closing(Log(folder / "once.db")) as once, closing(Log(folder / "broken.db")) as broken:
        new = once.add(export).total
        with pytest.raises(KeyboardInterrupt):
            broken.add(export, stop_after=batches)
        rest = broken.add(export).total
        assert broken.state() == once.state()
        assert rest.kept + rest.versions + rest.unchanged == new.kept + new.versions + new.unchanged
        come_first = name in ("slack", "mail")  # people and places
        assert (rest.unchanged > new.unchanged) == (not come_first or batches > 1)


def test_an_import_that_breaks_off_in_the_middle_of_a_file_goes_on_to_the_same(folder: Path) -> None:
    whole = lines(folder / "whole", rows(300, 2))
    packed = gzip.compress(whole.read_bytes(), mtime=0)
    broken = folder / "whole.jsonl.gz"
    broken.write_bytes(packed[: len(packed) * 2 // 3])
    with closing(Log(folder / "once.db")) as once, closing(Log(folder / "broken.db")) as log:
        once.add(whole)
        try:
            damaged = log.add(broken).total.quarantined
        except UnreadableInput:
            damaged = 1
        assert damaged
        assert log.state() != once.state()
        broken.write_bytes(packed)
        log.add(broken)
        assert log.state() == once.state()


@formats
def test_the_whole_memory_is_the_same_in_one_call_or_several(name: str, folder: Path) -> None:
    make, write = FORMATS[name]
    units = make(40, 4)
    some = blocks(units)
    parts = [write(folder / f"part{n}", some[n]) for n in sorted(range(len(some)), key=lambda n: n * 7 % 4)]
    hashes = []
    for label, calls in (("once", [[write(folder / "all", units)]]), ("parts", [parts[:2], parts[2:], parts])):
        with Memory.open(folder / label, clock=TickingClock()) as memory:
            for paths in calls:
                memory.add(*paths, embed=False)
            assert memory.verify() == []
            hashes.append(memory.hashes())
    assert hashes[0]["root"] == hashes[1]["root"]
    if name != "mail":  # of mails that share an id, arrival decides which one bears it, and so which one is answered
        assert hashes[0]["forest"] == hashes[1]["forest"]
