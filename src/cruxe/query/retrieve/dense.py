"""The dense channel: files whose chunks or docs have vectors near to the question's."""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import VersionKey

if TYPE_CHECKING:
    from cruxe.model.stored import NearFiles
    from cruxe.store.api import VectorIndex

# Rows whose true similarity is taken: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Questions about nothing in a repository come this near to it one time in thirty; of the targets of
# the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorIndex"
    query: Sequence[int]
    model_version: str


def nearest_files(
    channel: DenseChannel,
    row_count: int,
    is_live: Callable[[VersionKey], bool] | None,
    known: Container[VersionKey],
) -> "NearFiles | None":
    """The files whose chunks or docs are nearest: of those not known only such as come near.

    Nothing where there is nothing to compare.
    """
    from cruxe.model.stored import NearWanted

    wanted = NearWanted(row_count, known, LEAST_SIMILARITY)
    return channel.reader.nearest(channel.query, wanted, is_live)
