"""The Tantivy index: its fields, the reader and the writer. Text arrives as terms joined by spaces.

A document is a chunk or a whole file and has the key of its version. Text fields hold the stems of
whole words and of their parts, without positions: phrases are checked in the text. Nothing is
stored; properties of symbols are in the database.

Chunks are ranked by `text` alone: path, defined names and body in one field, so that BM25 saturates
over all of them. Measured, one field orders files better than a sum over six, and weights inside it
change nothing. Hits come best first, ties in a fixed order. Readers see nothing before `commit`.
"""

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import compress
from math import log1p
from operator import neg
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, cast

from cruxe.model.errors import EngineError, StorageError
from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow, LexicalHit, StorePart
from cruxe.store.conditions import Condition, Every, Holds, Lacks, OfVersions
from cruxe.store.local.database import ROOM_BYTES, corrupt
from cruxe.store.local.lexical_files import Record, mark_unpublished, take_record

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from tantivy import DocAddress, Index, Query, Schema, Searcher


CHUNK_TEXT_FIELDS: Final = ("text", "name")
FILE_TEXT_FIELDS: Final = ("defines", "head")
EXACT_FIELDS: Final = ("language", "mode")
# Only of chunks; `version` is in every document.
CHUNK_NUMBER_FIELDS: Final = ("chunk", "line_start", "line_end")


def build_schema() -> "Schema":
    """Return the schema of a new index."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("version", indexed=True, fast=True)
    for field in CHUNK_NUMBER_FIELDS:
        builder.add_unsigned_field(field, fast=True)
    for field in (*CHUNK_TEXT_FIELDS, *FILE_TEXT_FIELDS):
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    for field in EXACT_FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="basic")
    return builder.build()


def register_analyzers(index: "Index") -> None:
    """Register the tokenizer of an index; needed after every open."""
    from tantivy import TextAnalyzerBuilder, Tokenizer

    index.register_tokenizer("terms", TextAnalyzerBuilder(Tokenizer.whitespace()).build())


# A quarter more hits than asked for are fetched, since ties are not cut, and that as many times as
# the search before had hits for each live one, since hits of other refs are dropped. The number is
# doubled until enough are left.
_OVERFETCH_DIVISOR: Final = 4
_MOST_OVERFETCH: Final = 16


# Scores, versions, chunks, first and last lines of hits.
HitColumns = tuple[list[float], list[VersionKey], list[int], list[int], list[int]]


def hit_of(row: HitRow) -> LexicalHit:
    """Return a row as a hit."""
    negated, version_key, chunk, line_start, line_end = row
    return LexicalHit(
        score=-negated,
        version_key=version_key,
        chunk=chunk,
        line_start=line_start,
        line_end=line_end,
    )


class LexicalReader:
    """The lexical index as it was when the reader was opened."""

    def __init__(self, folder: str) -> None:
        """Open the index in a folder; nothing is written there."""
        import tantivy

        self._links: TemporaryDirectory[str] | None = None
        with _naming_panics():
            try:
                self._index = tantivy.Index.open(folder)
            except ValueError as error:
                if "Lockfile" not in str(error):
                    raise corrupt(f"lexical index: {error}", StorePart.LEXICAL) from error
                self._index = tantivy.Index.open(self._linked(folder))
            register_analyzers(self._index)
            try:
                self._index.reload()
            except ValueError as error:
                raise corrupt(f"lexical index: {error}", StorePart.LEXICAL) from error
            self._searcher: Searcher = self._index.searcher()
        self._schema = self._index.schema  # the property builds a new one at each access
        self._overfetch = 1  # hits for each live one in the last search
        # Looked up once: an import statement costs time at each call even for a loaded module.
        self._any_of = tantivy.Occur.Should
        self._queries = tantivy.Query

    def search(
        self,
        field: str,
        terms: Iterable[tuple[str, float]],
        limit: int,
        is_live: Callable[[VersionKey], bool],
        condition: Condition | None = None,
    ) -> list[LexicalHit]:
        """Return the best documents of live versions with any of the weighted terms in a field.

        Equal scores are ordered by version and chunk. All documents with the score of the last
        one are compared before the list is cut, so the cut is deterministic.
        """
        columns = self._best(field, self._scored(field, terms, condition), limit, is_live)
        return [*map(hit_of, _sorted_rows(columns)[:limit])]

    def search_files(
        self,
        field: str,
        terms: Iterable[tuple[str, float]],
        limit: int,
        is_live: Callable[[VersionKey], bool],
    ) -> dict[VersionKey, float]:
        """Return the best files by a field of their own documents, with scores, unordered."""
        query = self._scored(field, terms, None)
        scores, versions, *_ = self._best(field, query, limit, is_live)
        if len(scores) <= limit:
            return dict(zip(versions, scores, strict=True))
        best = sorted(zip(map(neg, scores), versions, strict=True))[:limit]
        return {version: -negated for negated, version in best}

    def search_chunks(
        self,
        terms: Iterable[tuple[str, float]],
        limit: int,
        is_live: Callable[[VersionKey], bool],
        condition: Condition | None = None,
        *,
        per_file: int,
    ) -> dict[VersionKey, list[HitRow]]:
        """Return the best chunks by version, best first, at most `per_file` of each."""
        query = self._scored("text", terms, condition)
        return rows_by_version(self._best("text", query, limit, is_live), limit, per_file)

    def rarity(self, field: str, terms: Iterable[str]) -> dict[str, float]:
        """Return BM25's inverse document frequency of each term; 0 for one in no document."""
        count, count_of = self._searcher.num_docs, self._searcher.doc_freq
        with _naming_panics():
            frequencies = {term: count_of(field, term) for term in terms}
        return {
            term: log1p((count - held + 0.5) / (held + 0.5)) if held else 0.0
            for term, held in frequencies.items()
        }

    def _linked(self, folder: str) -> str:
        """Link the index into a temporary folder where Tantivy can write its lock files."""
        from tempfile import TemporaryDirectory

        self._links = TemporaryDirectory()
        for name in os.listdir(folder):
            if not name.endswith(".lock"):
                os.symlink(os.path.join(folder, name), os.path.join(self._links.name, name))
        return self._links.name

    def _scored(
        self, field: str, terms: Iterable[tuple[str, float]], condition: Condition | None
    ) -> "Query":
        any_of, schema, queries = self._any_of, self._schema, self._queries
        boosted, holding = queries.boost_query, queries.term_query
        parts = [(any_of, boosted(holding(schema, field, term), weight)) for term, weight in terms]
        query = queries.boolean_query(parts)
        if condition is None:
            return query
        from tantivy import Occur, Query

        # A condition filters documents and adds nothing to their scores.
        demanded = Query.const_score_query(self._condition(condition), 0.0)
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, demanded)])

    def _condition(self, condition: Condition) -> "Query":
        from tantivy import Occur, Query

        if isinstance(condition, Holds):
            return self._term(condition.field, condition.term)
        if isinstance(condition, OfVersions):
            return Query.term_set_query(self._schema, "version", [*condition.versions])
        if isinstance(condition, Lacks):
            # A query of only excluded terms matches nothing in Tantivy.
            everything = (Occur.Must, Query.all_query())
            return Query.boolean_query(
                [everything, (Occur.MustNot, self._condition(condition.condition))]
            )
        occur = Occur.Must if isinstance(condition, Every) else Occur.Should
        return Query.boolean_query(
            [(occur, self._condition(each)) for each in condition.conditions]
        )

    def _term(self, field: str, term: str) -> "Query":
        return self._queries.term_query(self._schema, field, term)

    def _best(
        self, field: str, query: "Query", limit: int, is_live: Callable[[VersionKey], bool]
    ) -> HitColumns:
        """Return the best documents of live versions, and all with the score of the last one."""
        wanted = (limit + max(1, limit // _OVERFETCH_DIVISOR)) * self._overfetch
        while True:
            with _naming_panics():
                found = self._searcher.search(query, limit=wanted, count=False).hits
            columns = self._columns(found, field, is_live)
            scores, is_all = columns[0], len(found) < wanted
            if found:
                self._overfetch = min(-(-len(found) // max(1, len(scores))), _MOST_OVERFETCH)
            if is_all or (len(scores) > limit and scores[limit - 1] > found[-1][0]):
                return columns
            wanted *= 2

    def _columns(
        self,
        found: "Sequence[tuple[float, DocAddress]]",
        field: str,
        is_live: Callable[[VersionKey], bool],
    ) -> HitColumns:
        if not found:
            return [], [], [], [], []
        scores, addresses = [score for score, _ in found], [address for _, address in found]
        versions = cast("list[VersionKey]", self._numbers("version", addresses))
        if field in FILE_TEXT_FIELDS:
            numbers = [[0] * len(scores)] * len(CHUNK_NUMBER_FIELDS)
        else:
            numbers = [self._numbers(each, addresses) for each in CHUNK_NUMBER_FIELDS]
        columns = cast("HitColumns", (scores, versions, *numbers))
        if all(map(is_live, versions)):
            return columns
        live = [*map(is_live, versions)]
        numeric = cast("list[list[int]]", columns)
        return cast("HitColumns", tuple([*compress(column, live)] for column in numeric))

    def _numbers(self, field: str, addresses: "list[DocAddress]") -> list[int]:
        """Return the values of a numeric field; a file's document has only `version`."""
        with _naming_panics():
            return cast("list[int]", self._searcher.fast_field_values(field, addresses))


@contextmanager
def _naming_panics() -> Generator[None]:
    """Name the damage that a panic of Tantivy comes from; it is no `Exception`."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise corrupt("the lexical index cannot be read", StorePart.LEXICAL) from error


def rows_by_version(
    columns: HitColumns, limit: int, per_file: int
) -> dict[VersionKey, list[HitRow]]:
    """Return the `limit` best hits by version, best first, at most `per_file` of each."""
    by_version: dict[VersionKey, list[HitRow]] = {}
    for row in _sorted_rows(columns)[:limit]:
        rows = by_version.setdefault(row[1], [])
        if len(rows) < per_file:
            rows.append(row)
    return by_version


def _sorted_rows(columns: HitColumns) -> list[HitRow]:
    scores, *numbers = columns
    return cast("list[HitRow]", sorted(zip(map(neg, scores), *numbers, strict=True)))


class LexicalManifest(NamedTuple):
    """The state of an index by its `meta.json`."""

    opstamp: int
    documents: int  # without those deleted
    deleted: int  # still counted in the statistics of BM25


def read_manifest(folder: str) -> LexicalManifest:
    """Read the state of an index without opening it; a missing index is empty."""
    import json

    path = os.path.join(folder, "meta.json")
    if not os.path.exists(path):
        return LexicalManifest(0, 0, 0)
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
        segments = manifest["segments"]
        deleted = sum(each["deletes"]["num_deleted_docs"] for each in segments if each["deletes"])
        total = sum(each["max_doc"] for each in segments)
        return LexicalManifest(manifest["opstamp"], total - deleted, deleted)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise corrupt(f"lexical index: {error}", StorePart.LEXICAL) from error


# Heap before a segment is written. Bulk runs write fewer, larger segments.
_BULK_HEAP_BYTES: Final = 160_000_000
_SMALL_HEAP_BYTES: Final = 20_000_000


def create_index(folder: str) -> None:
    """Create an empty index, so that readers find one."""
    import tantivy

    try:
        os.makedirs(folder, exist_ok=True)
        tantivy.Index(build_schema(), path=folder, reuse=True)
    except OSError as error:
        raise StorageError.from_os_error(error, folder) from error
    except ValueError as error:
        raise _explain(error, folder) from error


class LexicalState(NamedTuple):
    """An index as a publication records it."""

    opstamp: int
    files: Record | None  # None: merges left them in a state that nobody has looked at
    failure: EngineError | None = None  # of merges


class LexicalWriter:
    """Adds and removes the documents of file versions."""

    def __init__(self, folder: str, *, is_bulk: bool, has_leftovers: bool = False) -> None:
        """Open or create the index in a folder, which may have documents of a crashed run."""
        import tantivy

        try:
            os.makedirs(folder, exist_ok=True)
            mark_unpublished(folder)
            self._index = tantivy.Index(build_schema(), path=folder, reuse=True)
            register_analyzers(self._index)
            # One thread: segments do not depend on the machine, and parsing keeps the other
            # cores busy.
            heap = _BULK_HEAP_BYTES if is_bulk else _SMALL_HEAP_BYTES
            self._writer = self._index.writer(heap, 1)
        except OSError as error:
            raise StorageError.from_os_error(error, folder) from error
        except ValueError as error:
            raise _explain(error, folder) from error
        self._folder = folder
        self._has_leftovers = has_leftovers

    def add(self, version_key: "VersionKey", documents: "Iterable[bytes]") -> None:
        """Add a version's documents; those that a crashed run left under its key are deleted."""
        import tantivy

        if self._has_leftovers:
            # By query, since deleting by term takes a signed number and this field is unsigned.
            query = tantivy.Query.term_query(self._index.schema, "version", version_key)
            self._writer.delete_documents_by_query(query)
        try:
            for document in documents:
                self._writer.add_json(document.decode())
        except ValueError as error:
            raise _explain(error, self._folder) from error

    def commit(self) -> int:
        """Make everything added so far durable and visible; return the new opstamp."""
        try:
            return int(self._writer.commit())
        except (ValueError, OSError) as error:
            raise _explain(error, self._folder) from error

    def finish(self, before: Record) -> "LexicalState":
        """Commit, wait for merges and release the index; `before` is the last record of its files.

        Nothing may be added afterwards. What is committed counts even if merges fail.
        """
        opstamp = self.commit()
        try:
            self.close()
        except EngineError as error:
            return LexicalState(opstamp, None, error)
        return LexicalState(opstamp, take_record(self._folder, before))

    def start_finish(self, before: Record) -> "LexicalWork[LexicalState]":
        """Start to finish in the background."""
        return LexicalWork(lambda: self.finish(before))

    def start_commit(self) -> "LexicalWork[int]":
        """Start a commit in the background."""
        return LexicalWork(self.commit)

    def close(self) -> None:
        """Wait for merges and release the index; uncommitted documents are lost."""
        try:
            self._writer.wait_merging_threads()
        except ValueError as error:
            raise _explain(error, self._folder) from error
        del self._index  # unmaps its files

    def start_close(self) -> "LexicalWork[None]":
        """Start closing in the background."""
        return LexicalWork(self.close)


_Given = TypeVar("_Given")


class LexicalWork(Generic[_Given]):
    """A call that runs on its own thread; the writer must not be used meanwhile."""

    def __init__(self, work: "Callable[[], _Given]") -> None:
        """Start the thread."""
        from threading import Thread

        self._work = work
        self._given: list[_Given] = []
        self._error: EngineError | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def wait(self) -> _Given:
        """Wait; return the result or raise the error of the call."""
        self.end()
        if not self._given:
            raise self._error or StorageError("the lexical index could not be written")
        return self._given[0]

    def end(self) -> None:
        """Wait; ignore result and error."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self._given.append(self._work())
        except EngineError as error:
            self._error = error


def _explain(error: Exception, folder: str) -> EngineError:
    text = str(error)
    if "No space left" in text or "os error 28" in text or _is_full(folder):
        return StorageError.disk_full(folder)
    if "Read-only" in text or "Permission denied" in text:
        return StorageError.read_only(folder)
    if "schema" in text.lower() or "corrupt" in text.lower() or "meta.json" in text:
        return corrupt(f"lexical index: {text}", StorePart.LEXICAL)
    return StorageError(f"{folder}: {text}", data={"path": folder})


def _is_full(folder: str) -> bool:
    """Return whether the disk is full: a failed thread of Tantivy does not give the cause."""
    from shutil import disk_usage

    try:
        return disk_usage(folder).free < ROOM_BYTES
    except OSError:
        return False
