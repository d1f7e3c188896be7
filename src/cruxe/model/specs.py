"""What a question asks for, resolved: no defaults to look up, nothing of the wire."""

from enum import StrEnum
from typing import NamedTuple


class FusionMethod(StrEnum):
    """How what the channels give becomes one score."""

    SUM = "sum"  # the fitted table: scores and ranks beside each other
    RRF = "rrf"  # each channel by reciprocal ranks alone
    BLEND = "score_blend"  # each channel by its scaled scores alone, weighed by its kind


class Fusion(NamedTuple):
    """The method with its numbers."""

    method: FusionMethod = FusionMethod.SUM
    k: int = 60
    sparse_weight: float = 1.0
    dense_weight: float = 1.0


class LocateSpec(NamedTuple):
    """What to find."""

    name: str
    kind: str | None = None
    role: str | None = None
    language: str | None = None
    limit: int = 10
    offset: int = 0


class OutlineSpec(NamedTuple):
    """Which file's symbols to give."""

    path: str
    language: str | None = None  # only symbols of this language
    top_only: bool = False


class SearchSpec(NamedTuple):
    """What to find; how it is written is another matter."""

    query: str
    limit: int = 10
    offset: int = 0
    language: str | None = None
    kind: str | None = None
    role: str | None = None
    path: str | None = None  # a glob, or a part of the path
    semantic_ratio: float | None = None  # a cap; absent: as the settings have it
    fusion: Fusion = Fusion()
