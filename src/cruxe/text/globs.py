"""Filters on paths: a glob where it has wildcards, else a part of the path."""

import re
from collections.abc import Callable
from typing import Final

_WILDCARDS: Final = frozenset("*?")
_FOLDERS: Final = "(?:[^/]+/)*"
_STARS: Final = re.compile(r"\*+")


def path_filter(pattern: str) -> Callable[[str], bool]:
    """A predicate on paths.

    `*` stays within a folder, `**` between slashes is any number of folders; a glob without a slash
    is about the file's name. A pattern without `*` or `?` matches any path that contains it,
    whatever the case.
    """
    if _WILDCARDS.isdisjoint(pattern):
        part = pattern.casefold()
        return lambda path: part in path.casefold()
    glob = pattern if "/" in pattern else f"**/{pattern}"
    expression = re.compile(_translate(glob), re.DOTALL)
    return lambda path: expression.fullmatch(path) is not None


def _translate(glob: str) -> str:
    """A glob as an expression whose time does not grow with the number of wildcards.

    Between two wildcards the first place that fits is as good as any later one, so it is kept.
    """
    groups: list[list[str]] = [[]]
    for segment in glob.split("/"):
        if segment != "**":
            groups[-1].append(_segment(segment))
        elif groups[-1] or len(groups) == 1:
            groups.append([])
    first, *others = ["/".join(group) for group in groups]
    if not others:
        return first
    *between, last = others
    start = f"{first}/" if first else ""
    middle = "".join(f"(?>(?:[^/]+/)*?{group}/)" for group in between)
    return start + middle + (f"{_FOLDERS}{last}" if last else ".+")


def _segment(segment: str) -> str:
    """The part of an expression for what stands between two slashes."""
    first, *others = [_literal(piece) for piece in _STARS.split(segment)]
    if not others:
        return first
    *between, last = others
    return first + "".join(f"(?>[^/]*?{piece})" for piece in between) + f"[^/]*{last}"


def _literal(text: str) -> str:
    return "".join("[^/]" if each == "?" else re.escape(each) for each in text)
