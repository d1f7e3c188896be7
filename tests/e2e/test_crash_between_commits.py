"""A process that dies after the lexical commit and before the publication."""

import os
from typing import Final

import pytest

from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import (
    Question,
    collect_now,
    context_of,
    index,
    paths_of,
    places,
    ranked_hits,
    store_content,
    untrue_hits,
)
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo

DIED: Final = 9
DIES_AFTER_LEXICAL_COMMIT: Final = """
    import os, sys
    from cruxe.store.local.lexical import LexicalWriter

    commit = LexicalWriter.commit

    def commit_and_die(writer):
        commit(writer)
        os._exit(9)

    LexicalWriter.commit = commit_and_die
    import cruxe
    cruxe.open(sys.argv[1]).sync_repo()
"""
DIES_BEFORE_COLLECTION_IS_PUBLISHED: Final = """
    import os, sys
    from cruxe.store.local.writer import StoreWriter

    StoreWriter.replace_lexical = lambda *_: os._exit(9)
    import cruxe
    cruxe.open(sys.argv[1]).collect()
"""
WORDS: Final = ("harbour", "lantern", "meadow", "basket")


def dies(code: str, made: Repo) -> None:
    with start_program(code, made.root) as program:
        program.communicate()
    assert program.returncode == DIED


def fresh(made: Repo, folder: str | os.PathLike[str]) -> RepositoryContext:
    context = context_of(made, folder)
    index(context)
    return context


def questions() -> list[Question]:
    return [Question(field, WORDS) for field in ("name", "text")]


@requirement("STORE-NO-FOREIGN-TEXT", "STORE-CRASH", "STORE-PUBLISH")
@pytest.mark.parametrize(
    "after",
    [
        "-- a.py\ndef harbour():\n    basket = 1\n",
        "-- b.py\ndef basket():\n    return 1\n\n\ndef harbour():\n    return 2\n",
        "-- a.py\ndef meadow():\n    pass\n",
        "-- a.py\ndef lantern():\n    lantern = meadow\n",
        "-- a.py\n# lantern\n\n\n\ndef lantern():\n    lantern = 2\n-- c.py\nmeadow = basket\n",
    ],
    ids=[
        "the old content again",
        "another file",
        "third content",
        "the lost content again",
        "the lost content, moved",
    ],
)
def test_no_hit_shows_the_text_of_a_run_that_was_lost(
    after: str, repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    made = repo("-- a.py\ndef harbour():\n    basket = 1\n")
    context = context_of(made)
    index(context)
    before = store_content(context)
    made.write("-- a.py\ndef lantern():\n    lantern = meadow\n-- c.py\nlantern = 3\n")
    dies(DIES_AFTER_LEXICAL_COMMIT, made)

    assert store_content(context) == before
    assert {path for path, _ in ranked_hits(context, [Question("name", ("lantern",))])} == set()

    made.remove("c.py")
    made.write(after)
    index(context)

    assert untrue_hits(context, made, WORDS) == []
    expected = fresh(made, os.path.join(tmp_path, "fresh"))
    hits = ranked_hits(expected, questions())
    assert places(ranked_hits(context, questions())) == places(hits)
    collect_now(context)
    assert store_content(context) == store_content(expected)
    assert ranked_hits(context, questions()) == hits


@requirement("STORE-CRASH")
def test_the_first_index_may_be_lost_at_the_same_place(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    made = repo("-- a.py\ndef lantern():\n    pass\n-- b.py\ndef harbour():\n    pass\n")
    dies(DIES_AFTER_LEXICAL_COMMIT, made)
    made.write("-- a.py\ndef basket():\n    pass\n")
    context = context_of(made)
    index(context)

    assert paths_of(context) == {"a.py": None, "b.py": None}
    assert untrue_hits(context, made, WORDS) == []
    expected = fresh(made, os.path.join(tmp_path, "fresh"))
    collect_now(context)
    assert store_content(context) == store_content(expected)
    assert ranked_hits(context, questions()) == ranked_hits(expected, questions())


@requirement("STORE-CRASH", "STORE-GC")
def test_a_collection_that_dies_before_its_publication_changes_nothing(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef harbour():\n    pass\n-- b.py\ndef basket():\n    pass\n")
    context = context_of(made)
    index(context)
    made.write("-- a.py\ndef lantern():\n    pass\n")
    index(context)
    before, hits = store_content(context), ranked_hits(context, questions())
    dies(DIES_BEFORE_COLLECTION_IS_PUBLISHED, made)

    assert store_content(context) == before
    assert ranked_hits(context, questions()) == hits
    assert collect_now(context).dropped_versions == 1
    assert len(store_content(context).file_versions) == 2
