"""Damaged stores: every byte that counts is found out, no answer is wrong, a sync repairs."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.model.errors import EngineError, ErrorCode, IndexDamagedError, IndexIncompatibleError
from cruxe.repository import Repository
from cruxe.store.local.layout import ROWS_FILE, StoreLayout
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.damaging import Corruption, damage_file, damaged_copies
from tests.support.indexing import context_of, index, settle
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

FILES: Final = 40
DEFINITIONS: Final = 8
SHORT: Final = 60
LONG: Final = 1_000
COUNTS: Final = [SHORT, pytest.param(LONG, marks=pytest.mark.long)]
Answer = Mapping[str, object]


class Scene(NamedTuple):
    """A repository with a sound store, and a folder for damaged copies."""

    made: Repo
    sound: str
    copy: str


@pytest.fixture
def scene(repo: MakeRepo, tmp_path: Path) -> Scene:
    """Index a repository of classes whose lines are known."""
    made = repo("".join(map(_source, range(FILES))))
    settle(made, *(f"m{number}.py" for number in range(FILES)))
    sound = tmp_path / "sound"
    index(context_of(made, sound))
    return Scene(made, os.fspath(sound), os.fspath(tmp_path / "copy"))


@requirement("STORE-INTEGRITY")
@pytest.mark.parametrize("count", COUNTS)
def test_doctor_names_every_damaged_byte_that_counts(count: int, scene: Scene) -> None:
    missed: list[Corruption] = []
    for corruption, context in damaged_copies(*scene, count, seed=1):
        if Repository(context).health_check()["status"] == "ready":
            missed.append(corruption)

    assert missed == []


@requirement("STORE-INTEGRITY")
@pytest.mark.parametrize("count", COUNTS)
def test_no_answer_from_a_damaged_store_is_a_crash_or_has_wrong_lines(
    count: int, scene: Scene
) -> None:
    wrong: list[tuple[Corruption, str]] = []
    for corruption, context in damaged_copies(*scene, count, seed=2):
        wrong += [(corruption, problem) for problem in _problems_of_answers(Repository(context))]

    assert wrong == []


def _problems_of_answers(repository: Repository) -> Iterator[str]:
    questions: list[Callable[[], Answer]] = [
        lambda: repository.locate_symbol("handle3_4"),
        lambda: repository.locate_symbol("box", limit=40),
        lambda: repository.search_code("payload of a shipment", detail_level="context"),
        lambda: repository.search_code("handle7_2 total count"),
        lambda: repository.get_file_outline("m9.py"),
        lambda: repository.read_symbol("Box5x5"),
        lambda: repository.search_text("payload + 17"),
        repository.index_status,
    ]
    for ask in questions:
        try:
            answer = ask()
        except EngineError as error:
            if error.code is not ErrorCode.INDEX_INCOMPATIBLE:
                yield str(error)
        except BaseException as error:  # noqa: BLE001 - panics of Rust are no `Exception`
            yield repr(error)
        else:
            yield from _wrong_lines(answer.get("results", ()))


def _wrong_lines(results: object) -> Iterator[str]:
    assert isinstance(results, (list, tuple))
    for result in results:
        expected = _line_of(str(result.get("name", "")))
        line = result.get("line_start", result.get("line"))
        if expected is not None and (result["path"], line) != expected:
            yield f"{result['name']} is at {expected}, not at {result['path']}:{line}"


def _source(number: int) -> str:
    return f"-- m{number}.py\n" + "".join(
        f"class Box{number}x{each}:\n"
        f'    """Holds the payload number {number * each} of a shipment."""\n'
        f"    def handle{number}_{each}(self, payload, count={each}):\n"
        f"        total = payload + {number}\n"
        "        return total * count\n\n"
        for each in range(DEFINITIONS)
    )


def _line_of(name: str) -> tuple[str, int] | None:
    """Return path and line of a definition by its name."""
    for prefix, separator, line in (("Box", "x", 1), ("handle", "_", 3)):
        number, found, each = name.removeprefix(prefix).partition(separator)
        if name.startswith(prefix) and found and number.isdecimal() and each.isdecimal():
            return f"m{number}.py", 6 * int(each) + line
    return None


def _damage_vectors(store: StoreLayout) -> None:
    damage_file(os.path.join(store.vectors_path(1), ROWS_FILE), offset=100)


def _damage_norms(store: StoreLayout) -> None:
    folder = store.lexical_path(1)
    (name,) = [each for each in os.listdir(folder) if each.endswith(".fieldnorm")]
    damage_file(os.path.join(folder, name), offset=30)


def _cut_postings(store: StoreLayout) -> None:
    folder = store.lexical_path(1)
    (name,) = [each for each in os.listdir(folder) if each.endswith(".idx")]
    os.truncate(os.path.join(folder, name), 50)


REPAIRABLE: Final = [_damage_vectors, _damage_norms, _cut_postings]


@requirement("STORE-INTEGRITY")
@pytest.mark.parametrize("damage", REPAIRABLE)
def test_what_doctor_finds_is_told_alike_everywhere_until_a_sync_has_repaired_it(
    damage: Callable[[StoreLayout], None], scene: Scene
) -> None:
    context = context_of(scene.made, scene.sound)
    repository = Repository(context)
    sound = _ranking(repository)
    damage(_store_of(context))

    assert repository.health_check()["status"] == "error"
    assert repository.index_status()["schema_status"] == "corrupt_manifest"
    with suppress(IndexDamagedError):  # raised unless words alone give an answer that says so
        answer = repository.search_code("payload of a shipment")
        assert answer["metadata"].get("semantic_skipped_reason")
    repository.sync_repo()

    assert repository.health_check()["status"] == "ready"
    assert repository.index_status()["schema_status"] == "compatible"
    assert _ranking(repository) == sound


@requirement("STORE-INTEGRITY")
def test_a_damaged_database_is_refused_by_all_until_it_is_rebuilt(scene: Scene) -> None:
    context = context_of(scene.made, scene.sound)
    repository = Repository(context)
    path = _store_of(context).database_path
    with open(path, "rb") as file:
        offset = file.read().index(b"handle3_4")
    damage_file(path, offset)

    assert repository.health_check()["status"] == "error"
    for ask in (repository.sync_repo, lambda: repository.locate_symbol("Box1x1")):
        with pytest.raises(IndexIncompatibleError) as caught:
            ask()
        assert caught.value.remedy == "run `cruxe index --force`"
    repository.sync_repo(force=True)

    assert repository.health_check()["status"] == "ready"
    assert repository.locate_symbol("handle3_4")["total_candidates"] == 1


@requirement("STORE-INTEGRITY")
def test_damage_that_was_undone_is_no_longer_told_after_the_next_look(scene: Scene) -> None:
    context = context_of(scene.made, scene.sound)
    repository = Repository(context)
    path = _store_of(context).database_path
    damage_file(path, offset=60)
    before = repository.health_check()["status"]
    damage_file(path, offset=60)

    assert (before, repository.health_check()["status"]) == ("error", "ready")
    assert repository.index_status()["schema_status"] == "compatible"


@requirement("STORE-INTEGRITY")
@pytest.mark.parametrize("damage", REPAIRABLE)
def test_a_server_finds_damage_by_itself_repairs_it_and_reads_what_is_new(
    damage: Callable[[StoreLayout], None], scene: Scene
) -> None:
    served = HostedWorkspace(context_of(scene.made), has_watcher=False)
    try:
        served.repository.sync_repo()
        sound = _ranking(served.repository)
        damage(_store_of(served.context))
        served.scrub.pass_once()
        job = served.background.current

        assert job is not None
        assert job.wait(60, None)
        assert _ranking(served.repository) == sound
        served.scrub.pass_once()
        health = served.repository.health_check()
        assert (health["status"], health["sqlite_check"]) == ("ready", "verified")
    finally:
        served.close()


def _ranking(repository: Repository) -> list[tuple[object, ...]]:
    results = repository.search_code("payload of a shipment")["results"]
    assert isinstance(results, list)
    return [(each["path"], each["line_start"], each["score"]) for each in results]


def _store_of(context: RepositoryContext) -> StoreLayout:
    store = layout_of(context).current()
    assert store is not None
    return store
