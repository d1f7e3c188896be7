"""Reading a store: one generation of everything, however long the reader takes."""

from typing import TYPE_CHECKING, NamedTuple, Self

from cruxe.index import database, ref_rows
from cruxe.index.layout import RepositoryLayout, StoreLayout
from cruxe.index.packed import PackedKeys, PackedStamps, unpack_stamps
from cruxe.model.errors import EngineError, IndexNotReadyError
from cruxe.model.hits import OutlineRow, StoredSymbol
from cruxe.model.identity import VersionKey

if TYPE_CHECKING:
    from cruxe.index.job_rows import JobRow

_SYMBOL_COLUMNS = (
    "symbols.version_key, symbols.ordinal, file_versions.path, file_versions.language,"
    " symbols.name, symbols.qualified_name, symbols.kind, symbols.role, symbols.visibility,"
    " symbols.parent, symbols.line_start, symbols.line_end, symbols.name_line,"
    " symbols.signature, symbols.doc, lower(hex(symbols.stable_id))"
)


class StoredFile(NamedTuple):
    """A path of a ref with the version it holds, or why it holds none."""

    path: str
    version_key: VersionKey | None
    language: str | None
    line_count: int | None
    skip_reason: str | None


class Snapshot:
    """One published generation. Begins a read transaction; close it soon."""

    def __init__(self, store: StoreLayout) -> None:
        """Open the current generation of a store."""
        self._store = store
        self._connection = database.open_for_reading(store.database_path)
        self._connection.execute("BEGIN")
        with database.storage_errors(store.database_path):
            rows = self._connection.execute("SELECT key, value FROM meta").fetchall()
        self._meta: dict[str, str | int] = dict(rows)
        if missing := database.STAMPS - self._meta.keys():
            self.close()
            raise database.corrupt(f"no {min(missing)} stamp")

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    @property
    def generation(self) -> int:
        """The number of the publication that this snapshot shows."""
        return int(self._meta["generation"])

    @property
    def lexical_path(self) -> str:
        """The folder of this generation's lexical index."""
        return self._store.lexical_path(int(self._meta["lexical"]))

    def find_ref(self, name: str) -> ref_rows.RefRow | None:
        """A published ref by name."""
        return ref_rows.find_ref(self._connection, name)

    def list_refs(self) -> list[ref_rows.RefRow]:
        """All published refs, by name."""
        return ref_rows.list_refs(self._connection)

    def read_map(self, ref_id: int) -> dict[str, ref_rows.RefFile]:
        """A ref's whole map."""
        return ref_rows.read_map(self._connection, ref_id)

    def stamps(self, ref_id: int) -> PackedStamps:
        """The stamps of a ref's files as they were when they were read."""
        query = "SELECT paths, stamps FROM refs WHERE ref_id = ?"
        return unpack_stamps(*self._connection.execute(query, (ref_id,)).fetchone())

    def live_keys(self, ref_id: int) -> PackedKeys:
        """The versions that a ref holds."""
        row = self._connection.execute(
            "SELECT live_keys FROM refs WHERE ref_id = ?", (ref_id,)
        ).fetchone()
        return PackedKeys(row[0])

    def symbols_named(self, name: str) -> list[StoredSymbol]:
        """All symbols of a name in any case, in any ref."""
        return self._symbols("symbols.name_folded = ?", name.casefold())

    def outline_rows(self, ref_id: int, path: str, *, top_only: bool) -> list[OutlineRow]:
        """The symbols of a path of a ref, in file order; parents before children."""
        top = " AND parent_symbol_id IS NULL" if top_only else ""
        rows = self._connection.execute(
            f"SELECT {', '.join(OutlineRow._fields)} FROM symbol_relations"
            f" WHERE ref_id = ? AND path = ?{top} ORDER BY ordinal",
            (ref_id, path),
        )
        return list(map(OutlineRow._make, rows))

    def find_file(self, ref_id: int, path: str) -> StoredFile | None:
        """A path of a ref."""
        row = self._connection.execute(
            "SELECT ref_files.path, version_key, language, line_count,"
            " coalesce(ref_files.skip_reason, file_versions.skip_reason)"
            " FROM ref_files LEFT JOIN file_versions USING (version_key, path)"
            " WHERE ref_id = ? AND ref_files.path = ?",
            (ref_id, path),
        ).fetchone()
        return None if row is None else StoredFile(*row)

    def paths_named(self, ref_id: int, ending: str) -> list[str]:
        """Paths of a ref that end in a name, at most a few."""
        escaped = ending.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        rows = self._connection.execute(
            "SELECT path FROM ref_files WHERE ref_id = ? AND path LIKE ? ESCAPE '\\'"
            " ORDER BY path LIMIT 5",
            (ref_id, f"%{escaped}"),
        )
        return [path for (path,) in rows]

    def symbol_count(self, ref_id: int) -> int:
        """Number of symbols that a ref holds."""
        row = self._connection.execute(
            "SELECT coalesce(sum(symbol_count), 0) FROM ref_files"
            " JOIN file_versions USING (version_key) WHERE ref_id = ?",
            (ref_id,),
        ).fetchone()
        return int(row[0])

    def skip_counts(self, ref_id: int) -> dict[str, int]:
        """How many files a ref leaves out, by reason."""
        rows = self._connection.execute(
            "SELECT skip_reason, count(*) FROM ref_files"
            " WHERE ref_id = ? AND skip_reason IS NOT NULL GROUP BY 1 ORDER BY 1",
            (ref_id,),
        )
        return dict(rows.fetchall())

    def language_counts(self, ref_id: int) -> dict[str, int]:
        """How many files of each language a ref holds."""
        rows = self._connection.execute(
            "SELECT language, count(*) FROM ref_files JOIN file_versions USING (version_key)"
            " WHERE ref_id = ? AND language IS NOT NULL GROUP BY 1 ORDER BY 1",
            (ref_id,),
        )
        return dict(rows.fetchall())

    def recent_jobs(self, limit: int) -> "list[JobRow]":
        """The latest jobs, newest first."""
        from cruxe.index import job_rows

        return job_rows.recent_jobs(self._connection, limit)

    def check_lexical(self) -> None:
        """Raise where the lexical index is not the one this generation was published with."""
        from cruxe.index.lexical_reader import read_manifest

        if read_manifest(self.lexical_path).opstamp < int(self._meta["lexical_opstamp"]):
            raise database.corrupt("the lexical index is missing or older than the database")

    def integrity_problem(self) -> str | None:
        """What SQLite finds wrong with the database, if anything."""
        ((verdict,),) = self._connection.execute("PRAGMA quick_check(1)").fetchall()
        return None if verdict == "ok" else str(verdict)

    def close(self) -> None:
        """End the read transaction."""
        self._connection.close()

    def _symbols(self, condition: str, value: str | int) -> list[StoredSymbol]:
        rows = self._connection.execute(
            f"SELECT {_SYMBOL_COLUMNS} FROM symbols JOIN file_versions USING (version_key)"
            f" WHERE {condition} ORDER BY path, ordinal",
            (value,),
        )
        return list(map(StoredSymbol._make, rows))


def open_snapshot(layout: RepositoryLayout) -> Snapshot:
    """Open the last published generation of a repository."""
    store = layout.current()
    while store is not None:
        try:
            return Snapshot(store)
        except EngineError:
            replaced_by = layout.current()
            if replaced_by == store:
                raise
            store = replaced_by  # a rebuild took its place in between
    raise IndexNotReadyError(
        "this repository is not indexed", data={"schema_status": "not_indexed"}
    )
