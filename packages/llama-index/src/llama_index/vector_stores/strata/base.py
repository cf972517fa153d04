"""Vector store on one index."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import (
    metadata_dict_to_node,  # pyright: ignore[reportUnknownVariableType]
    node_to_metadata_dict,
)
from strata_client import StrataClient, batch_rows, select_diverse
from strata_client.models import SearchResponse, SearchResult, VectorRecord
from strata_client.params import SearchField, VectorUpsertItem

from .filters import convert_filters

NODE_KEY = "$node"
"""Metadata key of the parts of a node besides text, metadata and embedding. No filter can name it."""

NODE_ID, REF_DOC_ID = "node_id", "ref_doc_id"
"""Metadata keys by which filters find nodes."""

FETCHED_IDS = 40
"""Ids of one request. Their texts and metadata fit a response at any size."""

LISTED_IDS = 100
"""Ids of one deletion, or of one filter in the address of a request."""

MAX_FILTER_VALUES = 1000

RETURNED: list[SearchField] = ["text", "metadata"]
CITED: list[SearchField] = [*RETURNED, "citation"]

STAGES = ("rerank", "boost", "group", "min_score", "context")
"""Keyword arguments of a query that are stages of a search."""

MMR_PREFETCH = 4
"""Candidates per result of a diverse search."""

MMR_THRESHOLD = 0.5
"""Weight of nearness in a diverse search; that of diversity is the rest."""


def _parts(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _vector(embedding: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.asarray(embedding, dtype=np.float32)


def _row(node: BaseNode, *, embedded: bool) -> VectorUpsertItem:
    stored = node_to_metadata_dict(node, remove_text=True)
    content: dict[str, Any] = json.loads(stored["_node_content"])
    own: dict[str, Any] = content.pop("metadata")
    # Filters cannot compare empty lists, so they are stored as null.
    empty = [key for key, value in own.items() if value == []]
    metadata = {key: None if value == [] else value for key, value in own.items()}
    metadata[NODE_ID] = node.node_id
    if node.ref_doc_id is not None:
        metadata[REF_DOC_ID] = node.ref_doc_id
    metadata[NODE_KEY] = {
        "type": stored["_node_type"],
        "content": {name: value for name, value in content.items() if value is not None},
        "empty": empty,
    }
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    row: VectorUpsertItem = {"id": node.node_id, "text": text or None, "metadata": metadata}
    if embedded:
        row["vector"] = _vector(node.get_embedding())
    return row


def _node(row: VectorRecord | SearchResult) -> BaseNode:
    metadata = dict(row.metadata or {})
    text = row.text or ""
    stored = metadata.pop(NODE_KEY, None)
    if stored is None:
        if row.file is not None and row.file.filename is not None:
            metadata.setdefault("file_name", row.file.filename)
        if row.file is not None and row.file.page_start is not None:
            metadata.setdefault("page_label", str(row.file.page_start))
        citation = row.citation if isinstance(row, SearchResult) else None
        if citation is not None and citation.regions:
            metadata.setdefault("regions", [region.model_dump() for region in citation.regions])
        return TextNode(id_=row.id, text=text, metadata=metadata)
    metadata.pop(NODE_ID, None)
    metadata.pop(REF_DOC_ID, None)
    metadata |= {key: [] for key in stored["empty"]}
    content = {**stored["content"], "metadata": metadata}
    node = metadata_dict_to_node({"_node_content": json.dumps(content), "_node_type": stored["type"]}, text)
    node.embedding = row.vector
    return node


def _passage(node: BaseNode) -> tuple[str | None, int | None, str]:
    """Returns what is equal for the same passage of a document under another node id."""
    return node.ref_doc_id, getattr(node, "start_char_idx", None), node.get_content(metadata_mode=MetadataMode.NONE)


def _is_outdated(node: BaseNode, version: str | None) -> bool:
    """Whether a node is of another version of its document. Nodes that name no version are kept."""
    stored = node.source_node.hash if node.source_node is not None else None
    return stored is not None and version is not None and stored != version


def _with_contexts(found: SearchResponse) -> Iterable[SearchResult]:
    """Returns results with the text around them. Of those that share a text, the best is returned."""
    seen: set[int] = set()
    for row in found.results:
        if row.context is None or found.contexts is None:
            yield row
        elif row.context not in seen:
            seen.add(row.context)
            yield row.model_copy(update={"text": found.contexts[row.context].text})


def _result(found: Iterable[SearchResult]) -> VectorStoreQueryResult:
    rows = list(found)
    return VectorStoreQueryResult(
        nodes=[_node(row) for row in rows],
        similarities=[row.score for row in rows],
        ids=[row.id for row in rows],
    )


def _all_of(parts: list[dict[str, Any]]) -> dict[str, Any] | None:
    needed = [part for part in parts if part]
    return {"$and": needed} if len(needed) > 1 else (needed[0] if needed else None)


def _query_filter(query: VectorStoreQuery) -> dict[str, Any] | None:
    parts: list[dict[str, Any]] = [convert_filters(query.filters)] if query.filters else []
    for key, ids in ((NODE_ID, query.node_ids), (REF_DOC_ID, query.doc_ids)):
        if ids:
            if len(ids) > MAX_FILTER_VALUES:
                raise ValueError(f"a query can name {MAX_FILTER_VALUES} ids, not {len(ids)}")
            parts.append({key: {"$in": ids}})
    return _all_of(parts)


class StrataVectorStore(BasePydanticVectorStore):
    """Vector store on one index. Asynchronous methods run the synchronous ones in threads.

    Args:
        index_id: Id of the index.
        client: Client of the service; by default one for STRATA_URL and STRATA_API_KEY.
        is_embedding_query: False if the service embeds texts and queries by the model of the index. Embeddings
            of nodes are then not stored.
    """

    stores_text: bool = True
    index_id: str

    _client: StrataClient = PrivateAttr()

    def __init__(
        self,
        index_id: str,
        *,
        client: StrataClient | None = None,
        is_embedding_query: bool = True,
        stores_text: Literal[True] = True,
    ) -> None:
        super().__init__(index_id=index_id, is_embedding_query=is_embedding_query)  # type: ignore[call-arg]
        self._client = client or StrataClient()

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in serialized components."""
        return "StrataVectorStore"

    @property
    def client(self) -> StrataClient:
        """Client of the service."""
        return self._client

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Writes nodes and returns their ids. A node with the same id is replaced.

        So are nodes of an earlier version of their document, and the same passage of it under another id. LlamaIndex
        makes new ids whenever it reads a document, and knows the earlier ones only from its document store.
        """
        rows = {node.node_id: _row(node, embedded=self.is_embedding_query) for node in nodes}
        replaced = self._replaced_by(nodes)
        for batch in batch_rows(rows.values()):
            self._client.upsert_vectors(self.index_id, batch)
        for ids in _parts(replaced, LISTED_IDS):
            self._client.delete_vectors(self.index_id, ids=ids)
        return [node.node_id for node in nodes]

    def _replaced_by(self, nodes: Sequence[BaseNode]) -> list[str]:
        """Returns the ids of stored nodes that these make outdated or repeat."""
        written = {node.node_id for node in nodes}
        versions = {node.ref_doc_id: node.source_node.hash for node in nodes if node.ref_doc_id and node.source_node}
        passages = {_passage(node) for node in nodes}
        documents = list(versions)
        known = [
            part
            for part in _parts(documents, MAX_FILTER_VALUES)
            # Most often the documents are new, which one request finds out.
            if self._client.count_vectors(self.index_id, filter={REF_DOC_ID: {"$in": part}}).count > 0
        ]
        stored = (
            _node(row)
            for part in known
            for ids in _parts(part, LISTED_IDS)
            for row in self._listed({REF_DOC_ID: {"$in": ids}}, include_vectors=False)
        )
        return [
            node.node_id
            for node in stored
            if node.node_id not in written
            and (_passage(node) in passages or _is_outdated(node, versions[node.ref_doc_id or ""]))
        ]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Deletes the nodes of a document."""
        self._client.delete_vectors(self.index_id, filter={REF_DOC_ID: ref_doc_id})

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Deletes the nodes that have one of the ids and match the filters."""
        if node_ids is None and filters is None:
            raise ValueError("give node_ids or filters: clear deletes every node")
        filter = convert_filters(filters) if filters is not None else {}
        if node_ids is None:
            if not filter:
                raise ValueError("the filters are empty: clear deletes every node")
            self._client.delete_vectors(self.index_id, filter=filter)
        for ids in _parts(node_ids or [], LISTED_IDS):
            if filter:
                self._client.delete_vectors(self.index_id, filter={"$and": [filter, {NODE_ID: {"$in": ids}}]})
            else:
                self._client.delete_vectors(self.index_id, ids=ids)

    def clear(self) -> None:
        """Deletes every row of the index."""
        self._client.delete_vectors(self.index_id, all=True)

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Returns the nodes that have one of the ids and match the filters. Without both, returns every node."""
        filter = convert_filters(filters) if filters is not None else {}
        if node_ids is None:
            return [_node(row) for row in self._listed(filter)]
        if filter:
            return [
                _node(row)
                for ids in _parts(node_ids, LISTED_IDS)
                for row in self._listed({"$and": [filter, {NODE_ID: {"$in": ids}}]})
            ]
        return [
            _node(row)
            for ids in _parts(node_ids, FETCHED_IDS)
            for row in self._client.fetch_vectors(self.index_id, ids=ids, include_vectors=True).vectors
        ]

    def _listed(self, filter: dict[str, Any], *, include_vectors: bool = True) -> Iterable[VectorRecord]:
        return self._client.list_vectors(
            self.index_id, filter=json.dumps(filter) if filter else None, include_vectors=include_vectors
        )

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Returns the best nodes, with the scores of the service. A higher score is better.

        The modes are DEFAULT, SPARSE, TEXT_SEARCH (as SPARSE), HYBRID (with `alpha`) and MMR. MMR takes
        `mmr_threshold`, from 0, most diverse, to 1, nearest, and `mmr_prefetch_k`, the number of candidates.
        The keyword arguments `rerank`, `boost`, `group`, `min_score` and `context` are those of the service. With
        `context`, nodes have the text around them, and results whose texts meet are one node.
        """
        filter = _query_filter(query)
        stages = {name: kwargs[name] for name in STAGES if name in kwargs}
        if query.mode == VectorStoreQueryMode.DEFAULT:
            vector = self._embedding(query)
            text = query.query_str if vector is None else None
            found = self._client.dense_search(
                self.index_id,
                text=text,
                vector=vector,
                top_k=query.similarity_top_k,
                filter=filter,
                include=CITED,
                **stages,
            )
        elif query.mode in (VectorStoreQueryMode.SPARSE, VectorStoreQueryMode.TEXT_SEARCH):
            found = self._client.sparse_search(
                self.index_id,
                text=_text(query),
                top_k=query.sparse_top_k or query.similarity_top_k,
                filter=filter,
                include=CITED,
                **stages,
            )
        elif query.mode == VectorStoreQueryMode.HYBRID:
            found = self._client.hybrid_search(
                self.index_id,
                text=_text(query),
                vector=self._embedding(query),
                top_k=query.hybrid_top_k or query.similarity_top_k,
                filter=filter,
                include=CITED,
                **stages,
                fusion=None if query.alpha is None else {"dense_weight": query.alpha},
            )
        elif query.mode == VectorStoreQueryMode.MMR:
            return self._diverse(query, filter, kwargs)
        else:
            raise ValueError(f"the query mode {query.mode.value} is not supported")
        return _result(_with_contexts(found))

    def _embedding(self, query: VectorStoreQuery) -> np.ndarray[Any, np.dtype[np.float32]] | None:
        if not self.is_embedding_query:
            return None
        if query.query_embedding is None:
            raise ValueError("query_embedding is missing")
        return _vector(query.query_embedding)

    def _diverse(
        self, query: VectorStoreQuery, filter: dict[str, Any] | None, options: dict[str, Any]
    ) -> VectorStoreQueryResult:
        threshold = query.mmr_threshold if query.mmr_threshold is not None else options.get("mmr_threshold")
        vector = self._embedding(query)
        candidates = self._client.dense_search(
            self.index_id,
            text=_text(query) if vector is None else None,
            vector=vector,
            top_k=options.get("mmr_prefetch_k", MMR_PREFETCH * query.similarity_top_k),
            filter=filter,
            include=[*RETURNED, "vector"],
        ).results
        metric = self._client.get_index(self.index_id).distance_metric
        lambda_mult = MMR_THRESHOLD if threshold is None else threshold
        return _result(select_diverse(metric, candidates, query.similarity_top_k, lambda_mult))

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Writes nodes, as `add`."""
        return await asyncio.to_thread(self.add, nodes, **kwargs)

    async def adelete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Deletes the nodes of a document."""
        await asyncio.to_thread(self.delete, ref_doc_id, **delete_kwargs)

    async def adelete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Deletes nodes, as `delete_nodes`."""
        await asyncio.to_thread(self.delete_nodes, node_ids, filters, **delete_kwargs)

    async def aclear(self) -> None:
        """Deletes every row of the index."""
        await asyncio.to_thread(self.clear)

    async def aget_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Returns nodes, as `get_nodes`."""
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Returns the best nodes, as `query`."""
        return await asyncio.to_thread(self.query, query, **kwargs)


def _text(query: VectorStoreQuery) -> str:
    if query.query_str is None:
        raise ValueError(f"query_str is missing: the mode {query.mode.value} searches for its words")
    return query.query_str
