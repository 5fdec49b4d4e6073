"""Retriever, prompt, model, text: a LangChain chain that answers from a memory with citations.

chain = make_chain(ChatOpenAI(model="..."), Memory.open("acme.treering"), viewer="Ana")
chain.invoke("has DOC-042 been released?")
"""

from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import LanguageModelInput
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

from treering import Memory
from treering.interfaces.integrations.langchain import TreeringRetriever
from treering.interfaces.integrations.prompting import as_data

PROMPT = PromptTemplate.from_template(
    "Answer from these records alone, with citations as [record NUMBER].\n\n{records}\n\nQuestion: {question}\nAnswer:"
)


def make_chain(
    model: Runnable[LanguageModelInput, Any], memory: Memory, viewer: str | None, k: int = 8
) -> Runnable[str, str]:
    """From a question to an answer, as the viewer may know it."""
    retriever = TreeringRetriever(memory=memory, viewer=viewer, k=k)
    records = retriever | RunnableLambda(_laid_out)
    return {"records": records, "question": RunnablePassthrough()} | PROMPT | model | StrOutputParser()


def _laid_out(documents: list[Document]) -> str:
    return as_data((document.page_content, document.metadata) for document in documents)
