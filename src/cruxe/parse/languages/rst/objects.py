"""What directives document: the kinds of objects, and the names in a directive's arguments."""

import re
from typing import Final

from cruxe.model.symbols import SymbolKind

_FUNCTIONS: Final = (
    *(b"function", b"macro", b"decorator", b"decoratorfunction", b"coroutinefunction"),
    *(b"templatetag", b"templatefilter", b"fieldlookup", b"django-admin", b"directive", b"role"),
)
_METHODS: Final = (
    *(b"method", b"classmethod", b"staticmethod", b"abstractmethod", b"coroutinemethod"),
    *(b"decoratormethod", b"awaitablemethod"),
)
_MEMBERS: Final = (b"attribute", b"property", b"member")
_CONSTANTS: Final = (
    *(b"setting", b"confval", b"envvar", b"option", b"cmdoption", b"django-admin-option"),
    *(b"const", b"constant", b"enumerator"),
)
# By the last word of the directive's name: `py:function` and `function` alike.
_KINDS: Final = {
    b"module": SymbolKind.MODULE,
    b"class": SymbolKind.CLASS,
    b"exception": SymbolKind.CLASS,
    b"struct": SymbolKind.STRUCT,
    b"union": SymbolKind.STRUCT,
    b"enum": SymbolKind.ENUM,
    b"enum-class": SymbolKind.ENUM,
    b"enum-struct": SymbolKind.ENUM,
    b"concept": SymbolKind.TRAIT,
    b"interface": SymbolKind.INTERFACE,
    b"type": SymbolKind.TYPE_ALIAS,
    b"data": SymbolKind.VARIABLE,
    b"var": SymbolKind.VARIABLE,
    **dict.fromkeys(_FUNCTIONS, SymbolKind.FUNCTION),
    **dict.fromkeys(_METHODS, SymbolKind.METHOD),
    **dict.fromkeys(_MEMBERS, SymbolKind.VARIABLE),
    **dict.fromkeys(_CONSTANTS, SymbolKind.CONSTANT),
}
# Objects named by one word; often the section below describes them.
_WORDS: Final = frozenset(
    {b"setting", b"confval", b"envvar", b"option", b"cmdoption", b"django-admin-option"}
    | {b"templatetag", b"templatefilter", b"fieldlookup", b"django-admin", b"directive", b"role"}
)
_MODULE: Final = b"module"
_ATTACHED: Final = frozenset((*_METHODS, *_MEMBERS))
# One line of arguments; options such as `:noindex:` are none.
_ARGUMENT: Final = re.compile(rb"[ \t]*(?P<text>[^\s:][^\n]*)(?:\n|$)")
# No name comes after a longer head, and the search is quadratic in this.
_MAX_HEAD_BYTES: Final = 300
_FIRST_WORD: Final = re.compile(rb"[^\s=\[{(,]+")
_FURTHER_OPTION: Final = re.compile(rb",[ \t]+(?=[-/+])")
# A name may follow a type or a modifier, and its path.
_DECLARED: Final = re.compile(
    rb"(?:template[ \t]*<[^(=]*>)?[^(=]*?(?<![^\s*&>~.:])(?:(?P<container>\w+)(?:\.|::))?"
    rb"(?P<name>\w+)(?=\s*(?:$|[(=\[<:]|->))"
)

Spans = dict[str, tuple[int, int]]


def kind_of_directive(directive: bytes, argument: bytes) -> SymbolKind | None:
    """Return the kind of object that a directive documents, or None."""
    kind = _KINDS.get(directive.rpartition(b":")[2])
    if directive.endswith(b"macro") and b"(" not in argument:
        return SymbolKind.CONSTANT
    return kind


def may_label_section(directive: bytes) -> bool:
    """Return whether a directive without content may label the section below it."""
    return directive.rpartition(b":")[2] in _WORDS


def find_names(data: bytes, span: tuple[int, int], directive: bytes) -> list[Spans]:
    """Return the spans of names in a directive's arguments, each with its container's."""
    noun, (start, end) = directive.rpartition(b":")[2], span
    found: list[Spans] = []
    while (argument := _ARGUMENT.match(data, start, end)) is not None:
        first, last = argument.span("text")
        if noun in _WORDS or noun == _MODULE:
            return _words(data, first, last)
        declared = _DECLARED.match(data, first, min(last, first + _MAX_HEAD_BYTES))
        # Further lines may declare more objects of the same kind.
        if declared is None or (found and data[declared.end() : declared.end() + 1] != b"("):
            break
        found.append(_declared(declared, noun))
        start = argument.end()
    return found


def _words(data: bytes, start: int, end: int) -> list[Spans]:
    """Return the first word; for options, every spelling."""
    starts = [start, *(comma.end() for comma in _FURTHER_OPTION.finditer(data, start, end))]
    words = [_FIRST_WORD.match(data, each, end) for each in starts]
    return [{"name": word.span()} for word in words if word is not None]


def _declared(declared: re.Match[bytes], noun: bytes) -> Spans:
    spans = {"name": declared.span("name")}
    if noun in _ATTACHED and declared["container"] is not None:
        spans["container"] = declared.span("container")
    return spans
