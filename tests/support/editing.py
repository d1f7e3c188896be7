"""Random work on a repository: edits, renames, branches, commits and syncs, as values to replay."""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from hypothesis import strategies as st

from cruxe.text.identifiers import terms_of_word
from cruxe.workspace.context import RepositoryContext
from tests.support.indexing import Question, collect_now, context_of, index, settle
from tests.support.repositories import Repo
from tests.support.stores import layout_of

PATHS: Final = ("a.py", "b.py", "pkg/c.py", "pkg/d.go", "notes.md", "lib.py/inner.py", "lib.py")
BRANCHES: Final = ("main", "topic", "other")
IGNORED: Final = ("", "pkg/\n", "*.py\n!b.py\n", "notes.md\n")
SETTINGS: Final = ("", '[index]\nlanguages = ["go"]\n', "[index]\nmax_file_size = 150\n")
WORDS: Final = ("lantern", "harbour", "meadow", "copper")
TERMS: Final = tuple(map(terms_of_word, WORDS))
QUESTIONS: Final = (
    *(Question(field, (term,)) for field in ("name", "text") for term in TERMS),
    Question("defines", ("lantern", "meadow", "cop")),
    Question("head", ("lantern", "pkg", "not")),
    Question("text", TERMS),
)


class Step(Protocol):
    """One piece of work on a repository and its store."""

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Do it; what makes no sense here and now does nothing."""
        ...


class Write(NamedTuple):
    """A file gets new content; a settled one looks as if that had happened long ago."""

    path: str
    content: str
    is_settled: bool

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Write, whatever was in the way."""
        del context
        _clear(made, self.path)
        made.write_bytes(self.path, self.content.encode())
        if self.is_settled:
            settle(made, self.path)


class Remove(NamedTuple):
    """A file is deleted."""

    path: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Delete."""
        del context
        if os.path.isfile(made.path(self.path)):
            made.remove(self.path)


class Rename(NamedTuple):
    """A file moves, stamps and all."""

    path: str
    target: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Move."""
        del context
        source = made.path(self.path)
        if os.path.isfile(source) and not self.target.startswith(f"{self.path}/"):
            _clear(made, self.target)
            if os.path.isfile(source):
                os.makedirs(os.path.dirname(made.path(self.target)), exist_ok=True)
                os.replace(source, made.path(self.target))


class Touch(NamedTuple):
    """A file gets new stamps and keeps its content."""

    path: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Touch."""
        del context
        if os.path.isfile(made.path(self.path)):
            settle(made, self.path)


class Ignore(NamedTuple):
    """The user changes what is left out."""

    rules: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Write the ignore file."""
        del context
        made.write_bytes(".cruxeignore", self.rules.encode())


class Configure(NamedTuple):
    """The repository's own settings change; a commit takes them along to its branch."""

    settings: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Write the configuration file."""
        del context
        made.write_bytes(".cruxe/config.toml", self.settings.encode())


class Commit(NamedTuple):
    """The working tree is committed."""

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Commit."""
        del context
        made.commit()


class Switch(NamedTuple):
    """Another branch is checked out, made where it does not exist; edits are lost."""

    branch: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Check out."""
        del context
        names = made.git("branch", "--format=%(refname:short)").split()
        made.git(
            "checkout",
            "--quiet",
            "--force",
            *(() if self.branch in names else ("-b",)),
            self.branch,
        )


class Detach(NamedTuple):
    """The commit is checked out without its branch; edits are lost."""

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Check out."""
        del context
        made.git("checkout", "--quiet", "--force", "--detach")


class Sync(NamedTuple):
    """The index follows the working tree."""

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Sync."""
        index(reopened(made, context))


class SyncBranch(NamedTuple):
    """The index follows a branch by name."""

    branch: str

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Sync, where there is such a branch."""
        if self.branch in made.git("branch", "--format=%(refname:short)").split():
            index(reopened(made, context), self.branch)


class Collect(NamedTuple):
    """The store is collected."""

    def run(self, made: Repo, context: RepositoryContext) -> None:
        """Collect, where there is a store."""
        if layout_of(context).current() is not None:
            collect_now(reopened(made, context))


def reopened(made: Repo, context: RepositoryContext) -> RepositoryContext:
    """The same store for the repository with the settings that it has now."""
    return context_of(made)._replace(location=context.location)


def histories(max_size: int) -> st.SearchStrategy[list[Step]]:
    """Sequences of work, with a sync among about every third step."""
    paths = st.sampled_from(PATHS)
    branches = st.sampled_from(BRANCHES)
    write = st.builds(Write, paths, sources(), st.booleans())
    step: st.SearchStrategy[Step] = st.one_of(
        write,
        write,
        st.builds(Remove, paths),
        st.builds(Rename, paths, paths),
        st.builds(Touch, paths),
        st.builds(Ignore, st.sampled_from(IGNORED)),
        st.builds(Configure, st.sampled_from(SETTINGS)),
        st.builds(Commit),
        st.builds(Switch, branches),
        st.builds(Detach),
        st.builds(Sync),
        st.builds(Sync),
        st.builds(Sync),
        st.builds(SyncBranch, branches),
        st.builds(Collect),
    )
    return st.lists(step, min_size=3, max_size=max_size)


def sources() -> st.SearchStrategy[str]:
    """Small sources in which words come up in names, comments, docs and bodies."""
    words = st.sampled_from(WORDS)
    blocks = st.builds(_block, words, words, words)
    return st.lists(blocks, max_size=3).map("\n".join)


def replay(history: Sequence[Step], made: Repo, context: RepositoryContext) -> None:
    """Do all the steps, one after another."""
    for step in history:
        step.run(made, context)


def _block(name: str, comment: str, body: str) -> str:
    return (
        f"# {comment} and {body}\n"
        f"def find_{name}({body}: int) -> int:\n"
        f'    """Look for the {comment}."""\n'
        f"    return {body} + {body}\n"
    )


def _clear(made: Repo, path: str) -> None:
    """Take away a folder or a file that stands where a path must go."""
    full = made.path(path)
    if os.path.isdir(full):
        shutil.rmtree(full)
    with suppress(OSError):
        os.remove(os.path.dirname(full))
