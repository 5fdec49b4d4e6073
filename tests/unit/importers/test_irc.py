"""IRC logs of several clients, and minutes taken on IRC."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder
from tests.unit.importers.outcome import Outcome, mutations
from treering.errors import UsageError
from treering.importers.irc import UNDATED_LOG, IrcLogs
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)

WEECHAT = """\
2024-03-04 10:00:00\t-->\tbo (~b@h.example) has joined #ops
2024-03-04 10:00:05\t@ina\tdeploy at 5
2024-03-04 10:00:09\t *\tbo nods
2024-03-04 10:00:10\t--\tbo is now known as bo_away
2024-03-04 10:00:12\tbo_away\tre: ABC-123
2024-03-04 10:01:00\t<--\tbo_away (~b@h.example) has quit (Ping timeout)
"""
IRSSI = """\
--- Log opened Mon Mar 04 10:00:00 2024
10:00 -!- bo [~b@h.example] has joined #ops
10:00 <@ina> deploy at 5
10:00  * bo nods
10:00 -!- bo is now known as bo_away
10:00 < bo_away> re: ABC-123
10:01 -!- bo_away [~b@h.example] has quit [Ping timeout]
--- Log closed Mon Mar 04 10:02:00 2024
"""
ZNC = """\
[10:00:00] *** Joins: bo (~b@h.example)
[10:00:05] <ina> deploy at 5
[10:00:09] * bo nods
[10:00:10] *** bo is now known as bo_away
[10:00:12] <bo_away> re: ABC-123
[10:01:00] *** Quits: bo_away (~b@h.example) (Ping timeout)
"""
XCHAT = """\
**** BEGIN LOGGING AT Mon Mar  4 10:00:00 2024

Mar 04 10:00:00 *\tbo (~b@h.example) has joined #ops
Mar 04 10:00:05 <ina>\tdeploy at 5
Mar 04 10:00:09 *\tbo nods
Mar 04 10:00:10 *\tbo is now known as bo_away
Mar 04 10:00:12 <bo_away>\tre: ABC-123
Mar 04 10:01:00 *\tbo_away has quit (Ping timeout)
"""
CORPUS = """\
=== bo [~b@h.example]  has joined #ops
[10:00] <ina> deploy at 5
=== bo nods
=== bo is now known as bo_away
[10:00] <bo_away> re: ABC-123
=== bo_away [~b@h.example]  has quit []
"""
LOGS = {
    "weechat": ("irc.heron.#ops.weechatlog", WEECHAT),
    "irssi": ("#ops.log", IRSSI),
    "znc": ("#ops_20240304.log", ZNC),
    "xchat": ("heron-#ops.log", XCHAT),
    "corpus": ("2024-03-04_01.raw.txt", CORPUS),
}


def read(root: Path, log: str | bytes, name: str = "#ops-2024-03-04.log", **options: str) -> Outcome:
    content = log if isinstance(log, bytes) else log.encode()
    return Outcome(IrcLogs(), write_folder(root, {name: content}), ImportOptions(zone=options.get("zone")))


@pytest.mark.parametrize("client", LOGS)
def test_every_client_tells_the_same_story(tmp_path: Path, client: str):
    name, log = LOGS[client]
    outcome = read(tmp_path, log, name)
    assert outcome.recognized
    assert not outcome.quarantined
    assert [(record.author, record.event) for record in outcome.records] == [
        ("bo", "join"),
        ("ina", None),
        ("bo", None),
        ("bo", "rename"),
        ("bo", None),
        ("bo", "quit"),
    ]
    assert [record.text for record in outcome.records if record.event is None] == ["deploy at 5", "nods", "re: ABC-123"]
    assert {record.channel for record in outcome.records} == {"#ops"}
    assert {record.valid_from.replace(minute=0, second=0) for record in outcome.records} == {AT}
    assert outcome.records == sorted(outcome.records, key=lambda record: (record.valid_from, record.order_hint))


def test_times_are_local_and_say_whether_their_zone_was_assumed(tmp_path: Path):
    """B40"""
    assumed, stated = read(tmp_path / "a", ZNC), read(tmp_path / "b", ZNC, zone="Europe/Berlin")
    assert assumed.records[0].valid_from == AT
    assert assumed.records[0].valid_from_raw == "2024-03-04 10:00:00 (UTC assumed)"
    assert assumed.skipped == {UTC_ASSUMED: 1}
    assert stated.records[0].valid_from == AT - timedelta(hours=1)
    assert not stated.skipped


def test_a_zone_that_does_not_exist_is_the_callers_mistake(tmp_path: Path):
    with pytest.raises(UsageError, match="Europe/Berlyn"):
        read(tmp_path, ZNC, zone="Europe/Berlyn")


def test_days_change_and_midnight_is_kept(tmp_path: Path):
    """B40"""
    log = (
        "--- Log opened Mon Mar 04 23:58:00 2024\n23:58 <ina> before\n--- Day changed Tue Mar 05 2024\n"
        "00:00 <bo> midnight\n00:01 <ina> after\n"
    )
    outcome = read(tmp_path, log, "#ops.log")
    assert [(record.text, f"{record.valid_from:%d %H:%M}") for record in outcome.records] == [
        ("before", "04 23:58"),
        ("midnight", "05 00:00"),
        ("after", "05 00:01"),
    ]
    assert outcome.skipped["mark of the log"] == 2


def test_midnight_is_seen_without_a_mark(tmp_path: Path):
    outcome = read(tmp_path, "[23:59:59] <ina> before\n[00:00:00] <bo> midnight\n")
    assert [record.valid_from for record in outcome.records] == [
        datetime(2024, 3, 4, 23, 59, 59, tzinfo=UTC),
        datetime(2024, 3, 5, tzinfo=UTC),
    ]


def test_what_stands_before_the_first_change_of_day_is_of_the_day_before(tmp_path: Path):
    outcome = read(tmp_path, "23:58 <ina> before\n--- Day changed Tue Mar 05 2024\n00:01 <ina> after\n", "#ops.log")
    assert [record.valid_from.day for record in outcome.records] == [4, 5]


def test_the_hour_that_comes_twice_is_told_apart_by_the_order_of_the_log(tmp_path: Path):
    """B40: clocks went back in New York on 7 November 2021."""
    log = "01:30 <ina> first\n01:59 <bo> still\n01:30 <ina> second\n02:10 <bo> after\n"
    outcome = read(tmp_path, log, "#ops-2021-11-07.log", zone="America/New_York")
    assert [f"{record.valid_from:%H:%M}" for record in outcome.records] == ["05:30", "05:59", "06:30", "07:10"]


def test_a_clock_that_was_set_back_does_not_scramble_a_talk(tmp_path: Path):
    """B40, B51"""
    outcome = read(tmp_path, "10:05 <ina> question?\n10:03 <bo> answer\n10:04 <ina> thanks\n10:06 <bo> bye\n")
    in_order = sorted(outcome.records, key=lambda record: (record.valid_from, record.order_hint))
    assert [record.text for record in in_order] == ["question?", "answer", "thanks", "bye"]
    assert outcome.records[1].valid_from_raw.startswith("2024-03-04 10:03")


def test_hours_that_count_to_twelve_go_on_in_the_afternoon(tmp_path: Path):
    outcome = read(tmp_path, "[12:58] <ina> a\n[01:00] <bo> b\n[04:50] <ina> c\n")
    assert [record.valid_from.hour for record in outcome.records] == [12, 13, 16]


def test_a_log_of_no_known_day_holds_since_always_in_its_own_order(tmp_path: Path):
    outcome = read(tmp_path, "23:59 <ina> a\n00:01 <bo> b\n", "#ops.log")
    assert [record.text for record in sorted(outcome.records, key=lambda record: record.valid_from)] == ["a", "b"]
    assert {record.valid_from.year for record in outcome.records} == {1970}
    assert outcome.records[0].valid_from_raw == "no day, 23:59"
    assert outcome.skipped[UNDATED_LOG] == 1


def test_lines_are_decoded_one_by_one_and_lose_their_colours(tmp_path: Path):
    log = "[10:00:00] <ina> d\u00e9ploiement\n".encode() + b"[10:00:01] <bo> d\xe9ploiement\n"
    log += b"[10:00:02] <bo> \x0304,01red\x03 and \x02bold\x0f\n"
    assert read(tmp_path, log).texts == ["d\u00e9ploiement", "d\u00e9ploiement", "red and bold"]


def test_a_name_that_was_taken_is_dated_and_somebody_who_comes_later_is_somebody_else(tmp_path: Path):
    log = (
        "[10:00:00] <bo> one\n[10:01:00] *** bo is now known as cy\n[10:02:00] <cy> two\n"
        "[10:03:00] *** Quits: cy (h) (bye)\n[10:04:00] *** Joins: cy (other)\n[10:05:00] <cy> three\n"
    )
    outcome = read(tmp_path, log)
    assert [record.author for record in outcome.records] == ["bo", "bo", "bo", "bo", "cy", "cy"]
    renamed = ActorDraft("bo", "bo", aliases=("cy",), since=AT + timedelta(minutes=1))
    assert renamed in outcome.drafts


def test_nobody_can_pretend_to_be_the_server(tmp_path: Path):
    log = "[10:00:00] *** Joins: bo (h)\n[10:00:01] * eve is now known as ina\n[10:00:02] <eve> hi\n"
    outcome = read(tmp_path, log)
    assert [(record.author, record.event) for record in outcome.records[1:]] == [("eve", None), ("eve", None)]


def test_only_a_nick_before_the_text_is_a_mention(tmp_path: Path):
    """S23"""
    log = (
        "[10:00:00] <will> hi\n[10:00:01] <Ina> will: hello\n[10:00:02] <bo> ina, TODO: x\n[10:00:03] <bo> will ina?\n"
    )
    outcome = read(tmp_path, log + "[10:00:04] <bo> TODO: x\n")
    assert [record.mentions for record in outcome.records] == [(), ("will",), ("ina",), (), ()]


def test_services_and_bots_are_no_people(tmp_path: Path):
    outcome = read(tmp_path, "[10:00:00] -ChanServ- welcome\n[10:00:01] <ina> hi\n[10:00:02] -eval- 42\n")
    kinds = {actor.id: actor.kind for actor in outcome.actors.values()}
    assert kinds == {"chanserv": ActorKind.SYSTEM, "eval": ActorKind.BOT, "ina": ActorKind.UNKNOWN}


def test_equal_lines_of_one_minute_are_as_many_records(tmp_path: Path):
    outcome = read(tmp_path, "10:00 <ina> +1\n10:00 <ina> +1\n10:00 <bo> +1\n10:01 <ina> +1\n")
    assert len({record.source_id for record in outcome.records}) == 4


def test_a_copy_of_a_log_under_another_name_is_the_same_log(tmp_path: Path):
    """S15"""
    one, other = read(tmp_path / "a", WEECHAT, "weechat.log"), read(tmp_path / "b", WEECHAT, "saved/copy (2).log")
    assert [record.source_id for record in one.records] == [record.source_id for record in other.records]


def test_folders_tell_the_network_the_channel_and_the_day(tmp_path: Path):
    files: dict[str, object] = {"heron/#ops/2024-03-04.log": ZNC.encode(), "heron/#board/20240305.log": ZNC.encode()}
    outcome = Outcome(IrcLogs(), write_folder(tmp_path / "log", files))
    assert {(record.channel, record.valid_from.day) for record in outcome.records} == {("#ops", 4), ("#board", 5)}
    of_ops = [record.source_id for record in outcome.records if record.channel == "#ops"]
    for part in ("log/heron/#ops", "log/heron/#ops/2024-03-04.log"):
        alone = Outcome(IrcLogs(), tmp_path / part)
        assert [record.source_id for record in alone.records] == of_ops


def test_who_may_read_is_the_operators_word_except_where_two_may_have_talked(tmp_path: Path):
    files: dict[str, object] = {
        "net/#ops/2024-03-04.log": ZNC.encode(),
        "net/bo/2024-03-04.log": b"[10:00:00] <bo> hi\n",
    }
    public = ImportOptions(visibility=ChannelKind.PUBLIC)
    outcome = Outcome(IrcLogs(), write_folder(tmp_path, files), public)
    assert outcome.channels["#ops"] == ChannelDraft("#ops", "#ops", ChannelKind.PUBLIC, stated=False)
    assert outcome.channels["bo"].kind is ChannelKind.PRIVATE


def test_channels_of_one_name_on_two_networks_are_two(tmp_path: Path):
    files: dict[str, object] = {f"{net}/#ops/2024-03-04.log": ZNC.encode() for net in ("heron", "kestrel")}
    outcome = Outcome(IrcLogs(), write_folder(tmp_path, files))
    assert outcome.channels.keys() == {"heron/#ops", "kestrel/#ops"}


def test_lines_that_are_none_are_kept_aside_and_other_files_are_named_skips(tmp_path: Path):
    """B28: what is not understood is said, not passed over."""
    files: dict[str, object] = {
        "#ops/2024-03-04.log": ZNC.encode() + b"wrapped words\n[25:00:00] <ina> when?\n",
        "annotation.txt": b"1002 1003 - \n",
        "server.log": b"2024-03-04 10:00:00\tINFO\tstarted\n2024-03-04 10:00:01\tWARN\tslow\n",
        "notes.md": b"# notes\n",
    }
    outcome = Outcome(IrcLogs(), write_folder(tmp_path, files))
    assert len(outcome.records) == 6
    assert [bad.position for bad in outcome.quarantined] == ["line 7", "line 8"]
    assert outcome.skipped["not an IRC log"] == 3


@pytest.mark.parametrize(
    "log",
    [
        "[2019-12-24, 12:23] Ina Reis: Hello!\n",
        "3/4/24, 10:00 - Ina: hi\n",
        "2024-03-04 10:00:05 INFO started\n",
        "id,sent_at,author\n1,2024-03-04,ina\n",
        "<p>Hi. I am fine.<br /><br />26.06.2014, 14:41, Bo wrote:</p>\n",  # an HTML page begins its lines like speech
        "<li><code>wait</code></li>\n" * 9 + "[10:00:05] <ina> deploy at 5\n",
        "</catalog>\n",
        "",
    ],
)
def test_other_texts_are_not_taken_for_logs(tmp_path: Path, log: str):
    assert not read(tmp_path, log, "talk.txt").recognized


def test_a_log_among_many_documents_does_not_make_them_logs(tmp_path: Path):
    files: dict[str, object] = {f"doc-{number}.md": b"# notes\n" for number in range(9)}
    assert not Outcome(IrcLogs(), write_folder(tmp_path, {"#ops.log": IRSSI.encode()} | files)).recognized


MINUTES = """\
14:58:57 <RRSAgent> RRSAgent has joined #birds
14:58:57 <RRSAgent> logging to https://www.w3.org/2024/03/04-birds-irc
14:59:00 <kaz> scribenick: kaz
15:00:00 <kaz> Topic: Nesting
15:00:10 <kaz> Ina: it should ship
15:00:20 <kaz> ... before May
15:00:30 <bo> +1
15:00:40 <kaz> Ina Reis: and in June
15:00:50 <kaz> ACTION: bo to write it down
15:01:00 <kaz> scribe: bo
15:01:10 <kaz> Ina: this is mine to say
15:01:20 <bo> Ina: that too
15:02:00 <Zakim> Zakim has left #birds
"""


def test_minutes_are_said_by_those_who_spoke_and_not_by_the_scribe(tmp_path: Path):
    outcome = read(tmp_path, MINUTES, "minutes.txt")
    said = [(record.author, record.text) for record in outcome.records if record.event is None]
    assert said[3:] == [
        ("ina", "it should ship"),
        ("ina", "... before May"),
        ("bo", "+1"),
        ("ina reis", "and in June"),
        ("kaz", "ACTION: bo to write it down"),
        ("kaz", "scribe: bo"),
        ("kaz", "Ina: this is mine to say"),
        ("ina", "that too"),
    ]
    assert outcome.records[4].tags == ("scribed by kaz",)
    assert outcome.records[4].thread == "Nesting (2024-03-04)"
    assert outcome.records[-1].event == "part"
    assert {actor.id for actor in outcome.actors.values() if actor.kind is ActorKind.BOT} == {"rrsagent", "zakim"}


def test_minutes_say_their_channel_and_day_and_are_in_utc(tmp_path: Path):
    outcome = read(tmp_path, MINUTES, "minutes.txt", zone="Europe/Berlin")
    assert outcome.channels.keys() == {"#birds"}
    assert outcome.records[0].valid_from == datetime(2024, 3, 4, 14, 58, 57, tzinfo=UTC)
    assert not outcome.skipped


def test_minutes_copied_from_a_page_are_the_same_minutes(tmp_path: Path):
    copied = "IRC log of birds on 2024-03-04\nTimestamps are in UTC.\n\n"
    for line in MINUTES.splitlines():
        clock, nick, text = line.split(" ", 2)
        copied += f"{clock} [{nick.strip('<>')}]\n{text}\n"
    one, other = read(tmp_path / "a", MINUTES, "minutes.txt"), read(tmp_path / "b", copied, "page.txt")
    assert [record.source_id for record in other.records] == [record.source_id for record in one.records]


LINES = [f"[10:{minute:02}:{second:02}] <{nick}> text {minute % 3}" for minute in range(6) for second in (0, 0, 30)
         for nick in ("ina", "bo")]  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(cut=st.integers(1, 5), overlap=st.integers(0, 2))
def test_overlapping_logs_give_the_same_records(tmp_path_factory: pytest.TempPathFactory, cut: int, overlap: int):
    """Cut between minutes; within one, the n-th equal line of a part is no longer the n-th."""
    whole = read(tmp_path_factory.mktemp("whole"), "\n".join(LINES))
    parts = ["\n".join(LINES[: (cut + overlap) * 6]), "\n".join(LINES[cut * 6 :])]
    records = {record for part in parts for record in read(tmp_path_factory.mktemp("part"), part).records}
    assert records == set(whole.records)


def test_damage_ends_in_quarantine_and_never_in_a_crash(tmp_path: Path):
    kept = 0
    logs = [log.encode() for _, log in LOGS.values()] + [MINUTES.encode()]
    for place, log in enumerate(logs):
        for number, damaged in enumerate(mutations(log, 40, seed=place)):
            outcome = read(tmp_path / f"{place}-{number}", damaged)
            kept += len(outcome.records)
            assert outcome.records or outcome.quarantined or not outcome.recognized
    assert kept > 40 * (6 * 5 + 13) * 0.4
