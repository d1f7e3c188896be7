"""Filters on paths: a glob where it has wildcards, else a part of the path."""

import re
from collections.abc import Callable
from typing import Final

_WILDCARDS: Final = frozenset("*?[")


def path_filter(pattern: str) -> Callable[[str], bool]:
    """A predicate on paths.

    `*` stays within a folder, `**` does not; a glob without a slash is about the file's name. A
    pattern without wildcards matches any path that contains it, whatever the case.
    """
    if _WILDCARDS.isdisjoint(pattern):
        part = pattern.casefold()
        return lambda path: part in path.casefold()
    expression = re.compile(_translate(pattern if "/" in pattern else f"**/{pattern}"))
    return lambda path: expression.fullmatch(path) is not None


def _translate(glob: str) -> str:
    parts: list[str] = []
    position = 0
    while position < len(glob):
        if glob.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 3
        elif glob.startswith("**", position):
            parts.append(".*")
            position += 2
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(glob[position], re.escape(glob[position])))
            position += 1
    return "".join(parts)
