"""Document store on one index."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from functools import cached_property, wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from haystack import Document, default_from_dict, default_to_dict
from haystack.dataclasses import ByteStream, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.errors import FilterError
from haystack.utils import Secret
from strata_client import StrataClient, batch_rows
from strata_client.errors import ConflictError
from strata_client.models import SearchResult, VectorRecord
from strata_client.params import SearchField, SearchRerank, VectorUpsertItem

from .filters import convert_filter, iso_dates, metadata_key

P = ParamSpec("P")
T = TypeVar("T")

FETCHED_IDS = 40
"""Ids of one request. Their texts and metadata fit a response at any size."""

DELETED_IDS = 100

RETURNED: list[SearchField] = ["text", "metadata"]

DOCUMENT_KEY = "$document"
"""Metadata key of parts of a document that are neither text, metadata nor embedding. No filter can name it."""


def _in_thread(method: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Returns the asynchronous form of a method, which runs it in a thread."""

    @wraps(method)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, *args, **kwargs)

    return run


def _vector(embedding: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.asarray(embedding, dtype=np.float32)


def _row(document: Document) -> VectorUpsertItem:
    parts: dict[str, Any] = {}
    if document.embedding is None:
        if not document.content:
            raise ValueError(f"document {document.id} has neither content nor embedding")
        parts["embedded_by_service"] = True
    if document.blob is not None:
        parts["blob"] = document.blob.to_dict()
    if document.sparse_embedding is not None:
        parts["sparse_embedding"] = document.sparse_embedding.to_dict()
    metadata = iso_dates({**document.meta, DOCUMENT_KEY: parts} if parts else document.meta)
    row: VectorUpsertItem = {"id": document.id, "text": document.content, "metadata": metadata}
    if document.embedding is not None:
        row["vector"] = _vector(document.embedding)
    return row


def _document(row: VectorRecord | SearchResult) -> Document:
    meta = dict(row.metadata or {})
    parts = meta.pop(DOCUMENT_KEY, {})
    blob, sparse = parts.get("blob"), parts.get("sparse_embedding")
    return Document(
        id=row.id,
        content=row.text,
        blob=None if blob is None else ByteStream.from_dict(blob),
        meta=meta,
        score=row.score if isinstance(row, SearchResult) else None,
        embedding=None if parts.get("embedded_by_service") else row.vector,
        sparse_embedding=None if sparse is None else SparseEmbedding.from_dict(sparse),
    )


class StrataDocumentStore:
    """Document store on one index. The service embeds documents without an embedding.

    Args:
        index_id: Id or alias of the index.
        name: Name of the index, in place of `index_id`. If there is none, it is created with the default model.
        base_url: Address of the service; STRATA_URL by default.
        api_key: Key of the service.
    """

    def __init__(
        self,
        index_id: str | None = None,
        *,
        name: str | None = None,
        base_url: str | None = None,
        api_key: Secret = Secret.from_env_var("STRATA_API_KEY"),
    ) -> None:
        if (index_id is None) == (name is None):
            raise ValueError("give either index_id or name")
        self._given_id = index_id
        self.name = name
        self.base_url = base_url
        self.api_key = api_key

    @cached_property
    def index_id(self) -> str:
        """Id or alias of the index. A name is looked up when it is first needed."""
        if self._given_id is not None:
            return self._given_id
        name = self.name or ""
        found = [index.id for index in self.client.list_indexes(q=name) if index.name == name]
        if len(found) > 1:
            raise ValueError(f"{len(found)} indexes have the name {name!r}: give the id of one")
        return found[0] if found else self.client.get_or_create_index(name=name, embedding_model="default").id

    @cached_property
    def client(self) -> StrataClient:
        """Client of the service."""
        return StrataClient(self.base_url, self.api_key.resolve_value())

    def to_dict(self) -> dict[str, Any]:
        """Serializes the store, with the name of the environment variable instead of the key."""
        return default_to_dict(
            self, index_id=self._given_id, name=self.name, base_url=self.base_url, api_key=self.api_key
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> StrataDocumentStore:
        """Returns a store that was serialized by `to_dict`."""
        return default_from_dict(cls, data)

    def count_documents(self) -> int:
        """Returns the number of documents."""
        return self.client.count_vectors(self.index_id).count

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Returns the documents that match, in order of id. Raises FilterError."""
        converted = json.dumps(convert_filter(filters)) if filters else None
        rows = self.client.list_vectors(self.index_id, filter=converted, include_vectors=True)
        return [_document(row) for row in rows]

    def write_documents(self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        """Writes documents and returns how many were written.

        Args:
            documents: Documents with an embedding or a content.
            policy: SKIP keeps documents that exist, OVERWRITE replaces them. FAIL and NONE raise
                DuplicateDocumentError before anything is written.
        """
        given = cast(object, documents)
        if not isinstance(given, list) or not all(isinstance(item, Document) for item in cast("list[object]", given)):
            raise ValueError("documents must be a list of Document objects")
        rows: dict[str, VectorUpsertItem] = {}
        for document in documents:
            known = document.id in rows
            if known and policy in (DuplicatePolicy.FAIL, DuplicatePolicy.NONE):
                raise DuplicateDocumentError(f"document {document.id} is given twice")
            if not known or policy == DuplicatePolicy.OVERWRITE:
                rows[document.id] = _row(document)
        if policy == DuplicatePolicy.OVERWRITE:
            for batch in batch_rows(rows.values()):
                self.client.upsert_vectors(self.index_id, batch)
            return len(documents)
        return self._write_new(rows, skip=policy == DuplicatePolicy.SKIP)

    def _write_new(self, rows: dict[str, VectorUpsertItem], *, skip: bool) -> int:
        existing = self._existing(list(rows))
        if existing and not skip:
            raise DuplicateDocumentError(f"document {min(existing)} exists")
        fresh = [row for id, row in rows.items() if id not in existing]
        return sum(self._write_batch(batch, skip=skip) for batch in batch_rows(fresh))

    def _write_batch(self, batch: list[VectorUpsertItem], *, skip: bool) -> int:
        while batch:
            for row in batch:
                row["if_version"] = None
            try:
                return self.client.upsert_vectors(self.index_id, batch).upserted
            except ConflictError as error:
                # Another writer was first.
                taken = {conflict.id for conflict in error.conflicts}
                if not taken:
                    raise
                if not skip:
                    raise DuplicateDocumentError(f"document {min(taken)} exists") from error
                batch = [row for row in batch if row["id"] not in taken]
        return 0

    def _existing(self, ids: Sequence[str]) -> set[str]:
        parts = (ids[at : at + FETCHED_IDS] for at in range(0, len(ids), FETCHED_IDS))
        return {
            row.id
            for part in parts
            for row in self.client.fetch_vectors(self.index_id, ids=part, include_vectors=False).vectors
        }

    def delete_documents(self, document_ids: list[str]) -> None:
        """Deletes documents. Ids that do not exist change nothing."""
        for at in range(0, len(document_ids), DELETED_IDS):
            self.client.delete_vectors(self.index_id, ids=document_ids[at : at + DELETED_IDS])

    def delete_all_documents(self) -> None:
        """Deletes every document of the index."""
        self.client.delete_vectors(self.index_id, all=True)

    def delete_by_filter(self, filters: dict[str, Any]) -> int:
        """Deletes the documents that match and returns how many did."""
        return self.client.delete_vectors(self.index_id, filter=_needed(filters)).deleted

    def update_by_filter(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """Merges metadata into the documents that match, at once, and returns how many did. None removes a key."""
        return self.client.update_vectors_by_filter(
            self.index_id, filter=_needed(filters), metadata=iso_dates(meta)
        ).updated

    def count_documents_by_filter(self, filters: dict[str, Any]) -> int:
        """Returns the number of documents that match."""
        return self.client.count_vectors(self.index_id, filter=_optional(filters)).count

    def count_unique_metadata_by_filter(self, filters: dict[str, Any], metadata_fields: list[str]) -> dict[str, int]:
        """Returns the number of distinct values of each field. Raises ValueError beyond 100,000 values."""
        return {metadata_key(field): self._distinct(metadata_key(field), filters) for field in metadata_fields}

    def _distinct(self, key: str, filters: dict[str, Any]) -> int:
        found = self.client.list_metadata_values(self.index_id, key=key, filter=_optional(filters), limit=1)
        if found.distinct is None:
            raise ValueError(f"{key!r} has more than 100,000 values")
        return found.distinct

    def get_metadata_fields_info(self) -> dict[str, dict[str, str]]:
        """Returns the type of each field that documents have, of the first 100 fields."""
        described = self.client.describe_metadata(self.index_id)
        return {field.key: {"type": " | ".join(field.types)} for field in described.keys}

    def get_metadata_field_min_max(self, metadata_field: str) -> dict[str, Any]:
        """Returns the lowest and highest number of a field, or text if it has no numbers; None if it has neither."""
        [field] = self.client.describe_metadata(self.index_id, keys=[metadata_key(metadata_field)]).keys
        range_ = field.numbers or field.texts
        return {"min": None, "max": None} if range_ is None else {"min": range_.min, "max": range_.max}

    def get_metadata_field_unique_values(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int | None]:
        """Returns distinct values in order, and their number: None if there are more than 100,000.

        Args:
            metadata_field: Field of the metadata.
            search_term: Only texts that contain this, in upper or lower case.
            from_: Number of values to leave out.
            size: Maximum number of values.
            filters: Only documents that match.
        """
        values: list[Any] = []
        total: int | None = 0
        cursor: str | None = None
        while True:
            page = self.client.list_metadata_values(
                self.index_id,
                key=metadata_key(metadata_field),
                filter=_optional(filters),
                contains=search_term or None,
                limit=max(1, min(1000, from_ + size - len(values))),
                cursor=cursor,
            )
            values += [item.value for item in page.values]
            total, cursor = page.distinct, page.next_cursor
            if cursor is None or len(values) >= from_ + size:
                return values[from_ : from_ + size], total

    def bm25_retrieval(self, query: str, filters: dict[str, Any] | None = None, top_k: int = 10) -> list[Document]:
        """Returns the best documents by the words of a query, with their scores."""
        found = self.client.sparse_search(
            self.index_id, text=query, top_k=top_k, filter=_optional(filters), include=RETURNED
        )
        return [_document(row) for row in found.results]

    def embedding_retrieval(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int = 10
    ) -> list[Document]:
        """Returns the documents whose embeddings are nearest, with their scores."""
        found = self.client.dense_search(
            self.index_id,
            vector=_vector(query_embedding),
            top_k=top_k,
            filter=_optional(filters),
            include=RETURNED,
        )
        return [_document(row) for row in found.results]

    def text_retrieval(self, query: str, filters: dict[str, Any] | None = None, top_k: int = 10) -> list[Document]:
        """Returns the best documents by the meaning of a query, which the service embeds, with their scores."""
        found = self.client.dense_search(
            self.index_id, text=query, top_k=top_k, filter=_optional(filters), include=RETURNED
        )
        return [_document(row) for row in found.results]

    def hybrid_retrieval(
        self,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        dense_weight: float | None = None,
        rerank: SearchRerank | None = None,
    ) -> list[Document]:
        """Returns the best documents by words and meaning, with their scores.

        Args:
            query: Text to search for.
            query_embedding: Embedding of the query. Without it the service embeds the query.
            filters: Only documents that match.
            top_k: Maximum number of documents.
            dense_weight: Weight of the meaning from 0 to 1; that of the service by default.
            rerank: Reranks the documents by a model of the service; `{}` has its defaults.
        """
        found = self.client.hybrid_search(
            self.index_id,
            text=query,
            vector=None if query_embedding is None else _vector(query_embedding),
            top_k=top_k,
            filter=_optional(filters),
            include=RETURNED,
            fusion=None if dense_weight is None else {"dense_weight": dense_weight},
            rerank=rerank,
        )
        return [_document(row) for row in found.results]

    count_documents_async = _in_thread(count_documents)
    filter_documents_async = _in_thread(filter_documents)
    write_documents_async = _in_thread(write_documents)
    delete_documents_async = _in_thread(delete_documents)
    delete_all_documents_async = _in_thread(delete_all_documents)
    delete_by_filter_async = _in_thread(delete_by_filter)
    update_by_filter_async = _in_thread(update_by_filter)
    count_documents_by_filter_async = _in_thread(count_documents_by_filter)
    count_unique_metadata_by_filter_async = _in_thread(count_unique_metadata_by_filter)
    get_metadata_fields_info_async = _in_thread(get_metadata_fields_info)
    get_metadata_field_min_max_async = _in_thread(get_metadata_field_min_max)
    get_metadata_field_unique_values_async = _in_thread(get_metadata_field_unique_values)
    bm25_retrieval_async = _in_thread(bm25_retrieval)
    embedding_retrieval_async = _in_thread(embedding_retrieval)
    text_retrieval_async = _in_thread(text_retrieval)
    hybrid_retrieval_async = _in_thread(hybrid_retrieval)


def _optional(filters: dict[str, Any] | None) -> dict[str, Any] | None:
    return convert_filter(filters) if filters else None


def _needed(filters: dict[str, Any]) -> dict[str, Any]:
    if not filters:
        raise FilterError("a filter is needed: delete_all_documents deletes every document")
    return convert_filter(filters)
