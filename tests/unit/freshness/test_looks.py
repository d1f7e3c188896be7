"""How often a question that finds the index stale looks at the tree, and that it misses nothing."""

from typing import TYPE_CHECKING, cast

import pytest

from cruxe.repository import Repository
from cruxe.workspace import read as stamps
from tests.requirements import requirement
from tests.support.fingerprints import keep_fingerprint
from tests.support.indexing import context_of, index, published, settle
from tests.support.native import needs_folder_events
from tests.support.repositories import MakeRepo, Repo

if TYPE_CHECKING:
    from collections.abc import Callable

TREE = "-- a.py\ndef lantern():\n    pass\n-- lib/b.py\ndef harbour():\n    pass\n"


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    made = repo(TREE)
    settle(made, "a.py", "lib/b.py")
    return made


@pytest.fixture
def repository(tree: Repo) -> Repository:
    context = context_of(tree)
    index(context)
    keep_fingerprint(tree, context)
    return Repository(context)


@pytest.fixture
def looks(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The listings that were looked at, each time they are."""
    del repository  # what is looked at while it is made does not count
    return counted_looks(monkeypatch, "cruxe.freshness.check.begin_look")


def counted_looks(monkeypatch: pytest.MonkeyPatch, name: str) -> list[bytes]:
    seen: list[bytes] = []

    def counted(root: str, listing: bytes, numbers: object) -> object:
        seen.append(listing)
        return begin(root, listing, numbers)

    begin = cast("Callable[..., object]", stamps.begin_look)
    monkeypatch.setattr(name, counted)
    return seen


def freshness(repository: Repository, name: str) -> tuple[object, int]:
    answer = repository.locate_symbol(name)
    metadata = cast("dict[str, object]", answer["metadata"])
    return metadata["freshness_status"], len(cast("list[object]", answer["results"]))


@requirement("FRESH-LOOK-HANDED-ON")
def test_a_sync_takes_over_what_the_question_before_it_saw(
    tree: Repo, repository: Repository, looks: list[bytes]
) -> None:
    tree.write("-- a.py\ndef beacon():\n    pass\n")

    before = freshness(repository, "beacon")
    synced = repository.catch_up()
    after = freshness(repository, "beacon")

    assert [before, after] == [("stale", 0), ("fresh", 1)]
    assert synced["changed_files"] == 1
    assert len(looks) == 2  # for each question one


@requirement("FRESH-LOOK-HANDED-ON")
def test_what_changes_after_that_look_is_not_called_fresh_and_found_by_the_next_sync(
    tree: Repo, repository: Repository
) -> None:
    tree.write("-- a.py\ndef beacon():\n    pass\n")
    freshness(repository, "beacon")
    tree.write("-- lib/b.py\ndef breakwater():\n    pass\n")

    repository.catch_up()
    meanwhile = freshness(repository, "breakwater")
    repository.catch_up()

    assert meanwhile == ("stale", 0)
    assert freshness(repository, "breakwater") == ("fresh", 1)


@pytest.mark.parametrize("changed", ["committed", "removed", "new"])
def test_whatever_happens_between_look_and_sync_is_in_the_index_once_answers_are_fresh(
    changed: str, tree: Repo, repository: Repository
) -> None:
    tree.write("-- a.py\ndef beacon():\n    pass\n-- c.py\ndef quay():\n    pass\n")
    freshness(repository, "beacon")
    if changed == "committed":
        tree.commit()
    elif changed == "removed":
        tree.remove("a.py")
    else:
        tree.write("-- d.py\ndef jetty():\n    pass\n")

    repository.catch_up()
    if freshness(repository, "beacon")[0] == "stale":
        repository.catch_up()

    assert freshness(repository, "beacon") == ("fresh", 0 if changed == "removed" else 1)
    assert freshness(repository, "quay") == ("fresh", 1)
    assert freshness(repository, "jetty") == ("fresh", 1 if changed == "new" else 0)


def test_a_look_is_handed_on_once(tree: Repo, repository: Repository, looks: list[bytes]) -> None:
    tree.write("-- a.py\ndef beacon():\n    pass\n")
    freshness(repository, "beacon")

    repository.catch_up()
    repository.catch_up()

    assert len(looks) == 2  # that of the question, and that of the second sync


@needs_folder_events
@requirement("FRESH-TRAIL")
def test_a_process_that_syncs_again_publishes_what_was_touched_and_looks_at_nothing_else(
    tree: Repo, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = counted_looks(monkeypatch, "cruxe.freshness.change_journal.begin_look")
    for name in ("beacon", "buoy", "pier"):
        write_in_place(tree, "lib/b.py", f"def {name}():\n    pass\n")
        looks.clear()
        assert published(repository.sync_repo())["indexed_files"] == 1
        assert freshness(repository, name) == ("fresh", 1)

    assert looks == [b"lib/b.py\0"] * 2 + [b""]  # whether it changed, then from what is published


@needs_folder_events
@requirement("FRESH-TRAIL")
def test_what_was_made_after_that_is_published_by_the_same_process(
    tree: Repo, repository: Repository
) -> None:
    for name in ("beacon", "buoy"):
        write_in_place(tree, "lib/b.py", f"def {name}():\n    pass\n")
        repository.sync_repo()

    tree.write("-- lib/more/c.py\ndef pier():\n    pass\n-- d.py\ndef quay():\n    pass\n")
    assert published(repository.sync_repo())["indexed_files"] == 2
    tree.remove("a.py")
    write_in_place(tree, "lib/more/c.py", "def wharf():\n    pass\n")
    synced = published(repository.sync_repo())

    assert (synced["indexed_files"], synced["removed_files"]) == (1, 1)
    assert freshness(repository, "wharf") == ("fresh", 1)
    assert freshness(repository, "lantern") == ("fresh", 0)


@needs_folder_events
@requirement("FRESH-TRAIL")
def test_what_another_process_has_published_is_not_published_again(
    tree: Repo, repository: Repository
) -> None:
    for name in ("beacon", "buoy"):
        write_in_place(tree, "lib/b.py", f"def {name}():\n    pass\n")
        repository.sync_repo()
    write_in_place(tree, "a.py", "def pier():\n    pass\n")
    settle(tree, "a.py", "lib/b.py")
    other = published(Repository(repository.context).sync_repo())
    jobs = repository.index_status()["recent_jobs"]

    again = published(repository.sync_repo())

    assert other["changed_files"] == 2
    assert (again["changed_files"], again["generation"]) == (0, other["generation"])
    assert repository.index_status()["recent_jobs"] == jobs


@needs_folder_events
@requirement("FRESH-TRAIL")
def test_a_repository_that_was_closed_listens_to_nothing(
    tree: Repo, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("beacon", "buoy"):
        write_in_place(tree, "a.py", f"def {name}():\n    pass\n")
        repository.sync_repo()
    repository.close()
    looks = counted_looks(monkeypatch, "cruxe.freshness.change_journal.begin_look")
    write_in_place(tree, "a.py", "def pier():\n    pass\n")

    assert published(repository.sync_repo())["indexed_files"] == 1
    assert b"a.py\0lib/b.py\0" in looks


def write_in_place(tree: Repo, path: str, content: str) -> None:
    with open(tree.path(path), "w", encoding="utf-8") as file:
        file.write(content)
