"""Transcripts of meetings: WebVTT of Zoom, Teams and Meet, SubRip, and Meet's documents as text."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder, write_zip
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.importers.transcript import PAUSE_MS_MAX, TURN_CHARS_MAX, UNDATED_MEETING, Transcripts
from treering.model.drafts import ChannelKind, RecordDraft

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)
DATED = "GMT20240304-100000_Recording.transcript.vtt"

ZOOM = (
    "\ufeffWEBVTT\r\n\r\n1\r\n00:00:05.790 --> 00:00:09.514\r\nIna Reis: The flow goes A --> B\r\n\r\n"
    "2\r\n00:00:10.000 --> 00:00:11.000\r\nUnknown caller\r\n\r\n"
    "3\r\n00:00:12.000 --> 00:00:14.500\r\n10:30 Meeting: not a speaker\r\n\r\n"
    "4\r\n00:00:15.000 --> 00:00:16.000\r\nBo: yes\r\n"
)
TEAMS = """\
WEBVTT

5e3a/12-0
00:00:01.000 --> 00:00:03.000
<v Ina Reis>It should ship</v>

5e3a/12-1
00:00:03.100 --> 00:00:05.000
<v Ina Reis>on Monday &amp; not later.</v>

5e3a/14-0
00:00:06.000 --> 00:00:07.000
<v Bo Strand>Fine.</v>
"""
SUBRIP = "1\n00:00:01,000 --> 00:00:03,000\nIna Reis: It should ship\n\n2\n00:00:03,100 --> 00:00:05,000\nBo: Fine.\n"
MEET = """\
Standup (2024-03-04 10:00 GMT+1) - Transcript
Attendees
Ina Reis, Bo Strand
Transcript
This editable transcript was computer generated and might contain errors.
00:00:00

Ina Reis: It should ship.
And soon.
Bo Strand: Fine.
00:05:00

Ina Reis: Next: the garden.
Meeting ended after 00:26:05
"""


def read(root: Path, text: str | bytes, name: str = DATED, options: ImportOptions | None = None) -> Outcome:
    content = text if isinstance(text, bytes) else text.encode()
    return Outcome(Transcripts(), write_folder(root, {name: content}), options)


def said(outcome: Outcome) -> list[tuple[str, str]]:
    return [(record.author, record.text) for record in outcome.records]


def test_zoom_names_speakers_before_their_words(tmp_path: Path):
    outcome = read(tmp_path, ZOOM)
    assert outcome.recognized
    assert said(outcome) == [
        ("Ina Reis", "The flow goes A --> B"),
        ("unknown", "Unknown caller"),
        ("unknown", "10:30 Meeting: not a speaker"),
        ("Bo", "yes"),
    ]


def test_consecutive_cues_of_one_speaker_are_one_message_that_names_them(tmp_path: Path):
    outcome = read(tmp_path, TEAMS)
    meeting = next(iter(outcome.channels))
    assert outcome.records[0] == RecordDraft(
        source_id=f"{meeting}/1",
        channel=meeting,
        author="Ina Reis",
        valid_from=AT + timedelta(seconds=1),
        valid_from_raw="GMT20240304-100000 + 00:00:01.000 (cues 1 to 2)",
        text="It should ship on Monday & not later.",
    )
    assert outcome.records[1].source_id == f"{meeting}/3"
    assert outcome.records[1].valid_from == AT + timedelta(seconds=6)


def test_a_long_speech_and_one_after_a_pause_are_several_messages(tmp_path: Path):
    cues = "".join(f"00:{number:02}:00.000 --> 00:{number:02}:59.000\n<v Ina>{'word ' * 60}\n\n" for number in range(8))
    outcome = read(tmp_path, f"WEBVTT\n\n{cues}01:00:00.000 --> 01:00:01.000\n<v Ina>later\n")
    assert all(len(record.text) <= TURN_CHARS_MAX for record in outcome.records)
    assert " ".join(record.text for record in outcome.records) == " ".join(["word"] * 480 + ["later"])
    assert outcome.records[-1].text == "later"
    assert PAUSE_MS_MAX < 50 * 60_000


def test_captions_without_speakers_stay_as_they_are(tmp_path: Path):
    outcome = read(tmp_path, "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:02.000 --> 00:03.000\ntwo\n")
    assert said(outcome) == [("unknown", "one"), ("unknown", "two")]


def test_several_voices_in_a_cue_are_several_messages(tmp_path: Path):
    words = "- both\n<v.loud Ina>Hee!</v> <i>laughter</i>\n<v Bo>This <00:01.500>is <b>it</b>\n"
    outcome = read(tmp_path, f"WEBVTT\n\n00:01.000 --> 00:02.000\n{words}")
    assert said(outcome) == [("unknown", "- both"), ("Ina", "Hee! laughter"), ("Bo", "This is it")]
    assert [record.source_id.rpartition("/")[2] for record in outcome.records] == ["1", "1.2", "1.3"]


def test_headers_notes_and_styles_are_no_words(tmp_path: Path):
    text = (
        "WEBVTT Weekly\nKind: captions\n\nNOTE\nby hand\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\n"
        "00:01.000 --> 00:02.000 align:left\nhello\n\nNOTE wrong?\n\n00:02.000 --> 00:03.000\nworld"
    )
    assert read(tmp_path, text).texts == ["hello", "world"]


def test_words_behind_an_empty_line_belong_to_the_cue_before(tmp_path: Path):
    outcome = read(
        tmp_path,
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ina>First:\n\n- second\n\n2\n00:03.000 --> 00:04.000\n<v Bo>ok\n",
    )
    assert said(outcome) == [("Ina", "First:\n\n- second"), ("Bo", "ok")]


def test_a_cue_that_does_not_read_is_kept_aside_and_an_empty_one_is_a_named_skip(tmp_path: Path):
    text = (
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\none\n\n00:00:07.000 --> 00:00:1d.890\ntwo\n\n"
        "00:00:08.000 --> 00:00:09.000\n\n00:00:10.000 --> 00:00:11.000\nfour\n"
    )
    outcome = read(tmp_path, text)
    assert outcome.texts == ["one", "four"]
    assert [(bad.position, bad.reason) for bad in outcome.quarantined] == [("line 6", "a time that cannot be read")]
    assert outcome.skipped == {"cue without words": 1}


def test_the_graph_api_says_speaker_and_time_within_the_cue(tmp_path: Path):
    cue = '{"startDateTime":"2024-03-05T15:20:56.4374345Z","speakerName":"Ina Reis","spokenText":"A test."}'
    outcome = read(tmp_path, f"WEBVTT\n\n00:00:16.246 --> 00:00:17.726\n{cue}\n", "metadata.vtt")
    assert said(outcome) == [("Ina Reis", "A test.")]
    assert outcome.only.valid_from == datetime(2024, 3, 5, 15, 20, 56, 437_434, UTC)
    assert not outcome.skipped


def test_subrip_reads_like_webvtt(tmp_path: Path):
    outcome = read(tmp_path, SUBRIP, "GMT20240304-100000.srt")
    assert said(outcome) == [("Ina Reis", "It should ship"), ("Bo", "Fine.")]


def test_a_transcript_of_meet_as_text_has_a_time_every_few_minutes(tmp_path: Path):
    outcome = read(tmp_path, MEET, "standup.txt")
    assert outcome.recognized
    assert said(outcome) == [
        ("Ina Reis", "It should ship.\nAnd soon."),
        ("Bo Strand", "Fine."),
        ("Ina Reis", "Next: the garden."),
    ]
    assert [record.valid_from for record in outcome.records] == [
        datetime(2024, 3, 4, 9, tzinfo=UTC),
        datetime(2024, 3, 4, 9, tzinfo=UTC),
        datetime(2024, 3, 4, 9, 5, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("head", "name", "began"),
    [
        ("", "GMT20240304-100000_Recording.vtt", AT),
        ("", "Standup-20240304_100000-Meeting Recording.vtt", AT),
        ("", "Standup (2024-03-04 11:00 GMT+1) - Transcript.vtt", AT),
        ("", "2024-03-04 10.00.00 Ina's Zoom Meeting/captions.vtt", AT),
        ("Date: 2024-03-04T10:00:00Z", "a.vtt", AT),
        ("\nNOTE recorded on 2024-03-04 05:00 -0500", "a.vtt", AT),
    ],
)
def test_the_beginning_is_in_the_head_of_the_file_or_in_its_name(tmp_path: Path, head: str, name: str, began: datetime):
    text = f"WEBVTT\n{head}\n\n00:00:01.000 --> 00:00:02.000\nhello\n"
    files: dict[str, object] = {name: text.encode(), "readme.txt": b"x"}
    outcome = Outcome(Transcripts(), write_folder(tmp_path, files))
    assert outcome.only.valid_from == began + timedelta(seconds=1)


def test_a_local_time_is_of_the_operators_zone_and_without_one_says_so(tmp_path: Path):
    name = "Standup-20240304_100000.vtt"
    assumed = read(tmp_path / "a", TEAMS, name)
    stated = read(tmp_path / "b", TEAMS, name, ImportOptions(zone="Europe/Berlin"))
    assert assumed.skipped == {UTC_ASSUMED: 1}
    assert "(UTC assumed)" in assumed.records[0].valid_from_raw
    assert stated.records[0].valid_from == AT - timedelta(hours=1) + timedelta(seconds=1)
    assert not stated.skipped


def test_a_day_alone_means_its_end_and_words_keep_their_order(tmp_path: Path):
    outcome = read(tmp_path, TEAMS, "2024-03-04.vtt")
    assert {record.valid_from for record in outcome.records} == {datetime(2024, 3, 4, 23, 59, 59, 999_999, UTC)}
    assert [record.order_hint for record in outcome.records] == [0, 1]


def test_a_meeting_without_a_date_was_held_before_its_file_was_changed_and_the_report_asks_for_it(tmp_path: Path):
    """B23: never "now"."""
    changed = datetime(2023, 5, 6, tzinfo=UTC)
    folder = write_folder(tmp_path, {"standup.vtt": TEAMS.encode()})
    os.utime(folder / "standup.vtt", (changed.timestamp(), changed.timestamp()))
    outcome = Outcome(Transcripts(), folder)
    assert {record.valid_from for record in outcome.records} == {changed}
    assert outcome.records[0].valid_from_raw.startswith("file modified 2023-05-06")
    assert outcome.skipped == {UNDATED_MEETING: 1}
    zipped = Outcome(Transcripts(), write_zip(tmp_path / "a.zip", {"standup.vtt": TEAMS.encode()}))
    assert {record.valid_from.year for record in zipped.records} == {1970}
    assert [record.source_id for record in zipped.records] == [record.source_id for record in outcome.records]


def test_a_copy_under_another_name_is_the_same_meeting(tmp_path: Path):
    """S15"""
    one, other = read(tmp_path / "a", TEAMS), read(tmp_path / "b", TEAMS, f"copy of {DATED}")
    assert one.records == other.records


def test_who_may_read_a_meeting_is_the_operators_word(tmp_path: Path):
    outcome = read(tmp_path, TEAMS, options=ImportOptions(visibility=ChannelKind.PUBLIC))
    (channel,) = outcome.channels.values()
    assert (channel.kind, channel.members, channel.stated) == (ChannelKind.PUBLIC, None, False)
    assert channel.name == DATED.removesuffix(".vtt")


@pytest.mark.parametrize("text", ["", "hello\n", "WEBVTTX\n", "1\nnot a time\n", "Transcript\nno times\n"])
def test_other_texts_are_not_taken_for_transcripts(tmp_path: Path, text: str):
    assert not read(tmp_path, text, "a.txt").recognized


def test_a_transcript_among_many_documents_does_not_make_them_transcripts_and_beside_a_recording_it_is_one(
    tmp_path: Path,
):
    documents: dict[str, object] = {f"doc-{number}.md": b"# notes\n" for number in range(9)}
    recordings: dict[str, object] = {f"part-{number}.mp4": b"\0" for number in range(9)}
    meeting: dict[str, object] = {DATED: TEAMS.encode()}
    assert not Outcome(Transcripts(), write_folder(tmp_path / "a", meeting | documents)).recognized
    assert Outcome(Transcripts(), write_folder(tmp_path / "b", meeting | recordings)).recognized


def test_a_transcript_in_utf_16_reads(tmp_path: Path):
    assert said(read(tmp_path, TEAMS.encode("utf-16"))) == said(read(tmp_path / "b", TEAMS))


CUES = [f"00:00:{number:02}.000 --> 00:00:{number:02}.900\n<v {'Ina' if number % 3 else 'Bo'}>text {number}\n\n"
        for number in range(12)]  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(count=st.integers(4, 11))
def test_a_transcript_that_was_cut_short_gives_the_same_meeting_and_messages(
    tmp_path_factory: pytest.TempPathFactory, count: int
):
    whole = read(tmp_path_factory.mktemp("whole"), f"WEBVTT\n\n{''.join(CUES)}")
    part = read(tmp_path_factory.mktemp("part"), f"WEBVTT\n\n{''.join(CUES[:count])}")
    assert part.channels == whole.channels
    assert set(part.records[:-1]) <= set(whole.records)


def test_damage_ends_in_quarantine_and_never_in_a_crash(tmp_path: Path):
    kept = 0
    texts = [text.encode() for text in (ZOOM, TEAMS, MEET, SUBRIP, "WEBVTT\n\n" + "".join(CUES))]
    for place, text in enumerate(texts):
        for number, damaged in enumerate(mutations(text, 40, seed=place)):
            outcome = read(tmp_path / f"{place}-{number}", damaged)
            kept += len(outcome.records)
            assert outcome.records or outcome.quarantined or outcome.skipped or not outcome.recognized
    assert kept > 40 * (4 + 2 + 3 + 2 + 8) * 0.3
