"""The database's tables and views, and the versions that stamp a store.

`file_versions` and `symbols` belong to content and never change; `refs` and `ref_files` say which
versions a ref holds. The views give the names of the contract: `symbol_relations`,
`symbol_edges`, `file_manifest`; `index_jobs` is a table.
"""

from typing import Final

from cruxe.model.identity import CHARACTER_BITS, HANDLE_ALPHABET, VERSION_KEY_BITS

# 2: names folded without underscores; one text field to rank by.
# 3: vectors; no lexical fields for identifiers, docs, comments, kinds and roles.
# 4: trigrams in the database.
SCHEMA_VERSION: Final = 4
# What extraction gives for the same bytes; a store of another version is rebuilt.
# 2: all languages.
# 3: signatures as if no line had been broken at a bracket; chunks told as what has half of them.
EXTRACTION_VERSION: Final = 3
REQUIRED_VERSION: Final = f"{SCHEMA_VERSION}.{EXTRACTION_VERSION}"


def _handle_sql(key: str, ordinal: str) -> str:
    """A symbol's handle as an SQL expression: six bits a character, as `model.identity` does."""
    place = f"({ordinal} << 1 | 1)"
    shifts = [
        (key, shift) for shift in range(VERSION_KEY_BITS - CHARACTER_BITS, -1, -CHARACTER_BITS)
    ]
    shifts += [(place, shift) for shift in (12, 6, 0)]
    return " || ".join(
        f"substr('{HANDLE_ALPHABET}', ({number} >> {shift} & 63) + 1, 1)"
        for number, shift in shifts
    )


TABLES: Final = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE file_versions (
    version_key INTEGER PRIMARY KEY,    -- digest of path and content
    path TEXT NOT NULL,
    blob_id TEXT NOT NULL,              -- git's name for the bytes that were indexed
    size_bytes INTEGER NOT NULL,
    skip_reason TEXT,                   -- a verdict on the content; then nothing below is set
    language TEXT,
    line_count INTEGER NOT NULL,
    symbol_count INTEGER NOT NULL,
    document_count INTEGER NOT NULL,    -- in the lexical index
    chunks TEXT NOT NULL,               -- JSON: [[line_start, line_end, symbol], …]
    sites TEXT NOT NULL,                -- JSON: [[kind, name, qualifier, line, symbol], …]
    imports TEXT NOT NULL,              -- JSON: [[module, name, alias, line, is_reexport], …]
    problems TEXT NOT NULL              -- JSON: [[kind, line], …]
);

CREATE TABLE symbols (
    version_key INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,          -- without case and underscores
    qualified_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    visibility TEXT NOT NULL,
    parent INTEGER,                     -- ordinal of the enclosing symbol
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    stable_id BLOB NOT NULL,
    PRIMARY KEY (version_key, ordinal)
) WITHOUT ROWID;

CREATE TABLE refs (
    ref_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,          -- 'worktree:<root>', or a ref or commit as resolved
    root TEXT,                          -- of a working tree
    branch TEXT,                        -- checked out there
    commit_id TEXT,
    settings TEXT NOT NULL,             -- digest of those that decide what the map holds
    file_count INTEGER NOT NULL,
    skipped_count INTEGER NOT NULL,
    indexed_at_ns INTEGER NOT NULL,
    live_keys BLOB NOT NULL,            -- version keys of the map, packed and sorted
    paths TEXT NOT NULL,                -- of the map, in order, parted by NUL
    stamps BLOB NOT NULL                -- of these paths, packed
);

CREATE TABLE ref_files (
    ref_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    version_key INTEGER,                -- absent for a path that could not be read
    skip_reason TEXT,
    size_bytes INTEGER,                 -- stamps of a working-tree file when it was read
    mtime_ns INTEGER,
    ctime_ns INTEGER,
    inode INTEGER,
    PRIMARY KEY (ref_id, path)
) WITHOUT ROWID;

CREATE TABLE trigram_sets (
    version_key INTEGER PRIMARY KEY,
    trigrams BLOB NOT NULL              -- of a text that is in no block, packed and sorted
);

CREATE TABLE trigram_blocks (
    block INTEGER PRIMARY KEY,
    version_keys BLOB NOT NULL          -- packed and sorted
);

CREATE TABLE trigram_holders (
    place INTEGER PRIMARY KEY,          -- the block, then the trigram in 15 bits
    holders BLOB NOT NULL               -- which versions of the block have it, packed
);

CREATE TABLE vector_spans (
    version_key INTEGER PRIMARY KEY,
    first_row INTEGER NOT NULL,         -- in the vector files
    row_count INTEGER NOT NULL          -- one a chunk, and the last for the docs
);

CREATE TABLE ref_vectors (
    ref_id INTEGER PRIMARY KEY,         -- of a ref whose versions all have vectors
    spans BLOB NOT NULL                 -- their keys, first rows and row counts, packed
);

CREATE TABLE index_jobs (
    job_id TEXT PRIMARY KEY,
    ref TEXT NOT NULL,
    mode TEXT NOT NULL,                 -- full, incremental, collect
    status TEXT NOT NULL,               -- running, published, failed, interrupted
    pid INTEGER NOT NULL,
    files_total INTEGER NOT NULL,
    files_indexed INTEGER NOT NULL,
    symbols_extracted INTEGER NOT NULL,
    error_message TEXT,
    created_at_ns INTEGER NOT NULL,
    updated_at_ns INTEGER NOT NULL
) WITHOUT ROWID;
"""

# Made by the first publication: until then nobody asks, and one sort costs less than many inserts.
SYMBOL_INDEX: Final = "CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols (name_folded)"

VIEWS: Final = f"""
CREATE VIEW file_manifest AS
SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
       refs.name AS ref, ref_files.path, file_versions.blob_id AS content_hash,
       coalesce(ref_files.size_bytes, file_versions.size_bytes) AS size_bytes,
       ref_files.mtime_ns, file_versions.language,
       coalesce(ref_files.skip_reason, file_versions.skip_reason) AS skip_reason,
       refs.indexed_at_ns AS indexed_at
FROM ref_files
JOIN refs USING (ref_id)
LEFT JOIN file_versions USING (version_key, path);

CREATE VIEW symbol_relations AS
SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
       refs.name AS ref, refs.commit_id AS "commit", ref_files.path,
       {_handle_sql("symbols.version_key", "symbols.ordinal")} AS symbol_id,
       lower(hex(symbols.stable_id)) AS symbol_stable_id,
       symbols.name, symbols.qualified_name, symbols.kind, symbols.role,
       file_versions.language, symbols.line_start, symbols.line_end, symbols.signature,
       CASE WHEN symbols.parent IS NOT NULL
            THEN {_handle_sql("symbols.version_key", "symbols.parent")} END AS parent_symbol_id,
       symbols.visibility, symbols.doc,
       symbols.version_key, symbols.ordinal, symbols.parent, refs.ref_id
FROM ref_files
JOIN refs USING (ref_id)
JOIN file_versions USING (version_key, path)
JOIN symbols USING (version_key);

CREATE VIEW symbol_edges AS
SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
       refs.name AS ref,
       CASE WHEN json_extract(site.value, '$[4]') >= 0
            THEN {_handle_sql("file_versions.version_key", "json_extract(site.value, '$[4]')")}
            END AS from_symbol_id,
       NULL AS to_symbol_id,
       json_extract(site.value, '$[1]') AS to_name,
       json_extract(site.value, '$[2]') AS to_qualifier,
       json_extract(site.value, '$[0]') AS edge_type,
       'unresolved' AS resolution_outcome,
       ref_files.path AS source_file,
       json_extract(site.value, '$[3]') AS source_line
FROM ref_files
JOIN refs USING (ref_id)
JOIN file_versions USING (version_key, path),
     json_each(file_versions.sites) AS site;
"""
