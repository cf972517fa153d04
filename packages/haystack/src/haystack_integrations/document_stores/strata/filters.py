"""Haystack filters as metadata filters of the service."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any, cast

from haystack.errors import FilterError

RANGES = {">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}


def metadata_key(field: str) -> str:
    """Returns the key of the metadata that a field such as `meta.year` names."""
    return field.removeprefix("meta.")


def iso_dates(value: Any) -> Any:
    """Returns a value of metadata with dates as ISO texts. Times with an offset become UTC, so texts order by time."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(timezone.utc).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: iso_dates(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, (list, tuple, set)):
        return [iso_dates(item) for item in cast("list[Any]", value)]
    return value


def convert_filter(filters: dict[str, Any]) -> dict[str, Any]:
    """Returns the filter of the service. Raises FilterError if the filter is malformed or cannot be applied."""
    if "field" in filters:
        return _comparison(filters)
    operator = _required(filters, "operator")
    parts = [convert_filter(condition) for condition in _required(filters, "conditions")]
    if operator == "AND":
        return {"$and": parts}
    if operator == "OR":
        return {"$or": parts}
    if operator == "NOT":
        return {"$not": {"$and": parts}}
    raise FilterError(f"unknown logical operator {operator!r}")


def _required(filters: dict[str, Any], name: str) -> Any:
    if name not in filters:
        raise FilterError(f"{name!r} is missing in {filters}")
    return filters[name]


def _comparison(condition: dict[str, Any]) -> dict[str, Any]:
    key, operator, value = metadata_key(condition["field"]), _required(condition, "operator"), _required(condition, "value")
    if condition["field"] in ("id", "content", "blob", "embedding", "score"):
        raise FilterError(f"{key!r} cannot be filtered: only metadata can")
    if operator in RANGES:
        return _range(key, operator, value)
    if operator in ("in", "not in"):
        if not isinstance(value, list):
            raise FilterError(f"{operator!r} needs a list, not {value!r}")
        found = _any_of(key, cast("list[Any]", value))
        return found if operator == "in" else {"$not": found}
    if operator in ("==", "!="):
        found = _any_of(key, [value])
        return found if operator == "==" else {"$not": found}
    raise FilterError(f"unknown operator {operator!r}")


def _any_of(key: str, values: list[Any]) -> dict[str, Any]:
    if any(isinstance(value, (list, tuple, set)) for value in values):
        raise FilterError(f"{key!r} cannot be compared with a list as a whole")
    found: dict[str, Any] = {key: {"$in": [iso_dates(value) for value in values]}}
    # Documents without the key compare as None.
    return {"$or": [found, {key: {"$exists": False}}]} if None in values else found


def _range(key: str, operator: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {"$and": [{key: {"$exists": True}}, {key: {"$exists": False}}]}
    plain = iso_dates(value)
    if isinstance(plain, str):
        try:
            datetime.fromisoformat(plain.replace("Z", "+00:00"))
        except ValueError as error:
            raise FilterError(f"{operator!r} compares numbers and ISO dates, not {value!r}") from error
    elif isinstance(plain, bool) or not isinstance(plain, (int, float)):
        raise FilterError(f"{operator!r} compares numbers and ISO dates, not {value!r}")
    return {key: {RANGES[operator]: plain}}
