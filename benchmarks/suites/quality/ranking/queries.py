"""The annotated queries, as the file that `CRUXE_QUALITY` names holds them."""

import math
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

QUERIES_VARIABLE: Final = "CRUXE_QUALITY"
REPOSITORIES_VARIABLE: Final = "CRUXE_QUALITY_REPOSITORIES"
STORES_VARIABLE: Final = "CRUXE_QUALITY_STORES"
_DEPTH: Final = 10


class Target(msgspec.Struct, frozen=True):
    """A file, or some lines of one, that answers a query."""

    path: str
    start: int | None = None
    end: int | None = None


class Query(msgspec.Struct, frozen=True):
    """A query with all that answers it."""

    repo: str
    language: str
    category: str
    query: str
    relevant: tuple[Target, ...]
    secondary: tuple[Target, ...]

    @property
    def targets(self) -> tuple[Target, ...]:
        """All that answers it; both kinds count the same."""
        return self.relevant + self.secondary


class Repository(msgspec.Struct, frozen=True):
    """A repository and the folder in it that the benchmark is about."""

    name: str
    root: str

    def place(self, *, is_whole: bool) -> str:
        """Where its work tree, or the folder in it, is."""
        folder = os.path.join(os.environ[REPOSITORIES_VARIABLE], self.name)
        return folder if is_whole else os.path.join(folder, self.root).rstrip("/")


class Benchmark(msgspec.Struct, frozen=True):
    """The whole file."""

    repos: tuple[Repository, ...]
    queries: tuple[Query, ...]


class Shown(NamedTuple):
    """A result, as far as a target cares."""

    path: str
    line_start: int
    line_end: int


def load_benchmark() -> Benchmark | None:
    """Read the queries; nothing where the variables name none."""
    path = os.environ.get(QUERIES_VARIABLE)
    if not path or not os.environ.get(REPOSITORIES_VARIABLE):
        return None
    with open(path, "rb") as file:
        return msgspec.json.decode(file.read(), type=Benchmark)


def ndcg(results: Sequence[Shown], targets: Sequence[Target]) -> float:
    """Normalised discounted gain of the first ten: a target counts where it is first covered."""
    ranks = {
        rank for target in targets if (rank := _first_rank(results[:_DEPTH], target)) is not None
    }
    ideal = sum(_gain(rank) for rank in range(min(_DEPTH, len(targets))))
    return sum(map(_gain, ranks)) / ideal if ideal else 0.0


def _first_rank(results: Sequence[Shown], target: Target) -> int | None:
    return next((rank for rank, each in enumerate(results) if _covers(each, target)), None)


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 2)


def _covers(result: Shown, target: Target) -> bool:
    is_same_file = result.path == target.path or (
        f"/{result.path}".endswith(f"/{target.path}")
        or f"/{target.path}".endswith(f"/{result.path}")
    )
    if not is_same_file or target.start is None or target.end is None:
        return is_same_file
    return result.line_start <= target.end and target.start <= result.line_end
