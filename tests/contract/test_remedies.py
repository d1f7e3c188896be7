"""Remedies speak the reader's language: tools over MCP, commands on the command line."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import cast

import pytest

from cruxe.contract.catalogue import TOOLS
from cruxe.model import errors
from cruxe.model.errors import EngineError, Reader, Remedy
from cruxe.respond.text_form.wording import COMMANDS, Wording
from cruxe.serve.cli.command import CATALOGUE
from tests.requirements import requirement
from tests.shape.project import package_modules
from tests.support.command import run_cruxe
from tests.support.repositories import MakeRepo
from tests.support.wires import Json, MemoryWire, initialize, payload_of, tool_call

ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, EngineError) and kind is not EngineError
]
TOOL_NAMES = re.compile(rf"\b({'|'.join(tool.name for tool in TOOLS)})\b")
# Commands that a tool stands for; the others (`setup`, `gc`, `why`, `config`) have none.
OF_TOOLS = {name for name, _ in COMMANDS.values()} | {"init"}
COMMAND_NAMES = re.compile(rf"`?cruxe ({'|'.join(OF_TOOLS)})\b")


@requirement("REMEDY-READER")
@pytest.mark.parametrize("kind", ERRORS)
def test_no_usual_remedy_tells_a_reader_the_other_s_words(kind: type[EngineError]) -> None:
    remedies = kind("it broke").remedies

    assert remedies.for_reader(Reader.AGENT)
    assert remedies.for_reader(Reader.PERSON)
    assert _wrong_words(remedies) == []


@requirement("REMEDY-READER")
def test_no_remedy_in_the_code_tells_a_reader_the_other_s_words() -> None:
    """A remedy of one string is told to both readers, so it names no tool and no command."""
    wrong: list[tuple[str, str]] = []
    count = 0
    for module in package_modules():
        if "/serve/cli/" in module.path or "/setup/" in module.path:
            continue  # read on the command line alone
        for remedy in _remedies_in(module.tree):
            count += 1
            wrong += [(module.path, word) for word in _wrong_words(remedy)]

    assert count > 30
    assert wrong == []


@requirement("REMEDY-READER")
def test_every_command_that_a_tool_stands_for_exists() -> None:
    assert [name for name, _ in COMMANDS.values() if name not in CATALOGUE] == []
    assert [name for name in COMMANDS if TOOL_NAMES.fullmatch(name) is None] == []
    wording = Wording(Reader.PERSON)
    sentences = [wording.sentence(f"Try {tool} with 'x'") for tool in COMMANDS]
    assert [each for each in sentences if TOOL_NAMES.search(each)] == []


@requirement("REMEDY-READER")
@pytest.mark.parametrize(
    ("action", "call", "command"),
    [
        (
            {"tool": "read_symbol", "symbol": "a b.py:3-9"},
            'read_symbol symbol="a b.py:3-9"',
            "cruxe show 'a b.py:3-9'",
        ),
        (
            {"tool": "search_text", "pattern": "x", "regex": True},
            "search_text pattern=x regex=true",
            "cruxe text x --regex",
        ),
        (
            {"tool": "search_text", "pattern": "x", "regex": False},
            "search_text pattern=x regex=false",
            "cruxe text x",
        ),
        (
            {"tool": "search_text", "pattern": "X", "case": "insensitive"},
            "search_text pattern=X case=insensitive",
            "cruxe text X --ignore-case",
        ),
        (
            {"tool": "search_code", "query": "x", "detail_level": "signature", "compact": True},
            "search_code query=x detail_level=signature compact=true",
            "cruxe search x --detail signature --compact",
        ),
        (
            {"tool": "sync_repo", "force": True},
            "sync_repo force=true",
            "cruxe index --force",
        ),
        (
            {"tool": "explain_ranking", "result_path": "a.py", "result_line_start": 3},
            "explain_ranking result_path=a.py result_line_start=3",
            "cruxe explain a.py:3",
        ),
        ({"tool": "index_status"}, "index_status", "cruxe status"),
    ],
)
def test_a_suggested_action_is_a_call_or_a_command(
    action: Mapping[str, object], call: str, command: str
) -> None:
    assert Wording(Reader.AGENT).call(action) == call
    assert Wording(Reader.PERSON).call(action) == command


@requirement("REMEDY-READER")
def test_an_error_tells_each_reader_its_own_words(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef lantern():\n    return 1\n")
    wire = MemoryWire(made.root)
    wire.ask(initialize())
    wire.ask(tool_call("sync_repo"))
    calls: list[tuple[str, Json, tuple[str, ...]]] = [
        ("read_symbol", {"symbol": "nosuch"}, ("show", "nosuch")),
        ("get_file_outline", {"path": "gone.py"}, ("outline", "gone.py")),
        (
            "search_code",
            {"query": "x", "ref": "HEAD"},
            ("search", "x", "--ref", "HEAD", "--no-sync"),
        ),
        ("locate_symbol", {"name": " "}, ("locate", " ")),
    ]
    for tool, arguments, words in calls:
        answered = _remedy(payload_of(wire.ask(tool_call(tool, arguments))))
        for option in ((), ("--json",)):
            printed = run_cruxe(made.root, *words, *option)
            assert not TOOL_NAMES.search(printed.stderr), printed.stderr
            assert "remediation" in printed.stdout or not option
            assert not TOOL_NAMES.search(printed.stdout), printed.stdout
        assert not COMMAND_NAMES.search(answered), answered
    wire.workspaces.close()


@requirement("REMEDY-READER")
def test_an_answer_that_is_not_sure_tells_a_person_a_command(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef lantern():\n    return 1\n")
    printed = run_cruxe(made.root, "search", "where is the lantern of the harbour lit at night")

    assert "not a confident answer" in printed.stderr
    assert not TOOL_NAMES.search(printed.stderr), printed.stderr


def _wrong_words(remedy: Remedy) -> list[str]:
    to_agents = COMMAND_NAMES.search(remedy.in_tools)
    to_people = TOOL_NAMES.search(remedy.in_commands)
    return [found[0] for found in (to_agents, to_people) if found is not None]


def _remedies_in(tree: ast.Module) -> Iterator[Remedy]:
    """Yield what is given as `remedy=`: two wordings, or one for both readers."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        is_pair = isinstance(node.func, ast.Name) and node.func.id == "Remedy"
        if is_pair and len(node.args) == len(Remedy._fields):
            yield Remedy(*map(_text, node.args))
        for keyword in node.keywords:
            if keyword.arg == "remedy" and (text := _text(keyword.value)):
                yield Remedy(text, text)


def _text(node: ast.expr) -> str:
    """The text of a literal; parts that are computed are left out."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    return ""


def _remedy(payload: Json) -> str:
    data = cast("Json", cast("Json", payload["error"])["data"])
    return str(data["remediation"])
