"""The table of requirements and the tests agree, both ways."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.requirement_rows import Capability
from tests.requirements import REQUIREMENTS
from tests.shape.project import python_files, read_bytes


def test_every_id_is_used_once() -> None:
    counts = Counter(row.id for row in REQUIREMENTS)

    assert [id_ for id_, count in counts.items() if count > 1] == []


def test_every_requirement_has_a_test_or_waits_for_a_later_issue() -> None:
    stated = {id_ for _, id_ in _stated_requirements()}

    assert [row.id for row in REQUIREMENTS if row.later is None and row.id not in stated] == []


def test_no_requirement_with_a_test_still_waits() -> None:
    stated = {id_ for _, id_ in _stated_requirements()}

    assert [row.id for row in REQUIREMENTS if row.later is not None and row.id in stated] == []


def test_what_benchmarks_are_to_hold_is_named_there() -> None:
    held = {row.id for row in REQUIREMENTS if row.later is Capability.BENCHMARKS}
    suites = b"".join(map(read_bytes, python_files("benchmarks/"))).decode()

    assert sorted(held - set(re.findall(r"SC-\d+a?", suites))) == []


def test_no_test_names_an_unknown_requirement() -> None:
    known = {row.id for row in REQUIREMENTS}

    assert [f"{where}: {id_}" for where, id_ in _stated_requirements() if id_ not in known] == []


def test_marks_are_read_from_functions_classes_and_modules() -> None:
    source = """
pytestmark = requirement("A")

@requirement("B", "C")
class TestThings:
    @requirement("D")
    def test_one(self): ...

@requirement("E")
def a_helper_is_no_test(): ...
"""

    assert sorted(_ids_in(ast.parse(source))) == ["A", "B", "C", "D"]


def _stated_requirements() -> Iterator[tuple[str, str]]:
    """Give each test file with each requirement that a test in it states."""
    for path in python_files("tests/"):
        for id_ in _ids_in(ast.parse(read_bytes(path), path)):
            yield path, id_


def _ids_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        for mark in _marks_of(node):
            if isinstance(mark, ast.Call) and _name_of(mark.func) == "requirement":
                yield from (ast.literal_eval(argument) for argument in mark.args)


def _marks_of(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test_"):
            return node.decorator_list
        case ast.ClassDef() if node.name.startswith("Test"):
            return node.decorator_list
        case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
            return value.elts if isinstance(value, ast.List) else [value]
        case _:
            return []


def _name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""
