"""Where nobody watches a tree, a question looks as long as it may, and the next one goes on."""

import os
from collections.abc import Callable, Generator

import pytest

from cruxe.freshness.budgeted_check import BudgetedCheck, TreeSweep
from cruxe.freshness.check import Verdict
from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.ingest.catch_up import CaughtUp
from cruxe.model.errors import IndexStaleError
from cruxe.model.levels import FreshnessBasis
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext, resolve_target
from tests.requirements import requirement
from tests.support.fingerprints import index_and_fingerprint
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.waiting import wait_for

COUNT = 12
FILES = [f"f{number:02}.py" for number in range(COUNT)]
Look = Callable[[TreeSweep], Verdict]


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    made = repo("".join(f"-- {path}\nx = 1\n" for path in FILES))
    settle(made, *FILES)
    return made


@pytest.fixture
def context(tree: Repo) -> RepositoryContext:
    """A tree that is indexed, and fingerprinted as if it had been left alone for a while."""
    return index_and_fingerprint(tree)


@pytest.fixture
def look(context: RepositoryContext) -> Look:
    def look(sweep: TreeSweep) -> Verdict:
        check = BudgetedCheck(context, resolve_target(context.workspace, None), sweep)
        with open_snapshot(layout_of(context)) as snapshot:
            check.is_fresh(snapshot)
        return check.verdict

    return look


@pytest.fixture
def unwatched(context: RepositoryContext) -> Generator[HostedWorkspace]:
    served = HostedWorkspace(context, has_watcher=False)
    yield served
    served.close()


def hurried() -> TreeSweep:
    return TreeSweep(budget_ms=0.0, batch_paths=1)


@requirement("FRESH-GLANCE", "SERVE-BASIS")
def test_a_tree_that_there_is_time_for_is_compared_whole(look: Look) -> None:
    assert look(TreeSweep()) == Verdict(is_fresh=True, basis=FreshnessBasis.STAT)


@requirement("FRESH-GLANCE", "SERVE-BASIS")
def test_without_time_for_all_it_is_stale_and_what_was_not_compared_is_counted(look: Look) -> None:
    looked = look(hurried())

    assert (looked.is_fresh, looked.basis) == (False, FreshnessBasis.HEAD)
    assert 0 < looked.lacking.unchecked < COUNT
    assert not looked.is_change_known


@requirement("FRESH-GLANCE")
@pytest.mark.parametrize("path", [FILES[0], FILES[-1]])
def test_a_change_is_found_by_the_questions_that_follow_and_not_forgotten(
    tree: Repo, look: Look, path: str
) -> None:
    sweep = hurried()
    assert not look(sweep).is_change_known
    tree.write(f"-- {path}\nx = 2\n")

    found = [look(sweep).lacking.paths for _ in range(2 * COUNT)]

    first = found.index((path,))
    assert first <= COUNT / 4 + 1
    assert {*found[first:]} == {(path,)}


@requirement("FRESH-GLANCE")
def test_a_file_that_is_new_shows_in_its_folder(tree: Repo, look: Look) -> None:
    tree.write("-- new.py\nx = 1\n")

    assert not look(TreeSweep()).is_fresh


@requirement("FRESH-GLANCE")
def test_a_file_that_was_only_touched_while_it_was_indexed_is_no_change(
    repo: MakeRepo,
) -> None:
    made = repo("-- a.py\nx = 1\n")  # written this moment: its stamps are not trusted
    context = index_and_fingerprint(made)
    check = BudgetedCheck(context, resolve_target(context.workspace, None), TreeSweep())

    with open_snapshot(layout_of(context)) as snapshot:
        assert check.is_fresh(snapshot)


@requirement("FRESH-GLANCE")
def test_where_folders_differ_a_small_tree_is_compared_whole_and_a_large_one_called_stale(
    tree: Repo, unwatched: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.write("-- .git/info/exclude\nignored\n")
    tree.write("-- ignored\nnothing that is indexed\n")

    def standing() -> tuple[object, object]:
        metadata = unwatched.repository.search_code("x", freshness_policy="best_effort")["metadata"]
        assert isinstance(metadata, dict)
        return metadata["freshness_status"], metadata["freshness_basis"]

    assert standing() == ("fresh", "stat")
    monkeypatch.setattr("cruxe.freshness.budgeted_check._SMALL_TREE_PATHS", 0)
    assert standing() == ("stale", "head")


@requirement("FRESH-GLANCE", "FR-117")
def test_under_strict_everything_is_compared(
    tree: Repo, unwatched: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unwatched.catch_up, "wait", CaughtUp)  # as if there were no time
    unwatched.sweep = hurried()
    tree.write(f"-- {FILES[-1]}\nx = 2\n")

    answer = unwatched.repository.locate_symbol("x", freshness_policy="best_effort")
    with pytest.raises(IndexStaleError):
        unwatched.repository.locate_symbol("x", freshness_policy="strict")

    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["freshness_basis"] == "head"


@requirement("FRESH-GLANCE")
def test_what_no_glance_can_see_is_looked_for_by_a_sync_from_time_to_time(
    tree: Repo, unwatched: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.hosting.hosted_workspace._LOOK_AROUND_SECONDS", 0.0)
    with open_snapshot(layout_of(unwatched.context)) as snapshot:
        ref = snapshot.list_refs()[0]
        os.remove(snapshot.fingerprint_path(ref.ref_id))
    unwatched.sweep.rests_until = float("inf")  # as on a network mount
    tree.write("-- new.py\ndef newcomer():\n    return 1\n")

    def names() -> object:
        return unwatched.repository.locate_symbol("newcomer")["results"]

    assert wait_for(names, "the new file")
