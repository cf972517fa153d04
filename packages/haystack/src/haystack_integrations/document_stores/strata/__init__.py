"""Haystack document store on Strata."""

from .document_store import StrataDocumentStore

__all__ = ["StrataDocumentStore"]
