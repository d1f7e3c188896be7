"""Results have the types that the contract declares, on the wire and in golden files."""

import json
import os
from typing import cast

import pytest

from cruxe.contract import results
from cruxe.contract.catalogue import TOOLS, Tool
from cruxe.contract.schemas import result_schema, result_types
from cruxe.serve.mcp.protocol import ServerOptions
from tests.contract.parity_requests import OTHER_CALLS, QUERIES, SEARCH_OPTIONS
from tests.requirements import requirement
from tests.support.command import run_cruxe
from tests.support.polyglot import FEATURE_BRANCH
from tests.support.repositories import MakeRepo, Repo
from tests.support.result_shapes import shape_problems
from tests.support.wires import (
    Json,
    MemoryWire,
    initialize,
    payload_of,
    tool_call,
)

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "search")
GOLDEN_RESULTS = sorted(name for name in os.listdir(GOLDEN) if name.endswith(".json"))
TOOL_OF_NAME = {tool.name: tool for tool in TOOLS}


def _query(text: str) -> Json:
    return {"query": text}


CALLS: tuple[tuple[str, Json], ...] = (
    *(("search_code", _query(query)) for query in QUERIES),
    *(("search_code", _query("rate limit") | options) for options in SEARCH_OPTIONS),
    *(call for call in OTHER_CALLS if call[0] in TOOL_OF_NAME),
    # What the requests of the parity test leave out.
    ("search_code", {"query": "rate limit", "detail_level": "context", "limit": 50}),
    ("index_status", {"languages": True}),
    ("health_check", {}),
    ("list_refs", {}),
    ("switch_ref", {"ref": FEATURE_BRANCH}),
    ("sync_repo", {}),
    ("index_repo", {}),
)
COMMANDS: tuple[tuple[object, tuple[str, ...]], ...] = (
    (results.SearchCodeResult, ("search", "rate limit", "--explain", "full")),
    (results.LocateSymbolResult, ("locate", "TokenBucket", "--explain", "basic")),
    (results.ReadSymbolResult, ("show", "sign_token")),
    (results.GetFileOutlineResult, ("outline", "server/router.go")),
    (results.SearchTextResult, ("text", "capacity", "--context", "2")),
    (results.ExplainRankingResult, ("explain", "rate limit", "src/harbor/rate_limit.py:32")),
    (results.IndexStatusResult, ("status", "--languages")),
    (results.IndexCommandResult, ("index",)),
    (results.PublishedSync, ("sync",)),
    (results.ExplainPathResult, ("why", "server/router.go")),
    (results.ExplainPathResult, ("why", "no/such/file")),
    (results.DoctorResult, ("doctor",)),
    (results.CollectResult, ("gc",)),
    (results.ConfigShowResult, ("config", "show")),
    (results.InitResult, ("init",)),
    (results.SetupResult, ("setup", "claude-code", "--dry-run")),
    (results.ErrorEnvelope, ("show", "nobody_here")),
    (results.ErrorEnvelope, ("locate", "x", "--limit", "no number")),
)


@requirement("RESULT-TYPES")
@pytest.mark.parametrize("name", GOLDEN_RESULTS)
def test_a_golden_result_has_the_declared_shape(name: str) -> None:
    with open(os.path.join(GOLDEN, name), encoding="utf-8") as file:
        golden = json.load(file)

    assert shape_problems(golden, [results.SearchCodeResult]) == []


@requirement("RESULT-TYPES")
def test_every_tool_answers_in_the_declared_shape(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())
    problems = {
        f"{name} {arguments}": found
        for name, arguments in CALLS
        if (found := _problems(wire, TOOL_OF_NAME[name], arguments))
    }
    wire.workspaces.close()

    assert {name for name, _ in CALLS} == set(TOOL_OF_NAME)
    assert problems == {}


@requirement("RESULT-TYPES")
@pytest.mark.parametrize(("declared", "words"), COMMANDS, ids=str)
def test_every_command_answers_in_the_declared_shape(
    harbour: Repo, declared: object, words: tuple[str, ...]
) -> None:
    printed = run_cruxe(harbour.root, *words, "--json").stdout

    assert shape_problems(json.loads(printed), [declared]) == []


@requirement("RESULT-TYPES")
def test_a_result_with_config_warnings_has_the_declared_shape(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef f(): pass\n-- .cruxe/config.toml\n[search]\nno_such_key = 1\n")

    for declared, *words in (
        (results.PublishedSync, "sync"),
        (results.InitResult, "init"),
        (results.LocateSymbolResult, "locate", "f"),
    ):
        answer = json.loads(run_cruxe(made.root, *map(str, words), "--json").stdout)

        assert answer["metadata"]["warnings"]
        assert shape_problems(answer, [declared]) == []


@requirement("RESULT-TYPES")
def test_a_field_that_is_renamed_on_one_side_only_is_found() -> None:
    with open(os.path.join(GOLDEN, "symbol.json"), encoding="utf-8") as file:
        golden = json.load(file)
    first = golden["results"][0]
    first["qualified"] = first.pop("qualified_name")
    golden["metadata"]["git_ref"] = golden["metadata"].pop("ref")

    assert shape_problems(golden, [results.SearchCodeResult]) == [
        "Object missing required field `ref` - at `$.metadata`",
        "$.results[0].qualified is not declared",
        "$.metadata.git_ref is not declared",
    ]


@requirement("RESULT-TYPES")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool.name))
def test_the_schema_of_a_result_describes_every_alternative(tool: Tool) -> None:
    schema = result_schema(tool)
    definitions = cast("dict[str, Json]", schema["$defs"])

    assert schema["anyOf"] == [{"$ref": f"#/$defs/{each.__name__}"} for each in result_types(tool)]
    for each in result_types(tool):
        declared = definitions[each.__name__]
        assert cast("Json", declared["properties"]).keys() == each.__annotations__.keys()
        assert set(cast("list[str]", declared["required"])) == _required_keys(each)


def _problems(wire: MemoryWire, tool: Tool, arguments: Json) -> list[str]:
    payload = payload_of(wire.ask(tool_call(tool.name, arguments)))
    types = [results.ErrorEnvelope] if "error" in payload else result_types(tool)
    return shape_problems(payload, types)


def _required_keys(declared: type) -> frozenset[str]:
    required: frozenset[str] = getattr(declared, "__required_keys__")  # noqa: B009 - of a TypedDict
    return required
