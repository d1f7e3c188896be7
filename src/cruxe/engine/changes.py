"""What has to be done to bring a ref's map up to date. Decides; reads and writes no content."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cruxe.discover.inspection import PathInspector
from cruxe.engine.processing import FileTask
from cruxe.index.ref_rows import RefFile
from cruxe.model.identity import version_key_of
from cruxe.model.named import NamedTuple
from cruxe.model.source import CRUXE_IGNORE, DiscoveryRules, ListedFile, SkipReason

if TYPE_CHECKING:
    from cruxe.engine.freshness import StampComparison

# A file that failed for a passing reason is tried again when its ref is indexed by hand.
_PASSING = frozenset({SkipReason.PARSE_TIMEOUT, SkipReason.PARSER_CRASHED, SkipReason.UNREADABLE})


class ChangeSet(NamedTuple):
    """The part of the new map that is certain already, and the files still to be read."""

    kept: dict[str, RefFile]
    tasks: list[FileTask]
    has_removals: bool  # or files that are newly skipped


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
    return ChangeSet(kept, tasks, bool(removed or newly_skipped))


def touched_changes(
    root: str, rules: DiscoveryRules, before: Mapping[str, RefFile], stamps: "StampComparison"
) -> ChangeSet | None:
    """The changes by looking at touched paths alone; nothing where the whole tree must be listed.

    That is where what touched a path may decide about others: ignore files, folders of other
    repositories, and paths that are there but no longer listed.
    """
    known, listed = before.keys(), dict.fromkeys(stamps.listed).keys()
    touched = set(stamps.differing)
    if listed != known:
        touched |= listed ^ known
    if any(path.endswith(CRUXE_IGNORE) for path in touched):
        return None
    has_other_paths = not touched <= known & listed
    if has_other_paths and any(path.endswith(CRUXE_IGNORE) for path in known):
        return None
    inspector = PathInspector(root, rules)
    looked_at = {path: inspector.inspect(path) for path in sorted(touched)}
    for path, file in looked_at.items():
        is_folder = file is not None and file.skip is SkipReason.SUBMODULE_UNAVAILABLE
        if is_folder or (file is not None and path not in listed):
            return None
    present = [file for file in looked_at.values() if file is not None]
    was = {path: before[path] for path in touched if path in before}
    changes = worktree_changes(present, was, retry_failed=False)
    kept = {**before, **changes.kept}
    for path in touched - changes.kept.keys():
        kept.pop(path, None)
    return ChangeSet(kept, changes.tasks, changes.has_removals)


def commit_changes(
    listed: Sequence[ListedFile],
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
    return ChangeSet(kept, tasks, has_removals=True)


def _is_due(known: RefFile, file: ListedFile, *, retry_failed: bool) -> bool:
    if known.stat != file.stat:
        return True
    if known.skip_reason in _PASSING:
        return retry_failed
    # Left out by the last listing, by rules that have changed since.
    return known.version_key is None
