"""Whole answers and ranked lists, fixed: the same store and request give the same bytes.

`ranks.txt` has a block for each query: its target, the target's rank, and the first hits.
"""

import json
import os
from typing import NamedTuple

import pytest

from cruxe.repository import Repository
from tests.requirements import requirement
from tests.support.golden_files import check_golden
from tests.support.polyglot import (
    FEATURE_BRANCH,
    Answer,
    Polyglot,
    Result,
    bytes_of,
    results_of,
    search_with,
)
from tests.support.programs import run_program

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "search")
FIRST_HITS = 3

ANSWERS: dict[str, dict[str, object]] = {
    "symbol": {"query": "RateLimiter", "limit": 5},
    "symbol_context": {"query": "LruCache.get", "limit": 3, "detail_level": "context"},
    "qualified_full": {
        "query": "Router.ServeHTTP",
        "limit": 3,
        "ranking_explain_level": "full",
    },
    "question_basic": {
        "query": "how are clients kept from sending too many requests",
        "limit": 5,
        "ranking_explain_level": "basic",
    },
    "path_location": {
        "query": "server/middleware/rate_limit.go",
        "limit": 5,
        "detail_level": "location",
    },
    "error": {"query": "ValueError: error: signature does not match", "limit": 3},
    "operators_compact": {
        "query": '(cache OR session) AND NOT "drops sessions"',
        "limit": 5,
        "compact": True,
    },
    "filters": {"query": "token", "language": "python", "kind": "function", "path": "src/"},
    "filtered_out": {"query": "LruCache", "language": "go"},
    "nothing": {"query": "zebra xylophone", "semantic_ratio": 0.0},
    "meaning": {"query": "zebra xylophone", "limit": 2},
    "other_ref": {"query": "audit trail of assignments", "ref": FEATURE_BRANCH, "limit": 3},
    "unsure": {"query": "exponential pauses", "confidence_threshold": 1.0, "limit": 2},
    "bundles": {
        "query": "rate limit notes",
        "limit": 6,
        "detail_level": "location",
        "group_by": "file",
    },
    "letters": {"query": "Größe der Schiffe", "limit": 2, "detail_level": "context"},
}


class RankingQuery(NamedTuple):
    """A query and the file, with the name of the definition, that answers it."""

    query: str
    path: str
    name: str = ""


RANKING_QUERIES = [
    RankingQuery("RateLimiter", "src/harbor/rate_limit.py", "RateLimiter"),
    RankingQuery("TokenBucket", "src/harbor/rate_limit.py", "TokenBucket"),
    RankingQuery("check_rate_limit", "src/harbor/rate_limit.py", "check_rate_limit"),
    RankingQuery("checkRateLimit", "src/harbor/rate_limit.py", "check_rate_limit"),
    RankingQuery("RateLimit", "server/middleware/rate_limit.go", "RateLimit"),
    RankingQuery("LruCache", "src/harbor/storage/cache.py", "LruCache"),
    RankingQuery("evict", "src/harbor/storage/cache.py", "evict"),
    RankingQuery("sign_token", "src/harbor/auth/tokens.py", "sign_token"),
    RankingQuery("verify_token", "src/harbor/auth/tokens.py", "verify_token"),
    RankingQuery("validateToken", "web/src/session.ts", "validateToken"),
    RankingQuery("SessionStore", "web/src/session.ts", "SessionStore"),
    RankingQuery("sweepExpired", "web/src/session.ts", "sweepExpired"),
    RankingQuery("getHTTPResponse", "web/src/getHTTPResponse.ts", "getHTTPResponse"),
    RankingQuery("Router", "server/router.go", "Router"),
    RankingQuery("Router.Handle", "server/router.go", "Handle"),
    RankingQuery("normalizePath", "server/router.go", "normalizePath"),
    RankingQuery("Parser", "tariff/src/parser.rs", "Parser"),
    RankingQuery("Parser::parse_expression", "tariff/src/parser.rs", "parse_expression"),
    RankingQuery("with_retry", "tariff/src/retry.rs", "with_retry"),
    RankingQuery("RetryPolicy", "tariff/src/retry.rs", "RetryPolicy"),
    RankingQuery("Account", "ledger/src/main/java/org/harbor/ledger/Account.java", "Account"),
    RankingQuery("withdraw", "ledger/src/main/java/org/harbor/ledger/Account.java", "withdraw"),
    RankingQuery("assign_berth", "src/harbor/berths.py", "assign_berth"),
    RankingQuery("load_settings", "src/harbor/settings.py", "load_settings"),
    RankingQuery("how are requests limited per client", "src/harbor/rate_limit.py"),
    RankingQuery("refuse requests with status 429", "server/middleware/rate_limit.go"),
    RankingQuery("least recently used cache", "src/harbor/storage/cache.py"),
    RankingQuery("drop the oldest entry", "src/harbor/storage/cache.py"),
    RankingQuery("check the signature of a token", "src/harbor/auth/tokens.py", "verify_token"),
    RankingQuery("drop expired sessions", "web/src/session.ts", "sweepExpired"),
    RankingQuery("abort a fetch after a timeout", "web/src/getHTTPResponse.ts"),
    RankingQuery("register a handler for a path", "server/router.go", "Handle"),
    RankingQuery("parse a sum of products", "tariff/src/parser.rs", "parse_expression"),
    RankingQuery("retry with exponential backoff", "tariff/src/retry.rs", "with_retry"),
    RankingQuery(
        "take money out of an account", "ledger/src/main/java/org/harbor/ledger/Account.java"
    ),
    RankingQuery("shortest free berth for a ship", "src/harbor/berths.py", "assign_berth"),
    RankingQuery("read settings from a toml file", "src/harbor/settings.py"),
    RankingQuery("src/harbor/storage/cache.py", "src/harbor/storage/cache.py"),
    RankingQuery("parser.rs", "tariff/src/parser.rs"),
    RankingQuery("limits.toml", "config/limits.toml"),
    RankingQuery("test rate limiter", "tests/test_rate_limit.py"),
    RankingQuery("error: signature does not match", "src/harbor/auth/tokens.py", "verify_token"),
    RankingQuery(
        "insufficient funds: 12 cents are missing",
        "ledger/src/main/java/org/harbor/ledger/InsufficientFundsException.java",
    ),
    RankingQuery("停泊位已关闭", "NOTES.txt"),
]

ASK = """
import json, sys
from cruxe.repository import open_repository

opened = open_repository(sys.argv[1])
for line in sys.argv[2:]:
    request = json.loads(line)
    answer = opened.search_code(request.pop("query"), **request)
    sys.stdout.write(json.dumps(answer, ensure_ascii=True, separators=(",", ":")) + "\\n")
"""


@requirement("SEARCH-BYTES", "S004-EXPLAIN")
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_its_golden_file(harbor: Repository, name: str) -> None:
    answer = ask(harbor, ANSWERS[name])

    check_golden(
        os.path.join(GOLDEN, f"{name}.json"),
        json.dumps(_portable(answer), ensure_ascii=False, indent=1) + "\n",
    )


@requirement("SEARCH-BYTES", "S004-EXPLAIN")
def test_the_same_request_gives_the_same_bytes_again_and_in_another_process(
    harbor: Repository, polyglot: Polyglot
) -> None:
    requests = [*ANSWERS.values()]
    first = [ask(harbor, request) for request in requests]

    lines = run_program(ASK, polyglot.repo.root, *map(json.dumps, requests)).splitlines()

    assert [bytes_of(ask(harbor, request)) for request in requests] == list(map(bytes_of, first))
    assert [bytes_of(json.loads(line)) for line in lines] == list(map(bytes_of, first))


@requirement("SEARCH-RANKS")
def test_the_targets_rank_where_the_golden_file_says(harbor: Repository) -> None:
    blocks = [_block(harbor, wanted) for wanted in RANKING_QUERIES]

    check_golden(os.path.join(GOLDEN, "ranks.txt"), "\n".join(blocks))


@requirement("SEARCH-RANKS")
def test_nearly_every_target_is_first(harbor: Repository) -> None:
    ranks = {wanted.query: _rank(_results(harbor, wanted), wanted) for wanted in RANKING_QUERIES}

    assert [query for query, rank in ranks.items() if rank == 0] == []
    assert sum(1 / rank for rank in ranks.values()) / len(ranks) >= 0.85


def ask(opened: Repository, request: dict[str, object]) -> Answer:
    """Send a request that is written as a mapping."""
    options = {key: value for key, value in request.items() if key != "query"}
    return search_with(opened, str(request["query"]), options)


def _portable(answer: Answer) -> Answer:
    """The answer with the same cursor wherever the repository lies: it holds a digest of that."""
    if "next_cursor" not in answer:
        return answer
    generation, offset, _ = str(answer["next_cursor"]).split("-")
    return {**answer, "next_cursor": f"{generation}-{offset}-digest"}


def _block(harbor: Repository, wanted: RankingQuery) -> str:
    results = _results(harbor, wanted)
    lines = [f"{wanted.query}", f"  target {wanted.path} {wanted.name}".rstrip()]
    lines.append(f"  rank {_rank(results, wanted)}")
    lines += [f"    {_line(result)}" for result in results[:FIRST_HITS]]
    return "\n".join(lines) + "\n"


def _results(harbor: Repository, wanted: RankingQuery) -> list[Result]:
    return results_of(harbor.search_code(wanted.query, limit=20))


def _rank(results: list[Result], wanted: RankingQuery) -> int:
    """The place of the target, from one; zero where it is missing."""
    for place, result in enumerate(results, start=1):
        if result["path"] == wanted.path and wanted.name in ("", result.get("name")):
            return place
    return 0


def _line(result: Result) -> str:
    lines = f"{result['line_start']}-{result['line_end']}"
    name = f" {result.get('kind', '')} {result.get('name', '')}".rstrip()
    return f"{result['score']} {result['path']}:{lines}{name}"
