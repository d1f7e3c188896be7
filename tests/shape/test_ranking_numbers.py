"""The numbers of ranking are in one module; storage and channels take them from there."""

import ast
from collections.abc import Iterator

from tests.shape.project import Module, package_modules

POLICY = "cruxe.query.rank.policy"
LOOKED_AT = ("cruxe.query.", "cruxe.store.")
# Shares that decide about something else than order.
OTHER_SHARES = {
    "MOST_ROUNDED",  # a tolerance of rounding
    "LEAST_LIKENESS",  # of duplicates
    "_ANSWERING_SHARE",  # which definition of a chunk is shown
    "_NAMING_SHARE",  # how much of a chunk a definition has that names it
    "WEIGHTS",  # of the intent classifier
}


def test_shares_and_weights_are_in_the_policy() -> None:
    found = {
        f"{module.name}.{name}"
        for module in package_modules()
        if module.name.startswith(LOOKED_AT) and module.name != POLICY
        for name in float_constants(module)
        if name not in OTHER_SHARES
    }

    assert found == set()


def float_constants(module: Module) -> Iterator[str]:
    """The constants of a module whose values hold a fraction."""
    assigned = [node for node in module.tree.body if isinstance(node, ast.AnnAssign)]
    for node in assigned:
        is_fraction = node.value is not None and any(map(_is_fraction, ast.walk(node.value)))
        if is_fraction and isinstance(node.target, ast.Name):
            yield node.target.id


def _is_fraction(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value % 1 != 0
