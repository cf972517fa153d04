"""Vectors in requests and responses."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
