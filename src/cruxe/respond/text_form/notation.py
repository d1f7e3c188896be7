"""The notation of the text form: places, quoted words, blocks of source, names with values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import dumps
from typing import Final, TypeGuard

# A word with one of these is written as a JSON string, so that a line can be split at spaces.
_NOT_PLAIN: Final = re.compile(r'[\s"\x00-\x1f\x7f]|^$')
_LIKE_A_MATCH: Final = re.compile(r"\d+[:-]")
SEPARATOR: Final = re.compile(r"\.|::|/|#| > ")  # between the parts of a qualified name
_BLOCK: Final = "\t"
_DETAIL: Final = "  "
_EMPTY: Final[tuple[object, ...]] = ([], (), {})


def word(text: str) -> str:
    """Return a path or name as one word; quoted if it has spaces or quotes, or is empty."""
    return dumps(text, ensure_ascii=False) if _NOT_PLAIN.search(text) else text


def heading(path: str) -> str:
    """Return a path on a line of its own, above its matches; quoted if it looks like one."""
    return dumps(path, ensure_ascii=False) if _LIKE_A_MATCH.match(path) else word(path)


def qualified(name: str, path: str) -> str:
    """Return a qualified name as one word, without the path of its file if it begins with that.

    What is left then begins with a separator: `.Cart` in `src/shop.ts` is `src/shop.Cart`. A whole
    name that begins with one is quoted.
    """
    rest = name.removeprefix(without_extension(path))
    if rest != name and SEPARATOR.match(rest):
        return word(rest)
    return dumps(name, ensure_ascii=False) if SEPARATOR.match(name) else word(name)


def without_extension(path: str) -> str:
    """Return a path without what follows the last dot of the file name."""
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0] or file}"


def line_range(first: int, last: int) -> str:
    """Return lines as `12-40`, or as `12` if it is one."""
    return str(first) if first == last else f"{first}-{last}"


def place(path: str, first: int, last: int) -> str:
    """Return a region as `path:12-40`."""
    return f"{word(path)}:{line_range(first, last)}"


def one_line(text: str) -> str:
    """Return a signature without line breaks, which none should have."""
    return " ".join(text.splitlines())


def block(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a file, each after a tab."""
    return (f"{_BLOCK}{line}" for line in lines)


def detail(name: str, value: str) -> str:
    """Return a line that says more of the result above it."""
    return f"{_DETAIL}{name}: {value}"


def scalar(value: object) -> str:
    """Return a value without parts as one word."""
    if isinstance(value, str):
        return word(value)
    return dumps(value)


def has_fields(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return whether a value has named parts."""
    return isinstance(value, Mapping)


def has_parts(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is a list."""
    return isinstance(value, list | tuple)


def flat(value: object) -> str:
    """Return a value of any shape on one line: a sentence as it is, fields as `a=1 b(c=2)`."""
    if isinstance(value, str):
        return " ".join(value.split())
    if has_fields(value):
        return pairs(value)
    if has_parts(value):
        return " | ".join(map(flat, value)) if any(map(has_fields, value)) else _listed(value)
    return scalar(value)


def pairs(fields: Mapping[str, object]) -> str:
    """Return fields as `a=1 b(c=2)`, without empty ones."""
    return " ".join(
        f"{name}{_part(value)}" for name, value in fields.items() if value not in _EMPTY
    )


def _part(value: object) -> str:
    if has_fields(value):
        return f"({pairs(value)})"
    if has_parts(value):
        return f"({flat(value)})" if any(map(has_fields, value)) else f"={_listed(value)}"
    return f"={scalar(value)}"


def _listed(parts: Sequence[object]) -> str:
    return ",".join(map(scalar, parts))
