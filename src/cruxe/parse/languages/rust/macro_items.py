"""Items among the tokens of a macro call, such as the functions inside `cfg_rt! { … }`.

The grammar has a flat list of tokens there. A query finds the keyword and the name; this module
finds the item's span, its head and the type it belongs to.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import (
    Definition,
    fold_value,
    last_line,
    trim_signature,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_KEYWORDS: Final = frozenset({"fn", "struct", "enum", "trait", "mod", "type", "const", "static"})
_MODIFIERS: Final = frozenset({"async", "unsafe", "const", "default", "string_literal"})
# Items that end at a semicolon, even if their value has braces.
_VALUES: Final = frozenset({"const", "static", "type"})
# Macros whose tokens are a template for code elsewhere.
_TEMPLATES: Final = (b"quote", b"parse_quote")
_ITEM_PLACES: Final = frozenset({"source_file", "declaration_list"})
_BLOCK_BREAKS: Final = frozenset({";", "!", "mod", "fn", "enum", "struct"})
_MAX_HEAD_TOKENS: Final = 400


def is_macro_item(definition: Definition) -> bool:
    """Return whether a definition was found among tokens: its node is the bare keyword."""
    return definition.node.type in _KEYWORDS


def settle(definition: Definition, source: "SourceText") -> str:
    """Set the item's span and container; return its name, empty if it is no item."""
    keyword, name = definition.node, definition.capture("name")
    if name is None or not stands_for_items(keyword):
        return ""
    if (text := source.text_of(name)) == "ref":  # `lazy_static! { static ref NAME: … }`
        name = name.next_sibling
        text = "" if name is None else source.text_of(name)
    end = _end_of(keyword)
    if name is None or end is None or not _is_declared(keyword, name):
        return ""
    start = _start_of(keyword)
    definition.start_node = start
    definition.start_byte, definition.line_start = start.start_byte, start.start_point[0] + 1
    definition.end_byte, definition.line_end = end.end_byte, last_line(end)
    definition.container = _block_around(keyword, source).name
    return text


def visibility_text(definition: Definition, source: "SourceText") -> str | None:
    """Return the `pub` before an item among tokens; None for other definitions."""
    if not is_macro_item(definition):
        return None
    own = visibility_of_head(head_of(definition.node), source)
    if own or not _block_around(definition.node, source).is_trait_impl:
        return own
    return "pub"


def visibility_of_head(head: "Node", source: "SourceText") -> str:
    """Return `pub` with its restriction if it is the item's first token, else empty."""
    if head.type != "pub":
        return ""
    scope = head.next_sibling
    is_restricted = scope is not None and scope.type == "token_tree"
    return "pub" + (source.text_of(scope) if scope is not None and is_restricted else "")


def signature(definition: Definition, source: "SourceText") -> str:
    """Return the head of the item."""
    start, end = head_of(definition.node), _end_of(definition.node)
    stop = definition.end_byte
    if end is not None and end.type == "token_tree":
        stop = end.start_byte
    text = source.text_between(start.start_byte, min(stop, start.start_byte + 2000))
    if definition.kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE):
        return fold_value(text).removesuffix(";")
    return trim_signature(text).rstrip(";,")


def stands_for_items(keyword: "Node") -> bool:
    """Return whether the macro call is in item position and no template."""
    node = keyword.parent
    while node is not None and node.type == "token_tree":
        node = node.parent
    if node is None or (node.text or b"").startswith(_TEMPLATES):
        return False
    place = node.parent
    if place is not None and place.type == "expression_statement":
        place = place.parent
    return place is not None and place.type in _ITEM_PLACES


def _is_declared(keyword: "Node", name: "Node") -> bool:
    """Return whether it declares: `const A: u8` does, `*const A` or a bare keyword does not."""
    after = name.next_sibling
    if keyword.type in ("const", "static"):
        return after is not None and after.type == ":"
    if keyword.type == "type":
        return after is not None and after.type in ("=", "<", ":", ";")
    return True


def _end_of(keyword: "Node") -> "Node | None":
    """Return the braces or the semicolon that end an item."""
    node = keyword.next_sibling
    for _ in range(_MAX_HEAD_TOKENS):
        if node is None or node.type == ";":
            return node
        if keyword.type not in _VALUES and _opens_with(node, "{"):
            return node
        node = node.next_sibling
    return None


def head_of(keyword: "Node") -> "Node":
    """Return the first token of an item after its attributes: `pub`, `async` or the keyword."""
    node = keyword
    while (before := node.prev_sibling) is not None:
        if before.type in _MODIFIERS:
            node = before
        elif before.type == "pub":
            return before
        elif _opens_with(before, "(") and _is_pub(before.prev_sibling):
            return before.prev_sibling or before
        else:
            break
    return node


def _start_of(keyword: "Node") -> "Node":
    """Return the first token of an item with its attributes."""
    node = head_of(keyword)
    while _opens_with(node.prev_sibling, "["):
        brackets = node.prev_sibling
        hash_sign = None if brackets is None else brackets.prev_sibling
        if hash_sign is None or hash_sign.type != "#":
            break
        node = hash_sign
    return node


class _Block(NamedTuple):
    """The `impl` or `trait` block that encloses an item."""

    name: str
    is_trait_impl: bool


_NO_BLOCK: Final = _Block("", is_trait_impl=False)


def _block_around(keyword: "Node", source: "SourceText") -> _Block:
    """Return the enclosing block; read backwards, its type is the first name outside `<…>`."""
    braces = keyword.parent
    node = None if braces is None else braces.prev_sibling
    depth, name, is_trait_impl = 0, "", False
    for _ in range(_MAX_HEAD_TOKENS):
        if node is None or node.type in _BLOCK_BREAKS or _opens_with(node, "{"):
            break
        if node.type in ("impl", "trait"):
            return _Block(name, is_trait_impl)
        depth += {">": 1, ">>": 2, "<": -1, "<<": -2}.get(node.type, 0)
        if node.type == "where":
            name = ""
        elif node.type == "for" and depth == 0:
            is_trait_impl = True
        elif node.type == "identifier" and depth == 0 and not name:
            name = source.text_of(node)
        node = node.prev_sibling
    return _NO_BLOCK


def _opens_with(node: "Node | None", bracket: str) -> bool:
    if node is None or node.type != "token_tree" or not node.child_count:
        return False
    first = node.child(0)
    return first is not None and first.type == bracket


def _is_pub(node: "Node | None") -> bool:
    return node is not None and node.type == "pub"
