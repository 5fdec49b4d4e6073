"""A memory as a retriever of LangChain; needs `langchain-core`."""

from datetime import datetime

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from treering.interfaces.integrations.metadata import metadata_of
from treering.memory import Memory
from treering.retrieval.profiles import DEFAULT

__all__ = ["TreeringRetriever"]


class TreeringRetriever(BaseRetriever):
    """Evidence as documents: the text verbatim, citation, date, author and ids in the metadata.

    The bounds belong to the retriever and not to the question, so that a chain cannot widen them. Texts are others'
    words: `interfaces.integrations.prompting` lays them out for a prompt.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: Memory
    viewer: str | None = None  # None: the owner, who sees all
    asker: str | None = None
    as_of: str | datetime | None = None
    profile: str = DEFAULT
    k: int = 20
    budget: int | None = 3_000  # tokens of all the documents

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.memory.search(
            query,
            profile=self.profile,
            asker=self.asker,
            viewer=self.viewer,
            as_of=self.as_of,
            k=self.k,
            budget=self.budget,
        )
        return [Document(page_content=one.text, metadata=metadata_of(one), id=str(one.record)) for one in found]
