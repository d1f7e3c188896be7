"""Results are typed: one declaration of each shape, no casts around it, no cost at start-up."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from cruxe.contract import results
from cruxe.contract.catalogue import TOOLS, Tool
from tests.requirements import requirement
from tests.shape.project import PACKAGE, Module, package_modules

# Which modules may cast, and why a type cannot say the same there.
CASTS = {
    "contract/decoding.py": "arguments are unknown until they are decoded",
    "contract/schemas.py": "msgspec gives schemas as plain dictionaries",
    "embed/external.py": "what a provider sent is unknown until it is checked",
    "embed/onnx_folder.py": "a model's files are unknown until they are checked",
    "embed/provider_calls.py": "what a provider sent is unknown until it is checked",
    "embed/table.py": "a model's files are unknown until they are checked",
    "hosting/hosted_workspace.py": "a server may answer any question by an IndexingResult",
    "hosting/provisional.py": "a NamedTuple is narrowed behind a type variable",
    "native/__init__.py": "the extension is imported by name",
    "parse/text_places.py": "stands in for a node of tree-sitter",
    "query/retrieve/evidence.py": "the extension takes rows of its own type",
    "query/select/rerank.py": "what a provider sent is unknown until it is checked",
    "respond/size_limits.py": "a TypedDict without some of its optional keys",
    "serve/cli/arguments.py": "stands in for a parser of argparse",
    "serve/mcp/messages.py": "messages are unknown until they are checked",
    "serve/mcp/protocol.py": "definitions are read back from JSON",
    "setup/toml_entry.py": "a client's file is unknown until it is checked",
    "store/local/lexical.py": "Tantivy and the extension give columns without types",
    "store/local/ref_maps.py": "packed numbers are keys of versions",
    "store/local/vector_reader.py": "the extension gives numbers that are keys of versions",
}
# What an untyped object may be past the decoder: nothing that is answered.
TYPED_LAYERS = ("respond/", "tools/", "hosting/", "repository.py", "serve/dispatch.py")
RESULT_MODULES = {
    f"cruxe.contract.{name}"
    for name in ("results", "result_parts", "ranking_parts", "report_parts")
}


@requirement("RESULT-TYPES")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool.name))
def test_a_tool_has_a_result_of_its_name(tool: Tool) -> None:
    name = "".join(word.capitalize() for word in tool.name.split("_"))

    assert tool.request.__name__ == name
    assert hasattr(results, f"{name}Result")


@requirement("RESULT-TYPES")
def test_no_module_casts_without_a_reason() -> None:
    found = {module.path.removeprefix(PACKAGE) for module in _modules() if _has_cast(module.tree)}

    assert sorted(found - CASTS.keys()) == []


@requirement("RESULT-TYPES")
def test_no_answer_is_an_untyped_dictionary() -> None:
    aliases = [
        module.path
        for module in _modules()
        if any(name == "Answer" for name in _assigned_names(module.tree))
    ]
    untyped = Counter(
        module.path
        for module in _modules()
        if module.path.removeprefix(PACKAGE).startswith(TYPED_LAYERS)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Subscript) and ast.unparse(node) == "dict[str, object]"
    )

    assert aliases == []
    assert untyped == {f"{PACKAGE}respond/size_limits.py": 1}


@requirement("RESULT-TYPES")
def test_only_type_checkers_import_the_results() -> None:
    imported = [
        f"{module.path}:{node.lineno}"
        for module in _modules()
        if not module.name.startswith("cruxe.contract")
        for node in _imports_at_run_time(module)
        if node.module in RESULT_MODULES
    ]

    assert imported == []


@cache
def _modules() -> list[Module]:
    return list(package_modules())


def _has_cast(tree: ast.Module) -> bool:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(isinstance(each, ast.Name) and each.id == "cast" for each in calls)


def _assigned_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def _imports_at_run_time(module: Module) -> Iterator[ast.ImportFrom]:
    checked = {
        id(node)
        for block in ast.walk(module.tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in checked:
            yield node
