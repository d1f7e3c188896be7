"""The database's tables, and the versions that stamp a store.

`file_versions`, `verdicts` and `symbols` belong to content and never change; `refs` and
`ref_versions` say which versions a ref holds. `views.py` has the views.
"""

from typing import Final

# 2: names folded without underscores; one text field to rank by.
# 3: vectors; no lexical fields for identifiers, docs, comments, kinds and roles.
# 4: trigrams in the database.
# 5: sites by kind, name and qualifier; symbols in places of their own, without what others tell.
# 6: maps of refs packed, paths compressed; verdicts on content in a table of their own.
# 7: checksums of rows, maps, vectors and files.
SCHEMA_VERSION: Final = 7
# What extraction gives for the same bytes; a store of another version is rebuilt.
# 2: all languages.
# 3: signatures as if no line had been broken at a bracket; chunks told as what has half of them.
# 4: the stem of a file name goes up to its last dot.
# 5: secrets are replaced before a file is parsed.
EXTRACTION_VERSION: Final = 5
REQUIRED_VERSION: Final = f"{SCHEMA_VERSION}.{EXTRACTION_VERSION}"

TABLES: Final = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE file_versions (
    version_key INTEGER PRIMARY KEY,    -- digest of path and content
    path TEXT NOT NULL,
    blob_id BLOB NOT NULL,              -- git's name for the bytes that were indexed
    size_bytes INTEGER NOT NULL,
    language TEXT NOT NULL,
    line_count INTEGER NOT NULL,
    symbol_count INTEGER NOT NULL,
    document_count INTEGER NOT NULL,    -- in the lexical index
    first_symbol INTEGER NOT NULL,      -- place of the first; the others follow, in file order
    scopes TEXT NOT NULL,               -- JSON: what stands before names of symbols
    chunks TEXT NOT NULL,               -- JSON: [[line_start, line_end, symbol], …]
    sites TEXT NOT NULL,                -- JSON: {kind: {name: {qualifier: [[line, symbol], …]}}}
    imports TEXT NOT NULL,              -- JSON: [[module, name, alias, line, is_reexport], …]
    problems TEXT NOT NULL,             -- JSON: [[kind, line], …]
    checksum INTEGER NOT NULL           -- of this row and those of its symbols
);

CREATE TABLE verdicts (
    version_key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,               -- why a file with this path and content is left out
    checksum INTEGER NOT NULL
);

CREATE TABLE redactions (
    version_key INTEGER PRIMARY KEY,    -- of a version with secrets, which are in no other table
    secret_count INTEGER NOT NULL,
    checksum INTEGER NOT NULL
);

CREATE TABLE symbols (
    place INTEGER PRIMARY KEY,
    version_key INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,          -- without case and underscores
    scope INTEGER NOT NULL,             -- which of its version's; the name is appended to it
    kind INTEGER NOT NULL,              -- this and the next as in `store/records.py`
    visibility INTEGER NOT NULL,
    parent INTEGER,                     -- ordinal of the enclosing symbol
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    stable_id BLOB NOT NULL
);

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
    paths BLOB NOT NULL,                -- the map, as in `ref_maps.py`: in order, compressed;
    version_keys BLOB NOT NULL,         -- of each path,
    skip_reasons BLOB NOT NULL,
    stamps BLOB NOT NULL,               -- of a working-tree file when it was read
    map_checksum INTEGER NOT NULL,
    checksum INTEGER NOT NULL           -- of the row without the map
);

CREATE TABLE ref_versions (
    ref_id INTEGER NOT NULL,
    version_key INTEGER NOT NULL,       -- of the map, those with content
    PRIMARY KEY (ref_id, version_key)
) WITHOUT ROWID;

CREATE TABLE trigram_sets (
    version_key INTEGER PRIMARY KEY,
    trigrams BLOB NOT NULL,             -- of a text that is in no block, packed and sorted
    checksum INTEGER NOT NULL
);

CREATE TABLE trigram_blocks (
    block INTEGER PRIMARY KEY,
    version_keys BLOB NOT NULL,         -- packed and sorted
    checksum INTEGER NOT NULL
);

CREATE TABLE trigram_holders (
    place INTEGER PRIMARY KEY,          -- the block, then the trigram in 15 bits
    holders BLOB NOT NULL,              -- which versions of the block have it, packed
    checksum INTEGER NOT NULL
);

CREATE TABLE vector_spans (
    version_key INTEGER PRIMARY KEY,
    first_row INTEGER NOT NULL,         -- in the vector files
    row_count INTEGER NOT NULL,         -- one a chunk, and the last for the docs
    checksum INTEGER NOT NULL           -- of these numbers and the rows in both files
);

CREATE TABLE ref_vectors (
    ref_id INTEGER PRIMARY KEY,         -- of a ref whose versions all have vectors
    spans BLOB NOT NULL,                -- their keys, first rows and row counts, packed
    checksum INTEGER NOT NULL
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
