"""Issues with the files and functions that their fixes changed, as `CRUXE_ISSUES` holds them.

`CRUXE_ISSUES_MIRROR` is a folder of git directories, `owner+name/repo` of each repository.
"""

import os
import subprocess
from typing import Final

import msgspec

ISSUES_VARIABLE: Final = "CRUXE_ISSUES"
MIRROR_VARIABLE: Final = "CRUXE_ISSUES_MIRROR"
# Of an issue's text: what an agent pastes.
PASTED_CHARACTERS: Final = 2_000


class Issue(msgspec.Struct, frozen=True):
    """An issue, the commit before its fix, and what the fix changed."""

    id: str
    repo: str  # owner/name
    commit: str
    query: str
    files: tuple[str, ...]
    functions: tuple[str, ...] = ()  # path:qualified name, where the set has them

    @property
    def text(self) -> str:
        """What is asked."""
        return self.query[:PASTED_CHARACTERS]

    @property
    def title(self) -> str:
        """The first line alone, without the characters that operators use."""
        return "".join(" " if each in _MARKS else each for each in self.query.partition("\n")[0])

    @property
    def is_python(self) -> bool:
        """Whether it is of the Python half."""
        return bool(self.functions) or any(path.endswith(".py") for path in self.files)


_MARKS: Final = '"`()[]{}'


def load_issues() -> tuple[Issue, ...]:
    """Return the issues by repository; none if the variables name no data."""
    path = os.environ.get(ISSUES_VARIABLE)
    if path is None or MIRROR_VARIABLE not in os.environ:
        return ()
    with open(path, "rb") as file:
        issues = msgspec.json.decode(file.read(), type=tuple[Issue, ...])
    return tuple(sorted(issues, key=lambda each: (each.repo, each.id)))


def clone_of(repo: str, folder: str) -> str:
    """Return a clone without a work tree, made if it is not there."""
    name = repo.replace("/", "+")
    clone = os.path.join(folder, name)
    if not os.path.isdir(clone):
        source = os.path.join(os.environ[MIRROR_VARIABLE], name, "repo")
        subprocess.run(
            ["git", "clone", "--quiet", "--no-checkout", "--shared", source, clone], check=True
        )
    return clone
