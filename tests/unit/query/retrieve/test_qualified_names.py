"""One way to part a qualified name, whoever asks: search, locate and read agree."""

from typing import cast

import pytest

from cruxe.repository import Repository, open_repository
from tests.support.repositories import MakeRepo

FILES = """\
-- src/Outer.java
public class Outer {
    static class Inner {
        void run() {}
    }
    static class Other {
        void run() {}
    }
}
"""


@pytest.fixture
def nested(repo: MakeRepo) -> Repository:
    opened = open_repository(repo(FILES).root)
    opened.sync_repo()
    return opened


@pytest.mark.parametrize("name", ["Outer$Inner", "Outer.Inner", "Outer::Inner", "Outer#Inner"])
def test_a_nested_class_is_found_in_every_spelling(nested: Repository, name: str) -> None:
    searched = nested.search_code(name, ranking_explain_level="full")
    located = nested.locate_symbol(name)

    for answer in (searched, located):
        results = cast("list[dict[str, object]]", answer["results"])
        assert (results[0]["name"], results[0]["line_start"]) == ("Inner", 2)
    assert nested.read_symbol(name)["name"] == "Inner"
    reasons = cast("dict[str, list[dict[str, float]]]", searched["metadata"])["ranking_reasons"]
    assert reasons[0]["qualified_name_boost"] > 0
