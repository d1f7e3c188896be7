"""The nested symbol tree of a file, for any ref."""

from typing import TYPE_CHECKING, Final

from cruxe.model.errors import FileNotFoundInRefError, Remedy
from cruxe.model.hits import OutlineNode, OutlineOutcome
from cruxe.model.specs import OutlineSpec

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot

_MOST_SIMILAR: Final = 3
_WHY_ABSENT: Final = Remedy(
    "search_code finds files by their names; index_status counts what was skipped, by reason",
    "`cruxe why PATH` tells why",
)


def outline(spec: OutlineSpec, snapshot: "Snapshot", ref_id: int) -> OutlineOutcome:
    """Build the outline of a path, of any language; raises where the ref does not hold it."""
    path = spec.path
    file = snapshot.find_file(ref_id, path)
    if file is None:
        raise file_not_found(snapshot, ref_id, path)
    rows = snapshot.outline_rows(ref_id, path, top_only=spec.top_only)
    nodes = {row.symbol_id: OutlineNode(row, []) for row in rows}
    roots: list[OutlineNode] = []
    for node in nodes.values():
        parent = node.row.parent_symbol_id
        siblings = roots if parent is None else nodes[parent].children
        siblings.append(node)
    return OutlineOutcome(
        path=path,
        language=file.language,
        skip_reason=file.skip_reason,
        roots=roots,
        symbol_count=len(rows),
    )


def file_not_found(snapshot: "Snapshot", ref_id: int, path: str) -> FileNotFoundInRefError:
    """The error of a path that a ref does not hold, with paths that look like it."""
    similar = snapshot.paths_named(ref_id, path.rpartition("/")[2])
    similar = similar or _nearest_paths(snapshot.joined_paths(ref_id).split("\0")[:-1], path)
    nearest = f"did you mean {', '.join(similar)}?" if similar else None
    return FileNotFoundInRefError(
        f"{path} is not in the index of this ref",
        remedy=nearest or _WHY_ABSENT,
        data={"path": path, "similar": tuple(similar)},
    )


def _nearest_paths(paths: list[str], path: str) -> list[str]:
    """Return a few paths whose file, or else whose folder, has nearly the last name of a path."""
    from difflib import get_close_matches

    name = path.rpartition("/")[2]
    folders = {each.rpartition("/")[0] for each in paths}
    for candidates in (paths, sorted(folders - {""})):
        by_name: dict[str, list[str]] = {}
        for each in candidates:
            by_name.setdefault(each.rpartition("/")[2], []).append(each)
        nearest = get_close_matches(name, by_name, _MOST_SIMILAR)
        if found := [each for own in nearest for each in by_name[own]]:
            return found[:_MOST_SIMILAR]
    return []
