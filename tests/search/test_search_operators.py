"""Quotes, minus, AND, OR, NOT and parentheses, and the same written wrongly."""

from collections.abc import Callable

import pytest

from cruxe.repository import Repository
from cruxe.text.patterns import path_filter
from tests.requirements import requirement
from tests.support.polyglot import Polyglot, Result, ids_of, names_of, paths_of, results_of

DEMANDS: dict[str, Callable[[str], bool]] = {
    '"too many requests"': lambda text: "too many requests" in text,
    '"Too Many Requests"': lambda text: "too many requests" in text,
    '"self.entries" evict': lambda text: "self.entries" in text,
    "cache -evict": lambda text: "evict" not in text,
    "LruCache -evict": lambda text: "evict" not in text,
    'client -"one more request"': lambda text: "one more request" not in text,
    "deposit AND withdraw": lambda text: "deposit" in text and "withdraw" in text,
    "deposit OR tariff": lambda text: "deposit" in text or "tariff" in text,
    "berth NOT ship": lambda text: "ship" not in text,
    "Berth NOT ship": lambda text: "ship" not in text,
    "berth NOT (ship AND free)": lambda text: not ("ship" in text and "free" in text),
    "token AND (signature OR bucket)": lambda text: (
        "token" in text and ("signature" in text or "bucket" in text)
    ),
    "(cache OR session) NOT expired": lambda text: (
        ("cache" in text or "session" in text) and "expired" not in text
    ),
    'session AND NOT "drops sessions"': lambda text: "drops sessions" not in text,
    "evict NOT vendor": lambda text: "vendor" not in text,
}


@requirement("SEARCH-OPERATORS")
@pytest.mark.parametrize("query", DEMANDS)
def test_every_hit_meets_what_the_query_demands(polyglot: Polyglot, query: str) -> None:
    results = results_of(polyglot.shared.search_code(query, limit=100))
    texts = {f"{each['path']}:{each['line_start']}": _text(polyglot, each) for each in results}

    assert [place for place, text in texts.items() if not DEMANDS[query](text)] == []
    assert texts != {}


@requirement("SEARCH-OPERATORS")
def test_a_phrase_is_found_just_where_it_stands(harbor: Repository) -> None:
    answer = harbor.search_code('"insufficient funds: "')

    assert paths_of(answer) == [
        "ledger/src/main/java/org/harbor/ledger/InsufficientFundsException.java"
    ]


@requirement("SEARCH-OPERATORS")
def test_either_word_is_enough_for_or_and_both_are_needed_for_and(harbor: Repository) -> None:
    def paths(query: str) -> set[object]:
        return set(paths_of(harbor.search_code(query, limit=100)))

    one, other = paths("deposit NOT zz"), paths("backoff NOT zz")
    assert paths("deposit OR backoff") == one | other
    assert paths("deposit AND backoff") == one & other == set()
    assert paths("deposit AND balance") <= one


@requirement("SEARCH-OPERATORS")
def test_a_word_beside_quotes_is_wanted_but_not_needed(harbor: Repository) -> None:
    without = harbor.search_code('"move_to_end"', limit=100)
    beside = harbor.search_code('"move_to_end" zebra', limit=100)

    assert sorted(map(str, ids_of(beside))) == sorted(map(str, ids_of(without)))


@requirement("SEARCH-OPERATORS", "SEARCH-ANY-TEXT")
@pytest.mark.parametrize(
    "query",
    [
        *("AND LruCache", "LruCache AND", "LruCache OR", "(LruCache", "LruCache)", "NOT LruCache"),
        *('"LruCache', 'LruCache"', '"" LruCache', "LruCache -", "-- LruCache", "LruCache --get"),
        *("() LruCache", "LruCache AND AND", "((((LruCache", "LruCache -> put", "NOT NOT LruCache"),
        "(" * 200 + "LruCache" + ")" * 200,
    ],
)
def test_operators_written_wrongly_are_words(harbor: Repository, query: str) -> None:
    assert "LruCache" in names_of(harbor.search_code(query))


@requirement("SEARCH-OPERATORS")
@pytest.mark.parametrize("query", ["rate and limit", "rate or limit", "not rate limit"])
def test_operators_in_small_letters_are_words_of_a_sentence(harbor: Repository, query: str) -> None:
    assert ids_of(harbor.search_code(query)) == ids_of(harbor.search_code("rate limit"))


@requirement("SEARCH-FILTERS")
@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("a.py", "src/A.PY", True),
        ("src/a", "src/abc/d.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "src/a.pyc", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("**/b/**/a.py", "x/b/c/d/a.py", True),
        ("**/b/**/a.py", "x/c/d/a.py", False),
        ("**/b/**/b/a.py", "b/x/b/b/a.py", True),
        ("src/**", "src/a/b.py", True),
        ("src/**", "srcs/a.py", False),
        ("a?.py", "ab.py", True),
        ("a?b.py", "a/b.py", False),
        ("app/[id]/page.tsx", "web/app/[id]/page.tsx", True),
        ("[id]", "web/app/[id]/page.tsx", True),
        ("app/[id]/*.tsx", "app/[id]/page.tsx", True),
        ("*a*b*c", "xaybzc", True),
        ("*a*b*c", "xbyazc", False),
        ("*ab", "aab", True),
        ("**/**/a", "a", True),
        ("a.*", "axb", False),
        ("*\n*", "a\nb", True),
    ],
)
def test_a_path_filter_is_a_glob_or_a_part(pattern: str, path: str, *, is_match: bool) -> None:
    assert path_filter(pattern)(path) is is_match


@pytest.mark.parametrize("pattern", ["*a" * 40 + "*b", "**/" * 40 + "b", "**/a/" * 30 + "b"])
def test_no_glob_takes_long(pattern: str) -> None:
    matches = path_filter(pattern)

    assert not matches("a" * 200)
    assert not matches("a/" * 100 + "a")


def _text(polyglot: Polyglot, result: Result) -> str:
    """The path and the lines of a result, in small letters."""
    with open(polyglot.repo.path(str(result["path"])), encoding="utf-8") as file:
        lines = file.read().split("\n")
    first, last = int(str(result["line_start"])), int(str(result["line_end"]))
    return "\n".join([str(result["path"]), *lines[first - 1 : last]]).casefold()
