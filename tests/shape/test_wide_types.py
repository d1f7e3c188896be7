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


class Call(NamedTuple):
    """A call that builds a wide type by position."""

    path: str
    line: int
    type_name: str


def test_wide_types_are_built_by_keywords() -> None:
    modules = list(package_modules())
    wide = wide_types(modules)
    calls = [call for module in modules for call in positional_calls(module, wide)]

    assert calls == []


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
