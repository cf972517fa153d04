"""Vectors in requests and responses."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .params import VectorUpsertItem

MAX_BATCH_ROWS = 100
MAX_BATCH_CHARACTERS = 200_000
"""Text that the built-in model embeds well within the time of a request."""


def encode_vector(vector: NDArray[Any]) -> str:
    """Returns base64 of little-endian 32-bit floats."""
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode("ascii")


def _with_encoded(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    fields = cast("Mapping[str, Any]", value)
    vector = fields.get("vector")
    if not isinstance(vector, np.ndarray):
        return fields
    return {**fields, "vector": encode_vector(cast("NDArray[Any]", vector))}


def encode_vectors(body: Any) -> Any:
    """Returns a body whose vectors are base64: its own, and those of rows. Arrays in metadata stay arrays."""
    if isinstance(body, list):
        return [_with_encoded(item) for item in cast("list[Any]", body)]
    encoded = _with_encoded(body)
    if not isinstance(encoded, Mapping):
        return encoded
    fields = cast("Mapping[str, Any]", encoded)
    return {name: encode_vectors(value) if isinstance(value, list) else value for name, value in fields.items()}


class HasVector(Protocol):
    """A row or a search result."""

    @property
    def vector(self) -> list[float] | None: ...


def to_numpy(rows: Iterable[HasVector]) -> NDArray[np.float32]:
    """Returns the vectors of rows as a matrix. Raises ValueError if a row came without its vector."""
    vectors: list[list[float]] = []
    for row in rows:
        if row.vector is None:
            raise ValueError("a row has no vector: request it with include_vectors or include")
        vectors.append(row.vector)
    return np.asarray(vectors, dtype=np.float32)


def batch_rows(rows: Iterable[VectorUpsertItem]) -> Iterator[list[VectorUpsertItem]]:
    """Splits rows into batches for `upsert_vectors`, by their number and by the size of texts and metadata."""
    batch: list[VectorUpsertItem] = []
    characters = 0
    for row in rows:
        size = len(row.get("text") or "") + len(str(row.get("metadata") or ""))
        if batch and (len(batch) == MAX_BATCH_ROWS or characters + size > MAX_BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(row)
        characters += size
    if batch:
        yield batch


class HasScore(HasVector, Protocol):
    """A search result with its vector."""

    @property
    def score(self) -> float: ...


Scored = TypeVar("Scored", bound=HasScore)


def relevance(metric: str, score: float) -> float:
    """Returns a similarity of at most 1: the cosine, or the inverse of 1 plus the euclidean distance."""
    return score if metric == "cosine" else float(1 / (1 + np.sqrt(max(0.0, -score))))


def _similarities(metric: str, vectors: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    if metric == "cosine":
        return np.asarray(vectors @ vector / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector)))
    return np.asarray(1 / (1 + np.linalg.norm(vectors - vector, axis=1)))


def select_diverse(metric: str, results: Sequence[Scored], k: int, lambda_mult: float) -> list[Scored]:
    """Selects by maximal marginal relevance: each result by its score less its similarity to those before it.

    Args:
        metric: Distance metric of the index.
        results: Results of a dense search with their vectors.
        k: Maximum number of selected results.
        lambda_mult: From 0, most diverse, to 1, nearest.
    """
    vectors = to_numpy(results).astype(np.float64)
    scores = np.asarray([relevance(metric, result.score) for result in results])
    redundancy = np.full(len(results), -np.inf)
    selected: list[int] = []
    while len(selected) < min(k, len(results)):
        value = lambda_mult * scores
        if selected:
            value = value - (1 - lambda_mult) * redundancy
        value[selected] = -np.inf
        best = int(np.argmax(value))
        selected.append(best)
        redundancy = np.maximum(redundancy, _similarities(metric, vectors, vectors[best]))
    return [results[at] for at in selected]
