"""How recently and how often the last commits changed each path, read from git."""

from functools import lru_cache
from math import exp, log1p
from typing import Final

from cruxe.model.source import Workspace
from cruxe.workspace.git import try_git

# Older changes say nothing; the laboratory compared 100 to 1,000.
_COMMITS: Final = 400
# A change counts e times less than one that is so many commits newer.
_FADING_COMMITS: Final = 120
# A commit of more files is a sweep, and counts a third.
_FEW_FILES: Final = 5
_SWEEP_SHARE: Final = 1 / 3


@lru_cache(maxsize=32)
def recent_changes(workspace: Workspace, commit: str) -> dict[str, float]:
    """Return how much the commits up to this one changed each path, from 0 to 1.

    Merges do not count. The result is empty if git cannot tell, as in a shallow clone.
    """
    arguments = ("log", f"--max-count={_COMMITS}", "--no-merges", "--no-renames", "--name-only")
    output = try_git(workspace, *arguments, "-z", "--format=%x01", commit, "--")
    if output.status:
        return {}
    sums: dict[str, float] = {}
    for age, entry in enumerate(output.stdout.split(b"\x01")[1:]):
        paths = [path for path in entry.strip(b"\0\n").split(b"\0") if path]
        weight = exp(-age / _FADING_COMMITS) * (1 if len(paths) <= _FEW_FILES else _SWEEP_SHARE)
        for path in paths:
            name = path.strip(b"\n").decode("utf-8", "surrogateescape")
            sums[name] = sums.get(name, 0.0) + weight
    most = log1p(max(sums.values(), default=0.0))
    return {path: log1p(each) / most for path, each in sums.items()}
