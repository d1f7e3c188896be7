"""Small stores made by hand: texts become records, records are published as refs.

Everything goes through the Protocols of `store/api.py`, so that it works on any backend.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Final, NamedTuple

from cruxe.embed.quantise import quantise_padded, query_vector_of
from cruxe.ingest.file_vectors import words_of_chunks
from cruxe.model.hits import OutlineRow, StoredSymbol
from cruxe.model.identity import BlobId, VersionKey, version_key_of
from cruxe.model.source import FileStat, ObjectFormat, SkipReason
from cruxe.model.stored import LexicalHit, RefFile, RefState, StoredVersion, Vectors
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.store.api import Snapshot, Store, StoreWriter
from cruxe.store.records import VersionRecord, build_documents, parsed_record, skipped_record
from cruxe.text.identifiers import terms_of_text
from cruxe.text.trigrams import literal_trigrams, packed_trigrams
from cruxe.workspace.objects import blob_id_of

ROOT: Final = "/srv/harbor"
WORKTREE: Final = RefState(
    name=f"worktree:{ROOT}", root=ROOT, branch="main", commit_id="a" * 40, settings="settings"
)
BRANCH: Final = RefState(
    name="refs/heads/side", root=None, branch=None, commit_id="b" * 40, settings="settings"
)
DIMENSIONS: Final = 64
_MAX_NODES: Final = 100_000
_MANY: Final = 1_000
_RULES: Final = "rules"

Texts = Mapping[str, str]  # by path


def blob_id_for(text: str) -> BlobId:
    """Git's name for a text."""
    return blob_id_of(text.encode(), ObjectFormat.SHA1)


def key_of(path: str, text: str) -> VersionKey:
    """The key of a path with a text."""
    return version_key_of(path, blob_id_for(text), _RULES)


def make_record(
    path: str, text: str, direction: Sequence[float] | None = None, *, is_large: bool = False
) -> VersionRecord:
    """The record of a text; with a direction, all of its chunks have that vector.

    `is_large` is a verdict on the content: such a version has nothing else.
    """
    key, blob_id, data = key_of(path, text), blob_id_for(text), text.encode()
    if is_large:
        return skipped_record(key, path, blob_id, len(data), SkipReason.TOO_LARGE)
    source = SourceText(path, data)
    language = registry().detect(path, data)
    parsed = parse_source(source, language, _MAX_NODES)
    record = parsed_record(key, path, blob_id, len(data), parsed)
    words = words_of_chunks(source, parsed, language.rules.searchable(source), None)
    return record._replace(
        documents=build_documents(record, parsed, language.mode, words.terms),
        trigrams=packed_trigrams(data),
        vectors=None if direction is None else vectors_of(len(parsed.chunks), direction),
    )


def vectors_of(chunk_count: int, direction: Sequence[float]) -> Vectors:
    """One vector for each chunk, and one of zeros for the docs."""
    return quantise_padded([[*direction]] * chunk_count + [[0.0]], DIMENSIONS)


def query_of(direction: Sequence[float]) -> list[int]:
    """The vector of a question in a direction."""
    return query_vector_of(direction, DIMENSIONS)


def file_of(path: str, text: str, *, has_stamps: bool = True) -> RefFile:
    """The row of an indexed file; stamps are derived from its text."""
    stat = FileStat(len(text), 10 + len(path), 20, 30) if has_stamps else None
    return RefFile(key_of(path, text), None, stat)


def map_of(texts: Texts, ref: RefState = WORKTREE) -> dict[str, RefFile]:
    """The map of a ref that holds some texts."""
    has_stamps = ref.root is not None
    return {path: file_of(path, text, has_stamps=has_stamps) for path, text in texts.items()}


def add_all(writer: StoreWriter, texts: Texts) -> None:
    """Add the versions of some texts that the store does not have."""
    for path, text in texts.items():
        if key_of(path, text) not in writer.versions:
            writer.add(make_record(path, text))


def publish(store: Store, texts: Texts, ref: RefState = WORKTREE) -> int:
    """Publish a ref that holds some texts; return the generation."""
    with store.writer_lock(0), closing(store.open_writer()) as writer:
        add_all(writer, texts)
        return writer.publish(ref, map_of(texts, ref))


def ref_id_of(snapshot: Snapshot, ref: RefState = WORKTREE) -> int:
    """The number of a published ref."""
    row = snapshot.find_ref(ref.name)
    assert row is not None
    return row.ref_id


class RefContent(NamedTuple):
    """What a ref shows, whatever store it is in."""

    state: RefState
    files: dict[str, RefFile]
    symbols: dict[VersionKey, list[StoredSymbol]]
    outlines: dict[str, list[OutlineRow]]
    versions: list[StoredVersion]
    hits: dict[str, list[LexicalHit]]  # by word
    literals: dict[str, list[str]]  # the paths of the versions that may hold a literal


def content_of(snapshot: Snapshot, words: Sequence[str]) -> dict[str, RefContent]:
    """All that the refs of a snapshot show, asked for with some words."""
    return {row.name: _ref_content(snapshot, row.ref_id, words) for row in snapshot.list_refs()}


def read_content(store: Store, words: Sequence[str]) -> dict[str, RefContent]:
    """The same of what is published now."""
    with store.snapshot() as snapshot:
        return content_of(snapshot, words)


def _ref_content(snapshot: Snapshot, ref_id: int, words: Sequence[str]) -> RefContent:
    row = next(each for each in snapshot.list_refs() if each.ref_id == ref_id)
    live, lexical = snapshot.live_keys(ref_id), snapshot.lexical_opener()()
    files = snapshot.read_map(ref_id)
    outlines = {path: snapshot.outline_rows(ref_id, path, top_only=False) for path in files}
    return RefContent(
        state=RefState(row.name, row.root, row.branch, row.commit_id, row.settings),
        files=files,
        symbols=dict(snapshot.symbols_of(sorted(live))),
        outlines=outlines,
        versions=snapshot.versions(live),
        hits={
            word: lexical.search("text", terms_for(word), _MANY, live.__contains__)
            for word in words
        },
        literals={word: may_hold(snapshot, ref_id, word) for word in words},
    )


def terms_for(text: str) -> list[tuple[str, float]]:
    """The terms of some words, all of the same weight."""
    return [(term, 1.0) for term in terms_of_text(text).split()]


def may_hold(snapshot: Snapshot, ref_id: int, *literals: str) -> list[str]:
    """The paths of a ref whose texts may hold one of some literals, by their trigrams."""
    found = snapshot.versions_with_trigrams([literal_trigrams(each, 48) for each in literals])
    return [each.path for each in snapshot.text_versions(found & snapshot.live_keys(ref_id))]
