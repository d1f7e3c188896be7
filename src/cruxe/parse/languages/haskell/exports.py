"""A Haskell module's export list, read from the head of the file."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

_HEADER: Final = re.compile(rb"^[ \t]*module\s+([\w.']+)", re.MULTILINE)
# `-->` is an operator, not a comment.
_TOKEN: Final = re.compile(
    rb"\{-.*?-\}|--+(?![!#$%&*+./<=>?@^|~:])[^\n]*|[(),]|[^\s(),]+", re.DOTALL
)
_KEYWORDS: Final = frozenset({"type", "pattern", "data"})


class Exports(NamedTuple):
    """The names a module exports; all of them if it has no list."""

    module: str
    is_open: bool  # no list, or the module lists itself
    names: frozenset[str]
    members: frozenset[str]  # constructors, fields and methods listed after their type
    whole_types: frozenset[str]  # exported with all their members
    modules: frozenset[str]  # re-exported, by name or alias


@lru_cache(maxsize=2)
def exports_of(data: bytes) -> Exports:
    """Read the head of a file; one without a head is `Main`."""
    header = _HEADER.search(data)
    if header is None:
        return _exports("Main", _ExportList([]))
    module = header[1].decode("utf-8", "replace")
    return _exports(module, _ExportList(_tokens(data, header.end())))


def _tokens(data: bytes, position: int) -> list[str]:
    """Return the words and brackets up to the `where` that ends the head."""
    tokens: list[str] = []
    for found in _TOKEN.finditer(data, position):
        token = found.group()
        if token == b"where":
            break
        if not token.startswith((b"--", b"{-")):
            tokens.append(token.decode("utf-8", "replace"))
    return tokens


class _ExportList:
    """The items of an export list by category."""

    def __init__(self, words: list[str]) -> None:
        self.is_written = bool(words)
        self.names: set[str] = set()
        self.members: set[str] = set()
        self.whole_types: set[str] = set()
        self.modules: set[str] = set()
        self._item = ""  # the type whose members may follow in brackets
        depth, previous = 0, ""
        for word in words:
            depth += {"(": 1, ")": -1}.get(word, 0)
            self._read(word, previous, is_nested=depth > 1)
            previous = word

    def _read(self, word: str, previous: str, *, is_nested: bool) -> None:
        if word in ("(", ")", "module") or word in _KEYWORDS:
            return
        if word == ",":
            self._item = self._item if is_nested else ""
        elif previous == "module":
            self.modules.add(word)
        elif word == "..":
            self.whole_types.add(self._item)
        elif is_nested and self._item:
            self.members.add(word)
        else:
            # `M.name` re-exports an imported `name`; an operator may consist of dots.
            self._item = word.rpartition(".")[2] or word
            self.names.add(self._item)


def _exports(module: str, written: _ExportList) -> Exports:
    return Exports(
        module=module,
        is_open=not written.is_written or module in written.modules,
        names=frozenset(written.names),
        members=frozenset(written.members),
        whole_types=frozenset(written.whole_types),
        modules=frozenset(written.modules),
    )
