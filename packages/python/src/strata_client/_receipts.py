"""Receipts of erasures, which are verified without a request."""

from __future__ import annotations

import base64
from typing import Protocol


class SignedReceipt(Protocol):
    """Receipt of an erasure, as the service returns it."""

    @property
    def text(self) -> str: ...

    @property
    def signature(self) -> str: ...


def verify_receipt(receipt: SignedReceipt, public_key: str) -> bool:
    """Returns whether a receipt was signed by a key, and not changed since.

    It needs `strata-vectors[receipts]`, and makes no request.

    Args:
        receipt: Receipt of an erasure.
        public_key: Key in PEM, as the list of the keys of receipts has it.

    Raises:
        ValueError: The key or the signature has another form.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(public_key.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("this is no Ed25519 key")
    try:
        key.verify(base64.b64decode(receipt.signature, validate=True), receipt.text.encode())
    except InvalidSignature:
        return False
    return True
