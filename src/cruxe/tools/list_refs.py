"""The tool `list_refs`: the refs that have an index."""

from typing import TYPE_CHECKING, Final

from cruxe.freshness.check import FullCheck
from cruxe.model.stored import RefRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import Shortening, omit_field
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, resolve_target

if TYPE_CHECKING:
    from cruxe.contract.report_parts import RefReport
    from cruxe.contract.results import ListRefsResult

_NAMESPACES: Final = ("refs/heads/", "refs/tags/", "refs/remotes/")


def list_refs(context: RepositoryContext) -> "ListRefsResult":
    """List the indexed refs by name; the default is the caller's working tree."""
    target = resolve_target(context.workspace, None)
    check = FullCheck(context, target)
    with open_store(context.location).snapshot() as snapshot:
        rows = sorted(snapshot.list_refs(), key=lambda row: (_shown(row), row.name))
        counts = snapshot.symbol_counts(row.ref_id for row in rows)
        refs = [_ref_line(row, counts[row.ref_id], target.ref.name) for row in rows]
        metadata = Metadata.ready(target.shown, is_fresh=check.is_fresh(snapshot))
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


def _ref_line(row: RefRow, symbol_count: int, default: str) -> "RefReport":
    line: RefReport = {
        "ref": _shown(row),
        "is_default": row.name == default,
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
