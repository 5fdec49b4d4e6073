import gzip
import json
from pathlib import Path

import pytest

from tests.unit.evaluation import written
from treering.errors import UnreadableInput, UsageError
from treering.evaluation.benchmark import Pool
from treering.evaluation.loaders import LOADERS, load


def only(name: str, folder: Path) -> Pool:
    (pool,) = load(name, folder).pools
    return pool


def test_evidence_questions_are_bounded_by_as_of_and_else_by_when_they_were_asked(tmp_path):
    pool = only("evidence", written.chats(tmp_path))

    assert [question.bound for question in pool.questions] == ["2024-07-01", "2024-07-01", "2024-05-31", "2024-07-01"]
    assert pool.questions[0].stale == {"1"}
    assert pool.questions[1].evidence == {"4", "6"}
    assert [question.abstain for question in pool.questions] == [False, False, False, True]


def test_evidence_questions_read_gzipped_files_and_documents_beside_messages(tmp_path):
    folder = written.chats(tmp_path)
    (folder / "messages.jsonl.gz").write_bytes(gzip.compress((folder / "messages.jsonl").read_bytes()))
    (folder / "messages.jsonl").unlink()
    written.as_lines(folder / "documents.jsonl", [{"id": "d@1", "doc": "d", "author": "Ida", "text": "Opening hours"}])

    pool = only("evidence", folder)

    assert (len(pool.messages), len(pool.documents)) == (6, 1)
    assert pool.said_by()["2"] == ("Joren", "ovens")
    assert pool.said_by()["d@1"] == ("Ida", None)


def test_locomo_turns_are_in_order_of_sessions_one_second_apart(tmp_path):
    pool = only("locomo", written.locomo(tmp_path))

    assert [row["id"] for row in pool.messages] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert pool.messages[0]["sent_at"] == "2024-05-31T23:59:00+00:00"
    assert pool.messages[1]["sent_at"] == "2024-05-31T23:59:01+00:00"
    assert pool.messages[2]["sent_at"] == "2024-06-01T09:05:00+00:00"
    assert {question.bound for question in pool.questions} == {"2024-06-01T09:06:01+00:00"}


def test_a_picture_s_caption_is_part_of_its_turn(tmp_path):
    assert only("locomo", written.locomo(tmp_path)).messages[0]["text"] == "Look at it!\n[shows: a red boat]"


def test_locomo_takes_the_audit_s_evidence_unless_the_published_is_asked_for(tmp_path):
    folder = written.locomo(tmp_path)

    assert only("locomo", folder).questions[0].evidence == {"D1:1"}
    assert only("locomo-published", folder).questions[0].evidence == {"D1:2"}


def test_locomo_reads_misspelt_references_and_counts_those_that_lead_nowhere(tmp_path):
    pool = only("locomo", written.locomo(tmp_path))

    assert pool.questions[1].evidence == {"D1:2", "D2:1"}
    assert pool.questions[2].evidence == {"D2:2"}
    assert pool.notes == ("talk-1: 1 references to turns that are not there",)


def test_locomo_s_adversarial_questions_stand_aside_and_do_not_give_their_trap_as_the_answer(tmp_path):
    benchmark = load("locomo", written.locomo(tmp_path))
    (pool,) = benchmark.pools

    assert benchmark.aside == {"adversarial"}
    assert [question.category for question in pool.questions] == ["single-hop", "multi-hop", "adversarial"]
    assert [question.answer for question in pool.questions] == ["red", "2024", ""]


def test_an_audit_of_another_file_is_refused(tmp_path):
    folder = written.locomo(tmp_path)
    audit = json.loads((folder / "audit_errors.json").read_text())
    audit[0]["question"] = "What colour is the house?"
    written.as_json(folder / "audit_errors.json", audit)

    with pytest.raises(UnreadableInput, match="locomo_0_qa0 is about another question"):
        only("locomo", folder)


def test_longmemeval_by_turn_needs_the_turns_that_are_marked(tmp_path):
    first, second = load("longmemeval-s", written.longmemeval(tmp_path)).pools

    assert [row["id"] for row in first.messages] == ["s_tea/0", "s_tea/1", "s_parrot/0", "s_parrot/1"]
    assert first.questions[0].evidence == {"s_parrot/0"}
    assert first.questions[0].bound == "2024-03-09T18:30:59+00:00"
    assert second.questions[0].abstain
    assert not second.questions[0].evidence


def test_longmemeval_by_session_needs_the_sessions_that_are_named(tmp_path):
    first, _ = load("longmemeval-s-sessions", written.longmemeval(tmp_path)).pools

    assert [row["id"] for row in first.messages] == ["s_tea", "s_parrot"]
    assert first.messages[1]["text"] == "user: My parrot Kiko is ill.\nassistant: See a vet."
    assert first.messages[1]["kind"] == "document"
    assert first.questions[0].evidence == {"s_parrot"}


def test_a_session_that_comes_twice_keeps_both_apart(tmp_path):
    folder = written.longmemeval(tmp_path)
    rows = json.loads((folder / "longmemeval_s.json").read_text())
    rows[0]["haystack_session_ids"] = ["s_parrot", "s_parrot"]
    written.as_json(folder / "longmemeval_oracle.json", rows)

    first, _ = load("longmemeval-oracle-sessions", folder).pools

    assert [row["id"] for row in first.messages] == ["s_parrot", "s_parrot#2"]


def test_qmsum_spans_include_both_ends_and_are_cut_at_the_last_turn(tmp_path):
    pool = only("qmsum", written.qmsum(tmp_path))

    assert pool.questions[0].evidence == {"1", "2", "4"}
    assert len(pool.questions) == 1
    assert [row["author"] for row in pool.messages[:2]] == ["Chair", "Engineer"]
    assert sorted(row["sent_at"] for row in pool.messages) == [row["sent_at"] for row in pool.messages]


def test_memora_s_evidence_is_never_stale_as_well(tmp_path):
    pool = only("memora", written.memora(tmp_path))

    assert [row["id"] for row in pool.messages] == ["1", "2", "3"]
    assert pool.messages[1]["text"].startswith("user: I bought the frames")
    assert pool.questions[0].evidence == {"3"}
    assert pool.questions[0].stale == {"2"}
    assert [(facet.expected, facet.weight) for facet in pool.questions[0].facets] == [("yes", 0.5), ("no", 0.5)]


def test_memora_is_read_from_its_archive(tmp_path):
    import tarfile

    folder = written.memora(tmp_path / "unpacked")
    with tarfile.open(tmp_path / "memora_weekly.tar.gz", "w:gz") as tar:
        tar.add(folder / "data", "data")
    (tmp_path / "alone").mkdir()
    (tmp_path / "memora_weekly.tar.gz").rename(tmp_path / "alone" / "memora_weekly.tar.gz")

    assert only("memora", tmp_path / "alone").key == "beekeeper"


def test_groupmembench_is_unescaped_put_in_order_and_asked_by_somebody(tmp_path):
    later = {"msg_node": "Msg_2", "author": "User_1", "role": "CFO", "topic": "limits", "reply_to": "Msg_1"}
    later |= {"content": "a &lt; b", "timestamp": "2025-02-02T10:00:00"}
    first = {"msg_node": "Msg_1", "author": "User_2", "role": "Clerk", "topic": "limits", "reply_to": None}
    first |= {"content": "R&amp;D?", "timestamp": "2025-02-01T10:00:00"}
    written.as_json(
        tmp_path / "data/final/Finance/synthetic_domain_channels_rolevariants_Finance.json", {"#audit": [later, first]}
    )
    written.as_lines(
        tmp_path / "questions/Finance/abstention.jsonl",
        [{"id": "abstention_7", "question": "Who approved?", "answer": "No information.", "asking_user_id": "User_2"}],
    )

    pool = only("groupmembench", tmp_path)

    assert [(row["id"], row["text"], row["reply_to"]) for row in pool.messages] == [
        ("Msg_1", "R&D?", None),
        ("Msg_2", "a < b", "Msg_1"),
    ]
    (question,) = pool.questions
    assert (question.asker, question.category, question.abstain) == ("User_2", "abstention", True)


def test_evermembench_finds_messages_by_day_group_and_number(tmp_path):
    day = {
        "Group 1": [
            {"speaker": name, "time": f"2025-01-09 09:0{n}:00", "dialogue": name} for n, name in enumerate("AB")
        ],
        "Group 2": None,
    }
    written.as_json(tmp_path / "01/dialogue.json", {"dialogues": {"2025-01-09": day, "2025-01-10": None}})
    asked = {
        "topic_id": "01", "id": "F_SH_Top01_001", "Q": "Who spoke second?", "A": "B",
        "R": [{"date": "2025-01-09", "group": "Group 1", "message_index": "1, 2-3"}],
        "options": {"B": "Bea", "A": "Al"},
    }  # fmt: skip
    written.as_json(tmp_path / "01/qa_01.json", [asked, {**asked, "id": "P_Style_Top01_002", "options": None}])

    pool = only("evermembench", tmp_path)

    assert [row["id"] for row in pool.messages] == ["2025-01-09/Group 1/1", "2025-01-09/Group 1/2"]
    assert pool.questions[0].evidence == {"2025-01-09/Group 1/1", "2025-01-09/Group 1/2"}
    assert pool.questions[0].options == (("A", "Al"), ("B", "Bea"))
    assert [question.category for question in pool.questions] == ["F_SH", "P_Style"]
    assert pool.notes == ("01: 2 references to messages that are not there",)


def test_evermembench_is_read_from_rows_of_days_as_well(tmp_path):
    row = {"topic_id": "01", "date": "2025-01-09", "dialogues": {"Group 1": [{"speaker": "A", "dialogue": "hello"}]}}
    written.as_json(tmp_path / "01/dialogue.json", [row])
    written.as_json(tmp_path / "01/qa_01.json", {"qars": []})

    assert only("evermembench", tmp_path).messages[0]["sent_at"] == "2025-01-09"


def test_orgmembench_takes_a_shared_slot_from_the_event_that_its_name_spells(tmp_path):
    pool = only("orgmembench", written.orgmembench(tmp_path))

    assert pool.questions[0].evidence == {"EV-2022-001/ART-EV-2022-001-001"}
    assert pool.notes == ("1 references to artefacts that are not there",)


def test_orgmembench_dates_and_titles_come_from_the_bodies(tmp_path):
    documents = {row["id"]: row for row in only("orgmembench", written.orgmembench(tmp_path)).documents}

    assert documents["EV-2022-001/ART-EV-2022-001-001"]["dated"] == "2022-03-04"
    assert documents["EV-2022-001/ART-EV-2022-001-001"]["title"] == "Minutes"
    assert documents["EV-2022-002/ART-EV-2022-001-001"]["title"] == "Another thing"
    assert documents["_atmosphere/ATM-slack-dev-202207"]["dated"] == "2022-07"
    assert "artefact_metadata" not in documents["EV-2022-001/ART-EV-2022-001-001"]["text"]


def test_orgmembench_prefers_the_dates_of_the_event_graph(tmp_path):
    folder = written.orgmembench(tmp_path)
    written.as_lines(
        folder / "source_of_truth/events.jsonl", [{"id": "EV-2022-001", "occurred_at": "2022-03-01T00:00"}]
    )

    assert only("orgmembench", folder).documents[0]["dated"] == "2022-03-01"


def test_orgmembench_s_rubric_keeps_its_weights(tmp_path):
    (question,) = only("orgmembench", written.orgmembench(tmp_path)).questions

    assert [(facet.weight, facet.fails_if) for facet in question.facets] == [(0.25, "does not"), (0.75, "")]
    assert question.answer == "current_value: fixed\ndeciders: Ada; Bo"
    assert question.category == "supersession"


@pytest.mark.parametrize("name", LOADERS)
def test_data_that_are_not_there_are_asked_for_by_origin_and_layout(name, tmp_path):
    with pytest.raises(UnreadableInput, match=r"(?s)is not there.*Expected: .*The data come from ."):
        list(load(name, tmp_path).pools)


def test_a_benchmark_nobody_knows_is_refused_with_the_names_of_all(tmp_path):
    with pytest.raises(UsageError, match=r"no benchmark is called 'loco'; there are ncar, .*locomo"):
        load("loco", tmp_path)


@pytest.mark.parametrize(
    ("name", "file", "value", "says"),
    [
        ("evidence", "questions.jsonl", {"id": 1}, "line 1: no field category, question, evidence"),
        ("locomo", "locomo10.json", [{"qa": []}], "no field conversation"),
        ("locomo", "locomo10.json", {"qa": []}, "samples is no list"),
        ("qmsum", "val.jsonl", {"meeting_transcripts": []}, "line 1: no field specific_query_list"),
        ("longmemeval-s", "longmemeval_s.json", {"question_id": "1"}, "is no JSON array"),
        ("orgmembench", "benchmark_v0.0.jsonl", {"id": "Q"}, "no field category, text"),
    ],
)
def test_another_schema_is_named_with_its_place(name, file, value, says, tmp_path):
    if name == "evidence":
        written.chats(tmp_path)
    if name == "orgmembench":
        written.orgmembench(tmp_path)
    written.as_json(tmp_path / file, value)

    with pytest.raises(UnreadableInput, match=says):
        list(load(name, tmp_path).pools)


@pytest.mark.parametrize("spans", [[["1"]], [["1", "x"]], "1-2", [[1.5, 2]]])
def test_a_span_of_another_form_is_refused(spans, tmp_path):
    folder = written.qmsum(tmp_path)
    meeting = json.loads((folder / "val.jsonl").read_text())
    meeting["specific_query_list"][0]["relevant_text_span"] = spans
    written.as_lines(folder / "val.jsonl", [meeting])

    with pytest.raises(UnreadableInput, match="is no span of the form"):
        only("qmsum", folder)
