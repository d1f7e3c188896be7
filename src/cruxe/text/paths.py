"""Paths as names: what a file is called, and what the names of its folders mean."""

from typing import Final

# Copies of other projects that package managers write.
INSTALLED_FOLDERS: Final = frozenset({"bower_components", "node_modules", "vendor"})
# The same, and copies that people make.
VENDORED_FOLDERS: Final = INSTALLED_FOLDERS | {"deps", "third_party"}
# What a build writes; `target` is left out, since code is often called that too.
BUILD_FOLDERS: Final = frozenset({"build", "dist"})


def stem_of_path(path: str) -> str:
    """The file's name up to its first dot; a name that starts with one keeps it."""
    name = path.rpartition("/")[2]
    dot = name.find(".", 1)
    return name if dot < 0 else name[:dot]


def folders_of(path: str) -> list[str]:
    """The folders around a file, outermost first."""
    return path.split("/")[:-1]
