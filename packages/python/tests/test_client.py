"""The client against a running service, named by STRATA_URL and STRATA_API_KEY."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from strata_client import (
    OFF,
    AsyncStrataClient,
    FolderProgress,
    StrataClient,
    batch_rows,
    create_user_token,
    errors,
    to_dataframe,
    to_dataframe_async,
    to_numpy,
    verify_receipt,
)
from strata_client.models import IndexResponse


@pytest.fixture
def strata() -> Iterator[StrataClient]:
    with StrataClient() as client:
        yield client


@pytest.fixture
def index(strata: StrataClient) -> Iterator[IndexResponse]:
    created = strata.create_index(name="python", dimensions=4)
    yield created
    strata.delete_index(created.id)


def test_text_is_found_by_meaning_by_words_and_by_both(strata: StrataClient, index: IndexResponse) -> None:
    text = "Green tea is brewed at eighty degrees."
    strata.upsert_vectors(index.id, [{"id": "tea", "text": text, "metadata": {"topic": "tea"}}])
    found = [
        strata.dense_search(index.id, text="tea", filter={"topic": "tea"}),
        strata.sparse_search(index.id, text="eighty degrees"),
        strata.hybrid_search(index.id, text="tea"),
    ]
    assert [response.results[0].text for response in found] == [text] * 3


def test_a_default_of_an_index_is_switched_off_and_pages_follow_a_cursor(strata: StrataClient, index: IndexResponse) -> None:
    strata.upsert_vectors(index.id, [{"id": str(i), "text": f"tea {i}", "metadata": {"topic": "tea"}} for i in range(3)])
    strata.update_index(index.id, search_defaults={"group": {"by": "topic"}})
    assert len(strata.sparse_search(index.id, text="tea").results) == 1
    first = strata.sparse_search(index.id, text="tea", group=OFF, depth=10, top_k=2)
    second = strata.sparse_search(index.id, text="tea", group=OFF, depth=10, top_k=2, cursor=first.next_cursor)
    assert [len(first.results), len(second.results), second.next_cursor] == [2, 1, None]


def test_numpy_vectors_return_unchanged_over_all_pages(strata: StrataClient, index: IndexResponse) -> None:
    vectors = np.random.default_rng(7).normal(size=(25, 4)).astype(np.float32)
    strata.upsert_vectors(index.id, [{"id": f"{i:02}", "vector": vector} for i, vector in enumerate(vectors)])
    listed = strata.list_vectors(index.id, limit=10, include_vectors=True)
    assert [len(page) for page in listed.pages()] == [10, 10, 5]
    np.testing.assert_array_equal(to_numpy(listed), vectors)
    assert strata.dense_search(index.id, vector=vectors[3], top_k=1).results[0].id == "03"


def test_arrays_in_metadata_and_filters_are_lists(strata: StrataClient, index: IndexResponse) -> None:
    sizes = {"sizes": np.array([3, 4]), "nested": [{"x": np.array([0.5], np.float32)}], "count": np.int64(7), "one": np.array(1)}
    row = {"id": "a", "vector": np.ones(4), "metadata": {**sizes, "vector": np.array([1, 2])}}
    strata.upsert_vectors(index.id, [row])  # pyright: ignore[reportArgumentType]
    stored = strata.fetch_vectors(index.id, ids=["a"]).vectors[0].metadata
    assert stored == {"sizes": [3, 4], "nested": [{"x": [0.5]}], "count": 7, "one": 1, "vector": [1, 2]}
    assert strata.count_vectors(index.id, filter={"sizes": {"$in": np.array([4, 5])}}).count == 1
    strata.update_vectors(index.id, [{"id": "a", "metadata": {"sizes": np.array([9])}}])
    assert strata.fetch_vectors(index.id, ids=["a"]).vectors[0].metadata["sizes"] == [9]


def test_rows_are_split_into_batches_by_number_and_size() -> None:
    batches = batch_rows({"id": str(i), "text": "a" * (60_000 if i < 4 else 1)} for i in range(204))
    assert [len(batch) for batch in batches] == [3, 100, 100, 1]


def test_an_uploaded_file_reports_progress_and_is_found(
    strata: StrataClient, index: IndexResponse, tmp_path: Path
) -> None:
    path = tmp_path / "tea.txt"
    path.write_text("Black tea takes boiling water. " * 20_000)
    size = path.stat().st_size
    progress: list[tuple[int, int]] = []
    job = strata.upload_file(index.id, path, on_progress=lambda sent, total: progress.append((sent, total)))
    assert len(progress) > 1 and progress[-1] == (size, size)
    states: list[str] = []
    assert strata.wait_for_file(index.id, job.id, on_job=lambda job: states.append(job.status)).status == "completed"
    assert states[-1] == "completed"
    result = strata.sparse_search(index.id, text="boiling").results[0]
    assert result.file is not None and result.file.filename == "tea.txt"


def test_an_opened_file_has_the_name_of_its_path(strata: StrataClient, index: IndexResponse, tmp_path: Path) -> None:
    path = tmp_path / "green.txt"
    path.write_text("Green tea.")
    with path.open("rb") as file:
        assert strata.get_file(index.id, strata.upload_file(index.id, file).id).filename == "green.txt"
    with pytest.raises(ValueError, match="filename is missing"):
        strata.upload_file(index.id, b"Green tea.")


def _write_folder(folder: Path) -> None:
    (folder / "deep").mkdir()
    for name, text in {"a.txt": "Green tea.", "deep/b.txt": "Black tea.", "c.md": "# Tea", ".hidden.txt": "No tea."}.items():
        (folder / name).write_text(text)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "link.txt").symlink_to(folder / "a.txt")


def test_a_folder_is_uploaded_with_progress_and_a_repetition_sends_what_has_changed(
    strata: StrataClient, index: IndexResponse, tmp_path: Path
) -> None:
    _write_folder(tmp_path)
    seen: list[FolderProgress] = []
    files = strata.upload_folder(index.id, tmp_path, metadata={"team": "tea"}, on_progress=seen.append)
    assert [file.filename for file in files] == ["a.txt", "broken.pdf", "c.md", "deep/b.txt"]
    assert [file.failed for file in files] == [False, True, False, False] and files[1].error
    assert [progress.done for progress in seen] == [1, 2, 3, 4] and (seen[-1].total, seen[-1].failed) == (4, 1)
    assert strata.count_vectors(index.id, filter={"team": "tea"}).count == 3
    (tmp_path / "c.md").write_text("# White tea")
    again = strata.upload_folder(index.id, tmp_path, pattern="*.[tm]*")
    assert [file.job and file.job.id for file in again if file.filename != "c.md"] == [
        file.job and file.job.id for file in files if file.filename.endswith(".txt")
    ]
    assert sorted(row.text or "" for row in strata.list_vectors(index.id)) == ["Black tea.", "Green tea.", "White tea"]


def test_a_folder_stops_at_an_error_that_concerns_all_files(index: IndexResponse, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Green tea.")
    with StrataClient(token="svc_live_wrong") as stranger, pytest.raises(errors.AuthenticationError):
        stranger.upload_folder(index.id, tmp_path)
    with StrataClient() as strata, pytest.raises(NotADirectoryError):
        strata.upload_folder(index.id, tmp_path / "a.txt")


def test_rows_results_and_files_are_data_frames(strata: StrataClient, index: IndexResponse) -> None:
    rows = [{"id": str(i), "text": f"tea {i}", "metadata": {"topic": "tea", "year": 2020 + i}} for i in range(3)]
    strata.upsert_vectors(index.id, rows)  # pyright: ignore[reportArgumentType]
    frame = to_dataframe(strata.list_vectors(index.id))
    assert frame["metadata.year"].tolist() == [2020, 2021, 2022]
    found = to_dataframe(strata.sparse_search(index.id, text="tea 2").results)
    assert found["id"].tolist()[0] == "2" and "score" in found.columns
    assert len(to_dataframe(strata.list_files(index.id))) == 0


def test_a_page_of_a_file_is_a_picture(strata: StrataClient, index: IndexResponse) -> None:
    objects = "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
    objects += "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj trailer<</Root 1 0 R>>"
    job = strata.upload_file(index.id, f"%PDF-1.4\n{objects}\n%%EOF".encode(), filename="blank.pdf")
    assert strata.wait_for_file(index.id, job.id).status.startswith("completed")
    picture = strata.get_file_page(index.id, job.id, "1.png", width=150)
    assert picture[:4] == b"\x89PNG" and picture[16:24] == bytes((0, 0, 0, 150, 0, 0, 0, 100))
    with pytest.raises(errors.NotFoundError, match="The file has 1 page"):
        strata.get_file_page(index.id, job.id, "2.png")


def test_the_asynchronous_client_uploads_waits_and_pages(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text("White tea is mild.")

    async def run() -> None:
        async with AsyncStrataClient() as client:
            index = await client.create_index(name="async", dimensions=4)
            job = await client.upload_and_wait(index.id, b"White tea is mild.", filename="tea.txt")
            assert job.status == "completed"
            files = await client.upload_folder(index.id, tmp_path)
            assert [file.job and file.job.id for file in files] == [job.id]
            assert (await to_dataframe_async(client.list_files(index.id)))["filename"].tolist() == ["tea.txt"]
            assert [row.text async for row in client.list_vectors(index.id)] == ["White tea is mild."]
            await client.delete_index(index.id)

    asyncio.run(run())


def test_refusals_are_typed_errors_with_all_problems(strata: StrataClient) -> None:
    with pytest.raises(errors.InvalidRequestError) as invalid:
        strata.create_index(name="", dimensions=0)
    assert invalid.value.code == "validation_failed" and len(invalid.value.problems) == 2
    with pytest.raises(errors.NotFoundError) as missing:
        strata.get_index("idx_00000000000000000000000000")
    assert missing.value.code == "not_found" and missing.value.request_id is not None
    with StrataClient(token="svc_live_wrong") as stranger, pytest.raises(errors.AuthenticationError):
        next(iter(stranger.list_indexes()))


def test_a_key_works_with_white_space_around_it_and_stands_in_no_error() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(f"{request.url.path} {request.headers['authorization']}")
        return httpx.Response(200, json=[])

    http = httpx.Client(transport=httpx.MockTransport(answer))
    for client in (
        StrataClient("http://test/v1/", "svc_live_a\r\n", http=http),
        StrataClient("http://test/", api_key=" svc_live_a", http=http),
    ):
        assert list(client.list_indexes()) == []
    assert seen == ["/v1/indexes Bearer svc_live_a"] * 2
    for broken in ("svc_live_a\nsvc_live_b", "svc_live_\u2026"):
        with pytest.raises(ValueError, match="character") as refused:
            StrataClient("http://test", broken)
        assert "svc_live" not in str(refused.value)


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_statuses_of_a_busy_proxy_are_retried(status: int) -> None:
    statuses = iter([status, 200])
    answers = httpx.MockTransport(lambda _: httpx.Response(next(statuses), headers={"retry-after": "0"}, json=[]))
    with StrataClient("http://test", "key", http=httpx.Client(transport=answers)) as client:
        assert list(client.list_indexes()) == []


def test_whole_numbers_that_would_be_rounded_are_refused_before_they_are_sent() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"upserted": 1, "version": "rcp_1", "count": 1})

    large = 2**53
    with StrataClient("http://test", "key", http=httpx.Client(transport=httpx.MockTransport(answer))) as client:
        with pytest.raises(ValueError, match=rf"body\[0\]\.metadata\.n\[1\]\.m: .* pass -{large} as a string"):
            client.upsert_vectors("idx_1", [{"id": "a", "text": "b", "metadata": {"n": [1, {"m": -large}]}}])
        with pytest.raises(ValueError, match="filter"):
            client.count_vectors("idx_1", filter={"n": {"$in": [np.int64(large)]}})
        assert sent == []
        client.upsert_vectors("idx_1", [{"id": "a", "vector": [10**20], "metadata": {"n": large - 1, "f": 1e20, "s": str(large)}}])
    assert len(sent) == 1


def test_a_retry_after_an_unavailable_service_has_the_same_idempotency_key() -> None:
    keys: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        if len(keys) < 3:
            return httpx.Response(503, headers={"retry-after": "0"})
        return httpx.Response(200, json={"upserted": 1, "version": "rcp_1"})

    with StrataClient("http://test", "key", http=httpx.Client(transport=httpx.MockTransport(answer))) as client:
        assert client.upsert_vectors("idx_1", [{"id": "a", "text": "b"}]).upserted == 1
    assert len(keys) == 3 and len(set(keys)) == 1


def test_a_long_retry_after_raises_at_once() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(429, headers={"retry-after": "61"}))
    with StrataClient("http://test", "key", http=httpx.Client(transport=transport)) as client:
        with pytest.raises(errors.RateLimitedError) as limited:
            client.get_index("idx_1")
    assert limited.value.retry_after == "61"


def test_a_deletion_that_an_earlier_attempt_did_succeeds() -> None:
    statuses = iter([503, 404])
    transport = httpx.MockTransport(lambda _: httpx.Response(next(statuses), headers={"retry-after": "0"}))
    with StrataClient("http://test", "key", http=httpx.Client(transport=transport)) as client:
        assert client.delete_index("idx_1") is None


def test_enum_values_and_fields_of_a_newer_service_are_kept() -> None:
    body = {"upserted": "many", "version": "rcp_1", "novelty": 1}
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=json.dumps(body)))
    with StrataClient("http://test", "key", http=httpx.Client(transport=transport)) as client:
        response = client.upsert_vectors("idx_1", [{"id": "a", "text": "b"}])
    assert (response.upserted, response.model_extra) == ("many", {"novelty": 1})


def test_a_token_of_an_end_user_searches_the_rows_of_its_filter(strata: StrataClient, index: IndexResponse) -> None:
    rows = [{"id": user, "vector": [1, 1, 1, 1], "metadata": {"user": user}} for user in ("ann", "ben")]
    strata.upsert_vectors(index.id, rows)  # pyright: ignore[reportArgumentType]
    key = strata.create_api_key(name="users", permissions=["read"])
    token = create_user_token(key=key.token, key_id=key.id, index_ids=[index.id], filter={"user": "ben"})
    with StrataClient(api_key=token) as user:
        assert [row.id for row in user.dense_search(index.id, vector=[1, 1, 1, 1]).results] == ["ben"]
        with pytest.raises(errors.ApiError):
            user.count_vectors(index.id)
    with pytest.raises(ValueError, match="at most"):
        create_user_token(key=key.token, key_id=key.id, index_ids=[index.id], filter=None, expires_in_seconds=86_401)
    strata.revoke_api_key(key.id)


class _Receipt:
    def __init__(self, text: str, signature: str) -> None:
        self.text = text
        self.signature = signature


def test_receipts_are_verified_without_a_request() -> None:
    key = Ed25519PrivateKey.generate()
    public_key = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    text = '{"erasure_id": "era_1", "note": "ä"}'
    signature = base64.b64encode(key.sign(text.encode())).decode()
    assert verify_receipt(_Receipt(text, signature), public_key)
    assert not verify_receipt(_Receipt(text + " ", signature), public_key)
