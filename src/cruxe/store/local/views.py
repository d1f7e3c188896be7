"""The views of the database, made with it.

`stored_symbols` puts symbols together from what tells them; whoever reads a symbol reads it here.
The others have the names of the contract: `symbol_relations`, `symbol_edges`, `file_manifest`.
"""

from typing import Final

from cruxe.model.identity import CHARACTER_BITS, HANDLE_ALPHABET, VERSION_KEY_BITS
from cruxe.store.local.symbol_rows import kind_sql, role_sql, visibility_sql


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


VIEWS: Final = f"""
CREATE VIEW file_manifest AS
SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
       refs.name AS ref, path, lower(hex(blob_id)) AS content_hash, size_bytes, language,
       refs.indexed_at_ns AS indexed_at
FROM ref_versions
JOIN refs USING (ref_id)
JOIN file_versions USING (version_key);

CREATE VIEW stored_symbols AS
SELECT symbols.version_key, symbols.place - file_versions.first_symbol AS ordinal,
       file_versions.path, file_versions.language, symbols.name,
       json_extract(file_versions.scopes, '$[' || symbols.scope || ']') || symbols.name
           AS qualified_name,
       {kind_sql("symbols.kind")} AS kind,
       {role_sql("symbols.kind")} AS role,
       {visibility_sql("symbols.visibility")} AS visibility,
       symbols.parent, symbols.line_start, symbols.line_end, symbols.name_line,
       symbols.signature, symbols.doc, lower(hex(symbols.stable_id)) AS stable_id,
       symbols.name_folded, symbols.place, file_versions.first_symbol
FROM file_versions
JOIN symbols ON symbols.version_key = file_versions.version_key
    AND symbols.place >= file_versions.first_symbol
    AND symbols.place < file_versions.first_symbol + file_versions.symbol_count;

CREATE VIEW symbol_relations AS
SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
       refs.name AS ref, refs.commit_id AS "commit", path,
       {_handle_sql("version_key", "ordinal")} AS symbol_id,
       stable_id AS symbol_stable_id,
       stored_symbols.name, qualified_name, kind, role, language, line_start, line_end, signature,
       CASE WHEN parent IS NOT NULL
            THEN {_handle_sql("version_key", "parent")} END AS parent_symbol_id,
       visibility, doc, version_key, ordinal, parent, ref_id
FROM ref_versions
JOIN refs USING (ref_id)
JOIN stored_symbols USING (version_key);

CREATE VIEW symbol_edges AS
SELECT repo, ref,
       CASE WHEN symbol >= 0 THEN {_handle_sql("version_key", "symbol")} END AS from_symbol_id,
       NULL AS to_symbol_id, to_name, to_qualifier, edge_type,
       'unresolved' AS resolution_outcome, source_file, source_line
FROM (
    SELECT (SELECT value FROM meta WHERE key = 'repository_id') AS repo,
           refs.name AS ref, version_key, file_versions.path AS source_file,
           kinds.key AS edge_type, names.key AS to_name, qualifiers.key AS to_qualifier,
           json_extract(mentions.value, '$[0]') AS source_line,
           json_extract(mentions.value, '$[1]') AS symbol
    FROM ref_versions
    JOIN refs USING (ref_id)
    JOIN file_versions USING (version_key),
         json_each(file_versions.sites) AS kinds,
         json_each(kinds.value) AS names,
         json_each(names.value) AS qualifiers,
         json_each(qualifiers.value) AS mentions
);
"""
