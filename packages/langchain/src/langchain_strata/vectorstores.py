"""Vector store on one index."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from strata_client import AsyncStrataClient, StrataClient, batch_rows, relevance, select_diverse
from strata_client.models import SearchCitation, SearchResponse, SourceFile
from strata_client.params import MetadataFilter, SearchContext, SearchField, SearchRerank, VectorUpsertItem

SearchMode: TypeAlias = Literal["dense", "sparse", "hybrid"]
"""Search by meaning, by words, or by both."""

FETCHED_IDS = 40
"""Ids of one request. Their texts and metadata fit a response at any size."""

DELETED_IDS = 100

CITED: list[SearchField] = ["text", "metadata", "citation"]
DIVERSE: list[SearchField] = ["text", "metadata", "vector"]
"""Fields of results that are selected for diversity."""


def _parts(ids: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (ids[at : at + size] for at in range(0, len(ids), size))


def _vector(embedding: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.asarray(embedding, dtype=np.float32)


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
    """Vector store on one index. Asynchronous methods send asynchronous requests.

    Args:
        index_id: Id of the index.
        embedding: Embeds documents and queries. Without it the service embeds by the model of the index.
        client: Client of the service; by default one for STRATA_URL and STRATA_API_KEY.
        async_client: Client of asynchronous methods; by default one for each event loop, as `client`.
        mode: Search of `similarity_search` and of retrievers.
    """

    def __init__(
        self,
        index_id: str,
        embedding: Embeddings | None = None,
        *,
        client: StrataClient | None = None,
        async_client: AsyncStrataClient | None = None,
        mode: SearchMode = "dense",
    ) -> None:
        self.index_id = index_id
        self.client = client or StrataClient()
        self.mode: SearchMode = mode
        self._async_client = async_client
        self._embedding = embedding
        self._known_metric: str | None = None

    @property
    def embeddings(self) -> Embeddings | None:
        """Embeds documents and queries, unless the service does."""
        return self._embedding

    @property
    def async_client(self) -> AsyncStrataClient:
        """Client of asynchronous methods in the running event loop."""
        return self._async_client or self.client.asynchronous()

    def _metric(self) -> str:
        if self._known_metric is None:
            self._known_metric = self.client.get_index(self.index_id).distance_metric
        return self._known_metric

    async def _ametric(self) -> str:
        if self._known_metric is None:
            self._known_metric = (await self.async_client.get_index(self.index_id)).distance_metric
        return self._known_metric

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
        row_ids = _ids_of(contents, metadatas, ids)
        vectors = None if self._embedding is None or not contents else self._embedding.embed_documents(contents)
        for batch in batch_rows(_rows(row_ids, contents, metadatas, vectors)):
            self.client.upsert_vectors(self.index_id, batch)
        return row_ids

    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Writes texts, as `add_texts`."""
        contents = list(texts)
        row_ids = _ids_of(contents, metadatas, ids)
        vectors = None if self._embedding is None or not contents else await self._embedding.aembed_documents(contents)
        for batch in batch_rows(_rows(row_ids, contents, metadatas, vectors)):
            await self.async_client.upsert_vectors(self.index_id, batch)
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
        return sum(self.client.delete_vectors(self.index_id, ids=part).deleted for part in _parts(ids, DELETED_IDS))

    async def adelete(
        self, ids: list[str] | None = None, *, filter: MetadataFilter | None = None, **kwargs: Any
    ) -> bool:
        """Deletes, as `delete`."""
        if ids is not None and filter is not None:
            raise ValueError("give either ids or filter")
        if ids is not None:
            await self.adelete_ids(ids)
        elif filter is not None:
            await self.async_client.delete_vectors(self.index_id, filter=filter)
        else:
            await self.async_client.delete_vectors(self.index_id, all=True)
        return True

    async def adelete_ids(self, ids: Sequence[str]) -> int:
        """Deletes rows and returns how many of them existed."""
        responses = [
            await self.async_client.delete_vectors(self.index_id, ids=part) for part in _parts(ids, DELETED_IDS)
        ]
        return sum(response.deleted for response in responses)

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns the documents of ids in their order, without those that do not exist."""
        return [
            _document(row.id, row.text, row.metadata, row.file)
            for part in _parts(ids, FETCHED_IDS)
            for row in self.client.fetch_vectors(self.index_id, ids=part, include_vectors=False).vectors
        ]

    async def aget_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns the documents of ids, as `get_by_ids`."""
        return [
            _document(row.id, row.text, row.metadata, row.file)
            for part in _parts(ids, FETCHED_IDS)
            for row in (await self.async_client.fetch_vectors(self.index_id, ids=part, include_vectors=False)).vectors
        ]

    def _search(self, query: str, mode: SearchMode | None, options: dict[str, Any]) -> SearchResponse:
        chosen = mode or self.mode
        if chosen == "sparse":
            return self.client.sparse_search(self.index_id, text=query, **options)
        vector = None if self._embedding is None else _vector(self._embedding.embed_query(query))
        search = self.client.hybrid_search if chosen == "hybrid" else self.client.dense_search
        return search(self.index_id, text=query, vector=vector, **options)

    async def _asearch(self, query: str, mode: SearchMode | None, options: dict[str, Any]) -> SearchResponse:
        chosen = mode or self.mode
        if chosen == "sparse":
            return await self.async_client.sparse_search(self.index_id, text=query, **options)
        vector = None if self._embedding is None else _vector(await self._embedding.aembed_query(query))
        search = self.async_client.hybrid_search if chosen == "hybrid" else self.async_client.dense_search
        return await search(self.index_id, text=query, vector=vector, **options)

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
        options = {"top_k": k, "filter": filter, "include": CITED, "rerank": rerank, "context": context}
        return list(_cited(self._search(query, mode, options)))

    async def asimilarity_search_with_score(
        self,
        query: str,
        k: int = 4,
        filter: MetadataFilter | None = None,
        mode: SearchMode | None = None,
        rerank: SearchRerank | None = None,
        context: SearchContext | None = None,
        **kwargs: Any,
    ) -> list[tuple[Document, float]]:
        """Returns the best documents with their scores, as `similarity_search_with_score`."""
        options = {"top_k": k, "filter": filter, "include": CITED, "rerank": rerank, "context": context}
        return list(_cited(await self._asearch(query, mode, options)))

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

    async def asimilarity_search(
        self,
        query: str,
        k: int = 4,
        filter: MetadataFilter | None = None,
        mode: SearchMode | None = None,
        rerank: SearchRerank | None = None,
        context: SearchContext | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns the best documents, as `similarity_search`."""
        found = await self.asimilarity_search_with_score(query, k, filter, mode, rerank, context)
        return [document for document, _ in found]

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: MetadataFilter | None = None, **kwargs: Any
    ) -> list[Document]:
        """Returns the documents whose vectors are nearest."""
        found = self.client.dense_search(
            self.index_id, vector=_vector(embedding), top_k=k, filter=filter, include=["text", "metadata"]
        )
        return [_document(row.id, row.text, row.metadata, row.file) for row in found.results]

    async def asimilarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: MetadataFilter | None = None, **kwargs: Any
    ) -> list[Document]:
        """Returns the documents whose vectors are nearest."""
        found = await self.async_client.dense_search(
            self.index_id, vector=_vector(embedding), top_k=k, filter=filter, include=["text", "metadata"]
        )
        return [_document(row.id, row.text, row.metadata, row.file) for row in found.results]

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        metric = self._metric()
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
        await self._ametric()
        return await super()._asimilarity_search_with_relevance_scores(query, k, **kwargs)

    def _diverse(self, metric: str, found: SearchResponse, k: int, lambda_mult: float) -> list[Document]:
        selected = select_diverse(metric, found.results, k, lambda_mult)
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
        found = self._search(query, "dense", {"top_k": fetch_k, "filter": filter, "include": DIVERSE})
        return self._diverse(self._metric(), found, k, lambda_mult)

    async def amax_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: MetadataFilter | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns near and diverse documents, as `max_marginal_relevance_search`."""
        found = await self._asearch(query, "dense", {"top_k": fetch_k, "filter": filter, "include": DIVERSE})
        return self._diverse(await self._ametric(), found, k, lambda_mult)

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
            vector=_vector(embedding),
            top_k=fetch_k,
            filter=filter,
            include=DIVERSE,
        )
        return self._diverse(self._metric(), found, k, lambda_mult)

    async def amax_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: MetadataFilter | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Returns documents that are near to a vector and differ from each other."""
        found = await self.async_client.dense_search(
            self.index_id, vector=_vector(embedding), top_k=fetch_k, filter=filter, include=DIVERSE
        )
        return self._diverse(await self._ametric(), found, k, lambda_mult)

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

    @classmethod
    async def afrom_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        index_id: str | None = None,
        name: str = "langchain",
        client: StrataClient | None = None,
        async_client: AsyncStrataClient | None = None,
        mode: SearchMode = "dense",
        **kwargs: Any,
    ) -> StrataVectorStore:
        """Returns a store with texts, as `from_texts`."""
        connected = client or StrataClient()
        requests = async_client or connected.asynchronous()
        if index_id is None:
            if embedding is None:
                index_id = (await requests.get_or_create_index(name=name, embedding_model="default")).id
            else:
                dimensions = len(await embedding.aembed_query(texts[0] if texts else name))
                index_id = (await requests.get_or_create_index(name=name, dimensions=dimensions)).id
        store = cls(index_id, embedding, client=connected, async_client=async_client, mode=mode)
        await store.aadd_texts(texts, metadatas, ids=ids)
        return store


def _ids_of(
    contents: Sequence[str], metadatas: Sequence[dict[str, Any]] | None, ids: Sequence[str | None] | None
) -> list[str]:
    """Returns the ids of rows. Raises ValueError if the lists differ in length."""
    for name, values in (("metadatas", metadatas), ("ids", ids)):
        if values is not None and len(values) != len(contents):
            raise ValueError(f"{name} has {len(values)} items, but there are {len(contents)} texts")
    return [id or str(uuid.uuid4()) for id in ids or [None] * len(contents)]


def _rows(
    ids: Sequence[str],
    contents: Sequence[str],
    metadatas: Sequence[dict[str, Any]] | None,
    vectors: Sequence[Sequence[float]] | None,
) -> Iterable[VectorUpsertItem]:
    """Returns rows. Of those with one id, the last one counts."""
    rows: dict[str, VectorUpsertItem] = {}
    for at, (id, text) in enumerate(zip(ids, contents)):
        row: VectorUpsertItem = {"id": id, "text": text, "metadata": metadatas[at] if metadatas else {}}
        if vectors is not None:
            row["vector"] = _vector(vectors[at])
        rows[id] = row
    return rows.values()
