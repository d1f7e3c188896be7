"""What has to be done to bring a ref's map up to date. Decides; reads and writes no content."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cruxe.model.identity import version_key_of
from cruxe.model.source import CRUXE_IGNORE, DiscoveryRules, FileTask, ListedFile, SkipReason
from cruxe.model.stored import RefFile
from cruxe.workspace.classify import PathInspector
from cruxe.workspace.read import TreeDifferences

# A file that failed for a passing reason is tried again when its ref is indexed by hand.
_PASSING_REASONS: Final = frozenset(
    {SkipReason.PARSE_TIMEOUT, SkipReason.PARSER_CRASHED, SkipReason.UNREADABLE}
)
_REPLACEMENT: Final = "\ufffd"  # decoded from bytes that are not UTF-8

ReadRows = Callable[[Iterable[str]], dict[str, RefFile]]  # the rows of some paths of a map


class ChangeSet(NamedTuple):
    """The rows to replace, the new rows that are known already, and the files still to read."""

    before: Mapping[str, RefFile]  # as published
    kept: dict[str, RefFile]
    tasks: list[FileTask]
    has_removals: bool  # or files that are newly skipped

    @property
    def is_empty(self) -> bool:
        """Whether nothing is replaced."""
        return not self.before and not self.kept and not self.tasks

    def within(self, published: Mapping[str, RefFile]) -> "ChangeSet":
        """Return the same changes with the rows of the whole map."""
        untouched = {path: published[path] for path in published.keys() - self.before.keys()}
        return self._replace(before=published, kept=untouched | self.kept)


def worktree_changes(
    listed: Sequence[ListedFile], before: Mapping[str, RefFile], *, retry_failed: bool
) -> ChangeSet:
    """Return how a listed working tree differs from its map, by stamps."""
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
    return ChangeSet(
        before=before, kept=kept, tasks=tasks, has_removals=bool(removed or newly_skipped)
    )


def touched_changes(
    root: str, rules: DiscoveryRules, read_rows: ReadRows, differences: TreeDifferences
) -> ChangeSet | None:
    """Return the changes of touched paths; None if the whole tree must be listed.

    It must be if a touched path may decide about others: an ignore file, the folder of another
    repository, or a path that exists but is no longer listed. It must be as well if a path is not
    UTF-8, since the decoded name opens no file.
    """
    touched = differences.paths
    has_other_paths = differences.added or differences.removed
    if any(path.endswith(CRUXE_IGNORE) or _REPLACEMENT in path for path in touched):
        return None
    if has_other_paths and differences.has_ignore_files:
        return None
    inspector = PathInspector(root, rules)
    inspected = {path: inspector.inspect(path) for path in sorted(touched)}
    for path, file in inspected.items():
        is_folder = file is not None and file.skip is SkipReason.SUBMODULE_UNAVAILABLE
        if is_folder or (file is not None and path in differences.removed):
            return None
    present = [file for file in inspected.values() if file is not None]
    return worktree_changes(present, read_rows(sorted(touched)), retry_failed=False)


def commit_changes(
    listed: Sequence[ListedFile],
    before: Mapping[str, RefFile],
    verdicts: Mapping[int, SkipReason | None],
    extraction_digest: str,
) -> ChangeSet:
    """Return what of a commit is not in the store; `verdicts` are those of all known versions."""
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
    return ChangeSet(before=before, kept=kept, tasks=tasks, has_removals=True)


def _is_due(known: RefFile, file: ListedFile, *, retry_failed: bool) -> bool:
    if known.stat != file.stat:
        return True
    if known.skip_reason in _PASSING_REASONS:
        return retry_failed
    # The last listing left it out by rules that have changed since.
    return known.version_key is None
