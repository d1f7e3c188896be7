"""No module of the package is in an import cycle; lazy and type-only imports count.

import-linter checks the layers between packages; this sees the cycles inside of one.
"""

import ast
from collections.abc import Container, Mapping

from tests.shape.project import package_modules

Graph = Mapping[str, set[str]]  # from each module to those that it imports


def test_no_module_is_in_a_cycle() -> None:
    assert list(map(sorted, find_cycles(import_graph()))) == []


def test_cycles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": {"e"}, "e": {"f"}, "f": {"d"}}

    assert sorted(map(sorted, find_cycles(graph))) == [["b", "c"], ["d", "e", "f"]]


def test_lazy_and_type_only_imports_count() -> None:
    source = """
if TYPE_CHECKING:
    from a import b
def f():
    import a.c
    from a.d import X
"""

    assert imported_from(ast.parse(source), {"a", "a.b", "a.c", "a.d"}) == {"a.b", "a.c", "a.d"}


def import_graph() -> Graph:
    """Read who imports whom within the package."""
    modules = {module.name: module.tree for module in package_modules()}
    return {name: imported_from(tree, modules.keys()) - {name} for name, tree in modules.items()}


def imported_from(tree: ast.Module, known: Container[str]) -> set[str]:
    """Name the known modules that a module imports; `from a import b` may mean `a.b`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
    return {name for name in found if name in known}


def find_cycles(graph: Graph) -> list[set[str]]:
    """Return the strongly connected components of more than one module."""
    reachable = {name: _reachable(graph, name) for name in graph}
    cycles: list[set[str]] = []
    for name, others in reachable.items():
        if name in others and not any(name in cycle for cycle in cycles):
            cycles.append({other for other in others if name in reachable[other]})
    return cycles


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
