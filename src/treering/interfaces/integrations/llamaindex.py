"""A memory as a retriever of LlamaIndex; needs `llama-index-core`."""

from datetime import datetime

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from treering.interfaces.integrations.metadata import metadata_of
from treering.memory import Memory
from treering.retrieval.profiles import DEFAULT

__all__ = ["TreeringRetriever"]

_UNREAD = ["record", "source", "source_id", "version", "stage", "why", "score", "kind"]  # left out of prompts


class TreeringRetriever(BaseRetriever):
    """Evidence as nodes: the text verbatim, citation, date, author and ids in the metadata.

    The bounds belong to the retriever and not to the question, so that an engine cannot widen them.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        viewer: str | None = None,
        asker: str | None = None,
        as_of: str | datetime | None = None,
        profile: str = DEFAULT,
        k: int = 20,
        budget: int | None = 3_000,
    ) -> None:
        """Retrieve from `memory` through the eyes of `viewer`; the rest is as for `Memory.search`."""
        super().__init__()
        self._memory = memory
        self._viewer = viewer
        self._asker = asker
        self._as_of = as_of
        self._profile = profile
        self._k = k
        self._budget = budget

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._memory.search(
            query_bundle.query_str,
            profile=self._profile,
            asker=self._asker,
            viewer=self._viewer,
            as_of=self._as_of,
            k=self._k,
            budget=self._budget,
        )
        return [
            NodeWithScore(
                node=TextNode(
                    id_=f"{one.source}/{one.source_id}",
                    text=one.text,
                    metadata=metadata_of(one),
                    excluded_llm_metadata_keys=_UNREAD,
                    excluded_embed_metadata_keys=_UNREAD,
                ),
                score=one.score,
            )
            for one in found
        ]
