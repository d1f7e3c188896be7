"""Bringing a ref up to date, through the changes that a working tree sees in a day."""

import os
from collections.abc import Callable

import pytest

from cruxe.engine.repository import open_repository
from cruxe.engine.sync import SyncOptions, SyncOutcome
from cruxe.engine.targets import resolve_target
from cruxe.model.errors import RefNotIndexedError
from cruxe.model.identity import VersionKey
from tests.indexing import (
    Question,
    context_of,
    generation_of,
    index,
    is_up_to_date,
    paths_of,
    ranked_hits,
    read_database,
    settle,
    store_content,
)
from tests.repositories import MakeRepo, Repo
from tests.requirements import requirement

TWO_FILES = "-- a.py\ndef one():\n    pass\n-- b.py\ndef two():\n    pass\n"


def numbers(outcome: SyncOutcome) -> tuple[int, int, int, int]:
    return (
        outcome.generation,
        outcome.changed_files,
        outcome.indexed_files,
        outcome.removed_files,
    )


def names_in(made: Repo, name: str, ref: str | None = None) -> list[object]:
    results = open_repository(made.root).locate_symbol(name, ref=ref)["results"]
    assert isinstance(results, list)
    return [(each["path"], each["line_start"]) for each in results]


@requirement("INDEX-INCREMENTAL")
def test_only_what_changed_is_read_and_only_new_content_is_parsed(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    assert numbers(index(context)) == (1, 2, 2, 0)
    assert numbers(index(context)) == (1, 0, 0, 0)

    made.write("-- b.py\ndef three():\n    pass\n")
    settle(made, "b.py")
    assert numbers(index(context)) == (2, 1, 1, 0)

    made.write("-- b.py\ndef two():\n    pass\n")
    settle(made, "b.py")
    assert numbers(index(context)) == (3, 1, 0, 0)

    made.remove("a.py")
    assert numbers(index(context)) == (4, 0, 0, 1)
    assert paths_of(context) == {"b.py": None}


def test_new_stamps_on_the_same_content_are_no_new_generation(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    settle(made, "a.py", "b.py")

    assert numbers(index(context)) == (1, 2, 0, 0)
    assert numbers(index(context)) == (1, 0, 0, 0)


def test_an_index_is_fresh_as_soon_as_it_holds_the_tree(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    target = resolve_target(context.workspace, None)
    assert is_up_to_date(context, target)

    made.write("-- a.py\ndef one():\n    past\n")
    assert not is_up_to_date(context, target)


def test_a_rename_is_a_new_path_with_its_own_symbols(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    os.replace(made.path("a.py"), made.path("c.py"))
    index(context)

    assert paths_of(context) == {"b.py": None, "c.py": None}
    assert names_in(made, "one") == [("c.py", 1)]


def test_a_file_that_becomes_a_folder_and_back_is_followed(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    made.remove("a.py")
    made.write("-- a.py/inner.py\ndef deep():\n    pass\n")
    index(context)
    assert paths_of(context) == {"a.py/inner.py": None, "b.py": None}

    made.remove("a.py/inner.py")
    os.rmdir(made.path("a.py"))
    made.write("-- a.py\ndef one():\n    pass\n")
    index(context)
    assert paths_of(context) == {"a.py": None, "b.py": None}


@requirement("DISC-IGNORE", "INDEX-INCREMENTAL")
def test_a_file_that_is_no_longer_ignored_is_indexed(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    made.write("-- .cruxeignore\na.py\n")
    index(context)
    assert paths_of(context) == {".cruxeignore": None, "a.py": "ignored", "b.py": None}

    made.write("-- .cruxeignore\n# nothing\n")
    index(context)
    assert paths_of(context) == {".cruxeignore": None, "a.py": None, "b.py": None}
    assert names_in(made, "one") == [("a.py", 1)]


def test_a_file_that_is_ignored_from_now_on_leaves_the_answers(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    made.write("-- .cruxeignore\na.py\n")
    index(context)

    assert names_in(made, "one") == []


def _commit_nothing(made: Repo) -> None:
    made.commit("nothing new")


def _make_and_check_out_a_branch(made: Repo) -> None:
    made.git("checkout", "--quiet", "-b", "topic")


def _detach(made: Repo) -> None:
    made.git("checkout", "--quiet", "--detach")


def _amend(made: Repo) -> None:
    made.git("commit", "--quiet", "--amend", "--message", "reworded")


@requirement("STORE-REFS")
@pytest.mark.parametrize("move", [_commit_nothing, _make_and_check_out_a_branch, _detach, _amend])
def test_a_head_that_moves_without_content_is_published_without_reading(
    move: Callable[[Repo], None], repo: MakeRepo
) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)
    move(made)
    target = resolve_target(context.workspace, None)

    assert not is_up_to_date(context, target)
    assert numbers(index(context)) == (2, 0, 0, 0)
    assert numbers(index(context)) == (2, 0, 0, 0)
    assert store_content(context).refs[target.ref.name][1:3] == (
        target.ref.branch,
        target.ref.commit_id,
    )


@requirement("STORE-REFS")
def test_a_rebase_leaves_the_tree_that_it_made(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    made.git("checkout", "--quiet", "-b", "topic")
    made.write("-- a.py\ndef one():\n    return 'topic'\n")
    made.commit("on topic")
    made.checkout("main")
    made.write("-- c.py\ndef three():\n    pass\n")
    made.commit("on main")
    made.checkout("topic")
    context = context_of(made)
    index(context)
    made.git("rebase", "--quiet", "main")
    index(context)

    assert paths_of(context) == {"a.py": None, "b.py": None, "c.py": None}
    assert names_in(made, "three") == [("c.py", 1)]


@requirement("STORE-REFS")
def test_a_detached_head_is_named_by_its_commit(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    first = made.git("rev-parse", "HEAD").strip()
    made.write("-- c.py\nx = 1\n")
    made.commit()
    made.checkout(first)
    answer = open_repository(made.root).sync_repo()

    assert isinstance(answer["metadata"], dict)
    assert answer["metadata"]["ref"] == first[:12]
    assert paths_of(context_of(made)) == {"a.py": None, "b.py": None}


@requirement("INDEX-REF", "STORE-REFS")
def test_a_ref_may_be_a_tag_a_commit_a_remote_branch_or_an_expression(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    upstream = repo("-- a.py\ndef one():\n    pass\n", name="upstream")
    upstream.git("tag", "v1")
    first = upstream.git("rev-parse", "HEAD").strip()
    upstream.write("-- a.py\n\n\ndef one():\n    pass\n")
    upstream.commit()
    upstream.git("clone", "--quiet", upstream.root, os.path.join(tmp_path, "clone"))
    made = Repo(os.path.join(tmp_path, "clone"))
    made.write("-- a.py\n\n\n\n\ndef one():\n    pass\n")
    made.commit()
    context = context_of(made)
    shown = {}
    for ref in ("v1", first, first[:10], "origin/main", "HEAD~1", "HEAD", "main"):
        index(context, ref)
        shown[ref] = names_in(made, "one", ref)[0]

    assert shown == {
        "v1": ("a.py", 1),
        first: ("a.py", 1),
        first[:10]: ("a.py", 1),
        "origin/main": ("a.py", 3),
        "HEAD~1": ("a.py", 3),
        "HEAD": ("a.py", 5),
        "main": ("a.py", 5),
    }
    # `HEAD~1` is the commit of `origin/main`, but kept under its own name; v1 is a commit too.
    assert sorted(store_content(context).refs) == sorted(
        [
            f"worktree:{context.workspace.root}",
            "refs/tags/v1",
            first,
            "refs/remotes/origin/main",
            made.git("rev-parse", "HEAD~1").strip(),
            made.git("rev-parse", "HEAD").strip(),
        ]
    )


@requirement("INDEX-REF")
def test_a_branch_that_has_moved_is_refused_until_it_is_read_again(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    made.branch("topic")
    context = context_of(made)
    index(context, "topic")
    assert names_in(made, "one", "topic") == [("a.py", 1)]
    made.git("checkout", "--quiet", "topic")
    made.write("-- a.py\n\ndef one():\n    pass\n")
    made.commit()
    made.checkout("main")

    with pytest.raises(RefNotIndexedError) as caught:
        names_in(made, "one", "topic")
    assert caught.value.data == {"ref": "topic"}
    assert caught.value.remedy == "run `cruxe index --ref topic`"
    assert index(context, "topic").indexed_files == 1
    assert names_in(made, "one", "topic") == [("a.py", 2)]


@requirement("DISC-NOGIT")
def test_a_folder_without_git_has_the_single_ref_live(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef one():\n    pass\n-- .gitignore\n*.log\n-- x.log\n", git=False)
    answer = open_repository(made.root).sync_repo(ref="live")

    assert isinstance(answer["metadata"], dict)
    assert answer["metadata"]["ref"] == "live"
    assert paths_of(context_of(made)) == {".gitignore": None, "a.py": None}
    made.write("-- a.py\n\ndef one():\n    pass\n")
    index(context_of(made))
    assert names_in(made, "one", "live") == [("a.py", 2)]
    assert open_repository(made.root).collect()["dropped_versions"] == 1
    assert names_in(made, "one") == [("a.py", 2)]


@requirement("DISC-SUBMODULE")
def test_the_files_of_a_submodule_are_found_in_the_tree_and_in_commits(repo: MakeRepo) -> None:
    library = repo("-- lib.py\ndef shared():\n    pass\n", name="library")
    made = repo("-- app.py\ndef run():\n    pass\n", name="app")
    made.add_submodule(library, "vendor/library")
    made.commit()
    context = context_of(made)
    index(context)
    index(context, "HEAD")

    assert names_in(made, "shared") == [("vendor/library/lib.py", 1)]
    assert names_in(made, "shared", "HEAD") == [("vendor/library/lib.py", 1)]
    assert index(context, options=SyncOptions(force=True)).indexed_files == 3


@requirement("INDEX-INCREMENTAL")
@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("CRUXE_INDEX_MAX_FILE_SIZE", "10", {"a.py": "too_large", "gen.py": "too_large"}),
        ("CRUXE_INDEX_INCLUDE_GENERATED", "true", {"a.py": None, "gen.py": None}),
        ("CRUXE_INDEX_LANGUAGES", "go", {"a.py": None, "gen.py": "generated"}),
        ("CRUXE_INDEX_MAX_NODES", "1000", {"a.py": None, "gen.py": "generated"}),
    ],
)
def test_settings_that_decide_the_content_take_effect_and_can_be_taken_back(
    variable: str,
    value: str,
    expected: dict[str, str | None],
    repo: MakeRepo,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = repo("""
        -- a.py
        def one():
            pass
        -- gen.py
        # Code generated by a tool. DO NOT EDIT.
        def two():
            pass
    """)
    settle(made, "a.py", "gen.py")
    index(context_of(made))
    assert paths_of(context_of(made)) == {"a.py": None, "gen.py": "generated"}
    monkeypatch.setenv(variable, value)
    context = context_of(made)

    assert not is_up_to_date(context, resolve_target(context.workspace, None))
    index(context)
    assert paths_of(context) == expected
    assert is_up_to_date(context, resolve_target(context.workspace, None))

    monkeypatch.delenv(variable)
    assert index(context_of(made)).indexed_files == 0
    assert paths_of(context) == {"a.py": None, "gen.py": "generated"}


@requirement("INDEX-WORKTREES", "STORE-VERSIONS")
def test_worktrees_with_settings_of_their_own_leave_each_other_alone(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef one():\n    pass\n-- .gitignore\n.cruxe/\n")
    made.branch("topic")
    beside = made.worktree("topic")
    beside.write('-- .cruxe/config.toml\n[index]\nlanguages = ["go"]\n')
    settle(made, "a.py", ".gitignore")
    settle(beside, "a.py", ".gitignore")
    first, second = index(context_of(made)), index(context_of(beside))

    assert (first.indexed_files, second.indexed_files) == (2, 2)
    for tree, expected in ((made, [("a.py", 1)]), (beside, [])) * 2:
        assert names_in(tree, "one") == expected
        outcome = index(context_of(tree))
        assert (outcome.changed_files, outcome.was_rebuilt) == (0, False)


def test_settings_that_decide_nothing_of_the_content_rebuild_nothing(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    index(context_of(made))
    monkeypatch.setenv("CRUXE_INDEX_PARALLELISM", "2")
    monkeypatch.setenv("CRUXE_INDEX_PARSE_TIMEOUT_MS", "5000")

    assert numbers(index(context_of(made))) == (1, 0, 0, 0)


@requirement("INDEX-JOBS")
def test_each_run_is_a_job_with_its_counts(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)
    made.write("-- a.py\nx = 1\n")
    index(context)
    index(context, "HEAD")
    open_repository(made.root).collect()
    with read_database(context) as connection:
        jobs = connection.execute(
            "SELECT mode, status, files_total, files_indexed, symbols_extracted, pid"
            " FROM index_jobs ORDER BY created_at_ns"
        ).fetchall()

    assert jobs == [
        ("full", "published", 2, 2, 2, os.getpid()),
        ("incremental", "published", 1, 1, 1, os.getpid()),
        ("full", "published", 0, 0, 0, os.getpid()),
        # The file was written a moment ago, so the collection's sync reads it once more.
        ("incremental", "published", 1, 0, 0, os.getpid()),
    ]


def test_a_forced_run_builds_the_same_store_again(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    context = context_of(made)
    index(context)
    before = store_content(context)
    outcome = index(context, options=SyncOptions(force=True))

    assert (outcome.was_rebuilt, outcome.indexed_files) == (True, 2)
    assert store_content(context) == before
    assert generation_of(context) == outcome.generation


@requirement("STORE-REFS")
def test_a_forced_run_keeps_the_other_refs(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    made.branch("topic")
    context = context_of(made)
    index(context)
    index(context, "topic")
    before = store_content(context)
    open_repository(made.root).sync_repo(force=True)

    assert store_content(context) == before


def test_progress_is_told_file_by_file(repo: MakeRepo) -> None:
    made = repo(TWO_FILES)
    told: list[tuple[int, int]] = []
    index(
        context_of(made),
        options=SyncOptions(progress=lambda done, total: told.append((done, total))),
    )

    assert told == [(1, 2), (2, 2)]


@requirement("STORE-VERSIONS")
def test_two_files_that_share_a_key_are_never_mixed(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo("-- a.py\ndef one():\n    pass\n-- b.py\n\n\ndef two():\n    pass\n")
    monkeypatch.setattr(processing, "version_key_of", lambda *_: VersionKey(77))
    context = context_of(made)
    index(context)
    repository = open_repository(made.root)

    assert names_in(made, "one") == [("a.py", 1)]
    assert names_in(made, "two") == []
    assert repository.get_file_outline("b.py")["symbols"] == []
    (hits,) = ranked_hits(context, [Question("name", ("one", "two"))]).values()
    assert [(hit.line_start, hit.line_end) for hit in hits] == [(1, 2)]
