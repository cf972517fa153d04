"""Tokens of end users, which need no request."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

HOUR_SECONDS = 3_600
DAY_SECONDS = 24 * HOUR_SECONDS
MAX_CHARACTERS = 4_096


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _signing_key(key: str) -> bytes:
    """Returns the HMAC key that derives from an API key by HKDF-SHA256, without a salt."""
    extracted = hmac.digest(bytes(32), key.encode(), hashlib.sha256)
    return hmac.digest(extracted, b"user token v1\x01", hashlib.sha256)


def create_user_token(
    *,
    key: str,
    key_id: str,
    index_ids: Sequence[str],
    filter: Mapping[str, Any] | None,
    expires_in_seconds: int = HOUR_SECONDS,
) -> str:
    """Creates a token with which the page of an end user searches, and does nothing else.

    It needs no request: the service verifies it by the API key, and it ends with that.

    Args:
        key: Value of the API key, which begins with ``svc_live_``. It stays on your server.
        key_id: Id of the API key, from its creation or a list.
        index_ids: Indexes that the end user may search, among those of the key.
        filter: Metadata filter of the rows that the end user sees, besides that of the key. None: all rows of the key.
        expires_in_seconds: Seconds for which the token is valid, at most a day.

    Raises:
        ValueError: The time is more than a day, the token has more than 4,096 characters, or JSON cannot contain the filter.
    """
    if not 0 < expires_in_seconds <= DAY_SECONDS:
        raise ValueError(f"expires_in_seconds is {expires_in_seconds}, and a token is valid for at most {DAY_SECONDS} s")
    issued = int(time.time())
    claims = {
        "key_id": key_id,
        "iat": issued,
        "exp": issued + expires_in_seconds,
        "filter": None if filter is None else dict(filter),
        "index_ids": list(index_ids),
    }
    encoded = json.dumps(claims, separators=(",", ":"), allow_nan=False).encode()
    signed = f"svc_ut_{_base64url(encoded)}"
    mac = hmac.digest(_signing_key(key.strip()), signed.encode(), hashlib.sha256)
    token = f"{signed}.{_base64url(mac)}"
    if len(token) > MAX_CHARACTERS:
        raise ValueError(f"The token has {len(token)} characters, and at most {MAX_CHARACTERS} are accepted")
    return token
