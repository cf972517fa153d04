"""Retrievers of a document store. Arguments of a run replace those of the retriever."""

from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.document_stores.types import FilterPolicy, apply_filter_policy
from strata_client.params import SearchRerank
from typing_extensions import Self

from haystack_integrations.document_stores.strata import StrataDocumentStore


class _Retriever:
    """Settings that all retrievers have.

    Args:
        document_store: Store to search.
        filters: Filters of the metadata.
        top_k: Maximum number of documents.
        filter_policy: REPLACE uses the filters of a run instead of these, MERGE uses both.
    """

    def __init__(
        self,
        document_store: StrataDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        filter_policy: str | FilterPolicy = FilterPolicy.REPLACE,
    ) -> None:
        self.document_store = document_store
        self.filters = filters
        self.top_k = top_k
        self.filter_policy = FilterPolicy.from_str(str(filter_policy))

    def to_dict(self) -> dict[str, Any]:
        """Serializes the retriever and its store."""
        return default_to_dict(
            self,
            document_store=self.document_store,
            filters=self.filters,
            top_k=self.top_k,
            filter_policy=str(self.filter_policy),
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Returns a retriever that was serialized by `to_dict`."""
        return default_from_dict(cls, data)

    def _selection(self, filters: dict[str, Any] | None, top_k: int | None) -> dict[str, Any]:
        return {
            "filters": apply_filter_policy(self.filter_policy, self.filters, filters),
            "top_k": self.top_k if top_k is None else top_k,
        }


@component
class StrataBM25Retriever(_Retriever):
    """Retrieves documents by the words of a query."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None) -> dict[str, Any]:
        """Retrieves documents."""
        return {"documents": self.document_store.bm25_retrieval(query, **self._selection(filters, top_k))}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """Retrieves documents without blocking."""
        found = await self.document_store.bm25_retrieval_async(query, **self._selection(filters, top_k))
        return {"documents": found}


@component
class StrataEmbeddingRetriever(_Retriever):
    """Retrieves documents by an embedding."""

    @component.output_types(documents=list[Document])
    def run(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """Retrieves documents."""
        selection = self._selection(filters, top_k)
        return {"documents": self.document_store.embedding_retrieval(query_embedding, **selection)}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """Retrieves documents without blocking."""
        selection = self._selection(filters, top_k)
        return {"documents": await self.document_store.embedding_retrieval_async(query_embedding, **selection)}


@component
class StrataTextRetriever(_Retriever):
    """Retrieves documents by the meaning of a query, which the service embeds."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None) -> dict[str, Any]:
        """Retrieves documents."""
        return {"documents": self.document_store.text_retrieval(query, **self._selection(filters, top_k))}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """Retrieves documents without blocking."""
        found = await self.document_store.text_retrieval_async(query, **self._selection(filters, top_k))
        return {"documents": found}


@component
class StrataHybridRetriever(_Retriever):
    """Retrieves documents by the words and the meaning of a query.

    Args:
        document_store: Store to search.
        filters: Filters of the metadata.
        top_k: Maximum number of documents.
        filter_policy: REPLACE uses the filters of a run instead of these, MERGE uses both.
        dense_weight: Weight of the meaning from 0 to 1, where 1 searches by meaning only.
        rerank: Reranks the documents by a model of the service; `{}` has its defaults.
    """

    def __init__(
        self,
        document_store: StrataDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        filter_policy: str | FilterPolicy = FilterPolicy.REPLACE,
        dense_weight: float | None = None,
        rerank: SearchRerank | None = None,
    ) -> None:
        # The decorator replaces the class, so super() needs its arguments.
        super(StrataHybridRetriever, self).__init__(document_store, filters, top_k, filter_policy)
        self.dense_weight = dense_weight
        self.rerank = rerank

    def to_dict(self) -> dict[str, Any]:
        """Serializes the retriever and its store."""
        data = super(StrataHybridRetriever, self).to_dict()
        data["init_parameters"]["dense_weight"] = self.dense_weight
        data["init_parameters"]["rerank"] = self.rerank
        return data

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
    ) -> dict[str, Any]:
        """Retrieves documents. Without `query_embedding` the service embeds the query."""
        found = self.document_store.hybrid_retrieval(
            query,
            query_embedding,
            **self._selection(filters, top_k),
            dense_weight=self.dense_weight,
            rerank=self.rerank,
        )
        return {"documents": found}

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
    ) -> dict[str, Any]:
        """Retrieves documents without blocking. Without `query_embedding` the service embeds the query."""
        found = await self.document_store.hybrid_retrieval_async(
            query,
            query_embedding,
            **self._selection(filters, top_k),
            dense_weight=self.dense_weight,
            rerank=self.rerank,
        )
        return {"documents": found}
