r"""Regular expressions repeat a group possessively only in a form that every Python reads alike.

Python 3.11.0 to 3.11.4 go on at a wrong place if what is repeated fails after its first character:
`(?:ab?c)*+` matches all of "a" (https://github.com/python/cpython/issues/106052). These forms are
safe there:

- `(?:one|other|(?!))*+`: the last alternative never matches, but trying it restores the place;
- `(?:\\.[^"\\]*+)*+`: single characters, then at most a possessive repeat that may be empty;
- `(?>one|)` for a group that may be absent. Other atomic groups are safe too, but a loop in one
  takes up to three times as long as a possessive loop.

None of them may capture inside a loop, which can raise an error in every 3.11
(https://github.com/python/cpython/issues/101955). That is not checked here.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.shape.project import package_modules

HOLE: Final = "\0"  # stands for what is put into a pattern; it may be a group
UNIT: Final = r"(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\0\\()\[\]{}|*+?])"  # one character
QUANTIFIER: Final = r"(?:[*+?]|\{\d*,?\d*\})\+"
PLAIN_RUN: Final = re.compile(rf"\(\?:{UNIT}+(?:\*\+)?\){QUANTIFIER}", re.DOTALL)
AFFECTED: Final = re.compile(rf"(?<!\\)(?:(?<!\|\(\?!\))\)|\0){QUANTIFIER}")


def test_no_group_is_repeated_possessively_in_an_affected_form() -> None:
    found = [
        f"{module.path}:{line}: {text}"
        for module in package_modules()
        for line, text in written_texts(module.tree)
        if is_affected(text)
    ]

    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'r"(?:ab?c)*+"',
        'r"(a)?+"',
        'rb"(?:a|b(?!c))++"',
        'r"(?:a[b]++)*+"',
        'r"(?:a|bc){1,8}+"',
        'rf"{part}*+"',
        'rf"(?:a{part}){{2,}}+"',
        'rb"(?:%b[^()]*+)*+" % part',
        'rb"(?:a" + part + rb")*+"',
        'rb"(?:a|" + part + rb"(?!))*+"',
    ],
)
def test_an_affected_form_is_found(source: str) -> None:
    assert [is_affected(text) for _, text in written_texts(ast.parse(source))] == [True]


@pytest.mark.parametrize(
    "source",
    [
        'r"[^)]*+a++.?+\\)*+"',
        r'''r"(?:\\.[^\"\\]*+)*+"''',
        'r"(?:ab)++"',
        'r"(?>(a)|)"',
        'rf"(?:{part}|(?!)){{2,}}+"',
        'rb"(?:a|" + part + rb"|(?!))*+"',
    ],
)
def test_any_other_form_passes(source: str) -> None:
    assert [is_affected(text) for _, text in written_texts(ast.parse(source))] == [False]


def is_affected(text: str) -> bool:
    """Return whether a text, with holes, repeats a group possessively in an affected form."""
    return AFFECTED.search(PLAIN_RUN.sub("", text)) is not None


def written_texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each text that an expression writes, joined over `+`, with its line."""
    text = _text(tree)
    if text is not None:
        assert isinstance(tree, ast.expr)
        yield tree.lineno, text
        return
    for child in ast.iter_child_nodes(tree):
        yield from written_texts(child)


def _text(node: ast.AST) -> str | None:
    """Return what an expression writes, with a hole for each inserted value; None if nothing."""
    match node:
        case ast.Constant(value=str(value)):
            return value
        case ast.Constant(value=bytes(value)):
            return value.decode("latin-1")
        case ast.JoinedStr(values=values):
            return "".join(_text(value) or HOLE for value in values)
        case ast.BinOp(left=left, op=ast.Mod()) if (template := _text(left)) is not None:
            return re.sub(r"%(?:\(\w+\))?[bs]", HOLE, template.replace("%%", ""))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = _text(left), _text(right)
            return None if parts == (None, None) else "".join(part or HOLE for part in parts)
        case _:
            return None
