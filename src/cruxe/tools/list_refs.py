"""The tool `list_refs`: the refs that have an index."""

import os
from typing import TYPE_CHECKING, Final

from cruxe.freshness.check import FreshnessCheck, FullCheck
from cruxe.model.source import Workspace
from cruxe.model.stored import RefRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import Shortening, omit_field
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, Target, resolve_target
from cruxe.workspace.ref_names import list_worktrees, ref_tips

if TYPE_CHECKING:
    from cruxe.contract.report_parts import RefReport
    from cruxe.contract.results import ListRefsResult

_NAMESPACES: Final = ("refs/heads/", "refs/tags/", "refs/remotes/")


def list_refs(context: RepositoryContext, check: FreshnessCheck | None = None) -> "ListRefsResult":
    """List the indexed refs by name, each once; the default is the caller's working tree.

    A caller gives the check of that tree; without one every file is compared.
    """
    check = check or FullCheck(context, resolve_target(context.workspace, None))
    target = check.target
    with open_store(context.location).snapshot() as snapshot:
        is_fresh = check.is_fresh(snapshot)
        rows = _once_by_name(snapshot.list_refs(), target)
        counts = snapshot.symbol_counts(row.ref_id for row in rows.values())
        tips = _Tips(context.workspace)
        refs: list[RefReport] = []
        for shown, row in sorted(rows.items()):
            is_own = row.name == target.ref.name
            is_same = is_fresh if is_own else tips.are_those_of(row)
            line = _ref_line(shown, row, counts[row.ref_id], is_default=is_own)
            refs.append(line if is_same else {**line, "status": "stale"})
        metadata = Metadata.ready(target.shown, is_fresh=is_fresh)
    answer: ListRefsResult = {
        "refs": refs,
        "total_refs": len(refs),
        "vcs_mode": context.workspace.git_dir is not None,
        "metadata": metadata.to_mapping(),
    }
    if not refs:
        from cruxe.model.outcomes import EmptyReason

        answer["empty_reason"] = EmptyReason.NOT_INDEXED
    max_bytes = context.settings.search.max_response_bytes
    Shortening(answer, answer["metadata"], max_bytes).cut_list(refs)
    return answer


def _once_by_name(rows: list[RefRow], target: Target) -> dict[str, RefRow]:
    """Return the row that each name means to the caller.

    The name of the branch checked out means the working tree; any other name means the commit, or
    another working tree if that alone is indexed.
    """
    found: dict[str, RefRow] = {}
    for row in sorted(rows, key=lambda row: (row.root is not None, row.name)):
        found.setdefault(_shown(row), row)
    own = next((row for row in rows if row.name == target.ref.name), None)
    if own is not None:
        found = {shown: row for shown, row in found.items() if row is not own}
        found[target.shown] = own
    return found


class _Tips:
    """What the refs and working trees of a repository have checked out now."""

    def __init__(self, workspace: Workspace) -> None:
        self._commits = ref_tips(workspace)
        self._heads = {os.path.realpath(each.root): each.head for each in list_worktrees(workspace)}

    def are_those_of(self, row: RefRow) -> bool:
        """Return whether a ref is still what was indexed; a commit always is."""
        if row.root is not None:
            return self._heads.get(row.root) == (row.branch, row.commit_id)
        return row.name == row.commit_id or self._commits.get(row.name) == row.commit_id


def _ref_line(shown: str, row: RefRow, symbol_count: int, *, is_default: bool) -> "RefReport":
    line: RefReport = {
        "ref": shown,
        "is_default": is_default,
        "status": "ready",
        "worktree": row.root or "",
        "last_indexed_commit": row.commit_id,
        "file_count": row.file_count,
        "symbol_count": symbol_count,
    }
    return omit_field(line, "worktree") if row.root is None else line


def _shown(row: RefRow) -> str:
    """Return the name by which callers address a ref."""
    if row.root is not None:
        return row.branch or row.commit_id or "live"
    for namespace in _NAMESPACES:
        if row.name.startswith(namespace):
            return row.name.removeprefix(namespace)
    return row.name
