"""Digests that name things; not for security."""

__all__ = ["RecentDigest", "blake2b", "digest_of"]

try:
    # The same function without OpenSSL, whose loading costs a fifth of a bare interpreter start.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest_of(data: bytes, size_bytes: int) -> bytes:
    """A digest of some bytes."""
    return blake2b(data, digest_size=size_bytes).digest()


class RecentDigest:
    """Digests of something that seldom changes: to compare it takes a fiftieth of the time."""

    def __init__(self, size_bytes: int) -> None:
        """Remember nothing yet."""
        self._size_bytes = size_bytes
        self._recent: tuple[bytes, bytes] | None = None  # in one piece, for any thread

    def of(self, data: bytes) -> bytes:
        """A digest of some bytes."""
        recent = self._recent
        if recent is None or recent[0] != data:
            self._recent = recent = data, digest_of(data, self._size_bytes)
        return recent[1]
