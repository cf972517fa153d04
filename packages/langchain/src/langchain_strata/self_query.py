"""Translator of the filters of LangChain's self-query retriever."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.structured_query import Comparator, Comparison, Operation, Operator, StructuredQuery, Visitor


class StrataTranslator(Visitor):
    """Translates structured queries to filters of the service: `SelfQueryRetriever(…, structured_query_translator=StrataTranslator())`."""

    allowed_operators = (Operator.AND, Operator.OR, Operator.NOT)
    allowed_comparators = (
        Comparator.EQ,
        Comparator.NE,
        Comparator.GT,
        Comparator.GTE,
        Comparator.LT,
        Comparator.LTE,
        Comparator.IN,
        Comparator.NIN,
        Comparator.CONTAIN,
    )

    def visit_operation(self, operation: Operation) -> dict[str, Any]:
        """Returns the filter of an operation."""
        self._validate_func(operation.operator)
        filters = [argument.accept(self) for argument in operation.arguments]
        if operation.operator == Operator.NOT:
            return {"$not": {"$or": filters}}
        return {f"${operation.operator.value}": filters}

    def visit_comparison(self, comparison: Comparison) -> dict[str, Any]:
        """Returns the filter of a comparison. A list in the metadata contains a value if one of its members is equal."""
        self._validate_func(comparison.comparator)
        given: object = comparison.value
        # Dates come as {"date": "2026-02-01", "type": "date"}.
        dated = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        value = dated.get("date", dated.get("datetime", cast(object, given)))
        name = "eq" if comparison.comparator == Comparator.CONTAIN else comparison.comparator.value
        return {comparison.attribute: {f"${name}": value}}

    def visit_structured_query(self, structured_query: StructuredQuery) -> tuple[str, dict[str, Any]]:
        """Returns the query and the keyword arguments of a search."""
        filter = None if structured_query.filter is None else structured_query.filter.accept(self)
        return structured_query.query, {} if filter is None else {"filter": filter}
