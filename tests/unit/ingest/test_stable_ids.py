"""Which names of a symbol survive an edit."""

from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.indexing import context_of, index
from tests.support.repositories import MakeRepo, Repo

BEFORE = """
    -- a.py
    class Box:
        def open(self, key):
            return key

    def close():
        pass
    -- b.py
    class Box:
        def open(self, key):
            return key
"""


def ids_of(made: Repo, name: str) -> dict[str, tuple[str, str]]:
    results = open_repository(made.root).locate_symbol(name, detail_level="context")["results"]
    assert isinstance(results, list)
    return {each["path"]: (each["symbol_id"], each["symbol_stable_id"]) for each in results}


@requirement("PARSE-STABLE-ID")
def test_moved_lines_and_edits_elsewhere_keep_the_stable_id(repo: MakeRepo) -> None:
    made = repo(BEFORE)
    index(context_of(made))
    before = ids_of(made, "Box.open")
    made.write("""
        -- a.py
        # A comment, and a new function before it.
        def new():
            pass

        class Box:
            size = 1

            def open(self, key, hurry=False):
                # Another body and another signature.
                return None
    """)
    index(context_of(made))
    after = ids_of(made, "Box.open")

    assert after["a.py"][1] == before["a.py"][1]
    assert after["a.py"][0] != before["a.py"][0]
    assert after["b.py"] == before["b.py"]


@requirement("PARSE-STABLE-ID", "LOCATE-AMBIGUOUS")
def test_symbols_of_different_files_are_never_one(repo: MakeRepo) -> None:
    made = repo(BEFORE)
    index(context_of(made))
    found = ids_of(made, "Box")

    assert found["a.py"][0] != found["b.py"][0]
    assert found["a.py"][1] != found["b.py"][1]


@requirement("PARSE-STABLE-ID")
def test_the_same_content_has_the_same_ids_in_every_store(repo: MakeRepo) -> None:
    first, second = repo(BEFORE, name="first"), repo(BEFORE, name="second", git=False)
    index(context_of(first))
    index(context_of(second))

    assert ids_of(first, "Box") == ids_of(second, "Box")


@requirement("PARSE-STABLE-ID")
def test_definitions_that_share_a_name_in_one_file_keep_apart(repo: MakeRepo) -> None:
    made = repo("""
        -- a.cpp
        int area(int side) { return side * side; }
        int area(int width, int height) { return width * height; }
        int area(int side);
    """)
    index(context_of(made))
    results = open_repository(made.root).locate_symbol("area", detail_level="context")["results"]
    assert isinstance(results, list)
    stable = [each["symbol_stable_id"] for each in results]

    assert len(stable) == len(set(stable)) >= 2
