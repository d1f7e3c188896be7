"""The text form: what is read back from it is what JSON says, in the same order."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxe.contract.catalogue import TOOLS, Tool
from cruxe.model.levels import AnswerFormat
from cruxe.serve.mcp.protocol import ServerOptions
from tests.contract.parity_requests import OTHER_CALLS, QUERIES, SEARCH_OPTIONS
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.repositories import MakeRepo, Repo
from tests.support.text_forms import (
    ReadResult,
    read_matches,
    read_outline,
    read_source,
    read_text,
)
from tests.support.wires import (
    HttpWire,
    Json,
    MemoryWire,
    StdioWire,
    initialize,
    payload_of,
    payload_text,
    result_of,
    tool_call,
)

WORDS = [
    *("rate", "limit", "RateLimiter", "token", "cache", "client", "Router.ServeHTTP", "berth"),
    *("session", "how", "account", "src/harbor", "error:", "test", "get", "LruCache", "zorblax"),
    *("-evict", '"rate limit"', "README", "settings.toml", "naïve", "load_settings", "Window"),
]
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 60),
        "detail_level": st.sampled_from(["location", "signature", "context"]),
        "compact": st.booleans(),
        "ranking_explain_level": st.sampled_from(["off", "basic", "full"]),
        "kind": st.sampled_from(["class", "function", "section"]),
    },
)
PATHS = st.sampled_from(
    [
        *("src/harbor/rate_limit.py", "src/harbor/berths.py", "server/router.go", "README.md"),
        *("src/harbor/settings.py", "NOTES.txt", "missing.py"),
    ]
)
FEW = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def server(harbour: Repo) -> Iterator[MemoryWire]:
    """All tools, in memory."""
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())
    yield wire
    wire.workspaces.close()


@requirement("TEXT-PARSE")
@FEW
@given(query=PHRASES, shape=SHAPES)
def test_a_search_read_back_is_that_of_json(server: MemoryWire, query: str, shape: Json) -> None:
    found, text = _both(server, "search_code", {"query": query, **shape})

    answer = read_text(text)
    assert list(map(_said, answer.results)) == list(map(_expected, _items(found)))
    assert ("next_cursor" in found) == ("more: cursor=" in answer.closing)


@requirement("TEXT-PARSE")
@FEW
@given(name=st.sampled_from(WORDS), shape=SHAPES)
def test_definitions_read_back_are_those_of_json(
    server: MemoryWire, name: str, shape: Json
) -> None:
    found, text = _both(server, "locate_symbol", {"name": name, **shape})

    assert list(map(_said, read_text(text).results)) == list(map(_expected, _items(found)))


@requirement("TEXT-PARSE")
@FEW
@given(pattern=st.sampled_from(["capacity", "the", "def ", "zorblax"]), around=st.integers(0, 3))
def test_matches_read_back_are_those_of_json(server: MemoryWire, pattern: str, around: int) -> None:
    arguments: Json = {"pattern": pattern, "context_lines": around, "limit": 20}
    found, text = _both(server, "search_text", arguments)

    lines = list(read_matches(text))
    assert [(path, line, shown) for path, line, mark, shown in lines if mark == ":"] == [
        (each["path"], each["line"], each["text"]) for each in _items(found)
    ]
    assert len({(path, line) for path, line, _, _ in lines}) == len(lines)
    others = {(path, line): shown for path, line, mark, shown in lines if mark == "-"}
    assert others.items() <= _lines_around(_items(found)).items()


@requirement("TEXT-PARSE")
@FEW
@given(path=PATHS, depth=st.sampled_from(["all", "top"]))
def test_an_outline_read_back_is_that_of_json(server: MemoryWire, path: str, depth: str) -> None:
    found, text = _both(server, "get_file_outline", {"path": path, "depth": depth})
    if "error" in found:
        return

    read = [(*each,) for each in read_outline(text)]
    expected = list(_nodes(cast("list[Json]", found["symbols"])))
    if cast("Json", found["metadata"])["result_completeness"] == "complete":
        assert read == expected
    else:  # as JSON it would cost more than the file, so it has the first symbols by name alone
        assert [each[:5] for each in expected] == [each[:5] for each in read][: len(expected)]
        assert expected
    head = text.split("\n", 1)[0].split(" ")
    assert head[:2] == [path, str(found["language"])]


@requirement("TEXT-PARSE")
@pytest.mark.parametrize(
    "asked",
    [
        {"symbol": "sign_token"},
        {"symbol": "TokenBucket", "max_tokens": 20},
        {"symbol": "TokenBucket", "max_tokens": 60},
        {"symbol": "src/harbor/berths.py:20"},
        {"symbol": "src/harbor/berths.py:1-3"},
        {"symbol": "README.md"},
    ],
)
def test_source_read_back_is_that_of_json(server: MemoryWire, asked: Json) -> None:
    found, text = _both(server, "read_symbol", asked)

    region, source, after = read_source(text)
    assert (region.path, region.line_start, region.line_end, region.kind, region.name) == (
        found["path"],
        found["line_start"],
        found["line_end"],
        found.get("kind", ""),
        found.get("qualified_name", ""),
    )
    assert "\n".join(source) == found["source"]
    assert bool(after and after[-1].startswith("-- ")) == bool(found.get("truncated"))


@requirement("TEXT-PARSE")
def test_what_a_result_says_can_be_read(server: MemoryWire) -> None:
    """The line of every result is what `read_symbol` takes, by its place and by its name."""
    _, text = _both(server, "search_code", {"query": "rate limit", "limit": 10})

    for each in read_text(text).results:
        place = f"{each.path}:{each.line_start}-{each.line_end}"
        assert payload_of(server.ask(tool_call("read_symbol", {"symbol": place})))["source"]
        if each.name:
            answer = payload_of(server.ask(tool_call("read_symbol", {"symbol": each.name})))
            assert "source" in answer or "candidates" in str(answer)


@requirement("TEXT-PARSE")
def test_code_stands_as_it_is_in_the_file(server: MemoryWire, harbour: Repo) -> None:
    _, text = _both(server, "search_code", {"query": "TokenBucket", "detail_level": "context"})

    first = read_text(text).results[0]
    with open(f"{harbour.root}/{first.path}", encoding="utf-8") as file:
        lines = file.read().split("\n")
    region = lines[first.line_start - 1 : first.line_end]
    shown = [line for line in first.block if line != "…"]
    assert shown
    assert shown == region[: len(shown)]


@requirement("TEXT-EVERY-TOOL")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool.name))
def test_every_tool_answers_in_text(server: MemoryWire, tool: Tool) -> None:
    asked: dict[str, Json] = {
        "search_code": {"query": "rate limit"},
        "locate_symbol": {"name": "TokenBucket"},
        "read_symbol": {"symbol": "sign_token"},
        "get_file_outline": {"path": "server/router.go"},
        "search_text": {"pattern": "capacity"},
        "explain_ranking": {
            "query": "rate limit",
            "result_path": "src/harbor/rate_limit.py",
            "result_line_start": 32,
        },
        "switch_ref": {"ref": "main"},
    }
    found, text = _both(server, tool.name, asked.get(tool.name, {}))

    assert "error" not in found
    assert text
    assert not text.startswith("{")
    assert all(str(found[key]) in text for key in ("status", "index_status") if key in found)


@requirement("TEXT-EVERY-TOOL")
def test_a_call_overrides_the_format_of_the_server(harbour: Repo) -> None:
    call = tool_call("locate_symbol", {"name": "TokenBucket"})
    for name, other in (("text", "json"), ("json", "text")):
        overriding = tool_call("locate_symbol", {"name": "TokenBucket", "format": other})
        with StdioWire(harbour.root, "--format", name) as stdio:
            told = payload_text(_after_handshake(stdio, call))
            overridden = payload_text(_after_handshake(stdio, overriding))
        with HttpWire(harbour.root, "--format", name) as http:
            assert payload_text(_after_handshake(http, call)) == told
        assert told.startswith("{") == (name == "json")
        assert overridden.startswith("{") == (other == "json")


@requirement("TEXT-EVERY-TOOL", "MCP-STRUCTURED")
def test_structured_content_beside_text_is_the_result_as_json(harbour: Repo) -> None:
    options = ServerOptions("core", is_structured=True, format=AnswerFormat.TEXT)
    wire = MemoryWire(harbour.root, options)
    wire.ask(initialize())
    result = result_of(wire.ask(tool_call("locate_symbol", {"name": "TokenBucket"})))
    wire.workspaces.close()

    structured = cast("Json", result["structuredContent"])
    text = cast("list[Json]", result["content"])[0]["text"]
    assert list(map(_said, read_text(str(text)).results)) == list(
        map(_expected, _items(structured))
    )


@requirement("TEXT-ERRORS")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_symbol", {"symbol": "nobody_defined_this"}),
        ("get_file_outline", {"path": "missing.py"}),
        ("search_code", {"query": "x", "limt": 3}),
        ("search_code", {"query": "x", "limit": 0}),
        ("search_code", {"query": "x", "ref": "no-such"}),
        ("search_code", {"query": "x", "workspace": "/no/such/place"}),
        ("search_text", {"pattern": "(", "regex": True}),
    ],
)
def test_an_error_is_its_code_and_message_and_what_to_do(
    server: MemoryWire, tool: str, arguments: Json
) -> None:
    found, text = _both(server, tool, arguments)
    error = cast("Json", found["error"])
    remedy = cast("Json", error["data"])["remediation"]

    assert text == f"error {error['code']}: {error['message']}\n{remedy}"
    asked = {**arguments, "format": "text"}
    assert result_of(server.ask(tool_call(tool, asked)))["isError"] is True


@requirement("TEXT-ERRORS")
def test_a_format_that_does_not_exist_is_refused(server: MemoryWire) -> None:
    asked = {"query": "x", "format": "yaml"}
    error = cast("Json", payload_of(server.ask(tool_call("search_code", asked)))["error"])

    assert error["code"] == "invalid_input"
    assert cast("Json", error["data"])["choices"] == ["json", "text"]


@requirement("TEXT-LIMIT")
def test_no_text_is_longer_than_its_json(server: MemoryWire) -> None:
    calls: list[tuple[str, Json]] = [
        ("search_code", {"query": query}) for query in QUERIES if query != "\ud800"
    ]
    calls += [("search_code", {"query": "rate limit", **options}) for options in SEARCH_OPTIONS]
    calls += [call for call in OTHER_CALLS if call[0] in {tool.name for tool in TOOLS}]
    longer: list[tuple[str, Json]] = []
    for tool, arguments in calls:
        if "format" in arguments:
            continue
        found = payload_text(server.ask(tool_call(tool, arguments)))
        text = payload_text(server.ask(tool_call(tool, {**arguments, "format": "text"})))
        if len(text.encode()) > len(found.encode()):
            longer.append((tool, arguments))

    assert len(calls) > 80
    assert longer == []


@requirement("TEXT-LIMIT")
def test_the_size_limit_holds_for_text_and_cuts_a_prefix(
    harbour: Repo, monkeypatch: pytest.MonkeyPatch, server: MemoryWire
) -> None:
    asked: Json = {"query": "get", "limit": 50, "detail_level": "context"}
    _, whole = _both(server, "search_code", asked)
    monkeypatch.setenv("CRUXE_SEARCH_MAX_RESPONSE_BYTES", "4096")
    limited = MemoryWire(harbour.root)
    limited.ask(initialize())
    found, text = _both(limited, "search_code", asked)
    again = payload_text(limited.ask(tool_call("search_code", {**asked, "format": "text"})))
    limited.workspaces.close()

    answer = read_text(text)
    assert len(text.encode()) <= 4096
    assert text == again
    assert 0 < len(answer.results) < len(read_text(whole).results)
    assert answer.results[1:] == read_text(whole).results[1 : len(answer.results)]
    assert answer.closing.startswith("truncated")
    assert f"more: cursor={found['next_cursor']}" in answer.closing
    assert "compact=true" in answer.closing
    assert "detail_level=signature" in answer.closing


@requirement("TEXT-CLOSING")
def test_an_answer_that_is_fresh_complete_and_whole_has_no_closing_line(
    server: MemoryWire,
) -> None:
    _, text = _both(server, "locate_symbol", {"name": "TokenBucket"})

    assert len(text.split("\n")) == 1
    assert read_text(text).closing == ""


@requirement("TEXT-CLOSING")
@pytest.mark.parametrize(
    ("tool", "arguments", "parts"),
    [
        ("search_text", {"pattern": "absent everywhere"}, ["empty_reason: confirmed_absent"]),
        (
            "search_text",
            {"pattern": "capacity", "limit": 1},
            ["truncated", "1 of", "more: cursor="],
        ),
        ("search_code", {"query": "rate", "kind": "trait", "language": "lua"}, ["empty_reason: "]),
        ("locate_symbol", {"name": "nosuchname"}, ["empty_reason: confirmed_absent", "searched: "]),
        ("read_symbol", {"symbol": "TokenBucket", "max_tokens": 20}, ["next: read_symbol symbol="]),
    ],
)
def test_the_closing_line_says_what_is_not_usual(
    server: MemoryWire, tool: str, arguments: Json, parts: list[str]
) -> None:
    _, text = _both(server, tool, arguments)
    last = text.split("\n")[-1]

    assert last.startswith("-- ")
    assert [part for part in parts if part not in last] == []


@requirement("TEXT-CLOSING")
def test_a_stale_answer_says_so_in_its_last_line(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef lantern():\n    return 1\n")
    wire = MemoryWire(made.root)
    wire.ask(initialize())
    wire.ask(tool_call("sync_repo"))
    made.write("-- b.py\ndef other():\n    return 2\n")
    asked = {"name": "lantern", "format": "text", "freshness_policy": "best_effort"}
    text = payload_text(wire.ask(tool_call("locate_symbol", asked)))
    wire.workspaces.close()

    assert text.split("\n")[-1] == "-- stale; pending_changes: files=1 paths=b.py"


@requirement("TEXT-COMMAND")
@pytest.mark.parametrize(
    ("words", "tool", "arguments"),
    [
        (("locate", "TokenBucket"), "locate_symbol", {"name": "TokenBucket"}),
        (("locate", "get"), "locate_symbol", {"name": "get"}),
        (("show", "sign_token"), "read_symbol", {"symbol": "sign_token"}),
        (("outline", "server/router.go"), "get_file_outline", {"path": "server/router.go"}),
        (
            ("text", "capacity", "--context", "1"),
            "search_text",
            {"pattern": "capacity", "context_lines": 1},
        ),
    ],
)
def test_the_command_line_prints_the_same_text(
    harbour: Repo, server: MemoryWire, words: tuple[str, ...], tool: str, arguments: Json
) -> None:
    printed = run_cruxe(harbour.root, *words, "--format", "text", "--no-sync").stdout

    _, text = _both(server, tool, arguments)
    assert printed == f"{text}\n"


@requirement("TEXT-COMMAND", "REMEDY-READER")
def test_next_steps_on_the_command_line_are_commands(harbour: Repo) -> None:
    cut = run_cruxe(harbour.root, "text", "capacity", "--limit", "1", "--format", "text").stdout
    absent = run_cruxe(harbour.root, "locate", "nosuchname", "--format=text")
    phrase = run_cruxe(harbour.root, "locate", "no such thing", "--format=text")
    failed = run_cruxe(harbour.root, "show", "nosuchname", "--format", "text")

    assert re.search(r"^-- truncated; 1 of \d+; more: --cursor \S+$", cut, re.MULTILINE)
    assert absent.stdout.startswith("-- empty_reason: confirmed_absent; ")
    assert "next: " not in absent.stdout
    assert phrase.stdout.endswith("; next: cruxe search 'no such thing'\n")
    assert (absent.code, failed.code) == (1, 1)
    assert failed.stdout == (
        "error symbol_not_found: no symbol nosuchname in this ref\n"
        "check the spelling, or look for it with `cruxe search`\n"
    )


def _both(wire: MemoryWire, tool: str, arguments: Mapping[str, object]) -> tuple[Json, str]:
    """The same call in both forms."""
    found = payload_of(wire.ask(tool_call(tool, {**arguments})))
    text = payload_text(wire.ask(tool_call(tool, {**arguments, "format": "text"})))
    return found, text


def _after_handshake(wire: StdioWire | HttpWire, call: bytes) -> bytes | None:
    wire.ask(initialize())
    return wire.ask(call)


def _items(found: Json) -> list[Json]:
    return cast("list[Json]", found["results"])


def _said(read: ReadResult) -> tuple[object, ...]:
    return read[:6]


def _expected(item: Json) -> tuple[object, ...]:
    name = str(item.get("qualified_name", item.get("name", "")))
    if "qualified_name" in item and "symbol_id" not in item and name.startswith((".", " > ")):
        name = f"{str(item['path']).rpartition('.')[0]}{name}"  # compact: it goes on from the path
    signature = item.get("signature", "")
    return (
        *(item["path"], item["line_start"], item["line_end"], item.get("kind", "")),
        *(name, "" if signature in (name, item.get("name")) else signature),
    )


def _lines_around(items: list[Json]) -> dict[tuple[object, int], str]:
    """Every line before and after a match."""
    around: dict[tuple[object, int], str] = {}
    for item in items:
        line = cast("int", item["line"])
        before = cast("list[str]", item.get("before", []))
        after = cast("list[str]", item.get("after", []))
        around |= {(item["path"], line - len(before) + n): text for n, text in enumerate(before)}
        around |= {(item["path"], line + 1 + n): text for n, text in enumerate(after)}
    return around


def _nodes(symbols: list[Json], depth: int = 0) -> Iterator[tuple[object, ...]]:
    for each in symbols:
        name, signature = str(each["name"]), str(each.get("signature", ""))
        shown = signature if name in signature else f"{_as_word(name)} {signature}".rstrip()
        yield (
            *(depth, each["line_start"], each["line_end"]),
            *(each.get("visibility", "public"), each["kind"], shown),
        )
        yield from _nodes(cast("list[Json]", each.get("children", [])), depth + 1)


def _as_word(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if re.search(r'[\s"]', name) else name
