"""Vector store on one index."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from strata_client import StrataClient, batch_rows, relevance, select_diverse
from strata_client.models import SearchCitation, SearchResponse, SourceFile
from strata_client.params import MetadataFilter, SearchContext, SearchField, SearchRerank, VectorUpsertItem

SearchMode: TypeAlias = Literal["dense", "sparse", "hybrid"]
"""Search by meaning, by words, or by both."""

FETCHED_IDS = 40
"""Ids of one request. Their texts and metadata fit a response at any size."""


def _document(
    id: str,
    text: str | None,
    metadata: dict[str, Any] | None,
    file: SourceFile | None,
    citation: SearchCitation | None = None,
) -> Document:
    found = dict(metadata or {})
    for name, value in (
        ("source", file and file.filename),
        ("page_start", file and file.page_start),
        ("page_end", file and file.page_end),
        ("page_label", file and file.page_start and str(file.page_start)),
        ("citation", citation and citation.model_dump(exclude_none=True)),
    ):
        if value is not None:
            found.setdefault(name, value)
    return Document(id=id, page_content=text or "", metadata=found)


def _cited(found: SearchResponse) -> Iterable[tuple[Document, float]]:
    """Returns the documents of a search. Results that share a context are one document, with the best score."""
    seen: set[int] = set()
    for row in found.results:
        text = row.text
        if row.context is not None and found.contexts is not None:
            if row.context in seen:
                continue
            seen.add(row.context)
            text = found.contexts[row.context].text
        yield _document(row.id, text, row.metadata, row.file, row.citation), row.score


class StrataVectorStore(VectorStore):
    """Vector store on one index. Asynchronous methods run the synchronous ones in threads.

    Args:
        index_id: Id of the index.
        embedding: Embeds documents and queries. Without it the service embeds by the model of the index.
        client: Client of the service; by default one for STRATA_URL and STRATA_API_KEY.
        mode: Search of `similarity_search` and of retrievers.
    """

    def __init__(
        self,
        index_id: str,
        embedding: Embeddings | None = None,
        *,
        client: StrataClient | None = None,
        mode: SearchMode = "dense",
    ) -> None:
        self.index_id = index_id
        self.client = client or StrataClient()
        self.mode: SearchMode = mode
        self._embedding = embedding

    @property
    def embeddings(self) -> Embeddings | None:
        """Embeds documents and queries, unless the service does."""
        return self._embedding

    @cached_property
    def _metric(self) -> str:
        return self.client.get_index(self.index_id).distance_metric

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Writes texts and returns their ids. A row with the same id is replaced; a missing id is generated."""
        contents = list(texts)
        for name, values in (("metadatas", metadatas), ("ids", ids)):
            if values is not None and len(values) != len(contents):
                raise ValueError(f"{name} has {len(values)} items, but there are {len(contents)} texts")
        row_ids = [id or str(uuid.uuid4()) for id in ids or [None] * len(contents)]
        vectors = None if self._embedding is None or not contents else self._embedding.embed_documents(contents)
        rows: dict[str, VectorUpsertItem] = {}
        for at, (id, text) in enumerate(zip(row_ids, contents)):
            row: VectorUpsertItem = {"id": id, "text": text, "metadata": metadatas[at] if metadatas else {}}
            if vectors is not None:
                row["vector"] = np.asarray(vectors[at], dtype=np.float32)
            rows[id] = row
        for batch in batch_rows(rows.values()):
            self.client.upsert_vectors(self.index_id, batch)
        return row_ids

    def delete(
        self, ids: list[str] | None = None, *, filter: MetadataFilter | None = None, **kwargs: Any
    ) -> bool:
        """Deletes by ids or by filter. Without both, deletes every row of the index."""
        if ids is not None and filter is not None:
            raise ValueError("give either ids or filter")
        if ids is not None:
            self.delete_ids(ids)
        elif filter is not None:
            self.client.delete_vectors(self.index_id, filter=filter)
        else:
            self.client.delete_vectors(self.index_id, all=True)
        return True

    def delete_ids(self, ids: Sequence[str]) -> int:
        """Deletes rows and returns how many of them existed."""
        parts = (ids[at : at + 100] for at in range(0, len(ids), 100))
        return sum(self.client.delete_vectors(self.index_id, ids=part).deleted for part in parts)

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns the documents of ids in their order, without those that do not exist."""
        parts = (ids[at : at + FETCHED_IDS] for at in range(0, len(ids), FETCHED_IDS))
        return [
            _document(row.id, row.text, row.metadata, row.file)
            for part in parts
            for row in self.client.fetch_vectors(self.index_id, ids=part, include_vectors=False).vectors
        ]

    def _search(
        self,
        query: str,
        k: int,
        filter: MetadataFilter | None,
        mode: SearchMode | None,
        include: list[SearchField],
        rerank: SearchRerank | None = None,
        context: SearchContext | None = None,
    ) -> SearchResponse:
        chosen = mode or self.mode
        if chosen == "sparse":
            return self.client.sparse_search(
                self.index_id, text=query, top_k=k, filter=filter, include=include, rerank=rerank, context=context
            )
        vector = None if self._embedding is None else np.asarray(self._embedding.embed_query(query), dtype=np.float32)
        if chosen == "hybrid":
            return self.client.hybrid_search(
                self.index_id,
                text=query,
                vector=vector,
                top_k=k,
                filter=filter,
                include=include,
                rerank=rerank,
                context=context,
            )
        return self.client.dense_search(
            self.index_id,
            text=query,
            vector=vector,
            top_k=k,
            filter=filter,
            include=include,
            rerank=rerank,
            context=context,
        )

    def similarity_search_with_score(
        self,
        query: str,
        k: int = 4,
        filter: MetadataFilter | None = None,
        mode: SearchMode | None = None,
        rerank: SearchRerank | None = None,
        context: SearchContext | None = None,
        **kwargs: Any,
    ) -> list[tuple[Document, float]]:
        """Returns the best documents with their scores. A higher score is better.

        Args:
            query: Text to search for.
            k: Maximum number of documents.
            filter: Metadata filter of the service, such as `{"year": {"$gte": 2024}}`.
            mode: Search by meaning, by words or by both; that of the store if absent.
            rerank: Reranks the documents by a model of the service; `{}` has its defaults.
            context: Returns the text of the file around each result, such as `{"unit": "heading"}`. Results
                whose texts meet are one document.
        """
        found = self._search(query, k, filter, mode, ["text", "metadata", "citation"], rerank, context)
        return list(_cited(found))

    def similarity_search(
        self,
        query: str,
        k: int = 4,
        filter: MetadataFilter | None = None,
        mode: SearchMode | None = None,
        rerank: SearchRerank | None = None,
        context: SearchContext | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns the best documents, as `similarity_search_with_score`."""
        return [document for document, _ in self.similarity_search_with_score(query, k, filter, mode, rerank, context)]

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: MetadataFilter | None = None, **kwargs: Any
    ) -> list[Document]:
        """Returns the documents whose vectors are nearest."""
        vector = np.asarray(embedding, dtype=np.float32)
        found = self.client.dense_search(
            self.index_id, vector=vector, top_k=k, filter=filter, include=["text", "metadata"]
        )
        return [_document(row.id, row.text, row.metadata, row.file) for row in found.results]

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        metric = self._metric
        return lambda score: (1 + score) / 2 if metric == "cosine" else relevance(metric, score)

    def _require_dense(self, mode: SearchMode | None) -> None:
        if (mode or self.mode) != "dense":
            raise ValueError("relevance scores need the mode dense: other scores have no fixed range")

    def _similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        self._require_dense(kwargs.get("mode"))
        return super()._similarity_search_with_relevance_scores(query, k, **kwargs)

    async def _asimilarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        self._require_dense(kwargs.get("mode"))
        return await super()._asimilarity_search_with_relevance_scores(query, k, **kwargs)

    def _diverse(self, found: SearchResponse, k: int, lambda_mult: float) -> list[Document]:
        selected = select_diverse(self._metric, found.results, k, lambda_mult)
        return [_document(row.id, row.text, row.metadata, row.file) for row in selected]

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: MetadataFilter | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns documents that are near to the query and differ from each other.

        Args:
            query: Text to search for.
            k: Maximum number of documents.
            fetch_k: Number of nearest documents to select from.
            lambda_mult: From 0, most diverse, to 1, nearest.
            filter: Metadata filter of the service.
        """
        found = self._search(query, fetch_k, filter, "dense", ["text", "metadata", "vector"])
        return self._diverse(found, k, lambda_mult)

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: MetadataFilter | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns documents that are near to a vector and differ from each other."""
        found = self.client.dense_search(
            self.index_id,
            vector=np.asarray(embedding, dtype=np.float32),
            top_k=fetch_k,
            filter=filter,
            include=["text", "metadata", "vector"],
        )
        return self._diverse(found, k, lambda_mult)

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        index_id: str | None = None,
        name: str = "langchain",
        client: StrataClient | None = None,
        mode: SearchMode = "dense",
        **kwargs: Any,
    ) -> StrataVectorStore:
        """Returns a store with texts. Without `index_id` it adds to the index of this name, or creates it."""
        connected = client or StrataClient()
        if index_id is None:
            if embedding is None:
                index_id = connected.get_or_create_index(name=name, embedding_model="default").id
            else:
                dimensions = len(embedding.embed_query(texts[0] if texts else name))
                index_id = connected.get_or_create_index(name=name, dimensions=dimensions).id
        store = cls(index_id, embedding, client=connected, mode=mode)
        store.add_texts(texts, metadatas, ids=ids)
        return store
