"""Questions that other memories answered wrongly or not at all, each with the right behaviour: cases S01 to S23.

By words alone: vectors are never needed for these.
"""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.builders import START, deletion_of, edit_of, message, private, public, remember
from tests.workspaces import LINES, SECRET, line, written
from treering import EvidenceSet, Memory
from treering.text.analysis import analyze
from treering.text.ranges import date_phrases

PROFILES = ["bm25", "hybrid", "egcforest", "mempp", "memgpp", "treering"]
AT = "2024-03-04T10:00:00Z"


def texts(found: EvidenceSet) -> list[str]:
    return [item.text for item in found]


def said(folder: Path, *words: str) -> Memory:
    """A memory of these messages, a minute apart."""
    memory = Memory.open(folder / "m.treering")
    lines = [line(n, text, at=f"2024-03-04T10:{n:02d}:00Z") for n, text in enumerate(words)]
    memory.add(written(folder / "said.jsonl", lines), embed=False)
    return memory


@pytest.mark.parametrize("profile", PROFILES)
def test_s01_an_identifier_is_found_wherever_it_stands_and_a_longer_one_is_another(tmp_path: Path, profile: str):
    right = ("ABC-123 blocked", "see https://t.example/ABC-123", "[ABC-123](x)")
    with said(tmp_path, *right, "abc-1234", "nothing of that") as memory:
        assert set(texts(memory.search("ABC-123", profile=profile))[:3]) == set(right)
        assert set(texts(memory.search("ABC-123", profile="bm25"))) == set(right)


@pytest.mark.parametrize("question", ["TODO: fix", "error:timeout", "ns::fa"])
@pytest.mark.parametrize("profile", ["bm25", "treering"])
def test_s02_a_colon_is_a_colon(tmp_path: Path, question: str, profile: str):
    with said(tmp_path, f"there is {question} in the log", "lunch at noon") as memory:
        assert question in texts(memory.search(question, profile=profile))[0]


@pytest.mark.parametrize("question", ["don't use", '"', "(maybe))?", "--", "<x>", "'", '"open', "a AND (", "*", "NOT"])
def test_s03_no_sign_of_punctuation_is_an_error(tmp_path: Path, question: str):
    with said(tmp_path, "we don't use that", "maybe later", "x marks it") as memory:
        for profile in PROFILES:
            assert memory.search(question, profile=profile).profile == profile
        assert texts(memory.search("don't use", profile="bm25"))[0] == "we don't use that"
        assert texts(memory.search('"maybe later', profile="bm25"))[0] == "maybe later"


@pytest.mark.parametrize(("question", "best"), [("C++", "C++ build"), ("C#", "C# build"), (".NET", ".NET build")])
@pytest.mark.parametrize("profile", ["bm25", "egcforest", "treering"])
def test_s05_signs_that_are_part_of_a_name_are_part_of_it(tmp_path: Path, question: str, best: str, profile: str):
    with said(tmp_path, "plan C", "C++ build", "C# build", ".NET build", "net of tax") as memory:
        assert texts(memory.search(question, profile=profile))[0] == best
    assert not set(analyze("C++")) & set(analyze("c"))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("把机器推论洗成权威事实", "权威事实"),
        ("把机器推论洗成权威事实", "事实"),
        ("明天去日本出差", "日本"),
        ("우리 끝말잇기 하자", "끝말잇기"),
        ("みんなでしりとりをした", "しりとり"),
    ],
)
@pytest.mark.parametrize("profile", ["bm25", "treering"])
def test_s06_scripts_without_spaces_are_found_by_part_of_a_sentence(
    tmp_path: Path, text: str, question: str, profile: str
):
    with said(tmp_path, text, "nothing here") as memory:
        assert texts(memory.search(question, profile=profile))[0] == text


def test_s07_an_identifier_glued_to_another_script_is_found(tmp_path: Path):
    with said(tmp_path, "重跑gen-itgc后清零", "other") as memory:
        for question in ("itgc", "gen-itgc", "清零"):
            assert texts(memory.search(question, profile="bm25")) == ["重跑gen-itgc后清零"], question


def test_s09_an_emoji_is_a_word_and_no_other_emoji(tmp_path: Path):
    words = ("great 🔥", "love it ❤️", "careful ⚠️", "the 👨‍👩‍👧 came", "plain", "it is :our-parrot: time")
    with said(tmp_path, *words) as memory:
        for question, best in (
            ("🔥", words[0]), (":fire:", words[0]), ("❤️", words[1]), ("❤", words[1]), ("👨‍👩‍👧", words[3]),
            (":our-parrot:", words[5]),
        ):  # fmt: skip
            assert texts(memory.search(question, profile="bm25")) == [best], question


@pytest.mark.parametrize("profile", PROFILES)
def test_s10_a_whole_log_pasted_as_a_question_is_answered_by_its_rare_words(tmp_path: Path, profile: str):
    noise = "\n".join(f"2024-03-04 10:00:{n % 60:02d} INFO worker-{n} handled request in {n} ms" for n in range(700))
    question = f"{noise}\nERROR KES-4711 zebrafish overflow\nwhich ticket was this?"
    assert len(question) > 30_000
    with said(tmp_path, "KES-4711 is the zebrafish overflow", *(f"worker talk {n}" for n in range(30))) as memory:
        assert "KES-4711" in texts(memory.search(question, profile=profile))[0]


def test_s11_a_day_is_that_of_the_asker_and_its_edges_are_in_it_once(tmp_path: Path):
    edges = ["2024-03-04T22:00:00Z", "2024-03-04T23:30:00Z", "2024-03-05T21:59:59.999999Z", "2024-03-05T22:00:00Z"]
    lines = [line(n, f"deploy note {n}", at=at) for n, at in enumerate(edges)]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", lines), embed=False)

        def until(day: str, zone: str) -> set[str]:
            found = memory.search("deploy note", profile="bm25", as_of=day, zone=zone)
            assert found.bounds["zone"] == zone  # the answer says whose day it was
            return {item.source_id for item in found}

        zone = "Africa/Cairo"  # two hours ahead then
        assert until("2024-03-05", zone) - until("2024-03-04", zone) == {"0", "1", "2"}
        assert until("2024-03-05", "UTC") - until("2024-03-04", "UTC") == {"2", "3"}
    (spring,) = date_phrases("on 31 March 2024", datetime(2024, 4, 2, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
    assert spring.first is not None
    assert spring.last == spring.first + timedelta(hours=23)  # clocks went forward


@pytest.mark.parametrize("profile", PROFILES)
def test_s13_of_an_edited_message_the_new_text_is_found_and_the_old_one_only_before_the_edit(
    tmp_path: Path, profile: str
):
    first, gone = message("m1", "ship Monday"), message("m2", "the vendor quote is 40k", minute=5)
    memory_path = tmp_path / "m.treering"
    with Memory.open(memory_path) as memory:
        memory.add(written(tmp_path / "a.jsonl", [line(9, "lunch", at="2024-03-04T09:00:00Z")]), embed=False)
        remember(
            memory, public("ops"), first, edit_of(first, "ship Friday", minute=30), gone, deletion_of(gone, minute=40)
        )
        now = texts(memory.search("ship Monday", profile=profile))
        assert "ship Monday" not in now
        assert "ship Friday" in now
        before = memory.search("ship Monday", profile=profile, as_of="2024-03-04T10:20:00Z")
        assert texts(before)[0] == "ship Monday"
        assert before.items[0].state  # of its time; `history` shows what came after
        assert [record.text for record in memory.history("m1")] == ["ship Monday", "ship Friday"]
        assert "the vendor quote is 40k" not in texts(memory.search("vendor quote", profile=profile))
        assert len(memory.history("m2")) == 2


@pytest.mark.parametrize("profile", PROFILES)
def test_s14_a_private_channel_leaves_no_trace_for_who_is_no_member(tmp_path: Path, profile: str):
    quote = line(50, "Gus wrote: PAY-311 leaked, as a quote", at="2025-11-08T09:00:00Z", author="Dora")
    with Memory.open(tmp_path / "with.treering") as memory, Memory.open(tmp_path / "without.treering") as innocent:
        memory.add(written(tmp_path / "a.jsonl", [*LINES, quote, *SECRET]), embed=False)
        innocent.add(written(tmp_path / "b.jsonl", [*LINES, quote]), embed=False)
        mine, theirs = (one.search("PAY-311 leaked", profile=profile, viewer="Ben") for one in (memory, innocent))
        assert texts(mine) == texts(theirs)
        assert quote["text"] in texts(mine)  # what is quoted in the open is as open as the quote
        shown = str(mine.headers) + str(mine.trace) + str(mine.notes)
        assert "sec-incident" not in shown
        assert len(mine.notes) == len(theirs.notes)
        assert texts(memory.search("leaked card numbers", profile=profile, viewer="Gus"))


def test_s14_a_change_of_membership_counts_at_once(tmp_path: Path):
    with said(tmp_path, "open talk") as memory:
        remember(memory, private("sec", "ana", "ben"), message("s1", "ABC-123 leaked", channel="sec", author="ana"))
        remember(memory, message("s2", "hi", author="ben", channel="sec", minute=2))
        assert texts(memory.search("ABC-123", viewer="test/ben", profile="bm25")) == ["ABC-123 leaked"]
        remember(memory, private("sec", "ana"))
        assert texts(memory.search("ABC-123", viewer="test/ben", profile="bm25")) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_s15_an_export_imported_thrice_under_new_names_is_found_once(tmp_path: Path, profile: str):
    with Memory.open(tmp_path / "m.treering") as memory:
        for number in range(3):
            memory.add(written(tmp_path / f"copy {number}.jsonl", LINES), embed=False)
        found = memory.search("customers are charged twice", profile=profile)
        assert len({item.record for item in found}) == len(found)
        assert texts(found).count("PAY-311: customers are charged twice, I opened a ticket") == 1


def test_s17_searches_go_on_while_two_imports_wait_for_each_other(tmp_path: Path):
    path = tmp_path / "m.treering"
    with Memory.open(path) as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
    failures: list[BaseException] = []
    waited: list[str] = []

    def add(number: int) -> None:
        lines = [line(f"{number}-{n}", f"note {n} PAY-311", at=AT) for n in range(300)]  # type: ignore[arg-type]
        with Memory.open(path, note=waited.append) as writer:
            writer.add(written(tmp_path / f"{number}.jsonl", lines), embed=False)

    def ask() -> None:
        with Memory.open(path) as reader:
            for _ in range(5):
                assert reader.search("PAY-311", profile="bm25").items

    def guarded(work, *arguments) -> None:
        try:
            work(*arguments)
        except BaseException as failure:  # noqa: BLE001  # of another thread, shown below
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(add, number)) for number in range(2)]
    threads += [threading.Thread(target=guarded, args=(ask,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Memory.open(path) as memory:
        assert memory.status()["records"] == len(LINES) + 600
    assert all("waiting" in note for note in waited)


def test_s18_times_with_and_without_a_zone_are_compared_as_instants(tmp_path: Path):
    lines = [
        line(1, "plain time", at="2024-03-04T10:00:00"),
        line(2, "zoned time", at="2024-03-04T11:00:00+02:00"),
        line(3, "zulu time", at="2024-03-04T10:30:00Z"),
    ]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", lines), embed=False)
        found = memory.search("time", profile="bm25", as_of=datetime(2024, 3, 4, 10, 15, tzinfo=UTC))
        assert {item.source_id for item in found} == {"1", "2"}
        assert all(item.valid_from.tzinfo is UTC for item in memory.search("time", profile="bm25"))
        remembered = [message("n", "naive")]
        object.__setattr__(remembered[0], "valid_from", START.replace(tzinfo=None))
        with pytest.raises(ValueError, match="without a zone"):
            remember(memory, *remembered)


def test_s19_yesterday_in_a_question_counts_from_when_it_was_asked(tmp_path: Path):
    lines = [line(1, "the race was today", at="2023-05-06T12:00:00Z"), line(2, "race?", at="2023-05-07T12:00:00Z")]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", lines), embed=False)
        found = memory.search("which race was yesterday?", asked_at="2023-05-07T12:00:00Z")
        assert "2023-05-06" in str(found.bounds["dates"])
        shifted = memory.search("which race was yesterday?", asked_at="2023-05-07T23:30:00Z", zone="Asia/Tokyo")
        assert "2023-05-07" in str(shifted.bounds["dates"])


@pytest.mark.parametrize("profile", ["mempp", "treering"])
def test_s19_yesterday_in_a_message_is_the_day_before_it_was_said(tmp_path: Path, profile: str):
    told = line(1, "I ran the race yesterday", at="2023-05-07T21:00:00-04:00")  # in UTC it was the eighth already
    lines = [told, *(line(n, "what a race", at=f"2023-05-{n:02d}T12:00:00Z") for n in range(8, 11))]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", lines), embed=False)
        assert texts(memory.search("the race on 6 May 2023", profile=profile))[0] == "I ran the race yesterday"
        assert texts(memory.search("the race on 9 May 2023", profile=profile))[0] == "what a race"
        assert texts(memory.search("what a race", profile=profile))[0] == "what a race"


@pytest.mark.parametrize("profile", PROFILES)
def test_s21_every_quote_is_verbatim_and_every_citation_leads_to_its_record(tmp_path: Path, profile: str):
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
        found = memory.search("who fixed PAY-311 and when was it released?", profile=profile)
        assert found.items
        for item in found:
            record = memory.record(item.source_id)
            assert item.text in record.text
            assert all(record.text.find(item.text[start:stop]) >= 0 for start, stop in item.spans)
            assert item.citation.endswith(f"{item.source}/{item.source_id}]")


def test_s22_what_an_index_lacks_is_said_and_nothing_else_is_searched_instead(tmp_path: Path):
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
        degraded = memory.search("PAY-311 - what now", profile="hybrid")
        assert any("vector" in note for note in degraded.notes)
        assert texts(degraded)[0].startswith("PAY-311")
        assert memory.search("PAY-311 - what now", profile="bm25").notes == ()
        as_of = memory.search("PAY-311 - what now", profile="hybrid", as_of="2025-11-03")
        assert {item.source_id for item in as_of} <= {"1", "2", "3", "4"}  # the same bounds, degraded or not


def test_s23_words_that_are_also_names_mention_nobody(tmp_path: Path):
    lines = [
        line(1, "will you take the one on the left?", at=AT, author="Ana"),
        line(2, "yes", at="2024-03-04T10:01:00Z", author="will"),
        line(3, "the one is here", at="2024-03-04T10:02:00Z", author="the one"),
    ]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", lines), embed=False)
        assert memory.record("1").mentions == ()
        trace = json.dumps([str(one) for one in memory.search("will you be there?", profile="egcforest").trace])
        assert "'will'" not in trace
