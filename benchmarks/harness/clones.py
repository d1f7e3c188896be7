"""Temporary clones of corpora, to edit and to branch: a corpus itself is only ever read."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from benchmarks.harness.processes import clean_environment

_AUTHOR: Final = "Benchmark <benchmark@example.invalid> 1700000000 +0000"


class Clone(NamedTuple):
    """A clone that shares the objects of its corpus, with a working tree of its own."""

    root: str

    def refresh(self) -> None:
        """Let git note the stamps of the working tree, as any first status does."""
        self._git("update-index", "-q", "--refresh")

    def add_worktree(self, root: str) -> None:
        """Check the same commit out a second time."""
        self._git("worktree", "add", "--quiet", "--detach", root, "HEAD")

    def add_branch(self, name: str, paths: Sequence[str]) -> dict[str, bytes]:
        """Make a branch whose tip differs from HEAD in these files, and give what they say there.

        Nothing is checked out.
        """
        head = self._git("rev-parse", "HEAD").decode().strip()
        message = b"Change some files"
        lines = [
            f"commit refs/heads/{name}\ncommitter {_AUTHOR}\n".encode(),
            b"data %d\n%s\nfrom %s\n" % (len(message), message, head.encode()),
        ]
        contents = {path: self.read(path) + f"\n{name}\n".encode() for path in paths}
        for path, data in contents.items():
            lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
        self._git("fast-import", "--quiet", input_data=b"".join(lines))
        return contents

    def check_out(self, branch: str) -> None:
        """Check a branch out; changes that were not committed are lost."""
        self._git("checkout", "--quiet", "--force", branch)

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def _git(self, *arguments: str, input_data: bytes = b"") -> bytes:
        return subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=clean_environment(),
            input=input_data,
            check=True,
            capture_output=True,
        ).stdout


@contextmanager
def temporary_clone(root: str) -> Iterator[Clone]:
    """Clone a corpus at its HEAD; gone after the block."""
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-clone-") as folder:
        copy = os.path.join(folder, "clone")
        subprocess.run(
            ["git", "clone", "--quiet", "--shared", root, copy],
            env=clean_environment(),
            check=True,
        )
        yield Clone(copy)
