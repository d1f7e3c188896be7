"""What must stay out of training stays out, under any of its names."""

import pytest

from training.exclusion import is_excluded_package, is_excluded_path


@pytest.mark.parametrize(
    "name",
    [
        "django",
        "Django-Filter",
        "python3-requests",
        "golang-github-spf13-cobra-dev",
        "librust-tokio-util-dev",
        "@trpc/server",
        "haskell-aeson",
        "kotlinx-coroutines",
        "libcommons-lang3-java",
    ],
)
def test_a_package_is_excluded_by_any_word_of_its_name(name: str) -> None:
    assert is_excluded_package(name)


@pytest.mark.parametrize("name", ["attrs", "flasky", "requester", "golang-github-spf13-viper-dev"])
def test_a_package_that_only_sounds_alike_is_not(name: str) -> None:
    assert not is_excluded_package(name)


@pytest.mark.parametrize(
    "path",
    ["src/flask/app.py", "lib/requests-2.31/api.py", "include/nlohmann/json.hpp", "js/axios.js"],
)
def test_a_copy_inside_another_package_is_excluded(path: str) -> None:
    assert is_excluded_path(path)


def test_a_path_that_holds_no_such_name_is_not() -> None:
    assert not is_excluded_path("src/http/request_parser.py")
