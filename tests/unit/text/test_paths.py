"""What a path says against its file."""

import pytest

from cruxe.text.paths import PathRole, path_roles, stem_of_path


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "src/test/java/A.java",
        "pkg/testdata/a.go",
        "core.tests/a.cs",
        "kit-test/a.py",
        "kit-tests/src/a.py",
        "kit-test/src/test/a.py",
        "kit-test/common/test/a.py",
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
    assert path_roles(path, "python") == {PathRole.TEST}


@pytest.mark.parametrize(
    "path",
    [
        *("testing.py", "latest/a.py", "Test/a.py", "contest/a.py", "src/commit.py", "spectest.py"),
        *("kit-test/src/a.py", "kit-test/common/src/a.py", "crates/kit_test/src/lib.py"),
    ],
)
def test_words_that_only_hold_the_letters_say_nothing(path: str) -> None:
    assert path_roles(path, "python") == frozenset()


def test_a_place_may_be_several_things() -> None:
    assert path_roles("Docs/guide.md", "markdown") == {PathRole.EXAMPLE, PathRole.PROSE}
    assert path_roles("vendor/tests/a.json", "json") == {
        PathRole.EXAMPLE,
        PathRole.TEST,
        PathRole.DATA,
    }
    assert path_roles("src/app.py", "python") == frozenset()


def test_a_stem_ends_at_the_last_dot() -> None:
    paths = ["a/Writer.cs", "a/Writer.NonGeneric.cs", "cart.spec.ts", "Makefile", ".eslintrc.json"]

    assert [*map(stem_of_path, [*paths, ".env"])] == [
        *("Writer", "Writer.NonGeneric", "cart.spec", "Makefile", ".eslintrc", ".env")
    ]
