"""Haystack filters as metadata filters of the service."""

from __future__ import annotations

from datetime import date, datetime, time, timezone
from typing import Any, cast

from haystack.errors import FilterError

RANGES = {">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}

FIRST_TIME = "0000-01-01T00:00:00+23:59"
"""No time with an offset is earlier."""


def metadata_key(field: str) -> str:
    """Returns the key of the metadata that a field such as `meta.year` names."""
    return field.removeprefix("meta.")


def iso_dates(value: Any) -> Any:
    """Returns a value of metadata with dates as ISO texts. Times with an offset become UTC."""
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
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {key: {RANGES[operator]: value}}
    try:
        return _time_range(key, operator, _instant(value))
    except (OverflowError, TypeError, ValueError) as error:
        raise FilterError(f"{operator!r} compares numbers and ISO dates, not {value!r}") from error


def _instant(value: Any) -> datetime:
    """Returns the time of a bound in UTC. As in Haystack, a time without an offset is in UTC."""
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if isinstance(value, str):
        value = datetime.fromisoformat(value.replace("Z", "+00:00"))
    if not isinstance(value, datetime):
        raise TypeError
    moment = value
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)


def _time_range(key: str, operator: str, moment: datetime) -> dict[str, Any]:
    """Returns a filter of the times with an offset, which compare as instants, and of the texts without an offset."""
    whole = moment.replace(tzinfo=None).isoformat()
    # Every text of the same instant begins with the first of these, and none is behind the second.
    if moment.microsecond:
        first, last = whole.rstrip("0"), whole.ljust(60, "0")
    else:
        first, last = whole.removesuffix("T00:00:00").removesuffix(":00").removesuffix(":00"), f"{whole}.".ljust(60, "0")
    naive = {RANGES[operator]: first if operator in (">=", "<") else last}
    has_offset = {key: {"$gte": FIRST_TIME}}
    return {
        "$or": [
            {key: {RANGES[operator]: f"{whole}Z"}},
            {"$and": [{key: naive}, {"$not": has_offset}]},
        ]
    }
