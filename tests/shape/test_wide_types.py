"""Types with many fields are built by keywords: the position of a field says nothing to a reader.

One leading argument, which says what the value is about, may stand by position:
`Emptiness(EmptyReason.STALE, languages=…)`. Specs take none.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.shape.project import Module, package_modules

MAX_FIELDS_BY_POSITION = 3
KEYWORDS_ALONE = {"SearchSpec", "LocateSpec", "OutlineSpec", "TextSpec"}
# Modules that still build wide types by position. It only shrinks: an entry that is no longer
# needed fails the test.
NOT_YET = {
    "src/cruxe/config/keys.py",
    "src/cruxe/config/layers.py",
    "src/cruxe/contract/catalogue.py",
    "src/cruxe/embed/encoding.py",
    "src/cruxe/embed/local_models.py",
    "src/cruxe/embed/models.py",
    "src/cruxe/embed/onnx_folder.py",
    "src/cruxe/embed/table.py",
    "src/cruxe/hosting/hosted_workspace.py",
    "src/cruxe/hosting/provisional_scan.py",
    "src/cruxe/ingest/background_messages.py",
    "src/cruxe/ingest/background_process.py",
    "src/cruxe/ingest/collect.py",
    "src/cruxe/ingest/sync_ref.py",
    "src/cruxe/parse/extract.py",
    "src/cruxe/parse/format_outline.py",
    "src/cruxe/parse/languages/bash/__init__.py",
    "src/cruxe/parse/languages/c/rules.py",
    "src/cruxe/parse/languages/cpp/rules.py",
    "src/cruxe/parse/languages/csharp/imports.py",
    "src/cruxe/parse/languages/dockerfile/outline.py",
    "src/cruxe/parse/languages/dockerfile/stages.py",
    "src/cruxe/parse/languages/elixir/imports.py",
    "src/cruxe/parse/languages/go/__init__.py",
    "src/cruxe/parse/languages/haskell/imports.py",
    "src/cruxe/parse/languages/java/__init__.py",
    "src/cruxe/parse/languages/javascript/imports.py",
    "src/cruxe/parse/languages/json/outline.py",
    "src/cruxe/parse/languages/kotlin/rules.py",
    "src/cruxe/parse/languages/lua/imports.py",
    "src/cruxe/parse/languages/make/__init__.py",
    "src/cruxe/parse/languages/php/imports.py",
    "src/cruxe/parse/languages/python/imports.py",
    "src/cruxe/parse/languages/rst/reading.py",
    "src/cruxe/parse/languages/ruby/requires.py",
    "src/cruxe/parse/languages/rust/uses.py",
    "src/cruxe/parse/languages/scala/rules.py",
    "src/cruxe/parse/languages/sql/__init__.py",
    "src/cruxe/parse/languages/sql/statements.py",
    "src/cruxe/parse/languages/swift/rules.py",
    "src/cruxe/parse/languages/toml/outline.py",
    "src/cruxe/parse/languages/yaml/outline.py",
    "src/cruxe/parse/languages/zig/imports.py",
    "src/cruxe/parse/markup.py",
    "src/cruxe/parse/query_matches.py",
    "src/cruxe/repository.py",
    "src/cruxe/respond/bundles.py",
    "src/cruxe/safety/secret_formats.py",
    "src/cruxe/serve/cli/commands/config.py",
    "src/cruxe/serve/cli/commands/doctor.py",
    "src/cruxe/serve/cli/commands/explain.py",
    "src/cruxe/serve/cli/commands/gc.py",
    "src/cruxe/serve/cli/commands/index.py",
    "src/cruxe/serve/cli/commands/init.py",
    "src/cruxe/serve/cli/commands/locate.py",
    "src/cruxe/serve/cli/commands/outline.py",
    "src/cruxe/serve/cli/commands/search.py",
    "src/cruxe/serve/cli/commands/serve.py",
    "src/cruxe/serve/cli/commands/serve_mcp.py",
    "src/cruxe/serve/cli/commands/setup.py",
    "src/cruxe/serve/cli/commands/show.py",
    "src/cruxe/serve/cli/commands/status.py",
    "src/cruxe/serve/cli/commands/sync.py",
    "src/cruxe/serve/cli/commands/text.py",
    "src/cruxe/serve/cli/commands/why.py",
    "src/cruxe/serve/cli/plain.py",
    "src/cruxe/serve/cli/streams.py",
    "src/cruxe/serve/http/connection.py",
    "src/cruxe/serve/http/endpoint.py",
    "src/cruxe/serve/http/exchange.py",
    "src/cruxe/serve/mcp/messages.py",
    "src/cruxe/serve/mcp/protocol.py",
    "src/cruxe/setup/client_files.py",
    "src/cruxe/setup/file_changes.py",
    "src/cruxe/setup/json_entry.py",
    "src/cruxe/setup/json_scanner.py",
    "src/cruxe/setup/marks.py",
    "src/cruxe/setup/own_file.py",
    "src/cruxe/setup/registration.py",
    "src/cruxe/setup/toml_entry.py",
    "src/cruxe/tools/checked_requests.py",
    "src/cruxe/tools/explain_ranking.py",
    "src/cruxe/tools/get_file_outline.py",
    "src/cruxe/tools/profile_advice.py",
    "src/cruxe/tools/read_symbol.py",
    "src/cruxe/tools/search_code.py",
    "src/cruxe/tools/search_text.py",
    "src/cruxe/tools/store_state.py",
    "src/cruxe/tools/text_scan.py",
    "src/cruxe/workspace/context.py",
    "src/cruxe/workspace/decode.py",
    "src/cruxe/workspace/explain_path.py",
    "src/cruxe/workspace/ignore.py",
    "src/cruxe/workspace/objects.py",
}


class Call(NamedTuple):
    """A call that builds a wide type by position."""

    path: str
    line: int
    type_name: str


def test_wide_types_are_built_by_keywords() -> None:
    modules = list(package_modules())
    wide = wide_types(modules)
    calls = [call for module in modules for call in positional_calls(module, wide)]

    assert [call for call in calls if call.path not in NOT_YET] == []
    assert NOT_YET - {call.path for call in calls} == set()


def test_a_positional_call_of_a_wide_type_is_found() -> None:
    wide = "class Wide(NamedTuple):\n    a: int\n    b: int\n    c: int\n    d: int = 0\n"
    calls = "Wide(1, 2, c=3)\nWide(*rest)\nWide(1, b=2, c=3)\nWide._make(rest)\n"
    one = Module("one.py", "one", ast.parse(wide + calls))
    other = Module("other.py", "other", ast.parse("def f():\n    from one import Wide\n" + calls))
    stranger = Module("third.py", "third", ast.parse("from elsewhere import Wide\n" + calls))

    modules = [one, other, stranger]
    found = [call for each in modules for call in positional_calls(each, wide_types(modules))]

    assert [(call.path, call.line) for call in found] == [
        ("one.py", 6),
        ("one.py", 7),
        ("other.py", 3),
        ("other.py", 4),
    ]


def wide_types(modules: list[Module]) -> set[tuple[str, str]]:
    """Named tuples, dataclasses and structs with more than three fields, by module and name."""
    return {
        (module.name, node.name)
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef) and _is_record(node)
        if sum(isinstance(each, ast.AnnAssign) for each in node.body) > MAX_FIELDS_BY_POSITION
    }


def positional_calls(module: Module, wide: set[tuple[str, str]]) -> Iterator[Call]:
    """The calls of a module that build a wide type by position."""
    known = {name for home, name in wide if home == module.name}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            known |= {each.name for each in node.names if (node.module, each.name) in wide}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in known and _is_by_position(node, 0 if name in KEYWORDS_ALONE else 1):
                yield Call(module.path, node.lineno, name)


def _is_by_position(call: ast.Call, allowed: int) -> bool:
    return len(call.args) > allowed or any(isinstance(each, ast.Starred) for each in call.args)


def _is_record(node: ast.ClassDef) -> bool:
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    if any(isinstance(base, ast.Name) and base.id in ("NamedTuple", "Struct") for base in bases):
        return True
    return any("dataclass" in ast.dump(decorator) for decorator in node.decorator_list)
