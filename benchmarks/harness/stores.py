"""Temporary stores: Cruxe run as a command on a corpus, with a data folder that is thrown away."""

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final, NamedTuple

from benchmarks.harness.processes import Cost, TreeCost, clean_environment, run, run_watched
from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.store.local.layout import repository_layout
from cruxe.store.local.snapshot import open_snapshot
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, open_context, resolve_target

# As the installed command starts; `python -m` would add the imports of runpy.
COMMAND: Final = "from cruxe.serve.cli.script import run; run()"
_DATABASE_SUFFIX: Final = ".db"


class Store(NamedTuple):
    """A home folder with Cruxe's data in it, and the workspace that is indexed there."""

    home: str
    root: str
    mode: str = ""  # `semantic.mode`, where it is not the default

    @property
    def data_folder(self) -> str:
        """Where Cruxe keeps its data by default."""
        return os.path.join(self.home, ".cruxe")

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a user who has configured nothing else and whose home this is."""
        chosen = {"CRUXE_SEMANTIC_MODE": self.mode} if self.mode else {}
        return clean_environment(HOME=self.home, **chosen)

    def run(self, *arguments: str) -> Cost:
        """Run a Cruxe command on the workspace."""
        return run(self._command(arguments), self.environment)

    def run_watched(self, *arguments: str) -> TreeCost:
        """Run a Cruxe command on the workspace and look at its processes."""
        return run_watched(self._command(arguments), self.environment)

    def indexed_files(self) -> dict[str, int]:
        """The paths that the store holds of the workspace, each with its size in bytes."""
        context = self._context()
        target = resolve_target(context.workspace, None)
        with open_store(context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            assert row is not None
            files = snapshot.read_map(row.ref_id)
        return {
            path: file.stat.size
            for path, file in sorted(files.items())
            if file.skip_reason is None and file.stat is not None
        }

    def lexical_folder(self) -> str:
        """The folder of the lexical index."""
        with open_snapshot(repository_layout(self._context().location)) as snapshot:
            return snapshot.lexical_path

    @contextmanager
    def opened(self) -> Iterator[OpenedRef]:
        """The working tree as it is indexed, open for questions as a server has it."""
        context = self._context()
        target = resolve_target(context.workspace, None)
        readers = WarmReaders(open_store(context.location))
        with closing(readers), readers.open() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            assert row is not None
            yield WarmRef(readers, snapshot, row.ref_id)

    def size_bytes(self) -> int:
        """What the store takes on disk once its write-ahead log is folded in."""
        paths = [
            os.path.join(parent, name)
            for parent, _, names in os.walk(self.data_folder)
            for name in names
        ]
        for path in paths:
            if path.endswith(_DATABASE_SUFFIX):
                with closing(sqlite3.connect(path)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return sum(os.path.getsize(path) for path in paths if os.path.exists(path))

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-c", COMMAND, "-C", self.root, *arguments]

    def _context(self) -> RepositoryContext:
        context = open_context(self.root)
        return context._replace(location=context.location._replace(data_dir=self.data_folder))


@contextmanager
def temporary_store(root: str, mode: str = "") -> Iterator[Store]:
    """An empty store for a workspace, gone after the block."""
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-") as folder:
        yield Store(folder, root, mode)
