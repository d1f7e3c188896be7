"""Arguments are checked strictly: what is wrong is told with the field, and what it may be."""

from typing import cast

import pytest

from tests.requirements import requirement
from tests.support.polyglot import FEATURE_BRANCH
from tests.support.wires import Json, MemoryWire, payload_of, tool_call

SEARCH_FIELDS = [
    *("query", "limit", "cursor", "language", "kind", "role", "path", "detail_level", "compact"),
    *("ranking_explain_level", "freshness_policy", "confidence_threshold", "semantic_ratio"),
    *("group_by", "format", "ref", "workspace"),
]


def error_of_call(wire: MemoryWire, tool: str, arguments: Json) -> Json:
    """What a call fails with."""
    return cast("Json", payload_of(wire.ask(tool_call(tool, arguments)))["error"])


@requirement("MCP-ARGUMENTS")
def test_an_unknown_argument_is_told_with_the_nearest_and_all_that_exist(
    memory: MemoryWire,
) -> None:
    assert error_of_call(memory, "search_code", {"query": "x", "limt": 3}) == {
        "code": "invalid_input",
        "message": "search_code has no argument 'limt'; did you mean limit?",
        "data": {
            "field": "limt",
            "choices": SEARCH_FIELDS,
            "remediation": f"use only {', '.join(SEARCH_FIELDS)}",
        },
    }


@requirement("MCP-ARGUMENTS")
def test_a_value_outside_a_closed_choice_is_told_with_the_nearest(memory: MemoryWire) -> None:
    assert error_of_call(memory, "search_code", {"query": "x", "detail_level": "signatur"}) == {
        "code": "invalid_input",
        "message": "detail_level is 'signatur'; did you mean signature?",
        "data": {
            "field": "detail_level",
            "choices": ["location", "signature", "context"],
            "remediation": "use one of location, signature, context",
        },
    }


@requirement("MCP-ARGUMENTS")
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "message", "remedy"),
    [
        ("search_code", {}, "invalid_input", "query is missing", "give query, a text"),
        (
            "search_code",
            {"query": 7},
            "invalid_input",
            "query is 7",
            "use a text",
        ),
        (
            "search_code",
            {"query": None},
            "invalid_input",
            "query is null",
            "use a text",
        ),
        (
            "search_code",
            {"query": "x", "limit": 0},
            "invalid_input",
            "limit is 0",
            "use a whole number from 1 to 100",
        ),
        (
            "search_code",
            {"query": "x", "limit": "ten"},
            "invalid_input",
            "limit is 'ten'",
            "use a whole number from 1 to 100",
        ),
        (
            "search_code",
            {"query": "x", "limit": 2.5},
            "invalid_input",
            "limit is 2.5",
            "use a whole number from 1 to 100",
        ),
        (
            "search_code",
            {"query": "x", "compact": "yes"},
            "invalid_input",
            "compact is 'yes'",
            "use true or false",
        ),
        (
            "search_code",
            {"query": "x", "confidence_threshold": 1.5},
            "invalid_input",
            "confidence_threshold is 1.5",
            "use a number from 0 to 1",
        ),
        (
            "search_code",
            {"query": "x", "kind": ["class"]},
            "invalid_input",
            "kind is a list",
            (
                "use one of function, method, struct, class, enum, trait, interface, constant,"
                " variable, type_alias, module, section"
            ),
        ),
        (
            "read_symbol",
            {"symbol": "TokenBucket", "max_tokens": 0},
            "invalid_max_tokens",
            "max_tokens is 0",
            "use a whole number from 1 to 200000",
        ),
        (
            "get_file_outline",
            {"path": "a.py", "depth": {}},
            "invalid_input",
            "depth is an object",
            "use one of all, top",
        ),
    ],
)
def test_a_wrong_value_is_told_with_what_it_may_be(  # noqa: PLR0913, PLR0917
    memory: MemoryWire, tool: str, arguments: Json, code: str, message: str, remedy: str
) -> None:
    error = error_of_call(memory, tool, arguments)

    data = cast("Json", error["data"])
    assert (error["code"], error["message"], data["remediation"]) == (code, message, remedy)


@requirement("MCP-ARGUMENTS")
def test_a_field_that_is_null_was_left_out(memory: MemoryWire) -> None:
    with_nulls: Json = {"name": "TokenBucket", "kind": None, "limit": None, "ref": None}

    assert memory.ask(tool_call("locate_symbol", with_nulls)) == memory.ask(
        tool_call("locate_symbol", {"name": "TokenBucket"})
    )


@requirement("LOCATE-KINDS")
def test_a_kind_may_go_by_another_name(memory: MemoryWire) -> None:
    def ask(kind: str) -> bytes | None:
        return memory.ask(tool_call("locate_symbol", {"name": "allow", "kind": kind}))

    assert ask("fn") == ask("function") != ask("fun")


@requirement("MCP-ARGUMENTS")
def test_a_long_value_is_not_repeated_whole(memory: MemoryWire) -> None:
    error = error_of_call(memory, "search_code", {"query": "x", "detail_level": "y" * 10_000})

    assert len(str(error["message"])) < 200


@requirement("MCP-ARGUMENTS", "MCP-FUZZ")
@pytest.mark.parametrize(
    ("arguments", "field"),
    [({"query": "x", "\ud800": 1}, "?"), ({"query": "x", "kind": "\udfff"}, "kind")],
)
def test_half_a_character_is_as_wrong_as_any_other(
    memory: MemoryWire, arguments: Json, field: str
) -> None:
    error = error_of_call(memory, "search_code", arguments)

    assert (error["code"], cast("Json", error["data"])["field"]) == ("invalid_input", field)


@requirement("ERROR-METADATA")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_code", {"query": "x", "limit": 0}),
        ("search_code", {"query": " "}),
        ("search_code", {"query": "x", "language": "pyhton"}),
        ("read_symbol", {"symbol": "no.such.symbol"}),
        ("get_file_outline", {"path": "nowhere.py"}),
    ],
)
def test_an_error_about_a_fresh_index_says_that_it_is_fresh(
    memory: MemoryWire, tool: str, arguments: Json
) -> None:
    answered = payload_of(memory.ask(tool_call("locate_symbol", {"name": "LruCache"})))
    failed = payload_of(memory.ask(tool_call(tool, arguments)))

    assert "error" in failed
    assert failed["metadata"] == answered["metadata"]


@requirement("ERROR-METADATA")
def test_an_error_about_another_ref_is_about_that_ref(memory: MemoryWire) -> None:
    def failed(ref: str) -> Json:
        arguments: Json = {"query": "x", "limit": 0, "ref": ref}
        return cast("Json", payload_of(memory.ask(tool_call("search_code", arguments)))["metadata"])

    assert (failed(FEATURE_BRANCH)["ref"], failed(FEATURE_BRANCH)["indexing_status"]) == (
        FEATURE_BRANCH,
        "ready",
    )
    assert (failed("nowhere")["ref"], failed("nowhere")["indexing_status"]) == (
        "nowhere",
        "not_indexed",
    )


@requirement("MCP-ARGUMENTS")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({"limit": "2"}, {"limit": 2}),
        ({"limit": 2.0}, {"limit": 2}),
        ({"compact": "true"}, {"compact": True}),
        ({"semantic_ratio": "0.5"}, {"semantic_ratio": 0.5}),
        ({"kind": "func"}, {"kind": "function"}),
        ({"kind": "Class"}, {"kind": "class"}),
        ({"kind": "Type-Alias"}, {"kind": "type_alias"}),
        ({"detail_level": "LOCATION"}, {"detail_level": "location"}),
    ],
)
def test_what_is_said_without_loss_is_accepted(memory: MemoryWire, said: Json, meant: Json) -> None:
    answers = [
        payload_of(memory.ask(tool_call("search_code", {"query": "token bucket", **given})))
        for given in (said, meant)
    ]

    assert "error" not in answers[0]
    assert answers[0] == answers[1]


@requirement("MCP-ARGUMENTS")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"limit": "0"}, "limit is '0'"),
        ({"limit": "2.5"}, "limit is '2.5'"),
        ({"limit": True}, "limit is true"),
        ({"compact": "yes"}, "compact is 'yes'"),
        ({"kind": "functoin"}, "kind is 'functoin'; did you mean function?"),
        ({"semantic_ratio": "nan"}, "semantic_ratio is 'nan'"),
    ],
)
def test_what_would_lose_or_guess_is_refused(memory: MemoryWire, given: Json, message: str) -> None:
    error = error_of_call(memory, "search_code", {"query": "x", **given})

    assert (error["code"], error["message"]) == ("invalid_input", message)
