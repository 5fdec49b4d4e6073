"""The passages of the log: each with the text that is matched, and no text read more often than need be."""

from pathlib import Path

from tests.builders import document, message, remember
from treering import Memory
from treering.log.passages import passage_texts


def test_the_text_of_a_long_document_is_read_once_for_all_its_passages(tmp_path: Path) -> None:
    text = "\n\n".join(f"# Part {number}\n\n" + "word " * 100 for number in range(40))
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, document("manual", text, title="Manual"), message("m", "hello"))
        with memory._reading() as read:
            asked: list[str] = []
            read.connection.set_trace_callback(asked.append)
            matched = [one.text for one in passage_texts(read.connection, 0)]
            read.connection.set_trace_callback(None)

    assert len(matched) > 20
    assert matched[0].startswith("Manual: # Part 0")
    assert matched[-1] == "ana: hello"
    assert sum("SELECT text FROM record" in one for one in asked) == 2
