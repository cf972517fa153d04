"""LlamaIndex vector store on Strata."""

from .base import StrataVectorStore

__all__ = ["StrataVectorStore"]
