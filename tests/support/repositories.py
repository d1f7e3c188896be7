r"""Repositories for tests, written as one string: `repo("-- a.py\nx = 1\n-- b/c.go\npackage c")`.

Real files and real git in a folder of the test's own; nothing of the user's git settings is read.
"""

import os
import subprocess
import textwrap
from typing import Final, NamedTuple, Protocol

HEADER: Final = "-- "
LAMP_AND_PORT: Final = """
    -- lamp.py
    def lantern():
        return 1
    -- port.py
    def harbour():
        return 2
"""

# One fixed moment, so that the same tree and message give the same commit id in every run.
GIT_ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Test Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "Test Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}

# Git refuses to clone a submodule from a local folder unless told.
_GIT_SETTINGS: Final = ("-c", "protocol.file.allow=always")


class MakeRepo(Protocol):
    """The `repo` fixture: writes a repository into the test's temporary folder."""

    def __call__(self, text: str, *, name: str = "repo", git: bool = True) -> "Repo":
        """Write the files of `text`; with `git`, commit them on the branch `main`."""
        ...


class Repo(NamedTuple):
    """A folder of files, under git or not."""

    root: str

    def path(self, relative: str) -> str:
        """Give the full path of a file in the repository."""
        return os.path.join(self.root, *relative.split("/"))

    def write(self, text: str) -> None:
        """Write the files of `text` into the working tree; it is not committed."""
        for relative, content in split_files(text).items():
            self.write_bytes(relative, content.encode())

    def write_bytes(self, relative: str, content: bytes) -> None:
        """Write one file as given: for what is not text, and for lines that start with `-- `."""
        full = self.path(relative)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(content)

    def remove(self, relative: str) -> None:
        """Delete one file from the working tree."""
        os.remove(self.path(relative))

    def commit(self, message: str = "change") -> str:
        """Commit the whole working tree and give the commit id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD").strip()

    def branch(self, name: str) -> None:
        """Create a branch at HEAD and stay where we are."""
        self.git("branch", name)

    def checkout(self, ref: str) -> None:
        """Check out a branch, or a commit as detached HEAD."""
        self.git("checkout", "--quiet", ref)

    def worktree(self, ref: str) -> "Repo":
        """Check `ref` out in a second working tree, beside this one."""
        beside = f"{self.root}-{ref.replace('/', '-')}"
        self.git("worktree", "add", "--quiet", beside, ref)
        return Repo(beside)

    def add_submodule(self, source: "Repo", relative: str) -> None:
        """Clone `source` as a submodule at `relative`; it is not committed."""
        self.git("submodule", "--quiet", "add", source.root, relative)

    def git(self, *arguments: str) -> str:
        """Run git here and give what it printed; a failing command raises."""
        finished = subprocess.run(
            ["git", *_GIT_SETTINGS, *arguments],
            cwd=self.root,
            env=os.environ | GIT_ENVIRONMENT,
            check=True,
            capture_output=True,
        )
        return finished.stdout.decode("utf-8", "surrogateescape")


def write_repo(root: str | os.PathLike[str], text: str, *, git: bool = True) -> Repo:
    """Write the files of `text` below `root`; with `git`, commit them on the branch `main`."""
    written = Repo(os.fspath(root))
    os.makedirs(written.root, exist_ok=True)
    written.write(text)
    if git:
        written.git("init", "--quiet", "--initial-branch", "main")
        written.commit("first")
    return written


def split_files(text: str) -> dict[str, str]:
    """Map each path to its content: a line `-- path` opens a file, the next such line closes it.

    The text may be indented as a whole, and a first empty line is dropped.
    """
    files: dict[str, list[str]] = {}
    content: list[str] | None = None
    for line in textwrap.dedent(text).lstrip("\n").splitlines(keepends=True):
        if line.startswith(HEADER):
            content = files.setdefault(line.removeprefix(HEADER).strip(), [])
        elif content is None:
            message = f"expected '{HEADER}path' before {line!r}"
            raise ValueError(message)
        else:
            content.append(line)
    return {path: "".join(lines) for path, lines in files.items()}
