"""Requests with retries, and paging."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import time
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Hashable, Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import cache
from types import GenericAlias
from typing import Any, Final, Generic, Literal, TypeAlias, TypedDict, TypeVar, cast
from urllib.parse import quote

import httpx
import numpy as np
from pydantic import TypeAdapter
from typing_extensions import Unpack

from ._vectors import encode_vectors
from .errors import ConnectionFailedError, api_error

T = TypeVar("T")


class _Omit(Enum):
    OMIT = "omit"


Omit: TypeAlias = "Literal[_Omit.OMIT]"
OMIT: Final = _Omit.OMIT
"""Leaves a field out of a change, where None sets it to null."""

class _Off(Enum):
    OFF = "off"


Off: TypeAlias = "Literal[_Off.OFF]"
OFF: Final = _Off.OFF
"""Switches off a default of the index in a search, where None leaves the field out."""

RETRIED = frozenset({408, 429, 502, 503, 504})
"""Statuses of a service or proxy that is busy for a while."""

FIRST_PAUSE = 0.5
MAX_PAUSE = 60.0
JITTER = 0.25


def _retry_after(response: httpx.Response) -> float | None:
    """Returns the seconds of `Retry-After`, or None if it is absent or past."""
    header = response.headers.get("retry-after", "")
    try:
        return float(header)
    except ValueError:
        pass
    try:
        seconds = parsedate_to_datetime(header).timestamp() - time.time()
    except ValueError:
        return None
    return seconds if seconds > 0 else None


class _Attempts:
    """Decides about retries of one request. Every request is safe to repeat: a POST has an idempotency key."""

    def __init__(self, label: str, retries: int, done: int | None, may_be_done: bool) -> None:
        self._label = label
        self._retries = retries
        self._done = done
        self._attempt = 0
        self._may_be_done = may_be_done

    def _pause(self, seconds: float | None) -> float | None:
        wait = min(FIRST_PAUSE * 2**self._attempt, MAX_PAUSE) if seconds is None else seconds
        if self._attempt >= self._retries or wait > MAX_PAUSE:
            return None
        self._attempt += 1
        return wait * (1 + JITTER * random.random())

    def after_response(self, response: httpx.Response) -> float | None:
        """Returns the seconds until the next attempt; None to stop. Raises ApiError for a refusal."""
        status = response.status_code
        if response.is_success or (self._may_be_done and status == self._done):
            return None
        pause = self._pause(_retry_after(response)) if status in RETRIED else None
        if pause is None:
            raise api_error(self._label, response)
        # All of them but a 429 may have come after the work was done.
        self._may_be_done = self._may_be_done or status != 429
        return pause

    def after_failure(self, error: httpx.TransportError) -> float:
        """Returns the seconds until the next attempt. Raises ConnectionFailedError after the last."""
        pause = self._pause(None)
        if pause is None:
            raise ConnectionFailedError(f"{self._label}: {error or type(error).__name__}") from error
        self._may_be_done = self._may_be_done or not isinstance(error, httpx.ConnectError)
        return pause


def send(attempts: _Attempts, request: Callable[[], httpx.Response]) -> httpx.Response:
    """Sends a request until it succeeds or may not be repeated."""
    while True:
        try:
            response = request()
            pause = attempts.after_response(response)
            if pause is None:
                return response
        except httpx.TransportError as error:
            pause = attempts.after_failure(error)
        time.sleep(pause)


async def send_async(attempts: _Attempts, request: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
    """Sends a request until it succeeds or may not be repeated."""
    while True:
        try:
            response = await request()
            pause = attempts.after_response(response)
            if pause is None:
                return response
        except httpx.TransportError as error:
            pause = attempts.after_failure(error)
        await asyncio.sleep(pause)


def _encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return cast("np.ndarray[Any, Any]", value).tolist()
    if isinstance(value, np.generic):
        return cast(Any, value).item()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


MAX_WHOLE = 2**53 - 1
# Searched first, because a body may have a million numbers in vectors.
LONG_DIGITS = re.compile(r"[\[:,\s]-?\d{16}")


def _require_exact(value: Any, path: str, is_free: bool = False) -> None:
    """Raises ValueError for a whole number of metadata or a filter that the service would round."""
    if isinstance(value, np.ndarray):
        value = cast("np.ndarray[Any, Any]", value).tolist() if is_free else None
    if is_free and isinstance(value, (int, np.integer)) and abs(int(cast(int, value))) > MAX_WHOLE:
        raise ValueError(
            f"{path}: whole numbers beyond ±{MAX_WHOLE} are not kept exactly: pass {value} as a string"
        )
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[str, Any]", value).items():
            _require_exact(item, f"{path}.{key}", is_free or key in ("metadata", "filter"))
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(cast("list[Any]", value)):
            _require_exact(item, f"{path}[{at}]", is_free)


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _parse(model: type[T], response: httpx.Response) -> T:
    if response.status_code == 204 or not response.content:
        return cast(T, None)
    if model is bytes:
        return cast(T, response.content)
    return cast(T, _adapter(cast("Hashable", model)).validate_json(response.content))


def _list_of(model: type[T]) -> type[list[T]]:
    return cast("type[list[T]]", GenericAlias(list, (model,)))


def _query_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Options(TypedDict, total=False):
    path: Mapping[str, str]
    query: Mapping[str, object] | None
    body: object
    fields: Mapping[str, object]
    form: Mapping[str, object]
    idempotency_key: str | None


def _credential(token: str | None, api_key: str | None) -> str:
    """Returns the key or token without white space around it. Errors do not contain it."""
    if token and api_key:
        raise ValueError("give either token or api_key: they are the same")
    secret = (token or api_key or os.environ.get("STRATA_API_KEY") or "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise ValueError("the API key or token contains a character that none has, such as a line break")
    return secret


class _Settings:
    """What both clients have in common."""

    def __init__(
        self, base_url: str | None, token: str | None, api_key: str | None, organization_id: str | None, retries: int
    ) -> None:
        url = (base_url or os.environ.get("STRATA_URL") or "").strip()
        if not url:
            raise ValueError("base_url is missing: pass it, or set STRATA_URL")
        self._url = url.rstrip("/").removesuffix("/v1")
        self._retries = retries
        secret = _credential(token, api_key)
        self._headers = {"user-agent": "strata-vectors-python/0.1.0"}
        if secret:
            self._headers["authorization"] = f"Bearer {secret}"
        if organization_id:
            self._headers["x-service-organization-id"] = organization_id

    def _prepare(self, method: str, template: str, options: _Options) -> tuple[_Attempts, dict[str, Any]]:
        path = template.format(**{name: quote(value, safe="") for name, value in options.get("path", {}).items()})
        headers = dict(self._headers)
        if method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
        query = options.get("query") or {}
        arguments: dict[str, Any] = {
            "method": method,
            "url": f"{self._url}{path}",
            "headers": headers,
            "params": {name: _query_value(value) for name, value in query.items() if value is not None},
        }
        form, fields, body = options.get("form"), options.get("fields"), options.get("body")
        if form is not None:
            arguments["data"] = {name: value for name, value in form.items() if value is not None}
        elif fields is not None or body is not None:
            content = body
            if fields is not None:
                keeps_null = method == "PATCH"
                content = {
                    name: None if value is OFF else value
                    for name, value in fields.items()
                    if value is not OMIT and (keeps_null or value is not None)
                }
            headers["content-type"] = "application/json"
            text = json.dumps(encode_vectors(content), default=_encode, allow_nan=False)
            if LONG_DIGITS.search(text):
                _require_exact(content, "body")
            arguments["content"] = text.encode()
        return self._attempts(f"{method} {path}", 404 if method == "DELETE" else None), arguments

    def _attempts(self, label: str, done: int | None, *, may_be_done: bool = False) -> _Attempts:
        return _Attempts(label, self._retries, done, may_be_done)


class Pages(Generic[T], Iterable[T]):
    """Items of a paged list. Iteration requests one page after another."""

    def __init__(self, fetch: Callable[[str | None], tuple[list[T], str | None]], cursor: str | None) -> None:
        self._fetch = fetch
        self._cursor = cursor

    def pages(self) -> Iterator[list[T]]:
        """Iterates over whole pages."""
        cursor = self._cursor
        while True:
            items, cursor = self._fetch(cursor)
            yield items
            if cursor is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page


class AsyncPages(Generic[T], AsyncIterable[T]):
    """Items of a paged list. Iteration requests one page after another."""

    def __init__(
        self, fetch: Callable[[str | None], Awaitable[tuple[list[T], str | None]]], cursor: str | None
    ) -> None:
        self._fetch = fetch
        self._cursor = cursor

    async def pages(self) -> AsyncIterator[list[T]]:
        """Iterates over whole pages."""
        cursor = self._cursor
        while True:
            items, cursor = await self._fetch(cursor)
            yield items
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page:
                yield item


class Caller(_Settings):
    """Sends requests and waits for their responses."""

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        api_key: str | None = None,
        organization_id: str | None = None,
        retries: int = 4,
        timeout: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        """Creates a client. `base_url` and `token` default to STRATA_URL and STRATA_API_KEY. `api_key` is another name of `token`."""
        super().__init__(base_url, token, api_key, organization_id, retries)
        self._http = http or httpx.Client(timeout=timeout)

    def _request(self, method: str, template: str, **options: Unpack[_Options]) -> httpx.Response:
        attempts, arguments = self._prepare(method, template, options)
        return send(attempts, lambda: self._http.request(**arguments))

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        query: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        """Sends a request with retries and a key of your own. Raises ApiError for a refusal."""
        literal = path.replace("{", "{{").replace("}", "}}")
        return self._request(method, literal, query=query, body=json, idempotency_key=idempotency_key)

    def _call(self, method: str, template: str, model: type[T], **options: Unpack[_Options]) -> T:
        return _parse(model, self._request(method, template, **options))

    def _pages(
        self, method: str, path_template: str, model: type[T], *, path: Mapping[str, str], query: Mapping[str, object]
    ) -> Pages[T]:
        def fetch(cursor: str | None) -> tuple[list[T], str | None]:
            response = self._request(method, path_template, path=path, query={**query, "cursor": cursor})
            return _parse(_list_of(model), response), response.headers.get("x-next-cursor")

        return Pages(fetch, cast("str | None", query.get("cursor")))


class AsyncCaller(_Settings):
    """Sends requests without blocking."""

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        api_key: str | None = None,
        organization_id: str | None = None,
        retries: int = 4,
        timeout: float = 60.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """Creates a client. `base_url` and `token` default to STRATA_URL and STRATA_API_KEY. `api_key` is another name of `token`."""
        super().__init__(base_url, token, api_key, organization_id, retries)
        self._http = http or httpx.AsyncClient(timeout=timeout)

    async def _request(self, method: str, template: str, **options: Unpack[_Options]) -> httpx.Response:
        attempts, arguments = self._prepare(method, template, options)
        return await send_async(attempts, lambda: self._http.request(**arguments))

    async def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        query: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        """Sends a request with retries and a key of your own. Raises ApiError for a refusal."""
        literal = path.replace("{", "{{").replace("}", "}}")
        return await self._request(method, literal, query=query, body=json, idempotency_key=idempotency_key)

    async def _call(self, method: str, template: str, model: type[T], **options: Unpack[_Options]) -> T:
        return _parse(model, await self._request(method, template, **options))

    def _pages(
        self, method: str, path_template: str, model: type[T], *, path: Mapping[str, str], query: Mapping[str, object]
    ) -> AsyncPages[T]:
        async def fetch(cursor: str | None) -> tuple[list[T], str | None]:
            response = await self._request(method, path_template, path=path, query={**query, "cursor": cursor})
            return _parse(_list_of(model), response), response.headers.get("x-next-cursor")

        return AsyncPages(fetch, cast("str | None", query.get("cursor")))
