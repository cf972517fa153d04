"""The official Python client of OpenAI against a service, by `npm run test:python`."""

import os

import pytest
from openai import BadRequestError, NotFoundError, OpenAI

client = OpenAI(
    base_url=f"{os.environ['STRATA_URL']}/v1/openai",
    api_key=os.environ["STRATA_API_KEY"],
)


def test_stores_searches_and_deletes_files() -> None:
    store = client.vector_stores.create(name="openai-python", metadata={"shelf": "top"})
    tea = client.vector_stores.files.upload_and_poll(
        vector_store_id=store.id,
        file=("tee für zwei.md", b"Green tea is brewed at 80 degrees.", "text/markdown"),
        attributes={"kind": "tea", "year": 2024},
        poll_interval_ms=200,
    )
    assert tea.status == "completed"
    coffee = client.files.create(file=("coffee.md", b"Coffee is brewed at 93 degrees.", "text/markdown"), purpose="assistants")
    batch = client.vector_stores.file_batches.create_and_poll(
        vector_store_id=store.id,
        file_ids=[coffee.id],
        attributes={"kind": "coffee", "year": 2025},
        poll_interval_ms=200,
    )
    assert batch.file_counts.completed == 1

    found = client.vector_stores.search(
        store.id,
        query="how hot is the water",
        filters={
            "type": "and",
            "filters": [
                {"type": "in", "key": "kind", "value": ["tea", "coffee"]},
                {"type": "lt", "key": "year", "value": 2025},
            ],
        },
    )
    assert [(hit.file_id, hit.filename, hit.attributes) for hit in found] == [
        (tea.id, "tee für zwei.md", {"kind": "tea", "year": 2024})
    ]
    assert found.data[0].content[0].text == "Green tea is brewed at 80 degrees."

    upload = client.uploads.upload_file_chunked(
        file=b"x" * 1000, filename="parts.txt", bytes=1000, mime_type="text/plain", purpose="assistants", part_size=400
    )
    assert upload.file is not None
    assert client.files.content(upload.file.id).read() == b"x" * 1000

    with pytest.raises(BadRequestError) as unsupported:
        client.vector_stores.create(expires_after={"anchor": "last_active_at", "days": 1})
    assert unsupported.value.param == "expires_after"
    assert len([model.id for model in client.models.list()]) > 0

    for file_id in (tea.id, coffee.id, upload.file.id):
        assert client.files.delete(file_id).deleted
    assert [file.id for file in client.vector_stores.files.list(store.id)] == []
    assert client.vector_stores.delete(store.id).deleted
    with pytest.raises(NotFoundError):
        client.vector_stores.retrieve(store.id)
