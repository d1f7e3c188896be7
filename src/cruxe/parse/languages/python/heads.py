"""Heads of Python's functions and classes as text, and the docstrings right behind them.

Most heads are plain: then the tree, which takes its time, is not asked where a body starts.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.native import kernels
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition
from cruxe.parse.text_places import place

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText

_WITH_BODIES: Final = frozenset({"function_definition", "class_definition"})
# What a kernel says of a docstring that it cannot read.
_UNTOLD: Final = -2
_MAY_BE_STRING: Final = re.compile(rb"\s*(?:\\|\(|[a-zA-Z]{0,2}[\"'])")


def read_plain_head(definition: Definition, source: "SourceText") -> str | None:
    """The signature, from the text where that is plain; tells the definition of its docstring."""
    in_c = kernels()
    if in_c is None or definition.node_type not in _WITH_BODIES or definition.node.has_error:
        return None
    found = in_c.python_head(
        source.data,
        definition.node_start,
        definition.name_end,
        definition.end_byte,
        MAX_SIGNATURE_CHARACTERS,
    )
    if found is None:
        return None
    signature, start, end = found
    definition.is_doc_known = start != _UNTOLD
    if start >= 0:
        definition.inner_doc = place(source, start, end)
    return signature


def has_nothing_below(source: "SourceText", end: int) -> bool:
    """Whether it is clear that what follows an assignment is no string."""
    return _MAY_BE_STRING.match(source.data, end) is None
