"""What a compact result leaves out: its text, and what its other fields say already."""

from typing import Final

from cruxe.model.symbols import split_name
from cruxe.respond.text_form.notation import SEPARATOR, without_extension

# Fields of `search_code` and `locate_symbol`. The handle of a definition is its `result_id`.
NOT_COMPACT: Final = frozenset({"symbol_id", "result_type", "signature", "language", "visibility"})


def compact_name(qualified_name: str, name: str, path: str) -> str:
    """Return a qualified name without its beginning that spells the end of the path.

    What is left then begins with a separator: `.Cart.total` for `shop.cart.Cart.total` in
    `src/shop/cart.py`. It is empty if path and name say it all.
    """
    rest = _after_path(qualified_name, path)
    separator = SEPARATOR.match(rest)
    said = rest[separator.end() :] if separator else rest
    return "" if name in (rest, said) or not said else rest


def _after_path(qualified_name: str, path: str) -> str:
    """Leave out the longest beginning, up to a separator or the end, that ends the path."""
    stem = _spelled(without_extension(path))
    ends = [found.start() for found in SEPARATOR.finditer(qualified_name)]
    for end in (len(qualified_name), *reversed(ends)):
        if end and stem.endswith(_spelled(qualified_name[:end])):
            return qualified_name[end:]
    return qualified_name


def _spelled(name: str) -> str:
    """Return the parts of a name or a path, each after a slash."""
    return "".join(f"/{part}" for part in split_name(name))
