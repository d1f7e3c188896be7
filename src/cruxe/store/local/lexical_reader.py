"""Reading the lexical index: documents that hold terms, best first, ties in a fixed order."""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import neg
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow, LexicalHit
from cruxe.store.conditions import Condition, Every, Holds, Lacks
from cruxe.store.local.database import corrupt
from cruxe.store.local.lexical_schema import (
    CHUNK_NUMBER_FIELDS,
    FILE_TEXT_FIELDS,
    register_analyzers,
)

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from tantivy import DocAddress, Query, Searcher

# A quarter more than asked for, since documents of other refs are dropped and ties are not cut;
# doubled until enough are left. Most stores hold little else than the ref asked about.
_OVERFETCH_DIVISOR: Final = 4


# Scores, versions, chunks, first and last lines of hits.
HitColumns = tuple[list[float], list[VersionKey], list[int], list[int], list[int]]


def hit_of(row: HitRow) -> LexicalHit:
    """What a row tells."""
    negated, version_key, chunk, line_start, line_end = row
    return LexicalHit(-negated, version_key, chunk, line_start, line_end)


class LexicalReader:
    """The lexical index as it was when the reader was opened."""

    def __init__(self, folder: str) -> None:
        """Open the index in a folder; nothing is written there."""
        import tantivy

        self._links: TemporaryDirectory[str] | None = None
        try:
            self._index = tantivy.Index.open(folder)
        except ValueError as error:
            if "Lockfile" not in str(error):
                raise corrupt(f"lexical index: {error}") from error
            self._index = tantivy.Index.open(self._linked(folder))
        register_analyzers(self._index)
        self._index.reload()
        self._searcher: Searcher = self._index.searcher()
        self._schema = self._index.schema  # which is made anew for whoever asks
        # To import from a package that is there already still asks it for every name.
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
        """The best documents that hold any of the weighted terms in a field, among live versions.

        Equal scores are ordered by version and chunk, and a tie is never cut by chance: all
        documents as good as the last one are looked at before the cut.
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
        """The best files by a field of their own documents, with their scores, in no order."""
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

    def versions_with(self, field: str, terms: Iterable[str]) -> list[VersionKey]:
        """Versions with a document that holds all the terms in a field, in rising order."""
        import tantivy

        parts = [(tantivy.Occur.Must, self._term(field, term)) for term in terms]
        query = tantivy.Query.boolean_query(parts) if parts else tantivy.Query.all_query()
        count = self._searcher.num_docs or 1
        addresses = [address for _, address in self._searcher.search(query, limit=count).hits]
        return sorted(set(map(VersionKey, self._numbers("version", addresses))))

    def _linked(self, folder: str) -> str:
        """The index by links from a folder where its lock files can be written."""
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

        # What is demanded decides who takes part, not how good they are.
        demanded = Query.const_score_query(self._condition(condition), 0.0)
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, demanded)])

    def _condition(self, condition: Condition) -> "Query":
        from tantivy import Occur, Query

        if isinstance(condition, Holds):
            return self._term(condition.field, condition.term)
        if isinstance(condition, Lacks):
            # Nothing can be taken away from nothing.
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
        """The best documents among live versions, and all that are as good as the last one."""
        wanted = limit + max(1, limit // _OVERFETCH_DIVISOR)
        while True:
            found = self._searcher.search(query, limit=wanted, count=False).hits
            columns = self._columns(found, field, is_live)
            scores, is_all = columns[0], len(found) < wanted
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
        """The numbers of a field; the document of a file has no others than its version."""
        return cast("list[int]", self._searcher.fast_field_values(field, addresses))


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
    """What an index's own file says of it."""

    opstamp: int
    documents: int  # without those deleted
    deleted: int  # still counted in the statistics


def read_manifest(folder: str) -> LexicalManifest:
    """Read the state of an index without opening it; an absent one is empty."""
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
        raise corrupt(f"lexical index: {error}") from error
