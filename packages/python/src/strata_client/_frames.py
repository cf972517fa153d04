"""Rows as data frames of pandas."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    import pandas


def to_dataframe(rows: Iterable[BaseModel]) -> pandas.DataFrame:
    """Returns rows, results, files or other items as a data frame, with a column for each field and metadata key.

    Needs pandas: `pip install strata-vectors[pandas]`. A key of the metadata is a column `metadata.KEY`.
    """
    import pandas

    return pandas.json_normalize([row.model_dump(exclude_none=True) for row in rows], max_level=1)


async def to_dataframe_async(rows: AsyncIterable[BaseModel]) -> pandas.DataFrame:
    """Returns the items of a list of `AsyncStrataClient` as a data frame, as `to_dataframe`."""
    return to_dataframe([row async for row in rows])
