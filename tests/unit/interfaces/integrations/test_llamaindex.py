"""LlamaIndex's retriever over a memory."""

import warnings

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # deprecations within its own modules and nltk's, while they load
    pytest.importorskip("llama_index.core", reason="the extra `llamaindex` is not installed")
    from treering.interfaces.integrations.llamaindex import TreeringRetriever

from treering import Memory


def test_evidence_comes_as_nodes_with_what_it_takes_to_cite_them(memory: Memory) -> None:
    nodes = TreeringRetriever(memory, k=5, viewer="Ana").retrieve("PAY-311 refunds approved")
    assert nodes[0].text == "PAY-311 released, refunds are approved"
    assert nodes[0].metadata["citation"].endswith("jsonl/6]")
    assert nodes[0].node.node_id == "jsonl/6"
    scores = [node.score or 0.0 for node in nodes]
    assert scores == sorted(scores, reverse=True)
    assert memory.record(nodes[0].metadata["record"]).author_name == nodes[0].metadata["author"] == "Dora"
    assert {"sec-incident"}.isdisjoint(node.metadata["channel"] for node in nodes)
