"""Small invented benchmarks in the published schemas, written to a folder; nothing here comes from a data set."""

import json
from collections.abc import Iterable
from pathlib import Path

__all__ = ["as_json", "as_lines", "chats", "locomo", "longmemeval", "memora", "orgmembench", "qmsum"]


def as_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def as_lines(path: Path, rows: Iterable[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def chats(folder: Path) -> Path:
    """Six messages of a bakery and four questions, one of which nothing answers."""
    words = (
        ("Ida", "shop", "We open at seven from Monday on", "2024-05-02T08:00:00Z"),
        ("Joren", "ovens", "The stone oven is repaired, cost was 480 euro", "2024-05-03T09:00:00Z"),
        ("Ida", "shop", "Correction: we open at half past six from Monday on", "2024-05-04T08:00:00Z"),
        ("Maeve", "shop", "Rye flour comes from the Dannau mill", "2024-05-05T08:00:00Z"),
        ("Joren", "ovens", "The stone oven needs a new door seal", "2024-06-01T09:00:00Z"),
        ("Maeve", "shop", "Dannau mill delivers rye flour on Tuesdays", "2024-06-02T09:00:00Z"),
    )
    as_lines(
        folder / "messages.jsonl",
        (
            {"id": number, "sent_at": at, "author": author, "channel": channel, "thread": None, "text": text}
            for number, (author, channel, text, at) in enumerate(words, 1)
        ),
    )
    late = "2024-07-01"
    asked = [
        {
            "id": "q1", "category": "update", "question": "When do we open from Monday on?", "asker": "Maeve",
            "asked_at": late, "as_of": None, "answer": "06:30", "evidence": [3], "supporting": [], "stale": [1],
        },
        {
            "id": "q2", "category": "multi", "question": "Who mills our rye flour and when is it delivered?",
            "asker": None, "asked_at": late, "answer": "Dannau, Tuesdays", "evidence": [4, 6],
        },
        {
            "id": "q3", "category": "single", "question": "What is wrong with the stone oven?", "asker": "Ida",
            "asked_at": late, "as_of": "2024-05-31", "answer": "Nothing, it is repaired", "evidence": [2],
        },
        {
            "id": "q4", "category": "abstain", "question": "Who paints the shop sign?", "asker": "Ida",
            "asked_at": late, "answer": "Nobody says", "evidence": [],
        },
    ]  # fmt: skip
    as_lines(folder / "questions.jsonl", asked)
    return folder


def locomo(folder: Path) -> Path:
    """Two sessions, with a caption, a misspelt reference and an audit of one question."""
    sample = {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ola",
            "speaker_b": "Per",
            "session_2_date_time": "9:05 am on 1 June, 2024",
            "session_2": [
                {"speaker": "Per", "dia_id": "D2:1", "text": "The boat is sold."},
                {"speaker": "Ola", "dia_id": "D2:2", "text": "To whom?"},
            ],
            "session_1_date_time": "11:59 pm on 31 May, 2024",
            "session_1": [
                {"speaker": "Ola", "dia_id": "D1:1", "text": "Look at it!", "blip_caption": "a red boat"},
                {"speaker": "Per", "dia_id": "D1:2", "text": "I painted it last week."},
            ],
            "session_3_date_time": "1:00 pm on 2 June, 2024",  # dated, and without a session, as in the original
        },
        "qa": [
            {"question": "What colour is the boat?", "answer": "red", "evidence": ["D1:2"], "category": 4},
            {"question": "When was it painted?", "answer": 2024, "evidence": ["D1:2; D:2:1"], "category": 1},
            {"question": "Who bought it?", "adversarial_answer": "Ola", "evidence": ["D2:2", "D9:9"], "category": 5},
        ],
    }
    as_json(folder / "locomo10.json", [sample])
    audit = [
        {
            "question_id": "locomo_0_qa0",
            "question": "What colour is the boat?",
            "cited_evidence": ["D1:2"],
            "correct_evidence": ["D1:1"],
        }
    ]
    as_json(folder / "audit_errors.json", audit)
    return folder


def longmemeval(folder: Path) -> Path:
    """Two questions; the second has no answer in its haystack."""
    first = {
        "question_id": "ab12",
        "question_type": "single-session-user",
        "question": "What is my parrot called?",
        "question_date": "2024/03/09 (Sat) 18:30",
        "answer": "Kiko",
        "answer_session_ids": ["s_parrot"],
        "haystack_dates": ["2024/03/01 (Fri) 10:00", "2024/03/02 (Sat) 11:15"],
        "haystack_session_ids": ["s_tea", "s_parrot"],
        "haystack_sessions": [
            [{"role": "user", "content": "Which tea keeps me awake?"}, {"role": "assistant", "content": "Black tea."}],
            [
                {"role": "user", "content": "My parrot Kiko is ill.", "has_answer": True},
                {"role": "assistant", "content": "See a vet.", "has_answer": False},
            ],
        ],
    }
    second = {**first, "question_id": "cd34_abs", "question": "What is my cat called?", "answer": "You did not say."}
    as_json(folder / "longmemeval_s.json", [first, second])
    return folder


def qmsum(folder: Path) -> Path:
    """One meeting of five turns."""
    meeting = {
        "meeting_id": "M1",
        "topic_list": [],
        "general_query_list": [{"query": "Summarize the whole meeting", "answer": "..."}],
        "specific_query_list": [
            {
                "query": "What did the engineer say of the remote?",
                "answer": "It is too heavy.",
                "relevant_text_span": [["1", "2"], ["4", "9"]],
            }
        ],
        "meeting_transcripts": [
            {"speaker": "Chair", "content": "Good morning ."},
            {"speaker": "Engineer", "content": "The remote is too heavy ."},
            {"speaker": "Chair", "content": "How heavy ?"},
            {"speaker": "Designer", "content": "Coffee ?"},
            {"speaker": "Engineer", "content": "Two hundred grams ."},
        ],
    }
    as_lines(folder / "val.jsonl", [meeting])
    return folder


def memora(folder: Path) -> Path:
    """One persona with three sessions, one of which takes something back."""
    persona = folder / "data" / "weekly" / "beekeeper"
    said = ("I must buy frames.", "I bought the frames, take them off the list.", "I must mend the fence.")
    for number, text in enumerate(said, 1):
        turns = [
            {"turn": 1, "speaker": "user_agent", "message": text, "share_memory": True},
            {"turn": 2, "speaker": "ai_agent", "message": "Noted.", "share_memory": False},
        ]
        session = {
            "session_id": number,
            "session_type": "activity",
            "operation": "add",
            "date": "2025-04-01",
            "persona": "beekeeper",
            "conversation": turns,
        }
        as_json(persona / "conversations" / f"session_{number:04d}.json", session)
    check = {"expected_answer": "yes", "evaluation_type": "memory_presence"}
    asked = {
        "question_id": "todo_1",
        "question": "What is left to do?",
        "question_date": "2025-04-07",
        "memory_evidence": {"remaining_tasks": [{"value": "Mend the fence", "session_id": 3}], "task_count": 1},
        "forgetting_evidence": {
            "forgotten_items": [{"value": "Buy frames", "session_id": 2}, {"value": "Paint", "session_id": 3}],
            "total_forgotten_items": 2,
        },
        "evaluation": {
            "evaluation_questions": [
                {"evaluation_question_id": "c0", "evaluation_question": "Is the fence named?", **check},
                {
                    "evaluation_question_id": "c1",
                    "evaluation_question": "Are the frames named?",
                    "expected_answer": "no",
                    "evaluation_type": "forgetting_absence",
                },
            ]
        },
    }
    as_json(
        persona / "evaluation_questions_beekeeper.json",
        {"persona": "beekeeper", "questions": {"remembering": [asked], "reasoning": []}},
    )
    return folder


def orgmembench(folder: Path) -> Path:
    """A slot id that two events share, a record without an event, and a rubric."""
    header = "<!-- artefact_metadata\nslot_id: {slot}\nevent_id: {event}\ngenre: {genre}\nauthor: P-0001\n-->\n\n"
    texts = {
        "EV-2022-001/ART-EV-2022-001-001": "# Minutes\n\nReview of the 2021-05-01 leak. Held 2022-03-04.",
        "EV-2022-002/ART-EV-2022-001-001": "Subject: Another thing\n\nNothing of it. 2022-04-01",
    }
    for name, text in texts.items():
        event, slot = name.split("/")
        path = folder / "corpus" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(header.format(slot=slot, event=event, genre="meeting_notes") + text, encoding="utf-8")
    noise = folder / "corpus" / "_atmosphere" / "ATM-slack-dev-202207.md"
    noise.parent.mkdir(parents=True)
    noise.write_text("<!-- atmosphere slack channel=#dev 2022-07 role=noise -->\n\nLunch?", encoding="utf-8")
    question = {
        "id": "Q-1",
        "category": "C1",
        "text": "What came of the leak?",
        "paraphrases": [],
        "ground_truth_answer": {"current_value": "fixed\n", "deciders": ["Ada", "Bo"]},
        "rubric_subpoints": [
            {"id": "C1.sub1", "max_score": 0.25, "criterion": "says fixed", "fail_criterion": "does not"},
            {"id": "C1.sub2", "max_score": 0.75, "criterion": "names both"},
        ],
        "evidence_artefact_ids": ["ART-EV-2022-001-001", "ART-GONE-001"],
    }
    as_lines(folder / "benchmark_v0.0.jsonl", [question])
    return folder
