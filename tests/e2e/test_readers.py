"""Reader processes at work while a writer publishes: each answer is of one generation."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cruxe.ingest.sync_options import SyncOptions
from tests.requirements import requirement
from tests.support.indexing import collect_now, context_of, generation_of, index
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo

READERS: Final = 4
GENERATIONS: Final = 50
FILES: Final = 3
READER: Final = """
    import os, sys
    from cruxe.repository import open_repository
    from cruxe.store.open import open_store

    root, stop, files = sys.argv[1], sys.argv[2], int(sys.argv[3])
    repository = open_repository(root)  # one that reads only: `cruxe.open` would publish, too

    def ask():
        located = repository.locate_symbol("marker", limit=100)["results"]
        # Definitions and outlines are told as the files stand now, which are being written.
        assert len(located) <= files, located
        outlined = repository.get_file_outline("m0.py")["symbols"]
        assert [each["name"] for each in outlined] in ([], ["marker"]), outlined
        with open_store(repository.context.location).snapshot() as snapshot:
            (ref,) = snapshot.list_refs()
            live = snapshot.live_keys(ref.ref_id)
            reader = snapshot.lexical_opener()()
            hits = reader.search("name", [("mark", 1.0)], 50, live.__contains__)
            named = snapshot.symbols_named(["marker"])["marker"]
            found = [each for each in named if each.version_key in live]
            assert {hit.version_key for hit in hits} == {each.version_key for each in found}
            assert len(found) == len(hits) == files
            assert len({each.signature for each in found}) == 1, found
            return snapshot.generation

    seen = [ask()]
    print("ready", flush=True)
    while not os.path.exists(stop):
        seen.append(ask())
    assert seen == sorted(seen), seen
    print(len(seen), len(set(seen)))
"""


def state(number: int) -> str:
    return "".join(
        f"-- m{each}.py\n" + "\n" * number + f"def marker(state={number}):\n    return {each}\n"
        for each in range(FILES)
    )


@contextmanager
def readers(made: Repo, folder: Path) -> Iterator[list[str]]:
    """Let readers ask until the block ends; then the list holds what those that failed said."""
    stop = folder / "stop"
    started = [start_program(READER, made.root, str(stop), str(FILES)) for _ in range(READERS)]
    complaints: list[str] = []
    try:
        for reader in started:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        yield complaints
    finally:
        stop.touch()
        for reader in started:
            _, errors = reader.communicate()
            if errors:
                complaints.append(errors)


@requirement("STORE-READERS", "STORE-PUBLISH")
def test_readers_see_one_generation_while_fifty_are_published(
    repo: MakeRepo, tmp_path: Path
) -> None:
    made = repo(state(0))
    context = context_of(made)
    index(context)
    with readers(made, tmp_path) as complaints:
        for number in range(1, GENERATIONS):
            made.write(state(number))
            index(context)

    assert complaints == []
    assert generation_of(context) == GENERATIONS


@requirement("STORE-READERS", "STORE-GC")
def test_readers_go_on_while_the_store_is_collected_and_rebuilt(
    repo: MakeRepo, tmp_path: Path
) -> None:
    made = repo(state(0))
    context = context_of(made)
    index(context)
    with readers(made, tmp_path) as complaints:
        for number in range(1, 9):
            made.write(state(number))
            index(context, options=SyncOptions(force=number % 2 == 0))
            if number % 2:
                collect_now(context)

    assert complaints == []
