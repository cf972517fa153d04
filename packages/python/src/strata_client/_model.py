"""Base class of responses."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, field_validator


class Model(BaseModel):
    """A response. Fields and enum values of a newer service are kept, not refused."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True, protected_namespaces=())

    @field_validator("*", mode="wrap")
    @classmethod
    def _accept_newer_values(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            return value
