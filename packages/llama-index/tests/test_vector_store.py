"""Tests of the vector store against a running service, named by STRATA_URL and STRATA_API_KEY."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from llama_index.core import Document, MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    IndexNode,
    MediaResource,
    MetadataMode,
    Node,
    NodeRelationship,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQueryMode
from llama_index.readers.strata import StrataReader
from llama_index.vector_stores.strata import StrataVectorStore
from strata_client import StrataClient

DIMENSIONS = 8


class LetterEmbedding(BaseEmbedding):
    """Embeds a text as a random vector that its letters determine."""

    def _get_text_embedding(self, text: str) -> list[float]:
        generator = random.Random(text)
        return [generator.gauss(0, 1) for _ in range(DIMENSIONS)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def axis(at: int, tilt: float = 0.0) -> list[float]:
    vector = [0.0] * DIMENSIONS
    vector[at] = 1.0
    vector[-1] = tilt
    return vector


@pytest.fixture(scope="session")
def client() -> Iterator[StrataClient]:
    with StrataClient() as opened:
        yield opened


@pytest.fixture
def store(client: StrataClient) -> Iterator[StrataVectorStore]:
    index = client.create_index(name="llama-index", dimensions=DIMENSIONS)
    yield StrataVectorStore(index.id, client=client)
    client.delete_index(index.id)


def node(id: str, text: str, at: int, ref: str | None = None, **metadata: Any) -> TextNode:
    relationships = {} if ref is None else {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=ref)}
    return TextNode(id_=id, text=text, embedding=axis(at), metadata=metadata, relationships=relationships)


BOOKS = [
    node("dune", "A desert planet and its spice.", 0, "novels", year=1965, tags=["desert", "space"], lang="en"),
    node("solaris", "A living ocean in space.", 1, "novels", year=1961, tags=["space"], lang="pl", note=None),
    node("atlas", "Maps of every ocean.", 2, "maps", year=2020, tags=[], day="2020-05-01", note=""),
    node("blank", "Empty pages.", 3),
]


@pytest.fixture
def books(store: StrataVectorStore) -> StrataVectorStore:
    assert store.add(BOOKS) == [book.node_id for book in BOOKS]
    return store


def matching(store: StrataVectorStore, filters: MetadataFilters) -> set[str]:
    return {found.node_id for found in store.get_nodes(filters=filters)}


def only(key: str, operator: FilterOperator, value: Any = None) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key=key, operator=operator, value=value)])


def test_the_store_is_a_vector_store_that_stores_texts(store: StrataVectorStore) -> None:
    assert isinstance(store, BasePydanticVectorStore)
    assert store.stores_text and store.is_embedding_query
    assert "svc_live_" not in store.to_json()
    assert store.to_dict()["index_id"] == store.index_id


def test_nodes_of_all_kinds_return_as_they_were_written(store: StrataVectorStore) -> None:
    source = RelatedNodeInfo(node_id="book", metadata={"title": "Tea"}, hash="abc")
    nodes: list[BaseNode] = [
        TextNode(
            id_="a-text",
            text="Green tea",
            embedding=axis(0),
            metadata={"year": 2026, "empty": [], "none": None, "nested": {"a": [1, 2]}},
            excluded_embed_metadata_keys=["year"],
            relationships={NodeRelationship.SOURCE: source, NodeRelationship.NEXT: RelatedNodeInfo(node_id="n")},
            start_char_idx=3,
            end_char_idx=12,
            metadata_template="{key}={value}",
        ),
        ImageNode(id_="b-image", text="A kettle", image_url="https://example.com/kettle.png", embedding=axis(1)),
        IndexNode(id_="c-index", text="An index", index_id="other", embedding=axis(2)),
        Node(id_="d-node", text_resource=MediaResource(text="A resource"), embedding=axis(3)),
        Document(id_="e-document", text="A document", embedding=axis(4)),
    ]
    store.add(nodes)
    found = store.get_nodes([written.node_id for written in nodes])
    assert [type(read) for read in found[:4]] == [TextNode, ImageNode, IndexNode, Node]
    for read, written in zip(found, nodes):
        assert read.get_content(metadata_mode=MetadataMode.ALL) == written.get_content(metadata_mode=MetadataMode.ALL)
        assert (read.metadata, read.relationships) == (written.metadata, written.relationships)
        assert read.embedding == written.embedding
    assert found[0] == nodes[0]
    assert isinstance(found[1], ImageNode) and found[1].image_url == "https://example.com/kettle.png"
    assert isinstance(found[2], IndexNode) and found[2].index_id == "other"


def test_a_node_with_the_same_id_is_replaced(store: StrataVectorStore) -> None:
    store.add([node("1", "first", 0), node("1", "second", 1)])
    store.add([node("1", "third", 2)])
    [found] = store.get_nodes()
    assert (found.get_content(), found.embedding) == ("third", axis(2))
    assert store.add([]) == []


def test_a_node_without_an_embedding_is_refused(store: StrataVectorStore) -> None:
    with pytest.raises(ValueError, match="embedding"):
        store.add([TextNode(text="text")])
    assert store.get_nodes() == []


def test_many_nodes_are_written_read_and_deleted_in_batches(store: StrataVectorStore) -> None:
    ids = [f"{i:03}" for i in range(230)]
    store.add([node(id, f"text {id}", 0, "book", number=int(id)) for id in ids])
    assert [found.node_id for found in store.get_nodes(ids)] == ids
    first = only("number", FilterOperator.LT, 150)
    assert [found.node_id for found in store.get_nodes(ids, first)] == ids[:150]
    store.delete_nodes(ids[:120])
    assert [found.node_id for found in store.get_nodes()] == ids[120:]
    store.delete("book")
    assert store.get_nodes() == []


def test_deletions_by_document_by_id_and_by_filter(books: StrataVectorStore) -> None:
    books.delete("novels")
    assert {found.node_id for found in books.get_nodes()} == {"atlas", "blank"}
    books.delete("unknown")
    books.delete_nodes(["atlas", "unknown"], only("year", FilterOperator.LT, 2000))
    assert {found.node_id for found in books.get_nodes()} == {"atlas", "blank"}
    books.delete_nodes(filters=only("year", FilterOperator.GT, 2000))
    books.delete_nodes(["unknown"])
    assert {found.node_id for found in books.get_nodes()} == {"blank"}
    for arguments in ({}, {"filters": MetadataFilters(filters=[])}):
        with pytest.raises(ValueError, match="clear"):
            books.delete_nodes(**arguments)
    books.clear()
    assert books.get_nodes() == []
    books.clear()


def test_nodes_are_read_by_id_and_filter(books: StrataVectorStore) -> None:
    assert [found.node_id for found in books.get_nodes(["atlas", "unknown", "dune"])] == ["atlas", "dune"]
    english = only("lang", FilterOperator.EQ, "en")
    assert [found.node_id for found in books.get_nodes(["atlas", "dune"], english)] == ["dune"]
    assert books.get_nodes([]) == []
    assert len(books.get_nodes(filters=MetadataFilters(filters=[]))) == len(BOOKS)


@pytest.mark.parametrize(
    ("key", "operator", "value", "expected"),
    [
        ("lang", FilterOperator.EQ, "en", {"dune"}),
        ("year", FilterOperator.EQ, 1961, {"solaris"}),
        ("lang", FilterOperator.NE, "en", {"solaris", "atlas", "blank"}),
        ("year", FilterOperator.GT, 1965, {"atlas"}),
        ("year", FilterOperator.GTE, 1965, {"dune", "atlas"}),
        ("year", FilterOperator.LT, 1965, {"solaris"}),
        ("year", FilterOperator.LTE, 1965.0, {"dune", "solaris"}),
        ("day", FilterOperator.GTE, "2020-01-01", {"atlas"}),
        ("lang", FilterOperator.IN, ["en", "pl"], {"dune", "solaris"}),
        ("year", FilterOperator.IN, [1961, 2020], {"solaris", "atlas"}),
        ("lang", FilterOperator.NIN, ["en", "pl"], {"atlas", "blank"}),
        ("tags", FilterOperator.ANY, ["desert", "sea"], {"dune"}),
        ("tags", FilterOperator.ALL, ["space", "desert"], {"dune"}),
        ("tags", FilterOperator.CONTAINS, "space", {"dune", "solaris"}),
        ("tags", FilterOperator.IS_EMPTY, None, {"atlas", "blank"}),
        ("note", FilterOperator.IS_EMPTY, None, {"dune", "solaris", "atlas", "blank"}),
    ],
)
def test_each_operator_of_a_filter(
    shared_books: StrataVectorStore, key: str, operator: FilterOperator, value: Any, expected: set[str]
) -> None:
    filters = only(key, operator, value)
    assert matching(shared_books, filters) == expected
    query = VectorStoreQuery(query_embedding=axis(0), similarity_top_k=10, filters=filters)
    assert set(shared_books.query(query).ids or []) == expected


@pytest.fixture(scope="module")
def shared_books(client: StrataClient) -> Iterator[StrataVectorStore]:
    index = client.create_index(name="llama-index", dimensions=DIMENSIONS)
    opened = StrataVectorStore(index.id, client=client)
    opened.add(BOOKS)
    yield opened
    client.delete_index(index.id)


def test_filters_are_combined_and_nested(shared_books: StrataVectorStore) -> None:
    english = MetadataFilter(key="lang", value="en")
    polish = MetadataFilter(key="lang", value="pl")
    old = MetadataFilter(key="year", value=1965, operator=FilterOperator.LT)
    either = MetadataFilters(filters=[english, polish], condition=FilterCondition.OR)
    assert matching(shared_books, either) == {"dune", "solaris"}
    assert matching(shared_books, MetadataFilters(filters=[either, old])) == {"solaris"}
    neither = MetadataFilters(filters=[english, polish], condition=FilterCondition.NOT)
    assert matching(shared_books, neither) == {"atlas", "blank"}
    nested = MetadataFilters(filters=[neither, MetadataFilters(filters=[english])], condition=FilterCondition.OR)
    assert matching(shared_books, nested) == {"dune", "atlas", "blank"}


def test_filters_that_cannot_be_applied_are_refused(shared_books: StrataVectorStore) -> None:
    for operator, value in (
        (FilterOperator.TEXT_MATCH, "en"),
        (FilterOperator.TEXT_MATCH_INSENSITIVE, "en"),
        (FilterOperator.IN, "en"),
        (FilterOperator.EQ, ["en"]),
    ):
        with pytest.raises(ValueError, match=operator.value):
            shared_books.get_nodes(filters=only("lang", operator, value))


def query_ids(store: StrataVectorStore, **query: Any) -> list[str]:
    return store.query(VectorStoreQuery(**query)).ids or []


def test_queries_of_each_mode(shared_books: StrataVectorStore) -> None:
    found = shared_books.query(VectorStoreQuery(query_embedding=axis(1), similarity_top_k=2))
    assert found.ids is not None and found.nodes is not None and found.similarities is not None
    assert found.ids[0] == "solaris" and found.similarities == pytest.approx([1.0, 0.0])
    assert found.nodes[0].metadata == BOOKS[1].metadata and found.nodes[0].ref_doc_id == "novels"
    for mode in (VectorStoreQueryMode.SPARSE, VectorStoreQueryMode.TEXT_SEARCH):
        words = {"query_str": "spice", "mode": mode, "similarity_top_k": 3}
        assert query_ids(shared_books, **words) == ["dune"]
    both = {"query_str": "ocean maps", "query_embedding": axis(0), "mode": VectorStoreQueryMode.HYBRID}
    assert query_ids(shared_books, **both, alpha=0.0) == ["atlas"]
    assert query_ids(shared_books, **both, alpha=1.0) == ["dune"]
    assert len(query_ids(shared_books, **both, hybrid_top_k=3)) == 3


def test_queries_name_nodes_and_documents(shared_books: StrataVectorStore) -> None:
    nearest = {"query_embedding": axis(0), "similarity_top_k": 4}
    assert query_ids(shared_books, **nearest, node_ids=["atlas", "blank"]) == ["atlas", "blank"]
    assert set(query_ids(shared_books, **nearest, doc_ids=["novels"])) == {"dune", "solaris"}
    old = only("year", FilterOperator.LT, 1965)
    assert query_ids(shared_books, **nearest, doc_ids=["novels"], filters=old) == ["solaris"]
    assert len(query_ids(shared_books, **nearest, node_ids=[], doc_ids=[])) == 4
    with pytest.raises(ValueError, match="1000 ids"):
        query_ids(shared_books, **nearest, node_ids=[str(i) for i in range(1001)])


def test_a_diverse_query_leaves_out_near_duplicates(store: StrataVectorStore) -> None:
    near = [TextNode(id_=f"near-{i}", text="near", embedding=axis(0, tilt=0.01 * i)) for i in range(3)]
    store.add([*near, TextNode(id_="far", text="far", embedding=[0.7, 0.7] + [0.0] * (DIMENSIONS - 2))])
    query = VectorStoreQuery(query_embedding=axis(0), similarity_top_k=2, mode=VectorStoreQueryMode.MMR)
    assert store.query(query, mmr_threshold=0.4).ids == ["near-0", "far"]
    assert store.query(query, mmr_threshold=1.0).ids == ["near-0", "near-1"]
    query.mmr_threshold = 0.4
    assert store.query(query, mmr_prefetch_k=3).ids == ["near-0", "near-2"]


def test_incomplete_and_unsupported_queries_are_refused(shared_books: StrataVectorStore) -> None:
    for query, message in (
        ({"query_str": "tea"}, "query_embedding"),
        ({"query_embedding": axis(0), "mode": VectorStoreQueryMode.SPARSE}, "query_str"),
        ({"query_str": "tea", "mode": VectorStoreQueryMode.MMR}, "query_embedding"),
        ({"query_embedding": axis(0), "mode": VectorStoreQueryMode.SVM}, "svm"),
    ):
        with pytest.raises(ValueError, match=message):
            shared_books.query(VectorStoreQuery(**query))


async def test_every_method_has_an_asynchronous_form(store: StrataVectorStore) -> None:
    assert await store.async_add(BOOKS) == [book.node_id for book in BOOKS]
    found = await store.aquery(VectorStoreQuery(query_embedding=axis(0), similarity_top_k=1))
    assert found.ids == ["dune"]
    await store.adelete("novels")
    await store.adelete_nodes(["blank"])
    assert [left.node_id for left in await store.aget_nodes()] == ["atlas"]
    await store.aclear()
    assert await store.aget_nodes(["atlas"]) == []


async def test_an_index_inserts_retrieves_updates_and_deletes_documents(store: StrataVectorStore) -> None:
    documents = [Document(id_=name, text=f"About {name}.", metadata={"name": name}) for name in ("tea", "rail")]
    index = VectorStoreIndex.from_documents(
        documents, storage_context=StorageContext.from_defaults(vector_store=store), embed_model=LetterEmbedding()
    )
    index.insert(Document(id_="ships", text="About ships."))
    index.update_ref_doc(Document(id_="rail", text="All about rails."))
    opened = VectorStoreIndex.from_vector_store(store, embed_model=LetterEmbedding())
    for mode in ("default", "sparse", "hybrid", "mmr"):
        retriever = opened.as_retriever(similarity_top_k=1, vector_store_query_mode=mode)
        [found] = retriever.retrieve("All about rails.")
        assert found.node.ref_doc_id == "rail"
        assert [again.node.node_id for again in await retriever.aretrieve("All about rails.")] == [found.node.node_id]
    opened.delete_ref_doc("tea")
    assert {found.ref_doc_id for found in store.get_nodes()} == {"rail", "ships"}
    filtered = opened.as_retriever(filters=only("name", FilterOperator.EQ, "tea"))
    assert filtered.retrieve("tea") == []


def test_an_ingestion_pipeline_writes_nodes(store: StrataVectorStore) -> None:
    pipeline = IngestionPipeline(transformations=[SentenceSplitter(), LetterEmbedding()], vector_store=store)
    pipeline.run(documents=[Document(id_="tea", text="Green tea is brewed at eighty degrees.")])
    assert [found.ref_doc_id for found in store.get_nodes()] == ["tea"]


def test_the_service_embeds_texts_and_queries(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index").id
    store = StrataVectorStore(index_id, client=client, is_embedding_query=False)
    index = VectorStoreIndex.from_documents(
        [Document(text="Green tea is brewed at eighty degrees."), Document(text="Trains run on rails.")],
        storage_context=StorageContext.from_defaults(vector_store=store),
        embed_model=MockEmbedding(embed_dim=1),
    )
    for mode in ("default", "hybrid", "sparse"):
        [found] = index.as_retriever(similarity_top_k=1, vector_store_query_mode=mode).retrieve("water for green tea")
        assert found.node.get_content() == "Green tea is brewed at eighty degrees."
    assert np.shape(store.get_nodes()[0].embedding) == (client.get_index(index_id).dimensions,)
    client.delete_index(index_id)


def test_a_document_that_is_refreshed_by_another_process_has_one_version(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index", dimensions=384).id
    stories = [f"The mill of story {at} opens at six. " * 60 for at in range(3)]

    def refresh(documents: list[Document]) -> list[str]:
        # Each call is like a new process: its document store is empty.
        store = StrataVectorStore(index_id, client=client, is_embedding_query=False)
        index = VectorStoreIndex.from_vector_store(
            store, embed_model=MockEmbedding(embed_dim=1), transformations=[SentenceSplitter(chunk_size=200, chunk_overlap=0)]
        )
        index.refresh_ref_docs(documents)
        return sorted(node.get_content() for node in store.get_nodes())

    documents = [Document(text=text, id_=str(at)) for at, text in enumerate(stories)]
    first = refresh(documents)
    assert len(first) > 6
    assert refresh(documents) == first
    changed = refresh([Document(text="The mill opens at seven.", id_="0")])
    assert [text for text in changed if "story 0" in text] == []
    assert "The mill opens at seven." in changed
    assert [text for text in changed if "story" in text] == [text for text in first if "story 0" not in text]
    client.delete_index(index_id)


def test_unknown_arguments_of_the_store_are_refused() -> None:
    with pytest.raises(TypeError, match="api_key"):
        StrataVectorStore("idx", api_key="svc_live_a")  # pyright: ignore[reportCallIssue]


def test_a_diverse_query_needs_no_embedding_if_the_service_embeds(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index", dimensions=384).id
    store = StrataVectorStore(index_id, client=client, is_embedding_query=False)
    texts = ["Green tea is mild.", "Green tea is mild!", "Black tea is strong."]
    store.add([TextNode(id_=str(at), text=text) for at, text in enumerate(texts)])
    query = VectorStoreQuery(
        query_str="green tea", similarity_top_k=2, mode=VectorStoreQueryMode.MMR, mmr_threshold=0.3
    )
    assert {id[0] for id in store.query(query).ids or []} & {"2"} == {"2"}
    client.delete_index(index_id)


def test_pieces_of_uploaded_files_are_nodes(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index").id
    job = client.upload_file(index_id, b"Black tea takes boiling water.", filename="tea.txt")
    assert client.wait_for_file(index_id, job.id).status == "completed"
    store = StrataVectorStore(index_id, client=client, is_embedding_query=False)
    found = store.query(VectorStoreQuery(query_str="boiling"))
    assert found.nodes is not None
    assert found.nodes[0].get_content() == "Black tea takes boiling water."
    assert found.nodes[0].metadata["file_name"] == "tea.txt"
    client.delete_index(index_id)


async def test_the_reader_returns_the_whole_text_of_each_file(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index").id
    text = "# Tea\n\n" + "Black tea takes boiling water. " * 200
    for name, metadata in (("black tea.md", {"team": "tea"}), ("rails.txt", {})):
        assert client.upload_and_wait(index_id, text.encode(), filename=name, metadata=metadata).status == "completed"
    reader = StrataReader(index_id, client=client)
    [document] = reader.load_data("tea")
    assert document.text.count("boiling") == 200
    assert document.metadata == {"team": "tea", "file_name": "black tea.md"}
    assert {document.metadata["file_name"] for document in await reader.aload_data()} == {"black tea.md", "rails.txt"}
    client.delete_index(index_id)


def test_a_query_returns_the_text_around_its_results_once(client: StrataClient) -> None:
    index_id = client.create_index(name="llama-index").id
    chapters = [
        f"# {title}\n\n" + " ".join(f"The {title} rule {at} is kept." for at in range(120))
        for title in ("Harbour", "Fog")
    ]
    job = client.upload_file(index_id, "\n\n".join(chapters).encode(), filename="rules.md")
    assert client.wait_for_file(index_id, job.id).status == "completed"
    store = StrataVectorStore(index_id, client=client, is_embedding_query=False)
    query = VectorStoreQuery(query_str="fog", similarity_top_k=3, mode=VectorStoreQueryMode.SPARSE)
    assert len(store.query(query).nodes or []) == 3
    heading = store.query(query, context={"unit": "heading"})
    assert heading.nodes is not None and heading.similarities is not None
    assert (len(heading.nodes), len(heading.similarities)) == (1, 1)
    text = heading.nodes[0].get_content()
    assert text.count("is kept.") == 120 and "Harbour" not in text
    whole = store.query(query, context={"unit": "file"}).nodes or []
    assert [node.get_content().count("is kept.") for node in whole] == [240]
    client.delete_index(index_id)
