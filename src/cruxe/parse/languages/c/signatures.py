"""Heads of C and C++ definitions as one line: no body, no attributes, no final semicolon."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, MAX_VALUE_CHARACTERS, Definition
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

# Compilers' attributes nest at most one level of brackets inside their own two.
_ATTRIBUTES: Final = re.compile(
    r"(?:__attribute__|__attribute)\s*\(\((?:[^()]|\([^()]*\))*\)\)"
    r"|__declspec\s*\([^()]*(?:\([^()]*\))?\)"
    r"|\[\[(?:[^\[\]])*\]\]"
)
_COMMENTS: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CONDITIONALS: Final = re.compile(r"\n[ \t]*#[ \t]*(?:if|elif|else|endif)[^\n]*")
_MAX_HEAD_BYTES: Final = 4000
_VALUES: Final = (SymbolKind.VARIABLE, SymbolKind.CONSTANT)


def clean_head(source: "SourceText", start: int, end: int) -> str:
    """Return the text between two offsets as one line, without comments and attributes."""
    text = source.text_between(start, min(end, start + _MAX_HEAD_BYTES))
    if "/*" in text or "//" in text:
        text = _COMMENTS.sub(" ", text)
    if "\n" in text:
        if "#" in text:
            text = _CONDITIONALS.sub(" ", text)
        text = text.replace("\\\n", " ")
    if "__" in text or "[[" in text:
        text = _ATTRIBUTES.sub(" ", text)
    folded = fold_white_space(text)
    if "( " in folded or " )" in folded:
        folded = folded.replace("( ", "(").replace(" )", ")")
    return folded.rstrip("; ")[:MAX_SIGNATURE_CHARACTERS]


def macro_signature(node: "Node", source: "SourceText") -> str:
    """Return `#define NAME(a, b)`, or `#define NAME value` if it has no parameters."""
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        return clean_head(source, node.start_byte, parameters.end_byte)
    value = node.child_by_field_name("value")
    end = node.end_byte if value is None else value.end_byte
    return clean_head(source, node.start_byte, end)[:MAX_VALUE_CHARACTERS]


def declared_signature(definition: Definition, source: "SourceText") -> str:
    """Return one declarator with the type it shares with others: `static int b` of `a, b`."""
    captures = definition.captures
    declaration, declarator = captures["declaration"][0], captures["declarator"][0]
    end = declaration.end_byte if _is_last(declarator, source) else declarator.end_byte
    start = min(definition.start_byte, declaration.start_byte)
    first = declaration.child_by_field_name("declarator")
    body = captures["type"][0].child_by_field_name("body") if "type" in captures else None
    if body is None and first == declarator:
        text = clean_head(source, start, end)
    else:
        shared_end = declarator.start_byte if first is None else first.start_byte
        shared = clean_head(source, start, shared_end if body is None else body.start_byte)
        text = f"{shared} {clean_head(source, declarator.start_byte, end)}"
    return text[:MAX_VALUE_CHARACTERS] if definition.kind in _VALUES else text


def _is_last(declarator: "Node", source: "SourceText") -> bool:
    """Return whether no other declarator follows."""
    # Sibling access walks from the root; the next character usually settles it.
    if source.data.startswith((b";", b" ="), declarator.end_byte):
        return True
    follower = declarator.next_sibling
    return follower is None or follower.type != ","
