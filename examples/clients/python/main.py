"""Uploads a file, waits until it can be found, searches it in three ways and deletes it."""

import os
import time
from typing import TypeVar

import httpx

from strata_client import AuthenticatedClient
from strata_client.api.files import create_file, delete_file, get_file
from strata_client.api.indexes import create_index, delete_index
from strata_client.api.search import dense_search, hybrid_search, sparse_search
from strata_client.models import (
    DenseSearch,
    FileJobResponse,
    FileJobStatus,
    FileUploadCreate,
    FileUploadResponse,
    HybridSearch,
    IndexCreate,
    IndexResponse,
    SearchResponse,
    SparseSearch,
)

TEXT = "Green tea is brewed at eighty degrees. Black tea takes boiling water."
QUERY = "how hot is the water for tea"
RUNNING = {FileJobStatus.AWAITING_UPLOAD, FileJobStatus.QUEUED, FileJobStatus.PROCESSING}

Model = TypeVar("Model")


def expect(model: type[Model], response: object) -> Model:
    """Returns a response of a model; raises RuntimeError for a refusal."""
    if not isinstance(response, model):
        raise RuntimeError(f"not a {model.__name__}: {response}")
    return response


def show(kind: str, response: object) -> None:
    first = expect(SearchResponse, response).results[0]
    filename = None if first.file is None else first.file.filename
    print(f"{kind}: {first.text} ({first.score:.4f}, {filename})")


def main() -> None:
    client = AuthenticatedClient(base_url=os.environ["STRATA_URL"], token=os.environ["STRATA_API_KEY"])
    index = expect(IndexResponse, create_index.sync(client=client, body=IndexCreate(name="python"))).id
    file = FileUploadCreate(filename="tea.txt", content_type="text/plain")
    job = expect(FileUploadResponse, create_file.sync(index, client=client, body=file))
    httpx.put(job.upload_url, content=TEXT, headers=job.upload_headers.additional_properties).raise_for_status()

    status = FileJobStatus.QUEUED
    while status in RUNNING:
        time.sleep(0.2)
        status = expect(FileJobResponse, get_file.sync(index, job.id, client=client)).status
    if status is not FileJobStatus.COMPLETED:
        raise RuntimeError(f"the job is {status}")

    show("dense", dense_search.sync(index, client=client, body=DenseSearch(text=QUERY, top_k=3)))
    show("sparse", sparse_search.sync(index, client=client, body=SparseSearch(text=QUERY, top_k=3)))
    show("hybrid", hybrid_search.sync(index, client=client, body=HybridSearch(text=QUERY, top_k=3)))

    delete_file.sync_detailed(index, job.id, client=client)
    delete_index.sync_detailed(index, client=client)
    print("deleted")


main()
