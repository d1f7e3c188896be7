"""Digests that name things; not for security."""

__all__ = ["blake2b", "digest_of"]

try:
    # The same function without OpenSSL, whose loading costs a fifth of a bare interpreter start.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest_of(data: bytes, size_bytes: int) -> bytes:
    """A digest of some bytes."""
    return blake2b(data, digest_size=size_bytes).digest()
