"""Haystack retrievers on Strata."""

from .retrievers import StrataBM25Retriever, StrataEmbeddingRetriever, StrataHybridRetriever, StrataTextRetriever

__all__ = ["StrataBM25Retriever", "StrataEmbeddingRetriever", "StrataHybridRetriever", "StrataTextRetriever"]
