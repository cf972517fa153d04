"""LangChain vector store, retriever and document index on Strata."""

from .retrievers import StrataDocumentIndex, StrataRetriever
from .self_query import StrataTranslator
from .vectorstores import SearchMode, StrataVectorStore

__all__ = ["SearchMode", "StrataDocumentIndex", "StrataRetriever", "StrataTranslator", "StrataVectorStore"]
