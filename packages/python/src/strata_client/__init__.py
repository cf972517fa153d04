"""Client of Strata, a vector storage and retrieval service."""

from . import errors, models, params
from ._base import OFF, OMIT, AsyncPages, Pages
from ._client import AsyncStrataClient, StrataClient
from ._folder import FolderFile, FolderProgress
from ._frames import to_dataframe, to_dataframe_async
from ._receipts import SignedReceipt, verify_receipt
from ._user_tokens import create_user_token
from ._vectors import batch_rows, relevance, select_diverse, to_numpy
from .errors import ApiError, StrataError

__all__ = [
    "OFF",
    "OMIT",
    "ApiError",
    "AsyncPages",
    "AsyncStrataClient",
    "FolderFile",
    "FolderProgress",
    "Pages",
    "SignedReceipt",
    "StrataClient",
    "StrataError",
    "batch_rows",
    "create_user_token",
    "errors",
    "models",
    "params",
    "relevance",
    "select_diverse",
    "to_dataframe",
    "to_dataframe_async",
    "to_numpy",
    "verify_receipt",
]
