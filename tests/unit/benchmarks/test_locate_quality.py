"""The questions of the suite `locate_quality`, and when an answer to one is right."""

import shutil

import pytest

from benchmarks.harness.stores import Store
from benchmarks.suites.quality.locate_quality import measure_language
from benchmarks.suites.quality.parsing.ctags import Tag
from benchmarks.suites.quality.parsing.files import read_files
from cruxe.repository import open_repository
from tests.support.repositories import MakeRepo

FILES = """
    -- app.py
    class Cart:
        def total(self):
            return 1

    def total():
        return 2

    def lonely():
        return 3
"""
TAGS = [
    Tag("app.py", "Cart", 1, "class", "", ""),
    Tag("app.py", "total", 2, "member", "Cart", "class"),
    Tag("app.py", "total", 5, "function", "", ""),
    Tag("app.py", "lonely", 8, "function", "", ""),
    Tag("app.py", "absent", 9, "function", "", ""),
]


@pytest.mark.skipif(shutil.which("git") is None, reason="files are those that git tracks")
def test_definitions_are_asked_for_by_the_shortest_name_that_tells_them_apart(
    repo: MakeRepo, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, home = repo(FILES), str(tmp_path_factory.mktemp("home"))
    monkeypatch.setenv("HOME", home)
    open_repository(made.root).sync_repo()

    with Store(home, made.root).opened() as opened:
        found = measure_language("python", read_files(made.root), {"python": TAGS}, opened)

    places = {
        (each.asked.name, each.asked.tag.line): (each.any_place, each.very_place) for each in found
    }
    assert places == {
        ("Cart", 1): (0, 0),
        ("Cart.total", 2): (0, 0),
        ("total", 5): (0, 1),  # the method answers to the bare name, too, and stands above
        ("lonely", 8): (0, 0),
        ("absent", 9): (None, None),
    }
    assert {each.asked.name for each in found if each.asked.is_unique} == {
        *("Cart", "lonely", "absent")
    }
