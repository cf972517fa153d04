"""Metadata filters of LlamaIndex as metadata filters of the service."""

from __future__ import annotations

from typing import Any

from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

COMPARISONS = {
    FilterOperator.EQ: "$eq",
    FilterOperator.NE: "$ne",
    FilterOperator.GT: "$gt",
    FilterOperator.GTE: "$gte",
    FilterOperator.LT: "$lt",
    FilterOperator.LTE: "$lte",
    # A comparison with a list finds its members.
    FilterOperator.CONTAINS: "$eq",
}
LISTS = {FilterOperator.IN: "$in", FilterOperator.NIN: "$nin", FilterOperator.ANY: "$in"}


def convert_filters(filters: MetadataFilters) -> dict[str, Any]:
    """Returns the filter of the service. Raises ValueError if it cannot be applied."""
    parts = [
        convert_filters(part) if isinstance(part, MetadataFilters) else _comparison(part) for part in filters.filters
    ]
    if not parts:
        return {}
    if filters.condition == FilterCondition.NOT:
        return {"$not": {"$or": parts}}
    if len(parts) == 1:
        return parts[0]
    return {"$or" if filters.condition == FilterCondition.OR else "$and": parts}


def _comparison(part: MetadataFilter) -> dict[str, Any]:
    key, operator, value = part.key, part.operator, part.value
    if operator == FilterOperator.IS_EMPTY:
        return {"$or": [{key: {"$exists": False}}, {key: {"$in": [None, ""]}}]}
    if operator in COMPARISONS:
        if isinstance(value, list):
            raise ValueError(f"{operator.value} compares {key!r} with one value, not with a list")
        return {key: {COMPARISONS[operator]: value}}
    if operator in LISTS or operator == FilterOperator.ALL:
        if not isinstance(value, list):
            raise ValueError(f"{operator.value} compares {key!r} with a list, not with {value!r}")
        if operator == FilterOperator.ALL:
            return {"$and": [{key: {"$eq": item}} for item in value]}
        return {key: {LISTS[operator]: value}}
    raise ValueError(f"{operator.value} is not supported: search texts with the query mode text_search instead")
