"""What a path says against its file."""

import pytest

from cruxe.query.rank.path_roles import PlaceKind, place_kinds


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "src/test/java/A.java",
        "pkg/testdata/a.go",
        "core.tests/a.cs",
        "AppTests/a.swift",
        "a/test_cart.py",
        "conftest.py",
        "src/cart.spec.ts",
        "cart_test.go",
        "CartTest.java",
        "CartIT.java",
        "install.bats",
    ],
)
def test_tests_are_known_by_folder_and_file(path: str) -> None:
    assert place_kinds(path, "python") == {PlaceKind.TEST}


@pytest.mark.parametrize(
    "path",
    ["testing.py", "latest/a.py", "Test/a.py", "contest/a.py", "src/commit.py", "spectest.py"],
)
def test_words_that_only_hold_the_letters_say_nothing(path: str) -> None:
    assert place_kinds(path, "python") == frozenset()


def test_a_place_may_be_several_things() -> None:
    assert place_kinds("Docs/guide.md", "markdown") == {PlaceKind.EXAMPLE, PlaceKind.PROSE}
    assert place_kinds("vendor/tests/a.json", "json") == {
        PlaceKind.EXAMPLE,
        PlaceKind.TEST,
        PlaceKind.DATA,
    }
    assert place_kinds("src/app.py", "python") == frozenset()
