"""Scala's imports and exports, read from their text: clauses, selectors, renames, wildcards."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# A path, then selectors in braces, or `given A`, or a new name.
_CLAUSE: Final = re.compile(r"([^,{}]+)(?:\{([^}]*)\})?")
_RENAME: Final = re.compile(r"\s*=>\s*|\s+as\s+")
_WILDCARDS: Final = ("_", "*")
_GIVEN: Final = "given"


class Binding(NamedTuple):
    """A name of a module and its local alias."""

    module: str
    name: str
    alias: str


def bindings_of(statement: str) -> Iterator[Binding]:
    """Yield what `import a.b.{C, D => E, _}, f.g` binds; `C => _` binds nothing."""
    text = _COMMENT.sub(" ", statement).strip()
    _, _, clauses = text.partition(" ")
    for path, selectors in _CLAUSE.findall(clauses):
        module, dot, last = _without_space(path).rpartition(".")
        if dot and not last.strip():
            for selector in selectors.split(","):
                yield from _selected(module, selector.strip())
        elif last.strip():
            yield from _selected(module, last.strip())


def _without_space(path: str) -> str:
    """Return `a.b as c` of `a . b as c`."""
    return re.sub(r"\s*\.\s*", ".", path.strip().replace("`", ""))


def _selected(module: str, selector: str) -> Iterator[Binding]:
    name, *renamed = _RENAME.split(selector.replace("`", ""), maxsplit=1)
    alias = renamed[0].strip() if renamed else name
    if name in _WILDCARDS:
        yield Binding(module, "*", "")
    elif name.partition(" ")[0] == _GIVEN:
        yield Binding(module, _GIVEN, "")
    elif name and alias != "_":
        yield Binding(module, name, alias)
