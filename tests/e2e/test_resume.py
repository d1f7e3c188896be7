"""A run that was cut goes on where it stopped."""

from typing import Final

from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.indexing import collect_now, context_of, index, paths_of, store_content
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo

FILES: Final = 60
DIES_AT: Final = """
    import os, sys
    from cruxe.store.local import writer
    from cruxe.store.local.writer import StoreWriter

    writer.CHECKPOINT_BYTES = 400
    add, publish = StoreWriter.add, StoreWriter.publish
    added = 0

    def add_or_die(self, record):
        global added
        if added == int(sys.argv[2]):
            os._exit(9)
        added += 1
        add(self, record)

    def die(self, *_):
        os._exit(9)

    StoreWriter.add = add_or_die
    StoreWriter.publish = die
    import cruxe
    cruxe.open(sys.argv[1]).sync_repo()
"""


@requirement("INDEX-RESUME", "STORE-CRASH")
def test_what_was_checkpointed_is_not_parsed_again(repo: MakeRepo) -> None:
    made = repo("".join(f"-- m{each}.py\ndef f{each}():\n    return 1\n" for each in range(FILES)))
    with start_program(DIES_AT, made.root, "45") as program:
        program.communicate()
    assert program.returncode == 9
    context = context_of(made)
    kept = len(store_content(context).file_versions)
    assert 30 < kept <= 45
    assert open_repository(made.root).index_status()["index_status"] == "not_indexed"

    outcome = index(context)
    assert (outcome.changed_files, outcome.indexed_files) == (FILES, FILES - kept)
    assert len(paths_of(context)) == len(store_content(context).file_versions) == FILES


@requirement("INDEX-RESUME", "STORE-CRASH")
def test_a_run_that_died_just_before_its_publication_parses_nothing_again(repo: MakeRepo) -> None:
    made = repo("".join(f"-- m{each}.py\ndef f{each}():\n    return 1\n" for each in range(FILES)))
    with start_program(DIES_AT, made.root, str(FILES)) as program:
        program.communicate()
    context = context_of(made)
    kept = len(store_content(context).file_versions)
    outcome = index(context)

    assert outcome.indexed_files == FILES - kept < 20
    assert collect_now(context).dropped_versions == 0


@requirement("INDEX-RESUME", "STORE-GC")
def test_what_a_cut_run_stored_and_nobody_wants_any_more_is_collected(repo: MakeRepo) -> None:
    made = repo("".join(f"-- m{each}.py\ndef f{each}():\n    return 1\n" for each in range(FILES)))
    with start_program(DIES_AT, made.root, "45") as program:
        program.communicate()
    for each in range(FILES - 1):
        made.remove(f"m{each}.py")
    context = context_of(made)
    index(context)
    collect_now(context)

    assert [row[1] for row in store_content(context).file_versions] == [f"m{FILES - 1}.py"]
