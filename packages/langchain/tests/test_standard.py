"""Standard tests of LangChain against a running service, named by STRATA_URL and STRATA_API_KEY."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.structured_query import Comparator, Comparison, Operation, Operator, StructuredQuery
from langchain_core.vectorstores import VectorStore
from langchain_core.vectorstores.utils import maximal_marginal_relevance
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests
from langchain_tests.integration_tests.indexer import AsyncDocumentIndexTestSuite, DocumentIndexerTestSuite
from langchain_tests.integration_tests.vectorstores import EMBEDDING_SIZE
from strata_client import StrataClient

from langchain_strata import StrataDocumentIndex, StrataRetriever, StrataTranslator, StrataVectorStore


@pytest.fixture(scope="session")
def client() -> Iterator[StrataClient]:
    with StrataClient() as opened:
        yield opened


@pytest.fixture
def store(client: StrataClient) -> Iterator[StrataVectorStore]:
    index = client.create_index(name="langchain", dimensions=EMBEDDING_SIZE)
    yield StrataVectorStore(index.id, VectorStoreIntegrationTests.get_embeddings(), client=client)
    client.delete_index(index.id)


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, store: StrataVectorStore) -> Generator[VectorStore, None, None]:
        yield store


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _documents(self, store: StrataVectorStore) -> None:
        store.add_texts([f"{color} tea" for color in ("green", "black", "white", "yellow")])
        self._store = store

    @property
    def retriever_constructor(self) -> type[StrataRetriever]:
        return StrataRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"store": self._store}

    @property
    def retriever_query_example(self) -> str:
        return "tea"


class TestDocumentIndex(DocumentIndexerTestSuite):
    @pytest.fixture
    def index(self, store: StrataVectorStore) -> Generator[StrataDocumentIndex, None, None]:
        yield StrataDocumentIndex(store=store)


class TestAsyncDocumentIndex(AsyncDocumentIndexTestSuite):
    @pytest.fixture
    async def index(self, store: StrataVectorStore) -> Any:
        return StrataDocumentIndex(store=store)


def test_a_filter_selects_documents_by_metadata(store: StrataVectorStore) -> None:
    store.add_texts(["one", "two", "three"], [{"n": 1}, {"n": 2}, {"n": 3}], ids=["1", "2", "3"])
    found = store.similarity_search("one", filter={"n": {"$gte": 2}})
    assert {document.id for document in found} == {"2", "3"}
    store.delete(filter={"n": 2})
    assert [document.id for document in store.get_by_ids(["1", "2", "3"])] == ["1", "3"]
    store.delete()
    assert store.similarity_search("one") == []


def test_marginal_relevance_selects_as_the_reference_of_langchain(store: StrataVectorStore) -> None:
    texts = [f"text {i}" for i in range(12)]
    store.add_texts(texts, ids=texts)
    embedding = store.embeddings
    assert embedding is not None
    for weight in (0.0, 0.5, 1.0):
        nearest = [document.page_content for document in store.similarity_search("text", k=10)]
        chosen = maximal_marginal_relevance(
            np.asarray(embedding.embed_query("text")), embedding.embed_documents(nearest), weight, k=5
        )
        found = store.max_marginal_relevance_search("text", k=5, fetch_k=10, lambda_mult=weight)
        assert [document.id for document in found] == [nearest[at] for at in chosen]




def test_the_service_embeds_and_all_modes_find_a_text(client: StrataClient) -> None:
    store = StrataVectorStore.from_documents(
        [Document("Green tea is brewed at eighty degrees."), Document("Trains run on rails.")],
        None,  # pyright: ignore[reportArgumentType]
        client=client,
    )
    for mode in ("dense", "sparse", "hybrid"):
        found = store.as_retriever(search_kwargs={"k": 1, "mode": mode}).invoke("brewed tea")
        assert [document.page_content for document in found] == ["Green tea is brewed at eighty degrees."]
    [(_, relevance)] = store.similarity_search_with_relevance_scores("brewed tea", k=1)
    assert 0.5 < relevance <= 1
    client.delete_index(store.index_id)


def test_relevance_of_euclidean_indexes_decreases_from_one(client: StrataClient) -> None:
    index = client.create_index(name="euclidean", dimensions=EMBEDDING_SIZE, distance_metric="euclidean")
    store = StrataVectorStore(index.id, VectorStoreIntegrationTests.get_embeddings(), client=client)
    store.add_texts(["same", "other"])
    [(first, best), (_, worse)] = store.similarity_search_with_relevance_scores("same", k=2)
    assert first.page_content == "same" and best == pytest.approx(1.0, abs=1e-3) and 0 < worse < best
    assert len(store.max_marginal_relevance_search("same", k=2)) == 2
    client.delete_index(index.id)


async def test_relevance_is_refused_for_every_mode_but_dense(client: StrataClient) -> None:
    index = client.create_index(name="modes", dimensions=384)
    store = StrataVectorStore(index.id, client=client)
    store.add_texts(["Green tea is brewed at eighty degrees."])
    for mode in ("sparse", "hybrid"):
        with pytest.raises(ValueError, match="mode dense"):
            store.similarity_search_with_relevance_scores("tea", mode=mode)
        with pytest.raises(ValueError, match="mode dense"):
            await store.asimilarity_search_with_relevance_scores("tea", mode=mode)
        words = StrataVectorStore(index.id, client=client, mode=mode)
        with pytest.raises(ValueError, match="mode dense"):
            words.similarity_search_with_relevance_scores("tea")
        [(_, relevance)] = words.similarity_search_with_relevance_scores("tea", mode="dense")
        assert 0.5 < relevance <= 1
    client.delete_index(index.id)


def test_documents_of_files_name_their_pages(client: StrataClient) -> None:
    index = client.create_index(name="pages", dimensions=384)
    slide = b"Tea takes time."
    job = client.upload_file(index.id, slide, filename="tea.txt")
    assert client.wait_for_file(index.id, job.id).status == "completed"
    [document] = StrataVectorStore(index.id, client=client).similarity_search("tea", k=1)
    result = client.dense_search(index.id, text="tea", top_k=1).results[0]
    assert result.file is not None
    pages = {name: document.metadata.get(name) for name in ("source", "page_start", "page_end")}
    assert pages == {"source": "tea.txt", "page_start": result.file.page_start, "page_end": result.file.page_end}
    client.delete_index(index.id)


def test_a_retriever_returns_the_text_around_results_with_their_places(client: StrataClient) -> None:
    index = client.create_index(name="contexts", dimensions=384)
    chapters = "\n\n".join(f"# {name}\n\n" + f"The {name} rule is kept. " * 80 for name in ("Harbour", "Fog"))
    job = client.upload_file(index.id, chapters.encode(), filename="rules.md")
    assert client.wait_for_file(index.id, job.id).status == "completed"
    store = StrataVectorStore(index.id, client=client)
    retriever = StrataRetriever(store=store, k=2, mode="sparse", context={"unit": "heading"})
    [document] = retriever.invoke("fog")
    assert document.page_content.count("The Fog rule") == 80 and "Harbour" not in document.page_content
    citation = document.metadata["citation"]
    text = client.get_file_text(index.id, job.id, format="text").text
    assert text is not None and "The Fog rule" in text[citation["start"] : citation["end"]]
    client.delete_index(index.id)


async def test_asynchronous_methods_send_no_request_of_the_synchronous_client(store: StrataVectorStore) -> None:
    loop_client = store.async_client
    with StrataClient("http://127.0.0.1:1", "key", retries=0) as unreachable:
        alone = StrataVectorStore(store.index_id, store.embeddings, client=unreachable, async_client=loop_client)
        assert await alone.aadd_texts(["green", "black"], [{"n": 1}, {"n": 2}], ids=["1", "2"]) == ["1", "2"]
        assert [document.id for document in await alone.asimilarity_search("green", filter={"n": 2})] == ["2"]
        assert [score for _, score in await alone.asimilarity_search_with_relevance_scores("green", k=1)]
        assert len(await alone.amax_marginal_relevance_search("green", k=2)) == 2
        assert len(await StrataRetriever(store=alone, mode="sparse").ainvoke("green")) == 1
        index = StrataDocumentIndex(store=alone)
        assert [document.id for document in await index.aget(["2"])] == ["2"]
        assert await index.adelete(["2"]) == {"num_deleted": 1, "num_failed": 0}
        assert await alone.adelete() and await alone.aget_by_ids(["1"]) == []
    other = await StrataVectorStore.afrom_texts(["green"], store.embeddings, index_id=store.index_id, async_client=loop_client)
    assert len(await other.asimilarity_search("green")) == 1


def test_filters_of_self_queries_are_translated(store: StrataVectorStore) -> None:
    years = [{"year": 2020 + n, "tags": ["tea", f"n{n}"]} for n in range(4)]
    store.add_texts(["green"] * 4, years, ids=["0", "1", "2", "3"])

    def compare(comparator: Comparator, attribute: str, value: object) -> Comparison:
        return Comparison(comparator=comparator, attribute=attribute, value=value)

    recent = compare(Comparator.GTE, "year", 2021)
    not_n2 = Operation(operator=Operator.NOT, arguments=[compare(Comparator.CONTAIN, "tags", "n2")])
    some = compare(Comparator.IN, "year", [2020, 2023])
    for filter, ids in (
        (Operation(operator=Operator.AND, arguments=[recent, not_n2]), {"1", "3"}),
        (Operation(operator=Operator.OR, arguments=[some, compare(Comparator.EQ, "tags", "n1")]), {"0", "1", "3"}),
        (None, {"0", "1", "2", "3"}),
    ):
        query, options = StrataTranslator().visit_structured_query(StructuredQuery(query="green", filter=filter))
        assert {document.id for document in store.similarity_search(query, **options)} == ids
    with pytest.raises(ValueError, match="disallowed"):
        compare(Comparator.LIKE, "year", "2%").accept(StrataTranslator())


def test_many_and_repeated_ids_are_written_in_batches(store: StrataVectorStore) -> None:
    ids = [str(i) for i in range(230)]
    store.add_texts([f"text {id}" for id in ids] + ["last"], ids=[*ids, "0"])
    assert [document.page_content for document in store.get_by_ids(ids)][:2] == ["last", "text 1"]
    assert store.delete_ids(ids) == 230
