"""Pasted texts: issues, tracebacks, logs and messages, with the characters that operators use."""

import pytest

from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.polyglot import Answer, names_of, paths_of
from tests.support.repositories import MakeRepo

SHOP = '''
-- shop/cart.py
"""The cart of a customer."""

from shop.sums import add_prices


class Cart:
    """Items that a customer wants."""

    def total(self, items):
        """Return what all items cost."""
        return add_prices(items)
-- shop/sums.py
"""Sums of prices."""


def add_prices(prices):
    """Add prices of one currency."""
    if not prices:
        raise ValueError("no prices were given")
    return sum(prices)


def check_currency(name, table):
    """Refuse an unknown currency."""
    if name not in table:
        raise KeyError(f"unknown currency {name} in table {table}")
-- shop/settings.py
"""Settings of the shop."""

DEFAULTS = {
    "cart.max-items": 100,
    "session-time-out": 30,
}


def read_settings(path):
    """Read the settings of a file and add the defaults for items, carts and sessions."""
    return {**DEFAULTS, "path": path}
-- shop/__main__.py
"""The command line of the shop."""

import argparse


def main():
    """Run a command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dry-run", action="store_true")
    return parser.parse_args()
-- tests/test_sums.py
from shop.sums import add_prices


def test_prices_are_added():
    assert add_prices([1, 2]) == 3
'''
TRACEBACK = """Traceback (most recent call last):
  File "/builds/ci/checkout/shop/__main__.py", line 9, in main
    return Cart().total([])
  File "/builds/ci/checkout/shop/cart.py", line 11, in total
    return add_prices(items)
  File "/builds/ci/checkout/shop/sums.py", line 7, in add_prices
    raise ValueError("no prices were given")
ValueError: no prices were given
"""
ISSUE = """[BUG] Total of an empty cart
<!-- please search "existing issues" first -->
### What happened?

`Cart.total()` fails for "an empty cart" -- it should be zero, NOT an error.

- [x] I read the manual
- Python 3.11.4

### Steps

```python
Cart().total([])
```
"""


def search(make: MakeRepo, query: str, **options: object) -> Answer:
    """Ask a new repository."""
    opened = open_repository(make(SHOP).root)
    opened.sync_repo()
    return opened.search_code(query, **options)  # type: ignore[arg-type]


@requirement("SEARCH-PASTED")
def test_a_traceback_of_another_checkout_leads_to_its_innermost_frame(repo: MakeRepo) -> None:
    answer = search(repo, TRACEBACK)

    assert paths_of(answer)[0] == "shop/sums.py"
    assert names_of(answer)[0] == "add_prices"
    assert "shop/cart.py" in paths_of(answer)[:4]


@requirement("SEARCH-PASTED", "SEARCH-OPERATOR-QUERY")
def test_an_issue_is_answered_whatever_characters_it_has(repo: MakeRepo) -> None:
    answer = search(repo, ISSUE)

    assert paths_of(answer)[0] == "shop/cart.py"
    assert names_of(answer)[0] == "total"


@requirement("SEARCH-PASTED")
@pytest.mark.parametrize(
    "line",
    [
        "    at add_prices (/srv/www/shop/sums.py:7:3)",
        "shop/sums.py:7: in add_prices",
        "C:\\\\work\\\\shop\\\\sums.py(7): error: no prices",
        "[ERROR] /build/shop/sums.py:[7,3] no prices",
    ],
)
def test_a_frame_is_found_however_it_is_written(repo: MakeRepo, line: str) -> None:
    assert paths_of(search(repo, f"The build fails\n\n{line}\n"))[0] == "shop/sums.py"


@requirement("SEARCH-LITERAL")
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("session-time-out", "shop/settings.py"),
        ("where is cart.max-items read", "shop/settings.py"),
        ("--dry-run", "shop/__main__.py"),
        ("no prices were given", "shop/sums.py"),
        ("KeyError: unknown currency XYZ in table rates", "shop/sums.py"),
    ],
)
def test_a_literal_comes_first_where_it_stands_in_code(
    repo: MakeRepo, query: str, path: str
) -> None:
    answer = search(repo, query, ranking_explain_level="full")

    assert paths_of(answer)[0] == path


@requirement("SEARCH-RELAXED")
def test_a_demand_that_nothing_satisfies_is_dropped_and_named(repo: MakeRepo) -> None:
    answer = search(repo, 'total "cart of elephants"')

    assert paths_of(answer)[0] == "shop/cart.py"
    assert answer["metadata"]["relaxed_demands"] == ['"cart of elephants"']  # type: ignore[index]


@requirement("SEARCH-RELAXED")
def test_an_exclusion_is_never_dropped(repo: MakeRepo) -> None:
    answer = search(repo, 'prices "sum of elephants" -ValueError', limit=100)

    assert answer["metadata"]["relaxed_demands"] == ['"sum of elephants"']  # type: ignore[index]
    assert "add_prices" not in names_of(answer)
    assert paths_of(answer) != []


@requirement("SEARCH-RELAXED")
def test_one_quoted_literal_stays_a_proven_absence(repo: MakeRepo) -> None:
    answer = search(repo, '"cart of elephants"')

    assert answer["results"] == []
    assert answer["empty_reason"] == "confirmed_absent"
    assert "relaxed_demands" not in answer["metadata"]  # type: ignore[operator]


@requirement("SEARCH-OPERATOR-QUERY")
@pytest.mark.parametrize(
    "query",
    [
        "total NOT NULL constraint",
        "ls -la total",
        'total("cart")',
        "INSERT OR REPLACE total",
        "total\\n-cart",
    ],
)
def test_code_and_shouts_are_no_operators(repo: MakeRepo, query: str) -> None:
    answer = search(repo, query.replace("\\n", "\n"))

    assert paths_of(answer)[0] == "shop/cart.py"
