"""The requests that every transport must answer alike: good ones, wrong ones, and broken ones."""

from collections.abc import Iterator
from typing import Final

from tests.contract.wires import META, PREFIX, Json, request, stateless, tool_call
from tests.search.polyglot import FEATURE_BRANCH

QUERIES: Final = (
    *("rate limit", "where are tokens verified", "TokenBucket", "parse_expression", "berth"),
    *("src/harbor/settings.py", "error: insufficient funds", '"evict"', "cache -vendor", "foo("),
    *("a::b", "refill AND bucket", "naïve café", "\ud800", "", " ", "x" * 3_000),
)
SEARCH_OPTIONS: Final[tuple[Json, ...]] = (
    {"limit": 1},
    {"limit": 100},
    {"language": "python"},
    {"kind": "class"},
    {"role": "callable"},
    {"path": "server/**"},
    {"detail_level": "location"},
    {"detail_level": "context"},
    {"detail_level": "context", "compact": True},
    {"ranking_explain_level": "basic"},
    {"ranking_explain_level": "full", "limit": 3},
    {"freshness_policy": "best_effort"},
    {"confidence_threshold": 0.9},
    {"ref": FEATURE_BRANCH},
    {"ref": "no-such-branch"},
    {"cursor": "0-0-0"},
    {"limit": 0},
    {"limit": 101},
    {"limit": "5"},
    {"kind": "clas"},
    {"detail_level": None},
    {"confidence_threshold": 2},
    {"semantic_ratio": 0.0},
    {"semantic_ratio": 1.5},
    {"unheard_of": 1},
    {"workspace": "relative/path"},
    {"workspace": "/no/such/place"},
    {"workspace": "/"},
)
RATE_LIMITER: Final[Json] = {
    "result_path": "src/harbor/rate_limit.py",
    "result_line_start": 32,
}
OTHER_CALLS: Final[tuple[tuple[str, Json], ...]] = (
    ("locate_symbol", {"name": "TokenBucket"}),
    ("locate_symbol", {"name": "LruCache"}),
    ("locate_symbol", {"name": "RateLimiter.allow"}),
    ("locate_symbol", {"name": "tokenbucket"}),
    ("locate_symbol", {"name": "TokenBukcet"}),
    ("locate_symbol", {"name": "load_settings", "ref": FEATURE_BRANCH}),
    ("locate_symbol", {"name": "get", "limit": 2, "detail_level": "context"}),
    ("locate_symbol", {"name": "no_such_name_at_all"}),
    ("locate_symbol", {"name": "   "}),
    ("locate_symbol", {}),
    ("read_symbol", {"symbol": "sign_token"}),
    ("read_symbol", {"symbol": "src/harbor/berths.py:20"}),
    ("read_symbol", {"symbol": "src/harbor/berths.py:1-3"}),
    ("read_symbol", {"symbol": "LruCache"}),
    ("read_symbol", {"symbol": "TokenBucket", "max_tokens": 20}),
    ("read_symbol", {"symbol": "TokenBucket", "max_tokens": 0}),
    ("read_symbol", {"symbol": "nobody_defined_this"}),
    ("read_symbol", {"symbol": "zzzzzzzzzzzz"}),
    ("read_symbol", {"symbol": "no/such/file.py:3"}),
    ("get_file_outline", {"path": "src/harbor/rate_limit.py"}),
    ("get_file_outline", {"path": "src/harbor/rate_limit.py", "depth": "top"}),
    ("get_file_outline", {"path": "server/router.go", "language": "go"}),
    ("get_file_outline", {"path": "NOTES.txt"}),
    ("get_file_outline", {"path": "missing.py"}),
    ("get_file_outline", {"path": "../outside.py"}),
    ("get_file_outline", {"path": "src/harbor/audit.py", "ref": FEATURE_BRANCH}),
    ("get_file_outline", {"path": "src/harbor/rate_limit.py", "depth": "deep"}),
    ("search_text", {"pattern": "capacity"}),
    ("search_text", {"pattern": "def \\w+_token", "regex": True}),
    ("search_text", {"pattern": "(", "regex": True}),
    ("search_text", {"pattern": "capacity", "limit": 2, "context_lines": 2}),
    ("search_text", {"pattern": "TOKEN", "case": "sensitive"}),
    ("search_text", {"pattern": "absent from every file"}),
    ("search_text", {"pattern": "capacity", "path": "web/**"}),
    ("search_text", {"pattern": "capacity", "context_lines": 99}),
    ("search_text", {"pattern": ""}),
    ("index_status", {}),
    ("index_status", {"languages": True}),
    ("index_status", {"ref": FEATURE_BRANCH}),
    ("index_status", {"ref": "no-such-branch"}),
    ("health_check", {"deep": True}),
    ("sync_repo", {"ref": "no-such-branch"}),
    ("sync_repo", {"force": "yes"}),
    ("explain_ranking", {"query": "rate limit", **RATE_LIMITER}),
    ("explain_ranking", {"query": "rate limit", **RATE_LIMITER, "limit": 1}),
    ("explain_ranking", {"query": "rate limit", **RATE_LIMITER, "result_line_start": 0}),
    ("explain_ranking", {"query": "rate limit", "result_path": "gone.py", "result_line_start": 1}),
    ("list_refs", {}),
    ("list_refs", {"ref": "main"}),
    ("switch_ref", {}),
    ("switch_ref", {"ref": "no-such-branch"}),
    ("switch_ref", {"ref": FEATURE_BRANCH}),
    ("locate_symbol", {"name": "AuditTrail"}),
    ("switch_ref", {"ref": "main"}),
    ("locate_symbol", {"name": "AuditTrail"}),
    ("no_such_tool", {}),
    ("Search_Code", {"query": "x"}),
)
METHODS: Final = (
    request("ping"),
    request("tools/list"),
    request("tools/list", {"cursor": "2"}),
    request("prompts/list"),
    request("resources/list"),
    request("logging/setLevel", {"level": "debug"}),
    request("no/such/method"),
    request("tools/call"),
    request("tools/call", {"name": 3}),
    request("tools/call", {"name": "search_code", "arguments": "x"}),
    request("tools/call", {"name": "search_code", "arguments": None}),
    stateless("server/discover"),
    stateless("tools/list"),
    stateless("ping"),
    stateless("no/such/method"),
    stateless("tools/call", {"name": "locate_symbol", "arguments": {"name": "TokenBucket"}}),
    stateless("tools/call", {"name": "switch_ref", "arguments": {"ref": FEATURE_BRANCH}}),
    stateless("tools/call", {"name": "locate_symbol", "arguments": {"name": "AuditTrail"}}),
    stateless("tools/call", {"name": "no_such_tool"}),
    request("tools/list", {"_meta": META | {f"{PREFIX}protocolVersion": "1999-01-01"}}),
    request("tools/list", {"_meta": META | {f"{PREFIX}clientCapabilities": 1}}),
)
BROKEN: Final = (
    b"{",
    b"nonsense",
    b"\xff\xfe\x00",
    b"[]",
    b"[1]",
    b"null",
    b'"text"',
    b"{}",
    b'{"jsonrpc":"2.0"}',
    b'{"jsonrpc":"1.0","id":5,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":5,"method":[]}',
    b'{"jsonrpc":"2.0","id":5,"method":"ping","params":"x"}',
    b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"n":Infinity}}',
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    b'{"jsonrpc":"2.0","method":"no/such/notification"}',
    b'{"jsonrpc":"2.0","id":5,"result":{}}',
    b"[" * 5_000,
    b"9" * 5_000,
)


def parity_requests() -> Iterator[bytes]:
    """All of them, each with an id of its own."""
    for query in QUERIES:
        yield tool_call("search_code", {"query": query}, f"q{len(query)}")
    for number, options in enumerate(SEARCH_OPTIONS):
        yield tool_call("search_code", {"query": "rate limit", **options}, number)
    for number, (name, arguments) in enumerate(OTHER_CALLS):
        yield tool_call(name, arguments, f"o{number}")
    yield from METHODS
    yield from BROKEN
