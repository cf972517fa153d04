"""Retriever and document index on one vector store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.indexing import UpsertResponse
from langchain_core.indexing.base import DeleteResponse, DocumentIndex
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict
from strata_client.params import SearchContext, SearchRerank

from .vectorstores import SearchMode, StrataVectorStore


class StrataRetriever(BaseRetriever):
    """Retriever by meaning and words, by meaning, or by words."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    store: StrataVectorStore
    """Store to search."""
    k: int = 4
    """Maximum number of documents."""
    filter: dict[str, Any] | None = None
    """Metadata filter of the service."""
    mode: SearchMode = "hybrid"
    """Search by meaning, by words or by both."""
    rerank: dict[str, Any] | None = None
    """Reranks the documents by a model of the service; `{}` has its defaults."""

    context: dict[str, Any] | None = None
    """Returns the text of the file around each result, such as `{"unit": "heading"}`."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: dict[str, Any] | None = None,
        mode: SearchMode | None = None,
    ) -> list[Document]:
        return self.store.similarity_search(
            query,
            self.k if k is None else k,
            self.filter if filter is None else filter,
            mode or self.mode,
            cast("SearchRerank | None", self.rerank),
            cast("SearchContext | None", self.context),
        )

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: dict[str, Any] | None = None,
        mode: SearchMode | None = None,
    ) -> list[Document]:
        return await self.store.asimilarity_search(
            query,
            self.k if k is None else k,
            self.filter if filter is None else filter,
            mode or self.mode,
            cast("SearchRerank | None", self.rerank),
            cast("SearchContext | None", self.context),
        )


class StrataDocumentIndex(StrataRetriever, DocumentIndex):
    """Document index: a retriever that also writes, reads and deletes documents by id."""

    def upsert(self, items: Sequence[Document], /, **kwargs: Any) -> UpsertResponse:
        """Writes documents. A document with the same id is replaced; a missing id is generated."""
        return {"succeeded": self.store.add_documents(list(items)), "failed": []}

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> DeleteResponse:
        """Deletes documents by their ids. Ids that do not exist are no failure."""
        if ids is None:
            raise ValueError("ids is missing")
        return {"num_deleted": self.store.delete_ids(ids), "num_failed": 0}

    async def aupsert(self, items: Sequence[Document], /, **kwargs: Any) -> UpsertResponse:
        """Writes documents, as `upsert`."""
        return {"succeeded": await self.store.aadd_documents(list(items)), "failed": []}

    async def adelete(self, ids: list[str] | None = None, **kwargs: Any) -> DeleteResponse:
        """Deletes documents by their ids, as `delete`."""
        if ids is None:
            raise ValueError("ids is missing")
        return {"num_deleted": await self.store.adelete_ids(ids), "num_failed": 0}

    async def aget(self, ids: Sequence[str], /, **kwargs: Any) -> list[Document]:
        """Returns the documents of ids, as `get`."""
        return await self.store.aget_by_ids(ids)

    def get(self, ids: Sequence[str], /, **kwargs: Any) -> list[Document]:
        """Returns the documents of ids, without those that do not exist."""
        return self.store.get_by_ids(ids)
