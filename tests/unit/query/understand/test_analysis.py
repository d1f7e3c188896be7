"""What a query says beside its words."""

import pytest

from cruxe.query.understand.analysis import analyse_query


@pytest.mark.parametrize(
    ("query", "says_test"),
    [
        ("tests for the tariff parser", True),
        ("tariff parser spec", True),
        ("where is the tariff tested", True),
        ("how is the tariff tested?", True),
        ("how a test is skipped", False),
        ("How fixtures are loaded before a test", False),
        ("how the tariff is parsed", False),
        ("", False),
    ],
)
def test_how_a_test_is_run_does_not_ask_for_tests(query: str, *, says_test: bool) -> None:
    assert analyse_query(query).says_test is says_test
