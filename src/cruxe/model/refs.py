"""Refs as the store keeps them: a name for a set of file versions, and one path of such a set."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.source import FileStat, SkipReason

SHORT_COMMIT: Final = 12  # characters of a commit's name that are shown


class RefState(NamedTuple):
    """What a ref is published as."""

    name: str
    root: str | None  # of a working tree
    branch: str | None
    commit_id: str | None
    settings: str = ""  # digest of the settings that decide what the map holds


class RefRow(NamedTuple):
    """A ref as last published."""

    ref_id: int
    name: str
    root: str | None
    branch: str | None
    commit_id: str | None
    settings: str
    file_count: int
    skipped_count: int
    indexed_at_ns: int


class RefFile(NamedTuple):
    """One path of a ref: the version it holds, or why it holds none."""

    version_key: VersionKey | None
    skip_reason: SkipReason | None
    stat: FileStat | None

    @property
    def content_key(self) -> VersionKey | None:
        """The version, if it has content."""
        return self.version_key if self.skip_reason is None else None


class MapEdit(NamedTuple):
    """Rows of a ref's map to be replaced, by path: a path that is missing after is gone."""

    before: Mapping[str, RefFile]  # as published
    after: Mapping[str, RefFile]
