"""Every setting has a reader: a key that changes nothing is not offered.

A reader is an attribute access in `src` outside `config`. A name of several words that one key
alone has is looked for by itself; other names count only on the section that they belong to, on a
variable that was assigned from it, or on a parameter annotated with its class.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from cruxe.config.keys import flat_values
from cruxe.config.settings import ACCEPTED_WITHOUT_EFFECT, Section, Settings, SignalBudget
from tests.shape.project import PACKAGE, package_modules

KEYS = tuple(flat_values(Settings()))
LEAVES = Counter(key.rpartition(".")[2] for key in KEYS)


class Access(NamedTuple):
    """`owner.name`; the owners are all names that the object goes by."""

    owners: frozenset[str]
    name: str


@pytest.mark.parametrize("key", KEYS)
def test_a_setting_has_a_reader_or_a_reason(key: str) -> None:
    assert _is_read(key) is not (key in ACCEPTED_WITHOUT_EFFECT)


def test_reasons_are_for_settings_that_exist() -> None:
    assert ACCEPTED_WITHOUT_EFFECT.keys() <= set(KEYS)


def test_a_name_that_nothing_reads_is_found_out() -> None:
    assert not _is_read("storage.never_read")
    assert not _is_read("storage.mode")


def _is_read(key: str) -> bool:
    path, _, leaf = key.rpartition(".")
    section = _section(path)
    if isinstance(section, SignalBudget):  # all of them are read in one loop over `by_signal`
        return {"by_signal", leaf} <= {access.name for access in _accesses()}
    if "_" in leaf and LEAVES[leaf] == 1:
        return any(access.name == leaf for access in _accesses())
    names = {path.rpartition(".")[2], type(section).__name__}
    return any(access.name == leaf and names & access.owners for access in _accesses())


def _section(path: str) -> Section:
    section: object = Settings()
    for name in path.split("."):
        section = getattr(section, name)
    assert isinstance(section, Section)
    return section


@cache
def _accesses() -> frozenset[Access]:
    return frozenset(
        access
        for module in package_modules()
        if not module.path.startswith(f"{PACKAGE}config/")
        for access in _accesses_of(module.tree)
    )


def _accesses_of(module: ast.Module) -> Iterator[Access]:
    aliases: dict[str, set[str]] = {}
    for node in ast.walk(module):
        for alias, meaning in _aliases(node):
            aliases.setdefault(alias, set()).add(meaning)
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute):
            owner = _last_name(node.value)
            yield Access(frozenset({owner, *aliases.get(owner, ())}), node.attr)


def _aliases(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names for a section: assigned from it, or annotated with its class."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value)
    if isinstance(node, ast.arg) and node.annotation is not None:
        yield node.arg, _last_name(node.annotation)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for each, its_value in zip(target.elts, value.elts, strict=False):
            yield from _assigned(each, its_value)
    else:
        yield _last_name(target), _last_name(value)


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name
        case _:
            return ""
