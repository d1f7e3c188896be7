"""Stores in tests: indexing a repository into a folder, and all that a store holds, to compare."""

import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.freshness.check import FullCheck
from cruxe.ingest.collect import CollectOutcome, collect
from cruxe.ingest.sync_options import SyncOptions, SyncOutcome
from cruxe.ingest.sync_ref import sync
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import LexicalHit
from cruxe.repository import open_repository
from cruxe.store.local.lexical import LexicalReader, read_manifest
from cruxe.store.local.ref_maps import read_map
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext, Target, open_context, resolve_target
from tests.support.repositories import Repo
from tests.support.stores import layout_of

if TYPE_CHECKING:
    from cruxe.contract.results import PublishedSync, SyncRepoResult

Row = tuple[object, ...]
_SETTLED_SECONDS: Final = 60
_ALL_HITS: Final = 10_000


class StoreContent(NamedTuple):
    """Everything in a store that is the same however it came about."""

    file_versions: list[Row]
    verdicts: list[Row]
    symbols: list[Row]
    refs: dict[str, Row]
    maps: dict[str, dict[str, tuple[int | None, str | None]]]  # of each ref: path to version


class Question(NamedTuple):
    """Terms to look for in one field of the lexical index."""

    field: str
    terms: tuple[str, ...]


def published(synced: "SyncRepoResult") -> "PublishedSync":
    """A sync that has ended, as every one outside a server has."""
    assert synced["status"] == "published"
    return synced


def context_of(made: Repo, data_dir: str | os.PathLike[str] | None = None) -> RepositoryContext:
    """Open a repository with its store in the test's own home, or in a folder of its choice."""
    context = open_context(made.root)
    if data_dir is None:
        return context
    return context._replace(location=context.location._replace(data_dir=os.fspath(data_dir)))


def index(
    context: RepositoryContext, ref: str | None = None, options: SyncOptions | None = None
) -> SyncOutcome:
    """Bring a ref up to date."""
    return sync(context, resolve_target(context.workspace, ref), options or SyncOptions())


def is_up_to_date(context: RepositoryContext, target: Target) -> bool:
    """Ask whether the index holds the ref as it is now."""
    check = FullCheck(context, target)
    with open_snapshot(layout_of(context)) as snapshot:
        return check.is_fresh(snapshot)


def collect_now(context: RepositoryContext) -> CollectOutcome:
    """Collect what no ref holds."""
    return collect(context, wait_ms=0)


def settle(made: Repo, *paths: str) -> None:
    """Make files look as if they had been written a while ago, so that their stamps are trusted."""
    then = time.time_ns() - _SETTLED_SECONDS * 1_000_000_000
    for path in paths:
        os.utime(made.path(path), ns=(then, then))


def store_content(context: RepositoryContext) -> StoreContent:
    """Read a store with plain SQLite; stamps, times and numbers of rows are left out."""
    with read_database(context) as connection:
        ((stored, told),) = connection.execute(
            "SELECT (SELECT count(*) FROM symbols), coalesce(sum(symbol_count), 0)"
            " FROM file_versions"
        ).fetchall()
        assert stored == told, "there are symbols of no version"
        refs = connection.execute(
            "SELECT ref_id, name, root, branch, commit_id, file_count, skipped_count"
            " FROM refs ORDER BY name"
        ).fetchall()
        return StoreContent(
            connection.execute(
                "SELECT version_key, path, blob_id, size_bytes, language, line_count,"
                " symbol_count, document_count, scopes, chunks, sites, imports, problems"
                " FROM file_versions ORDER BY version_key"
            ).fetchall(),
            connection.execute("SELECT * FROM verdicts ORDER BY version_key").fetchall(),
            connection.execute(
                f"SELECT {', '.join(StoredSymbol._fields)}, name_folded FROM stored_symbols"  # noqa: S608
                " ORDER BY version_key, ordinal"
            ).fetchall(),
            {row[1]: row[2:] for row in refs},
            {row[1]: _map_of(connection, row[0]) for row in refs},
        )


def read_database(context: RepositoryContext) -> "Database":
    """Open the current database as any other program would."""
    store = layout_of(context).current()
    assert store is not None
    return Database(store.database_path)


class Database:
    """A plain connection that is closed at the end of its block."""

    def __init__(self, path: str) -> None:
        """Connect to a database file."""
        self._connection = sqlite3.connect(path)

    def __enter__(self) -> sqlite3.Connection:
        """Give the connection."""
        return self._connection

    def __exit__(self, *_: object) -> None:
        """Commit and close."""
        self._connection.commit()
        self._connection.close()


def ranked_hits(
    context: RepositoryContext, questions: Iterable[Question]
) -> dict[tuple[str, Question], list[LexicalHit]]:
    """The ranked lexical hits of each question in each ref."""
    with open_snapshot(layout_of(context)) as snapshot:
        if not read_manifest(snapshot.lexical_path).documents:
            return {}
        reader = LexicalReader(snapshot.lexical_path)
        live = {row.name: snapshot.live_keys(row.ref_id) for row in snapshot.list_refs()}
    found = {
        (name, question): reader.search(
            question.field, [(term, 1.0) for term in question.terms], _ALL_HITS, keys.__contains__
        )
        for name, keys in live.items()
        for question in questions
    }
    return {place: hits for place, hits in found.items() if hits}


Places = dict[tuple[str, Question], list[tuple[VersionKey, int, int, int]]]


def places(hits: Mapping[tuple[str, Question], Sequence[LexicalHit]]) -> Places:
    """The same hits without score and rank."""
    return {
        question: sorted(
            (hit.version_key, hit.chunk, hit.line_start, hit.line_end) for hit in found
        )
        for question, found in hits.items()
    }


def paths_of(context: RepositoryContext, ref: str | None = None) -> dict[str, str | None]:
    """The paths of a ref in its index, each with the reason why it is skipped."""
    name = resolve_target(context.workspace, ref).ref.name
    with open_snapshot(layout_of(context)) as snapshot:
        row = snapshot.find_ref(name)
        assert row is not None
        return {path: file.skip_reason for path, file in snapshot.read_map(row.ref_id).items()}


def generation_of(context: RepositoryContext) -> int:
    """The number of the last publication."""
    with open_snapshot(layout_of(context)) as snapshot:
        return snapshot.generation


def sync_numbers(outcome: SyncOutcome) -> tuple[int, int, int, int]:
    """The generation, and how many files were read, parsed and removed."""
    return (
        outcome.generation,
        outcome.changed_files,
        outcome.indexed_files,
        outcome.removed_files,
    )


def places_of(made: Repo, name: str, ref: str | None = None) -> list[tuple[str, int]]:
    """Where the definitions of a name are, as the repository answers."""
    results = open_repository(made.root).locate_symbol(name, ref=ref)["results"]
    assert isinstance(results, list)
    return [(each["path"], each["line_start"]) for each in results]


def untrue_hits(context: RepositoryContext, made: Repo, words: Iterable[str]) -> list[LexicalHit]:
    """Hits in the working tree whose lines, as they are in the file now, lack the word."""
    name = resolve_target(context.workspace, None).ref.name
    with open_snapshot(layout_of(context)) as snapshot:
        row = snapshot.find_ref(name)
        assert row is not None
        files = {file.version_key: path for path, file in snapshot.read_map(row.ref_id).items()}
    hits = ranked_hits(context, [Question("text", (word,)) for word in words])
    return [
        hit
        for (ref, question), found in hits.items()
        for hit in found
        if ref == name and question.terms[0] not in _lines(made, files[hit.version_key], hit)
    ]


def _lines(made: Repo, path: str, hit: LexicalHit) -> str:
    with open(made.path(path), encoding="utf-8") as file:
        return "".join(file.readlines()[hit.line_start - 1 : hit.line_end])


def _map_of(
    connection: sqlite3.Connection, ref_id: int
) -> dict[str, tuple[int | None, str | None]]:
    files = read_map(connection, ref_id)
    held = connection.execute(
        "SELECT version_key FROM ref_versions WHERE ref_id = ? ORDER BY version_key", (ref_id,)
    ).fetchall()
    live = {file.version_key for file in files.values() if file.skip_reason is None}
    assert [key for (key,) in held] == sorted(key for key in live if key is not None)
    return {path: (file.version_key, file.skip_reason) for path, file in files.items()}
