"""Read the text behind results and check whether it changed since it was indexed.

A changed file of a working tree is parsed again during the request, so that an answer never shows
lines that are no longer there.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from cruxe.config.settings import SecuritySettings
from cruxe.model.clock_cache import ClockCache
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.identity import BlobId, VersionKey, version_key_of
from cruxe.model.source import FileStat, SkipReason
from cruxe.model.specs import ResponseSpec
from cruxe.model.stored import Neighbours
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.verify import FileText
from cruxe.safety.redaction import redact
from cruxe.text.lines import LinedText
from cruxe.workspace.context import RepositoryContext, Target
from cruxe.workspace.decode import DecodedText, decode_text
from cruxe.workspace.read import read_bytes, read_file, stamps_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cruxe.config.settings import SecuritySettings
    from cruxe.model.symbols import ParsedFile
    from cruxe.query.select.verify import Verified
    from cruxe.store.api import Snapshot
    from cruxe.workspace.objects import BlobReader

# A few hundred files.
_KEPT_BYTES: Final = 8_000_000
# Of what replaces a secret: a literal with it may hold where the file itself does not.
_PLACEHOLDER_WORD: Final = "REDACTED"
# As many files as one page of results needs.
_MOST_UNFOLDED: Final = 20


class TextReader:
    """Reads the texts of one ref; keeps one git process for committed ones."""

    def __init__(self, context: RepositoryContext, target: Target, opened: OpenedRef) -> None:
        """Read nothing yet. Callers use `RefSession.texts`."""
        self._context = context
        self._target = target
        self._snapshot = opened.snapshot
        self._ref_id = opened.ref_id
        self._below_root = os.fsencode(context.workspace.root) + b"/"
        self._redacted: dict[VersionKey, int] | None = None  # versions with secrets
        self._rules = _rules_known.setdefault(context.settings.security, next(_rule_numbers))
        self._blobs: BlobReader | None = None
        self._stats: dict[str, FileStat | None] = {}  # as indexed; working tree only
        self._unchanged: set[str] = set()  # paths whose stamps equal the indexed ones
        self._blob_ids: dict[VersionKey, BlobId] = {}  # commits only
        self._texts: dict[VersionKey, FileText | None] = {}
        self._real_folders: set[bytes] = set()

    def __enter__(self) -> Self:
        """Fold the texts of earlier requests; a one-shot command never pays for folding."""
        _fold_all_but(0)
        return self

    def __exit__(self, *_: object) -> None:
        """End the git process."""
        if self._blobs is not None:
            self._blobs.close()

    def expect(self, files: Iterable[tuple[VersionKey, str]]) -> None:
        """Look up in one batch what reading these files will need."""
        if self._target.is_worktree:
            self._look_up_stats(path for _, path in files)
            return
        unread = [key for key, _ in files if not self._is_known(key)]
        self._blob_ids |= self._snapshot.blob_ids(unread) if unread else {}

    def _look_up_stats(self, paths: Iterable[str]) -> None:
        unknown = [path for path in paths if path not in self._stats]
        if not unknown:
            return
        rows = self._snapshot.read_rows(self._ref_id, unknown)
        self._stats |= {path: rows[path].stat if path in rows else None for path in unknown}
        full_paths = [self._below_root + path.encode() for path in unknown]
        present = stamps_at(full_paths, len(self._below_root) - 1, self._real_folders)
        # Stamps that could not be trusted at indexing compare unequal to all others.
        self._unchanged.update(
            path
            for path, stamps in zip(unknown, present, strict=True)
            if stamps is not None and stamps == self._stats[path]
        )

    def _is_known(self, key: VersionKey) -> bool:
        has_text = key in self._texts or _kept_texts.get((key, self._rules)) is not None
        return has_text or key in self._blob_ids

    def read(self, version_key: VersionKey, path: str) -> FileText | None:
        """Return the current text of an indexed file, or None if it cannot be read any more."""
        text = self._texts.get(version_key)
        if text is None and version_key not in self._texts:
            text = self._kept(version_key, path) or self._read(version_key, path)
            self._texts[version_key] = text
        return text

    def read_holding(
        self, literal: str, files: "Sequence[tuple[VersionKey, str]]"
    ) -> Iterator[tuple[VersionKey, FileText]]:
        """Yield the texts that hold a literal; of the other files only the bytes are read."""
        if not self._target.is_worktree:
            self.expect(files)
        likely = [(key, path) for key, path in files if self._may_hold(literal, key, path)]
        self.expect(likely)
        for key, path in likely:
            text = self.read(key, path)
            if text is not None and literal in text.whole:
                yield key, text

    def _may_hold(self, literal: str, version_key: VersionKey, path: str) -> bool:
        """Whether a file may hold a literal: it does before redaction, or its text is kept."""
        is_kept = _kept_texts.get((version_key, self._rules)) is not None
        if is_kept or version_key in self._texts or _PLACEHOLDER_WORD in literal:
            return True
        data = self._bytes_of(version_key, path)
        return not isinstance(data, SkipReason) and literal in decode_text(data).text

    def _bytes_of(self, version_key: VersionKey, path: str) -> bytes | SkipReason:
        """Return the bytes of a file as they are now; whether it was changed is not looked at."""
        limit = self._context.settings.index.max_file_size
        if self._target.is_worktree:
            full_path = self._below_root + path.encode()
            return read_bytes(full_path, len(self._below_root) - 1, self._real_folders, limit)
        return self._read_blob(self._blob_ids[version_key], limit)

    def recent_changes(self) -> Mapping[str, float]:
        """Return how much the last commits of the ref changed each path, from 0 to 1."""
        commit = self._target.ref.commit_id
        if commit is None:
            return {}
        from cruxe.workspace.history import recent_changes

        return recent_changes(self._context.workspace, commit)

    def _kept(self, version_key: VersionKey, path: str) -> FileText | None:
        """Return a cached text if the stamps prove that the file is unchanged."""
        kept = _kept_texts.get((version_key, self._rules))
        if kept is None:
            return None
        if self._target.is_worktree:
            self._look_up_stats([path])
            if path not in self._unchanged:
                return None
        return FileText(path, kept, None)

    def _read(self, version_key: VersionKey, path: str) -> FileText | None:
        limit = self._context.settings.index.max_file_size
        if not self._target.is_worktree:
            self.expect([(version_key, path)])
            blob = self._bytes_of(version_key, path)
            return None if isinstance(blob, SkipReason) else self._text(version_key, path, blob)
        found = read_file(self._context.workspace.root, path, limit, self._real_folders)
        if isinstance(found, SkipReason):
            return None
        self._look_up_stats([path])
        if found.stat == self._stats[path] or self._key(path, found.data) == version_key:
            return self._text(version_key, path, found.data)
        return self._changed(path, found.data)

    def _read_blob(self, blob_id: BlobId, limit: int) -> bytes | SkipReason:
        from cruxe.workspace.objects import BlobReader

        if self._blobs is None:
            self._blobs = BlobReader(self._context.workspace)
        return self._blobs.read(blob_id, limit)

    def _key(self, path: str, data: bytes) -> VersionKey:
        from cruxe.workspace.objects import blob_id_of

        blob_id = blob_id_of(data, self._context.workspace.object_format)
        return version_key_of(path, blob_id, self._context.extraction_digest)

    def _changed(self, path: str, data: bytes) -> FileText:
        from cruxe.parse.extract import parse_source
        from cruxe.parse.languages import registry
        from cruxe.parse.source_text import SourceText

        utf8 = redact(decode_text(data).utf8, self._context.settings.security).data
        source = SourceText(path, utf8)
        language = registry().detect(path, source.data)
        max_nodes = self._context.settings.index.max_nodes
        content = LinedText(utf8.decode())
        return FileText(path, content, parse_source(source, language, max_nodes))

    def _text(self, version_key: VersionKey, path: str, data: bytes) -> FileText:
        content = LinedText(self._without_secrets(version_key, decode_text(data)))
        _kept_texts.put((version_key, self._rules), content, content.size_bytes)
        _unfolded.append(content)
        _fold_all_but(_MOST_UNFOLDED)
        return FileText(path, content, None)

    def _without_secrets(self, version_key: VersionKey, decoded: DecodedText) -> str:
        """Return the text of an indexed version; whether it has secrets was found at indexing."""
        if self._redacted is None:
            self._redacted = self._snapshot.redacted_versions(self._ref_id)
        if version_key not in self._redacted:
            return decoded.text
        return redact(decoded.utf8, self._context.settings.security).data.decode()


# Keyed by version and by the number of the security settings that redacted the text.
_kept_texts: Final[ClockCache[tuple[VersionKey, int], LinedText]] = ClockCache(_KEPT_BYTES)
_rules_known: Final[dict["SecuritySettings", int]] = {}
_rule_numbers: Final = count()
_unfolded: Final[list[LinedText]] = []


def _fold_all_but(count: int) -> None:
    with suppress(IndexError):  # another thread folds them too
        while len(_unfolded) > count:
            _unfolded.pop(0).fold()


_RELATED: Final = 5
_MOST_DOC_LINES: Final = 40
_COMMENT_MARKS: Final = " \t/*#-!;%<>|{}'\""


class ShownHit(NamedTuple):
    """A hit with the lines and neighbours that the answer shows."""

    hit: SearchHit
    above: list[str]  # the doc comment directly above its lines
    lines: list[str]
    neighbours: Neighbours
    also_at: tuple[str, ...] = ()


def show(
    hits: "Sequence[Verified]",
    snapshot: "Snapshot",
    response: ResponseSpec,
) -> list[ShownHit]:
    """Look up the lines of each hit, and its neighbours if the response shows context."""
    around = [Neighbours()] * len(hits)
    if response.has_context:
        around = _neighbours(hits, snapshot)
    return [
        ShownHit(
            hit,
            above=_doc_comment(hit.symbol, text),
            lines=text.content.between(hit.line_start, hit.line_end),
            neighbours=neighbours,
        )
        for (hit, text), neighbours in zip(hits, around, strict=True)
    ]


def _doc_comment(symbol: StoredSymbol | None, text: FileText) -> list[str]:
    """Return the lines above a definition that are in its doc, but for comment marks."""
    if symbol is None or not symbol.doc:
        return []
    least = max(1, symbol.line_start - _MOST_DOC_LINES)
    above = text.between(least, symbol.line_start - 1)
    others = (number for number, line in enumerate(reversed(above)) if not _says(line, symbol.doc))
    return above[len(above) - next(others, len(above)) :]


def _says(line: str, doc: str) -> bool:
    """Whether a line that is not blank says a part of a doc, or nothing but marks."""
    return bool(line.strip()) and line.strip(_COMMENT_MARKS) in doc


def _neighbours(hits: "Sequence[Verified]", snapshot: "Snapshot") -> list[Neighbours]:
    """Return the neighbours of each hit; a chunk without a name has a parent at most."""
    found = [Neighbours(None if hit.symbol else hit.around) for hit, _ in hits]
    symbols = [(index, hit.symbol, text.changed) for index, (hit, text) in enumerate(hits)]
    same = {index: each for index, each, parsed in symbols if each and parsed is None}
    stored = snapshot.neighbours([*same.values()], _RELATED) if same else []
    for index, around in zip(same, stored, strict=True):
        found[index] = around
    changed = [(index, each, parsed) for index, each, parsed in symbols if each and parsed]
    keys = dict.fromkeys(each.version_key for _, each, _ in changed)
    indexed = dict(snapshot.symbols_of(keys)) if changed else {}
    for index, symbol, parsed in changed:
        found[index] = _present_neighbours(symbol, parsed, indexed[symbol.version_key])
    return found


def _present_neighbours(
    symbol: StoredSymbol, parsed: "ParsedFile", stored: list[StoredSymbol]
) -> Neighbours:
    """Return the neighbours of a definition in a file that changed since it was indexed."""
    from cruxe.query.select.reparsed import present_symbols, siblings_of

    symbols = present_symbols(symbol.version_key, symbol.path, parsed, stored)
    here = next(each for each in symbols if each.stable_id == symbol.stable_id)
    parent = None if here.parent is None else symbols[here.parent]
    return Neighbours(parent, tuple(siblings_of(here, symbols)[:_RELATED]))
