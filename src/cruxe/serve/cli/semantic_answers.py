"""The shapes of what answers say of semantic search."""

from typing import NotRequired, TypedDict


class SemanticReport(TypedDict):
    """The model in use, or why there is none."""

    mode: str
    profile: str
    status: str
    model: NotRequired[str]
    model_version: NotRequired[str]
    vectors: NotRequired[str]
    problem: NotRequired[str]
    remedy: NotRequired[str]


class ProfileAdvice(TypedDict):
    """The profile that fits."""

    profile: str
    is_current: bool
    estimated_minutes: int
    install: NotRequired[str]
