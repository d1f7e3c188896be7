"""The revisions of the protocol that are spoken, and how they differ for a server of tools."""

from typing import Final

STATELESS: Final = "2026-07-28"  # every request says what it speaks; there is no session
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
SUPPORTED: Final = (STATELESS, *HANDSHAKE)
# What a request over HTTP speaks that neither says so nor belongs to a session.
ASSUMED: Final = "2025-03-26"

_BATCHES_UNTIL: Final = "2025-03-26"
_STRUCTURED_SINCE: Final = "2025-06-18"


def negotiate(wanted: str) -> str:
    """The revision that a handshake settles on: the one wanted, else the newest."""
    return wanted if wanted in HANDSHAKE else HANDSHAKE[0]


def has_batches(revision: str) -> bool:
    """Whether several messages may come as one."""
    return revision <= _BATCHES_UNTIL


def has_structured_content(revision: str) -> bool:
    """Whether a result may hold an object beside its text."""
    return revision >= _STRUCTURED_SINCE
