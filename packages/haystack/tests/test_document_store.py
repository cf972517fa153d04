"""Standard tests of Haystack against a running service, named by STRATA_URL and STRATA_API_KEY."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy, FilterPolicy
from haystack.errors import FilterError
from haystack.testing import document_store_async as async_suites
from haystack.testing.document_store import (
    CountDocumentsByFilterTest,
    CountUniqueMetadataByFilterTest,
    DocumentStoreBaseExtendedTests,
    GetMetadataFieldMinMaxTest,
    GetMetadataFieldsInfoTest,
    GetMetadataFieldUniqueValuesTest,
)
from haystack_integrations.components.retrievers.strata import (
    StrataBM25Retriever,
    StrataEmbeddingRetriever,
    StrataHybridRetriever,
    StrataTextRetriever,
)
from haystack_integrations.document_stores.strata import StrataDocumentStore
from strata_client import StrataClient


@pytest.fixture(scope="session")
def client() -> Iterator[StrataClient]:
    with StrataClient() as opened:
        yield opened


@pytest.fixture
def store(client: StrataClient) -> Iterator[StrataDocumentStore]:
    index = client.create_index(name="haystack", dimensions=768)
    yield StrataDocumentStore(index.id)
    client.delete_index(index.id)


class _Comparison:
    @staticmethod
    def assert_documents_are_equal(received: list[Document], expected: list[Document]) -> None:
        """Documents return in order of id, with embeddings of 32-bit floats."""

        def stored(document: Document) -> dict[str, object]:
            embedding = document.embedding
            rounded = None if embedding is None else np.asarray(embedding, dtype=np.float32).tolist()
            return {**document.to_dict(flatten=False), "embedding": rounded}

        ordered = sorted(expected, key=lambda document: document.id)
        assert [stored(document) for document in received] == [stored(document) for document in ordered]


DISTINCT_TYPES = [Document(content=str(i), meta={"n": n}) for i, n in enumerate([1, "1", 1.0, True, 1])]


def assert_types_of_json(found: list[object], total: int | None) -> None:
    """JSON has one type of numbers, so 1 and 1.0 are one value."""
    assert [(type(value), value) for value in found] == [(bool, True), (int, 1), (str, "1")]
    assert total == 3


class TestDocumentStore(
    _Comparison,
    DocumentStoreBaseExtendedTests,
    CountDocumentsByFilterTest,
    CountUniqueMetadataByFilterTest,
    GetMetadataFieldsInfoTest,
    GetMetadataFieldMinMaxTest,
    GetMetadataFieldUniqueValuesTest,
):
    @pytest.fixture
    def document_store(self, store: StrataDocumentStore) -> StrataDocumentStore:
        return store

    def test_write_documents(self, document_store: StrataDocumentStore) -> None:
        document = Document(content="text")
        assert document_store.write_documents([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([Document(content="another"), document])
        self.assert_documents_are_equal(document_store.filter_documents(), [document])

    @staticmethod
    def test_get_metadata_field_unique_values_distinct_types(document_store: StrataDocumentStore) -> None:
        document_store.write_documents(DISTINCT_TYPES)
        assert_types_of_json(*document_store.get_metadata_field_unique_values("n"))


class TestAsyncDocumentStore(
    _Comparison,
    async_suites.CountDocumentsAsyncTest,
    async_suites.CountDocumentsByFilterAsyncTest,
    async_suites.CountUniqueMetadataByFilterAsyncTest,
    async_suites.DeleteAllAsyncTest,
    async_suites.DeleteByFilterAsyncTest,
    async_suites.DeleteDocumentsAsyncTest,
    async_suites.FilterDocumentsAsyncTest,
    async_suites.GetMetadataFieldMinMaxAsyncTest,
    async_suites.GetMetadataFieldsInfoAsyncTest,
    async_suites.GetMetadataFieldUniqueValuesAsyncTest,
    async_suites.UpdateByFilterAsyncTest,
    async_suites.WriteDocumentsAsyncTest,
):
    @pytest.fixture
    def document_store(self, store: StrataDocumentStore) -> StrataDocumentStore:
        return store

    async def test_write_documents_async(self, document_store: StrataDocumentStore) -> None:
        document = Document(content="text")
        assert await document_store.write_documents_async([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            await document_store.write_documents_async([document])
        self.assert_documents_are_equal(await document_store.filter_documents_async(), [document])

    @staticmethod
    async def test_get_metadata_field_unique_values_distinct_types_async(document_store: StrataDocumentStore) -> None:
        await document_store.write_documents_async(DISTINCT_TYPES)
        assert_types_of_json(*await document_store.get_metadata_field_unique_values_async("n"))


def test_repeated_documents_follow_the_policy(store: StrataDocumentStore) -> None:
    first, second = Document(id="1", content="first"), Document(id="1", content="second")
    with pytest.raises(DuplicateDocumentError):
        store.write_documents([first, second])
    assert store.write_documents([first, second], DuplicatePolicy.SKIP) == 1
    assert store.filter_documents()[0].content == "first"
    assert store.write_documents([first, second], DuplicatePolicy.OVERWRITE) == 2
    assert store.filter_documents()[0].content == "second"


def test_a_blob_returns_with_its_document(store: StrataDocumentStore) -> None:
    blob = ByteStream(b"bytes", meta={"page": 1}, mime_type="text/plain")
    document = Document(id="1", content="text", blob=blob, meta={"year": 2026})
    store.write_documents([document])
    assert store.filter_documents() == [document]
    assert list(store.get_metadata_fields_info()) == ["year"]


def test_dates_with_offsets_compare_by_time(store: StrataDocumentStore) -> None:
    east = timezone(timedelta(hours=9))
    times = {"early": datetime(2026, 2, 1, 8, tzinfo=east), "late": datetime(2026, 2, 1, 1, tzinfo=timezone.utc)}
    store.write_documents([Document(id=id, content=id, meta={"at": at}) for id, at in times.items()])
    after = {"field": "meta.at", "operator": ">", "value": datetime(2026, 2, 1, 9, tzinfo=east)}
    assert [(document.id, document.meta["at"]) for document in store.filter_documents(after)] == [
        ("late", "2026-02-01T01:00:00+00:00")
    ]


def test_times_compare_as_instants_whatever_their_spelling(store: StrataDocumentStore) -> None:
    spellings: list[Any] = [
        "2026-02-01T00:00:00Z",
        "2026-02-01T00:00:00.000+00:00",
        "2026-01-31T22:30:00-01:30",
        "2026-02-01",
        "2026-02-01T00:00",
        "2026-02-01T00:00:00.000",
        datetime(2026, 2, 1),
        date(2026, 2, 1),
        datetime(2026, 2, 1, 9, tzinfo=timezone(timedelta(hours=9))),
    ]
    others = ["2026-01-31T23:59:59.999999Z", "2026-02-01T00:30:00+01:00", "2026-01-31", "2026-01-31T23:59:59.9"]
    later = ["2026-02-01T00:00:00.000001Z", "2026-01-31T23:00:00-02:00", "2026-02-01T00:00:00.1", "2026-02-02"]
    groups = {"same": spellings, "earlier": others, "later": later}
    store.write_documents([
        Document(content=f"{group} {n}", meta={"at": at, "group": group})
        for group, times in groups.items()
        for n, at in enumerate(times)
    ])
    bounds = [datetime(2026, 2, 1), datetime(2026, 2, 1, tzinfo=timezone.utc), "2026-02-01", "2026-02-01T01:00:00+01:00"]
    wanted = {">": ["later"], ">=": ["later", "same"], "<": ["earlier"], "<=": ["earlier", "same"]}
    for bound in bounds:
        for operator, found in wanted.items():
            filters = {"field": "meta.at", "operator": operator, "value": bound}
            documents = store.filter_documents(filters)
            assert len(documents) == sum(len(groups[group]) for group in found), (operator, bound)
            assert {document.meta["group"] for document in documents} == set(found), (operator, bound)


def test_documents_and_filters_that_cannot_be_stored_or_applied_are_refused(store: StrataDocumentStore) -> None:
    with pytest.raises(ValueError, match="neither content nor embedding"):
        store.write_documents([Document(meta={"year": 2026})])
    for filters in (
        {"field": "content", "operator": "==", "value": "text"},
        {"field": "meta.tags", "operator": "==", "value": ["a"]},
        {"field": "meta.year", "operator": "~", "value": 1},
    ):
        with pytest.raises(FilterError):
            store.filter_documents(filters)
    with pytest.raises(FilterError, match="delete_all_documents"):
        store.delete_by_filter({})


TEA = {"field": "meta.topic", "operator": "==", "value": "tea"}
RAIL = {"field": "meta.topic", "operator": "==", "value": "rail"}


@pytest.fixture
def filled(store: StrataDocumentStore) -> StrataDocumentStore:
    tea = Document(id="tea", content="Green tea is brewed at eighty degrees.", meta={"topic": "tea"})
    rail = Document(id="rail", content="Trains run on rails.", meta={"topic": "rail"}, embedding=EMBEDDING)
    store.write_documents([tea, rail])
    return store


EMBEDDING = [1.0] + [0.0] * 767


def test_retrievers_of_a_restored_pipeline_find_documents(filled: StrataDocumentStore) -> None:
    pipeline = Pipeline()
    pipeline.add_component("words", StrataBM25Retriever(filled, top_k=1))
    pipeline.add_component("nearest", StrataEmbeddingRetriever(filled, top_k=1))
    pipeline.add_component("both", StrataHybridRetriever(filled, filters=RAIL, dense_weight=0.3))
    restored = Pipeline.loads(pipeline.dumps())
    assert restored.dumps() == pipeline.dumps()
    query = {"query": "brewed tea"}
    found = restored.run({"words": query, "nearest": {"query_embedding": EMBEDDING}, "both": query})
    ids = {name: [document.id for document in output["documents"]] for name, output in found.items()}
    assert ids == {"words": ["tea"], "nearest": ["rail"], "both": ["rail"]}
    assert found["nearest"]["documents"][0].score == pytest.approx(1.0)


async def test_retrievers_run_asynchronously(filled: StrataDocumentStore) -> None:
    words = await StrataBM25Retriever(filled).run_async("tea")
    nearest = await StrataEmbeddingRetriever(filled).run_async(EMBEDDING, top_k=1)
    both = await StrataHybridRetriever(filled, dense_weight=1).run_async("How hot is the water?", top_k=1)
    ids = [[document.id for document in found["documents"]] for found in (words, nearest, both)]
    assert ids == [["tea"], ["rail"], ["tea"]]


def test_filters_of_a_run_replace_or_narrow_those_of_the_retriever(filled: StrataDocumentStore) -> None:
    replacing = StrataBM25Retriever(filled, filters=RAIL)
    merging = StrataBM25Retriever(filled, filters=RAIL, filter_policy=FilterPolicy.MERGE)
    assert len(replacing.run("tea", filters=TEA)["documents"]) == 1
    assert merging.run("tea", filters={"field": "meta.year", "operator": "==", "value": 1})["documents"] == []


async def test_a_pipeline_from_yaml_finds_its_index_by_name_or_alias(client: StrataClient) -> None:
    name = "pipeline with a name of its own"
    for index in client.list_indexes(q=name):
        client.delete_index(index.id)
    store = StrataDocumentStore(name=name)
    store.write_documents([Document(content="Green tea is brewed at eighty degrees."), Document(content="Trains run on rails.")])
    pipeline = Pipeline()
    pipeline.add_component("retriever", StrataTextRetriever(store, top_k=1))
    saved = pipeline.dumps()
    assert name in saved and "idx_" not in saved
    found = Pipeline.loads(saved).run({"retriever": {"query": "How hot is the water for tea?"}})
    assert [document.content for document in found["retriever"]["documents"]] == ["Green tea is brewed at eighty degrees."]
    assert len((await StrataTextRetriever(store).run_async("tea"))["documents"]) == 2
    client.put_alias("haystack-alias", index_id=store.index_id)
    assert StrataDocumentStore("haystack-alias").count_documents() == 2
    client.delete_alias("haystack-alias")
    client.create_index(name=name, embedding_model="default")
    with pytest.raises(ValueError, match="2 indexes have the name"):
        StrataDocumentStore(name=name).count_documents()
    for index in client.list_indexes(q=name):
        client.delete_index(index.id)
    with pytest.raises(ValueError, match="either"):
        StrataDocumentStore("idx", name=name)
