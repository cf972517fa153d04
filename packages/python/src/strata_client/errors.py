"""Errors of the client."""

from __future__ import annotations

import json
from typing import Any, cast

import httpx

from .models import ValidationError, VersionConflict

MAX_DETAIL_LENGTH = 600


class StrataError(Exception):
    """Base class of all errors of this package."""


class ConnectionFailedError(StrataError):
    """The service could not be reached, or the connection broke, after all retries."""


class WaitTimeoutError(StrataError):
    """A file job had not ended when the time was over."""


class ApiError(StrataError):
    """A response other than a success."""

    def __init__(self, request: str, response: httpx.Response) -> None:
        body = _read_body(response)
        detail = body.get("detail")
        self.status = response.status_code
        """HTTP status."""
        self.problems: list[ValidationError] = []
        """Every problem of a 422, else empty."""
        if isinstance(detail, list):
            self.problems = [ValidationError.model_validate(item) for item in cast("list[Any]", detail)]
            detail = "; ".join(f"{'.'.join(map(str, item.loc))}: {item.msg}" for item in self.problems)
        code = body.get("code", body.get("error"))
        self.code = str(code) if code is not None else ("validation_failed" if self.problems else "unknown")
        """Stable code; `unknown` for a response of another server, such as a proxy."""
        described = detail if detail is not None else body.get("error_description")
        self.detail = str(described or response.text[:MAX_DETAIL_LENGTH] or response.reason_phrase)
        """Message for people."""
        self.request_id: str | None = response.headers.get("x-request-id")
        """Id of the request in the logs of the service."""
        self.retry_after: str | None = response.headers.get("retry-after")
        """Header `Retry-After`, if the response has one."""
        self.limit: Any = body.get("limit")
        self.current: Any = body.get("current")
        """With `plan_limit_reached`: the limit of the plan and the present usage."""
        conflicts = body.get("conflicts")
        items = cast("list[Any]", conflicts) if isinstance(conflicts, list) else []
        self.conflicts = [VersionConflict.model_validate(item) for item in items]
        """Rows whose versions differ, with a 409 about `if_version`."""
        super().__init__(f"{request} answered {self.status}: {self.detail}")


class AuthenticationError(ApiError):
    """401: the credential is missing, unknown, expired or revoked."""


class PlanLimitError(ApiError):
    """402: a limit of the plan is reached."""


class PermissionDeniedError(ApiError):
    """403: the credential may not make this call."""


class NotFoundError(ApiError):
    """404: the resource does not exist or belongs to another organization."""


class ConflictError(ApiError):
    """409: the state of the resource does not allow the operation."""


class InvalidRequestError(ApiError):
    """422: `problems` lists every problem of the request."""


class RateLimitedError(ApiError):
    """429: too many requests, after all retries."""


class ServerError(ApiError):
    """500 or higher, after all retries."""


_classes: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    402: PlanLimitError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: InvalidRequestError,
    429: RateLimitedError,
}


def _read_body(response: httpx.Response) -> dict[str, Any]:
    try:
        body: Any = json.loads(response.content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


def api_error(request: str, response: httpx.Response) -> ApiError:
    """Returns the error of a response, by its status."""
    status = response.status_code
    return _classes.get(status, ServerError if status >= 500 else ApiError)(request, response)
