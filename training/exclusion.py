"""Projects that evaluation uses: nothing of theirs may be in the training data.

A name excludes packages that carry it as a run of words (`django` drops `django-filter` too) and
paths with a folder or file of that name. That costs innocent files; a leak would cost the meaning
of every score.
"""

import os
import re
from functools import cache
from typing import Final

_LIST: Final = os.path.join(os.path.dirname(__file__), "excluded.txt")
_SEPARATOR: Final = re.compile(r"[^a-z0-9]+")
_VERSION_TAIL: Final = re.compile(r"[-_.]v?\d.*$")


@cache
def excluded_names() -> frozenset[str]:
    """The names of the list, with aliases and forks, as words joined by single hyphens."""
    with open(_LIST, encoding="utf-8") as file:
        lines = [line.partition("#")[0].strip() for line in file]
    return frozenset(_joined(line) for line in lines if line)


def is_excluded_package(name: str) -> bool:
    """Whether a package is one of the projects, a part of one, or an extension to one."""
    words = _joined(name).split("-")
    return any(
        "-".join(words[start:end]) in excluded_names()
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
    )


def is_excluded_path(path: str) -> bool:
    """Whether a folder or file of the path has one of the names, with or without a version."""
    return any(
        _joined(part) in excluded_names()
        or _joined(_VERSION_TAIL.sub("", part)) in excluded_names()
        for part in _parts(path.lower())
    )


def _parts(path: str) -> list[str]:
    *folders, name = path.split("/")
    return [*folders, name, name.partition(".")[0]]


def _joined(name: str) -> str:
    return _SEPARATOR.sub("-", name.lower()).strip("-")
