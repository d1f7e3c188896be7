"""The tools as a client sees them: their definitions, their weight, and what is said about them."""

import json
import os
from inspect import signature

import pytest

from cruxe import contract
from cruxe.contract.catalogue import TOOLS, Profile, Tool, tools_of
from cruxe.contract.instructions import INSTRUCTIONS, MAX_CHARACTERS
from cruxe.contract.schemas import definitions_text
from cruxe.model.levels import AnswerFormat
from cruxe.repository import Repository
from cruxe.text.tokens import estimate_tokens
from tests.requirements import requirement
from tests.support.golden_files import check_golden

# What the dispatcher does not hand to the repository.
APART = {"switch_ref"}
# What every tool takes and the dispatcher handles.
OF_THE_CALL = {"format", "workspace"}
# What a method takes beyond what a client may give.
LEFT_OUT = {"self", "progress", "wait_ms", "retry_failed", "max_bytes", "answer_format"}


@requirement("MCP-DEFINITIONS")
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.name not in APART])
def test_a_tool_takes_what_its_method_takes(tool: Tool) -> None:
    taken = set(signature(getattr(Repository, tool.name)).parameters) - LEFT_OUT

    assert set(tool.request.__struct_fields__) - OF_THE_CALL == taken


@requirement("MCP-DEFINITIONS")
@pytest.mark.parametrize("profile", list(Profile))
def test_the_definitions_that_are_shipped_are_those_of_the_types(profile: Profile) -> None:
    folder = os.path.join(os.path.dirname(contract.__file__), "definitions")

    check_golden(os.path.join(folder, f"{profile}.json"), definitions_text(profile))


@requirement("MCP-PROFILES")
def test_the_core_is_small() -> None:
    text = definitions_text(Profile.CORE).replace("\n", "")

    assert len(tools_of(Profile.CORE)) <= 12
    # The estimator counts every mark of JSON as a token, so real tokenizers see fewer.
    assert estimate_tokens(text) < 3_000


@requirement("MCP-PROFILES")
def test_the_core_comes_first_and_in_the_same_order() -> None:
    core, full = tools_of(Profile.CORE), tools_of(Profile.FULL)

    assert [tool for tool in full if tool in core] == core
    assert full == list(TOOLS)
    assert full[: len(core)] == core


@requirement("MCP-INSTRUCTIONS")
@pytest.mark.parametrize("form", list(AnswerFormat))
def test_the_instructions_are_short_and_name_every_tool_of_the_core(form: AnswerFormat) -> None:
    told = INSTRUCTIONS[form]

    assert len(told) <= MAX_CHARACTERS
    assert [tool.name for tool in tools_of(Profile.CORE) if tool.name not in told] == []


@requirement("MCP-DEFINITIONS")
def test_every_tool_can_be_answered_and_takes_a_format_and_a_workspace() -> None:
    listed = json.loads(definitions_text(Profile.FULL))

    assert [t.name for t in TOOLS if t.name not in APART and not hasattr(Repository, t.name)] == []
    assert [
        t["name"] for t in listed if not t["inputSchema"]["properties"].keys() >= OF_THE_CALL
    ] == []
    assert [
        t["name"] for t in listed if t["inputSchema"]["additionalProperties"] is not False
    ] == []


@requirement("MCP-DEFINITIONS")
def test_annotations_tell_readers_from_writers() -> None:
    listed = json.loads(definitions_text(Profile.FULL))
    writers = {t["name"] for t in listed if not t["annotations"]["readOnlyHint"]}

    assert writers == {"sync_repo", "index_repo", "switch_ref"}
    assert all(t["annotations"]["openWorldHint"] is False for t in listed)
    assert all(t["annotations"]["idempotentHint"] is True for t in listed)
