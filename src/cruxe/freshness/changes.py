"""What has to be done to bring a ref's map up to date. Decides; reads and writes no content."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cruxe.ingest.processing import FileTask
from cruxe.model.identity import version_key_of
from cruxe.model.refs import RefFile
from cruxe.model.source import CRUXE_IGNORE, DiscoveryRules, ListedFile, SkipReason
from cruxe.workspace.inspection import PathInspector

if TYPE_CHECKING:
    from cruxe.freshness.check import ReadRows, StampComparison

# A file that failed for a passing reason is tried again when its ref is indexed by hand.
_PASSING = frozenset({SkipReason.PARSE_TIMEOUT, SkipReason.PARSER_CRASHED, SkipReason.UNREADABLE})
_REPLACED = "\ufffd"  # what stands for bytes that are no UTF-8


class ChangeSet(NamedTuple):
    """The rows to be replaced, those that are certain already, and the files still to be read."""

    before: Mapping[str, RefFile]  # as published
    kept: dict[str, RefFile]
    tasks: list[FileTask]
    has_removals: bool  # or files that are newly skipped

    @property
    def is_empty(self) -> bool:
        """Whether nothing is replaced."""
        return not self.before and not self.kept and not self.tasks

    def within(self, published: Mapping[str, RefFile]) -> "ChangeSet":
        """The same changes, told of the whole map."""
        untouched = {path: published[path] for path in published.keys() - self.before.keys()}
        return self._replace(before=published, kept=untouched | self.kept)


def worktree_changes(
    listed: Sequence[ListedFile], before: Mapping[str, RefFile], *, retry_failed: bool
) -> ChangeSet:
    """Compare a working tree's stamps with those of the last publication."""
    kept: dict[str, RefFile] = {}
    tasks: list[FileTask] = []
    newly_skipped = 0
    for file in listed:
        known = before.get(file.path)
        if file.skip is not None:
            kept[file.path] = RefFile(None, file.skip, file.stat)
            newly_skipped += known is None or known.skip_reason is not file.skip
        elif known is None or _is_due(known, file, retry_failed=retry_failed):
            tasks.append(FileTask(file.path, None, file.stat))
        else:
            kept[file.path] = known
    removed = len(before) - sum(file.path in before for file in listed)
    return ChangeSet(before, kept, tasks, bool(removed or newly_skipped))


def touched_changes(
    root: str, rules: DiscoveryRules, read_rows: "ReadRows", stamps: "StampComparison"
) -> ChangeSet | None:
    """The changes by looking at touched paths alone; nothing where the whole tree must be listed.

    That is where what touched a path may decide about others: ignore files, folders of other
    repositories, and paths that are there but no longer listed. A path that is no UTF-8 cannot be
    looked at by the name it has here.
    """
    touched = stamps.differing | stamps.listed_anew | stamps.unlisted
    has_other_paths = stamps.listed_anew or stamps.unlisted
    if any(path.endswith(CRUXE_IGNORE) or _REPLACED in path for path in touched):
        return None
    if has_other_paths and stamps.has_ignore_files:
        return None
    inspector = PathInspector(root, rules)
    looked_at = {path: inspector.inspect(path) for path in sorted(touched)}
    for path, file in looked_at.items():
        is_folder = file is not None and file.skip is SkipReason.SUBMODULE_UNAVAILABLE
        if is_folder or (file is not None and path in stamps.unlisted):
            return None
    present = [file for file in looked_at.values() if file is not None]
    return worktree_changes(present, read_rows(sorted(touched)), retry_failed=False)


def commit_changes(
    listed: Sequence[ListedFile],
    before: Mapping[str, RefFile],
    verdicts: Mapping[int, SkipReason | None],
    extraction_digest: str,
) -> ChangeSet:
    """Find what of a commit is not in the store; `verdicts` are those of all known versions."""
    kept: dict[str, RefFile] = {}
    tasks: list[FileTask] = []
    for file in listed:
        if file.skip is not None or file.blob_id is None:
            kept[file.path] = RefFile(None, file.skip, None)
            continue
        key = version_key_of(file.path, file.blob_id, extraction_digest)
        if key in verdicts:
            kept[file.path] = RefFile(key, verdicts[key], None)
        else:
            tasks.append(FileTask(file.path, file.blob_id, None))
    return ChangeSet(before, kept, tasks, has_removals=True)


def _is_due(known: RefFile, file: ListedFile, *, retry_failed: bool) -> bool:
    if known.stat != file.stat:
        return True
    if known.skip_reason in _PASSING:
        return retry_failed
    # Left out by the last listing, by rules that have changed since.
    return known.version_key is None
