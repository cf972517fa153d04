"""LlamaIndex reader of files on Strata."""

from .base import StrataReader

__all__ = ["StrataReader"]
