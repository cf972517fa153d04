"""The clients: all operations, uploads and waiting."""

from __future__ import annotations

import asyncio
import hashlib
import io
import mimetypes
import os
import time
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

import httpx
from typing_extensions import Self

from ._base import send, send_async
from ._folder import Folder, FolderCallback, FolderFile, newest_by_name
from ._operations import AsyncOperations, Operations
from .errors import WaitTimeoutError
from .models import FileJobResponse, FileUploadResponse, IndexResponse
from .params import IndexCreateDistanceMetric, IndexCreateTextLanguage, OnDuplicate

Content: TypeAlias = "str | os.PathLike[str] | bytes | BinaryIO"
"""Path of a file, its bytes, or a seekable binary file."""

Progress: TypeAlias = "Callable[[int, int], object]"
"""Called with the bytes sent so far and in total."""

PART = 256 * 1024
FIRST_POLL = 0.1
MAX_POLL = 2.0
EXISTS = 200
"""Status of the response with an existing job. A created one has 201."""
UNDER_WAY = frozenset({"awaiting_upload", "queued", "processing"})


@contextmanager
def _opened(content: Content) -> Generator[BinaryIO, None, None]:
    if isinstance(content, bytes):
        yield io.BytesIO(content)
    elif isinstance(content, (str, os.PathLike)):
        with Path(content).open("rb") as file:
            yield file
    else:
        yield content


def _name_of(content: Content) -> str:
    path: object = content if isinstance(content, (str, os.PathLike)) else getattr(content, "name", None)
    # The name of a file that was opened by its descriptor is a number.
    if not isinstance(path, (str, os.PathLike)):
        raise ValueError("filename is missing: pass it with bytes, or with a file that has no name")
    return Path(cast("str | os.PathLike[str]", path)).name


def _describe(
    file: BinaryIO,
    content: Content,
    filename: str | None,
    content_type: str | None,
    metadata: Mapping[str, Any] | None,
    on_duplicate: OnDuplicate | None,
) -> dict[str, Any]:
    """Returns the body of the file job, with the size and the checksum of the file."""
    name = filename or _name_of(content)
    file.seek(0)
    checksum, size = hashlib.sha256(), 0
    while part := file.read(PART):
        checksum.update(part)
        size += len(part)
    return {
        "filename": name,
        "content_type": content_type or mimetypes.guess_type(name)[0] or "application/octet-stream",
        "checksum_sha256": checksum.hexdigest(),
        "size_bytes": size,
        "metadata": dict(metadata or {}),
        **({} if on_duplicate is None else {"on_duplicate": on_duplicate}),
    }


def _parts(file: BinaryIO, total: int, on_progress: Progress | None) -> Iterator[bytes]:
    file.seek(0)
    sent = 0
    while part := file.read(PART):
        yield part
        sent += len(part)
        if on_progress is not None:
            on_progress(sent, total)


async def _async_parts(file: BinaryIO, total: int, on_progress: Progress | None) -> AsyncIterator[bytes]:
    for part in _parts(file, total, on_progress):
        yield part


def _upload_path(index_id: str, replaces: str | None, on_duplicate: OnDuplicate | None) -> str:
    if replaces is not None and on_duplicate is not None:
        raise ValueError("replaces names the job to replace, so on_duplicate has no effect: pass one of them")
    return f"/v1/indexes/{index_id}/files" + ("" if replaces is None else f"/{replaces}/replace")


class _Waiting:
    def __init__(self, job_id: str, timeout: float) -> None:
        self._job_id = job_id
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._poll = FIRST_POLL

    def pause(self, job: FileJobResponse) -> float | None:
        """Returns the seconds until the next poll, or None if the job has ended."""
        if job.status not in UNDER_WAY:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"{self._job_id} was {job.status} after {self._timeout} s")
        pause = min(self._poll, left)
        self._poll = min(1.5 * self._poll, MAX_POLL)
        return pause


class StrataClient(Operations):
    """Synchronous client of the service. Use it as a context manager, or call `close`."""

    def get_or_create_index(
        self,
        *,
        name: str,
        dimensions: int | None = None,
        embedding_model: str | None = None,
        distance_metric: IndexCreateDistanceMetric | None = None,
        text_language: IndexCreateTextLanguage | None = None,
    ) -> IndexResponse:
        """Returns the oldest index of a name, or creates it.

        Raises an error with status 409 if its dimensions or metric are others than requested. `create_index` with
        `if_exists="return"` has all fields of a creation.
        """
        return self.create_index(
            name=name,
            dimensions=dimensions,
            embedding_model=embedding_model,
            distance_metric=distance_metric,
            text_language=text_language,
            if_exists="return",
        )

    def upload_file(
        self,
        index_id: str,
        content: Content,
        *,
        filename: str | None = None,
        content_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        replaces: str | None = None,
        on_duplicate: OnDuplicate | None = None,
        on_progress: Progress | None = None,
    ) -> FileUploadResponse | FileJobResponse:
        """Creates a file job and uploads the file. `wait_for_file` returns the result.

        With `on_duplicate="skip"`, returns the existing `FileJobResponse` of an equal file.

        Args:
            index_id: Id of the index.
            content: Path of a file, its bytes, or a seekable binary file.
            filename: Name of the file; that of the path or of the opened file if absent.
            content_type: Media type; guessed from the name if absent.
            metadata: Stored with every chunk.
            replaces: Job whose content the file replaces.
            on_duplicate: If a file of the index has the same name: `keep` stores both, `skip` stores nothing if
                the content is equal too, and `replace` replaces the newest one. `keep` if absent.
            on_progress: Called with the bytes sent so far and in total.
        """
        with _opened(content) as file:
            body = _describe(file, content, filename, content_type, metadata, on_duplicate)
            response = self._request("POST", _upload_path(index_id, replaces, on_duplicate), body=body)
            if response.status_code == EXISTS:
                return FileJobResponse.model_validate_json(response.content)
            upload = FileUploadResponse.model_validate_json(response.content)
            size = int(body["size_bytes"])
            headers = {**upload.upload_headers, "content-length": str(size)}
            # The address accepts this file once: a 412 to a retry means that the file has arrived. The job of an equal
            # file may have got its file from another upload.
            attempts = self._attempts(f"PUT of {body['filename']}", 412, may_be_done=on_duplicate == "skip")
            send(
                attempts,
                lambda: self._http.put(
                    upload.upload_url, headers=headers, content=_parts(file, size, on_progress)
                ),
            )
            return upload

    def wait_for_file(
        self,
        index_id: str,
        job_id: str,
        *,
        timeout: float = 1800.0,
        on_job: Callable[[FileJobResponse], object] | None = None,
    ) -> FileJobResponse:
        """Waits until a file job has ended, even by failing, and returns it. Raises WaitTimeoutError."""
        waiting = _Waiting(job_id, timeout)
        while True:
            job = self.get_file(index_id, job_id)
            if on_job is not None:
                on_job(job)
            pause = waiting.pause(job)
            if pause is None:
                return job
            time.sleep(pause)

    def upload_and_wait(
        self,
        index_id: str,
        content: Content,
        *,
        filename: str | None = None,
        content_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        replaces: str | None = None,
        on_duplicate: OnDuplicate | None = None,
        on_progress: Progress | None = None,
        on_job: Callable[[FileJobResponse], object] | None = None,
        timeout: float = 1800.0,
    ) -> FileJobResponse:
        """Uploads a file as `upload_file`, waits as `wait_for_file`, and returns the ended job, even a failed one."""
        job = self.upload_file(
            index_id,
            content,
            filename=filename,
            content_type=content_type,
            metadata=metadata,
            replaces=replaces,
            on_duplicate=on_duplicate,
            on_progress=on_progress,
        )
        return self.wait_for_file(index_id, job.id, timeout=timeout, on_job=on_job)

    def upload_folder(
        self,
        index_id: str,
        folder: str | os.PathLike[str],
        *,
        pattern: str = "*",
        metadata: Mapping[str, Any] | None = None,
        concurrency: int = 8,
        on_progress: FolderCallback | None = None,
        timeout: float = 1800.0,
    ) -> list[FolderFile]:
        """Uploads the files of a folder and waits until all are read. A repetition sends only new and changed files.

        A failed file has an `error` in the result. An error that concerns all files, such as a limit of the plan, is
        raised. Symbolic links and names that begin with a dot are left out.

        Args:
            index_id: Id of the index.
            folder: Folder. The name of a file in the index is its path below it.
            pattern: Names of the files, such as `*.pdf`.
            metadata: Stored with every chunk of the files that are sent.
            concurrency: Files at a time.
            on_progress: Called after each file, by one thread at a time.
            timeout: Seconds that a file may take.
        """
        jobs = self.list_files(index_id, source="upload", limit=1000)
        files = Folder(Path(folder), pattern, newest_by_name(jobs), on_progress)

        def send_one(path: Path) -> None:
            job: FileJobResponse | None = None
            error: Exception | None = None
            try:
                known = files.known_job(path)
                if known is None:
                    name = files.name_of(path)
                    uploaded = self.upload_file(index_id, path, filename=name, metadata=metadata, on_duplicate="replace")
                else:
                    uploaded = known
                job = self.wait_for_file(index_id, uploaded.id, timeout=timeout)
            except Exception as caught:  # `end` raises those that concern all files.
                error = caught
            files.end(path, job, error)

        pool = ThreadPoolExecutor(concurrency)
        try:
            for _ in pool.map(send_one, files.paths):
                pass
        finally:
            pool.shutdown(cancel_futures=True)
        return files.results()

    def asynchronous(self) -> AsyncStrataClient:
        """Returns the asynchronous client of the running event loop, with the address and credential of this one.

        It lives as long as the event loop. A client of httpx that was passed as `http` is not used by it.
        """
        loop = asyncio.get_running_loop()
        known = self._twins.get(loop)
        if known is None:
            known = AsyncStrataClient(self._url, retries=self._retries, http=httpx.AsyncClient(timeout=self._http.timeout))
            known._headers = dict(self._headers)
            self._twins[loop] = known
        return known

    @cached_property
    def _twins(self) -> weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncStrataClient]:
        return weakref.WeakKeyDictionary()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStrataClient(AsyncOperations):
    """Asynchronous client of the service. Use it as a context manager, or call `close`."""

    async def get_or_create_index(
        self,
        *,
        name: str,
        dimensions: int | None = None,
        embedding_model: str | None = None,
        distance_metric: IndexCreateDistanceMetric | None = None,
        text_language: IndexCreateTextLanguage | None = None,
    ) -> IndexResponse:
        """Returns the oldest index of a name, or creates it.

        Raises an error with status 409 if its dimensions or metric are others than requested. `create_index` with
        `if_exists="return"` has all fields of a creation.
        """
        return await self.create_index(
            name=name,
            dimensions=dimensions,
            embedding_model=embedding_model,
            distance_metric=distance_metric,
            text_language=text_language,
            if_exists="return",
        )

    async def upload_file(
        self,
        index_id: str,
        content: Content,
        *,
        filename: str | None = None,
        content_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        replaces: str | None = None,
        on_duplicate: OnDuplicate | None = None,
        on_progress: Progress | None = None,
    ) -> FileUploadResponse | FileJobResponse:
        """Creates a file job and uploads the file, as `StrataClient.upload_file`."""
        with _opened(content) as file:
            body = await asyncio.to_thread(
                _describe, file, content, filename, content_type, metadata, on_duplicate
            )
            response = await self._request("POST", _upload_path(index_id, replaces, on_duplicate), body=body)
            if response.status_code == EXISTS:
                return FileJobResponse.model_validate_json(response.content)
            upload = FileUploadResponse.model_validate_json(response.content)
            size = int(body["size_bytes"])
            headers = {**upload.upload_headers, "content-length": str(size)}
            attempts = self._attempts(f"PUT of {body['filename']}", 412, may_be_done=on_duplicate == "skip")
            await send_async(
                attempts,
                lambda: self._http.put(
                    upload.upload_url, headers=headers, content=_async_parts(file, size, on_progress)
                ),
            )
            return upload

    async def wait_for_file(
        self,
        index_id: str,
        job_id: str,
        *,
        timeout: float = 1800.0,
        on_job: Callable[[FileJobResponse], object] | None = None,
    ) -> FileJobResponse:
        """Waits until a file job has ended, even by failing, and returns it. Raises WaitTimeoutError."""
        waiting = _Waiting(job_id, timeout)
        while True:
            job = await self.get_file(index_id, job_id)
            if on_job is not None:
                on_job(job)
            pause = waiting.pause(job)
            if pause is None:
                return job
            await asyncio.sleep(pause)

    async def upload_and_wait(
        self,
        index_id: str,
        content: Content,
        *,
        filename: str | None = None,
        content_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        replaces: str | None = None,
        on_duplicate: OnDuplicate | None = None,
        on_progress: Progress | None = None,
        on_job: Callable[[FileJobResponse], object] | None = None,
        timeout: float = 1800.0,
    ) -> FileJobResponse:
        """Uploads a file as `upload_file`, waits as `wait_for_file`, and returns the ended job, even a failed one."""
        job = await self.upload_file(
            index_id,
            content,
            filename=filename,
            content_type=content_type,
            metadata=metadata,
            replaces=replaces,
            on_duplicate=on_duplicate,
            on_progress=on_progress,
        )
        return await self.wait_for_file(index_id, job.id, timeout=timeout, on_job=on_job)

    async def upload_folder(
        self,
        index_id: str,
        folder: str | os.PathLike[str],
        *,
        pattern: str = "*",
        metadata: Mapping[str, Any] | None = None,
        concurrency: int = 8,
        on_progress: FolderCallback | None = None,
        timeout: float = 1800.0,
    ) -> list[FolderFile]:
        """Uploads the files of a folder, as `StrataClient.upload_folder`."""
        jobs = [job async for job in self.list_files(index_id, source="upload", limit=1000)]
        files = Folder(Path(folder), pattern, newest_by_name(jobs), on_progress)
        paths = iter(files.paths)

        async def send_some() -> None:
            for path in paths:
                job: FileJobResponse | None = None
                error: Exception | None = None
                try:
                    known = await asyncio.to_thread(files.known_job, path)
                    if known is None:
                        name = files.name_of(path)
                        uploaded = await self.upload_file(
                            index_id, path, filename=name, metadata=metadata, on_duplicate="replace"
                        )
                    else:
                        uploaded = known
                    job = await self.wait_for_file(index_id, uploaded.id, timeout=timeout)
                except Exception as caught:  # `end` raises those that concern all files.
                    error = caught
                files.end(path, job, error)

        senders = [asyncio.ensure_future(send_some()) for _ in range(concurrency)]
        try:
            await asyncio.gather(*senders)
        finally:
            for sender in senders:
                sender.cancel()
        return files.results()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
