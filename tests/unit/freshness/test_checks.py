"""Every implementation of a freshness check answers every question of the Protocol."""

from collections.abc import Callable, Generator

import pytest

from cruxe.freshness.budgeted_check import BudgetedCheck, TreeSweep
from cruxe.freshness.check import FreshnessCheck, FullCheck, require_fresh
from cruxe.freshness.server_check import AssumedFresh, ServerCheck
from cruxe.freshness.watcher import Watcher
from cruxe.model.errors import IndexStaleError
from cruxe.model.levels import FreshnessPolicy
from cruxe.store.local.snapshot import Snapshot, open_snapshot
from cruxe.workspace.context import RepositoryContext, Target, resolve_target
from tests.support.fingerprints import index_and_fingerprint
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

MakeCheck = Callable[[RepositoryContext, Target], FreshnessCheck]

COMPARING: dict[str, MakeCheck] = {
    "full": FullCheck,
    "budgeted": lambda context, target: BudgetedCheck(context, target, TreeSweep()),
    "server": lambda context, target: ServerCheck(
        context, target, Watcher(context, lambda: None, is_wanted=False), TreeSweep()
    ),
}
ALL: dict[str, MakeCheck] = {**COMPARING, "assumed": lambda _, target: AssumedFresh(target)}


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    made = repo("-- a.py\nx = 1\n-- b.py\ny = 1\n")
    settle(made, "a.py", "b.py")
    return made


@pytest.fixture
def context(tree: Repo) -> RepositoryContext:
    return index_and_fingerprint(tree)


@pytest.fixture
def snapshot(context: RepositoryContext) -> Generator[Snapshot]:
    with open_snapshot(layout_of(context)) as opened:
        yield opened


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("policy", [None, *FreshnessPolicy])
def test_an_unchanged_tree_is_fresh_and_has_no_changes(
    context: RepositoryContext, snapshot: Snapshot, name: str, policy: FreshnessPolicy | None
) -> None:
    target = resolve_target(context.workspace, None)
    check = ALL[name](context, target)
    (row,) = snapshot.list_refs()
    before = snapshot.read_map(row.ref_id)

    changes = check.find_changes(before, snapshot.generation)

    assert check.is_fresh(snapshot, policy)
    assert check.target == target
    assert check.verdict.basis in (None, "stat")
    assert (changes.tasks, changes.kept, changes.has_removals) == ([], before, False)


@pytest.mark.parametrize("name", COMPARING)
def test_a_change_is_found_and_refused_under_strict(
    tree: Repo, context: RepositoryContext, snapshot: Snapshot, name: str
) -> None:
    tree.write("-- b.py\ny = 2\n")
    target = resolve_target(context.workspace, None)
    check = COMPARING[name](context, target)
    (row,) = snapshot.list_refs()

    is_fresh = check.is_fresh(snapshot)
    changes = check.find_changes(snapshot.read_map(row.ref_id), snapshot.generation)

    assert not is_fresh
    assert [task.path for task in changes.tasks] == ["b.py"]
    with pytest.raises(IndexStaleError) as refused:
        require_fresh(check, snapshot, FreshnessPolicy.STRICT)
    assert refused.value.data == {
        "last_indexed_commit": row.commit_id,
        "current_head": target.ref.commit_id,
    }


@pytest.mark.parametrize("name", ALL)
def test_a_ref_that_was_never_indexed_is_not_fresh(
    tree: Repo, context: RepositoryContext, snapshot: Snapshot, name: str
) -> None:
    tree.branch("other")
    check = ALL[name](context, resolve_target(context.workspace, "other"))

    assert not check.is_fresh(snapshot)
