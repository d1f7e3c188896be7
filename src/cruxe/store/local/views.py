"""The views of the database.

`stored_symbols` joins symbols with their versions; all reads of symbols go through it. The names of
the others are part of the contract: `symbol_relations`, `symbol_edges`, `file_manifest`.
"""

from collections.abc import Mapping
from typing import Final

from cruxe.model.identity import CHARACTER_BITS, HANDLE_ALPHABET, VERSION_KEY_BITS
from cruxe.model.symbols import ROLE_OF_KIND
from cruxe.store.records import KIND_CODES, VISIBILITY_CODES


def _handle_sql(key: str, ordinal: str) -> str:
    """Return an SQL expression for a symbol's handle, encoded as in `model.identity`."""
    tagged = f"({ordinal} << 1 | 1)"  # the lowest bit says that it is a symbol
    shifts = [
        (key, shift) for shift in range(VERSION_KEY_BITS - CHARACTER_BITS, -1, -CHARACTER_BITS)
    ]
    shifts += [(tagged, shift) for shift in (12, 6, 0)]
    return " || ".join(
        f"substr('{HANDLE_ALPHABET}', ({number} >> {shift} & 63) + 1, 1)"
        for number, shift in shifts
    )


def _kind_sql(code: str) -> str:
    """Return an SQL expression for the name of a kind."""
    return _case(code, {number: kind.value for kind, number in KIND_CODES.items()})


def _role_sql(code: str) -> str:
    """Return an SQL expression for the role of a kind."""
    return _case(code, {number: ROLE_OF_KIND[kind].value for kind, number in KIND_CODES.items()})


def _visibility_sql(code: str) -> str:
    """Return an SQL expression for the name of a visibility."""
    return _case(code, {number: each.value for each, number in VISIBILITY_CODES.items()})


def _case(code: str, names: Mapping[int, str]) -> str:
    whens = (f"WHEN {number} THEN '{name}'" for number, name in names.items())
    return f"CASE {code} {' '.join(whens)} END"


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
       {_kind_sql("symbols.kind")} AS kind,
       {_role_sql("symbols.kind")} AS role,
       {_visibility_sql("symbols.visibility")} AS visibility,
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
