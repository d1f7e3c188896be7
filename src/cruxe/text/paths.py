"""Paths as names: what a file is called, and the folders that say where it belongs."""


def stem_of_path(path: str) -> str:
    """The file's name up to its first dot; a name that starts with one keeps it."""
    name = path.rpartition("/")[2]
    dot = name.find(".", 1)
    return name if dot < 0 else name[:dot]


def folders_of(path: str) -> list[str]:
    """The folders around a file, outermost first."""
    return path.split("/")[:-1]
