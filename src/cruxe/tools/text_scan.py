"""The current texts of a ref that may match a pattern, ordered by path.

Files of a working tree may differ from the index. Those are always read, whatever the index says
about them, so that a search misses nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from cruxe.model.identity import BlobId
from cruxe.model.outcomes import Searched, TextSpec
from cruxe.model.source import SkipReason
from cruxe.model.stored import TextVersion
from cruxe.query.retrieve.opened_ref import passes
from cruxe.query.retrieve.trigram_candidates import candidates
from cruxe.tools.ref_session import RefSession
from cruxe.workspace.context import Target
from cruxe.workspace.decode import decode_text
from cruxe.workspace.objects import BlobReader
from cruxe.workspace.read import read_file


class ScannedText(NamedTuple):
    """A text in UTF-8, with line feeds at its line ends."""

    path: str
    text: bytes
    is_wanted: bool  # passes the filters on path and language


class _ChangedFile(NamedTuple):
    """What filters can test of a changed file before it is read."""

    path: str


class _ReadFile(NamedTuple):
    """What filters can test of a changed file after it is read."""

    path: str
    text: bytes

    @property
    def language(self) -> str:
        """The language by path and content, detected only if a filter asks for it."""
        from cruxe.parse.languages import registry

        return registry().detect(self.path, self.text).name


class _Changes(NamedTuple):
    """How a working tree differs from the index."""

    changed: frozenset[str]  # files to read whatever the index says
    kept: frozenset[str]  # files that equal the index
    files: int
    skipped: dict[str, int]


class Scan:
    """Reads one ref; keeps one git process for committed texts."""

    def __init__(self, session: RefSession) -> None:
        """Find out which files have changed; read no text yet."""
        target = session.target
        self._context = session.context
        self._opened = session.opened
        self._is_worktree = target.is_worktree
        self._blobs = BlobReader(session.context.workspace)
        self.is_fresh = session.is_fresh()
        self._changes: _Changes | None = None
        if target.is_worktree and not self.is_fresh:
            self._changes = _find_changes(session)
        self._lost: Counter[str] = Counter()
        self._file_count = self._count_files(target)

    def __enter__(self) -> Self:
        """Return the scan; there is nothing to open."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the git process."""
        self._blobs.close()

    def texts(self, spec: TextSpec, *, only_wanted: bool) -> Iterator[ScannedText]:
        """Yield the texts that may match, by path; filtered-out ones only without `only_wanted`."""
        filters = spec.filters
        for path, version in self._files(spec):
            is_wanted = passes(filters, _ChangedFile(path) if version is None else version)
            if only_wanted and not is_wanted:
                continue
            text = self._read(path, version)
            if text is None:
                continue
            if is_wanted and version is None:
                is_wanted = passes(filters, _ReadFile(path, text))
            if is_wanted or not only_wanted:
                yield ScannedText(path, text, is_wanted)

    def searched(self) -> Searched:
        """Return what the scan covered; complete only after the texts were read."""
        changes = self._changes
        known = self._opened.snapshot.skip_counts(self._opened.ref_id)
        skipped = Counter(known if changes is None else changes.skipped) + self._lost
        return Searched(
            files=self._file_count - self._lost.total(),
            changed_files=0 if changes is None else len(changes.changed),
            skipped=dict(sorted(skipped.items())),
        )

    def _count_files(self, target: Target) -> int:
        if self._changes is not None:
            return self._changes.files
        row = self._opened.snapshot.find_ref(target.ref.name)
        return 0 if row is None else row.file_count

    def _files(self, spec: TextSpec) -> Iterable[tuple[str, TextVersion | None]]:
        """Return the paths in order, each with its version, or None if the file must be read."""
        indexed = candidates(spec, self._opened)
        if self._changes is None:
            return [(version.path, version) for version in indexed]
        kept = self._changes.kept
        files: dict[str, TextVersion | None] = dict.fromkeys(self._changes.changed)
        files.update((version.path, version) for version in indexed if version.path in kept)
        return sorted(files.items(), key=lambda each: each[0])

    def _read(self, path: str, version: TextVersion | None) -> bytes | None:
        """Return the text of a file; count it as lost if it is unreadable or no longer text."""
        found = self._read_bytes(path, version)
        if not isinstance(found, SkipReason) and version is None:
            from cruxe.workspace.classify import classify_content

            include_generated = self._context.rules.include_generated
            found = classify_content(path, found, include_generated=include_generated) or found
        if isinstance(found, SkipReason):
            self._lost[found.value] += 1
            return None
        return decode_text(found).utf8

    def _read_bytes(self, path: str, version: TextVersion | None) -> bytes | SkipReason:
        limit = self._context.settings.index.max_file_size
        if not self._is_worktree and version is not None:
            return self._blobs.read(BlobId(version.blob_id), limit)
        found = read_file(self._context.workspace.root, path, limit)
        return found if isinstance(found, SkipReason) else found.data


def _find_changes(session: RefSession) -> _Changes:
    snapshot = session.snapshot
    before = snapshot.read_map(session.opened.ref_id)
    found = session.freshness.find_changes(before, snapshot.generation)
    changed = frozenset(task.path for task in found.tasks)
    indexed = [path for path, file in found.kept.items() if file.skip_reason is None]
    skips = Counter(file.skip_reason.value for file in found.kept.values() if file.skip_reason)
    return _Changes(
        changed=changed,
        kept=frozenset(indexed),
        files=len(indexed) + len(changed),
        skipped=dict(skips),
    )
