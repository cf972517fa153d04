"""Vectors in requests and responses."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .params import VectorUpsertItem

MAX_BATCH_ROWS = 100
MAX_BATCH_CHARACTERS = 200_000
"""Text that the built-in model embeds well within the time of a request."""

VectorInput: TypeAlias = "Sequence[float] | str | NDArray[np.floating[Any]]"
"""Numbers, base64 of little-endian 32-bit floats, or a numpy array, which is sent as base64."""


def encode_vector(vector: NDArray[Any]) -> str:
    """Returns base64 of little-endian 32-bit floats."""
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode("ascii")


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
