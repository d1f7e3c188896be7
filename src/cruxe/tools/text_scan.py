"""The current texts of a ref that may match a pattern, ordered by path.

Files that are not in the index are always read, so that a search misses nothing: files of a working
tree that have changed, and texts that are not worth indexing, such as generated ones.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from cruxe.model.identity import BlobId
from cruxe.model.outcomes import Searched, TextSpec, UnsearchedReason
from cruxe.model.source import SkipReason
from cruxe.model.stored import TextVersion
from cruxe.query.retrieve.opened_ref import passes
from cruxe.query.retrieve.trigram_candidates import candidates
from cruxe.tools.ref_session import RefSession
from cruxe.workspace.classify import is_binary
from cruxe.workspace.decode import decode_text, is_plain_text
from cruxe.workspace.read import bytes_path, read_bytes

if TYPE_CHECKING:
    from cruxe.workspace.objects import BlobReader

# A larger text would have to be held in memory; none is written by people.
MAX_SEARCHED_BYTES: Final = 1 << 26
# Skipped for other reasons than what they hold, or for a failure that reading does not repeat.
# Secrets, ignored files and binaries are not searched.
_READ_UNINDEXED: Final = frozenset(
    {
        SkipReason.GENERATED,
        SkipReason.MINIFIED,
        SkipReason.TOO_LARGE,
        SkipReason.LFS_POINTER,
        SkipReason.PARSE_TIMEOUT,
        SkipReason.PARSER_CRASHED,
        SkipReason.UNREADABLE,
        SkipReason.VANISHED,
    }
)


# Secrets, not files: what stands beside them is searched.
_REDACTED: Final = "redacted"

_Candidate = tuple[str, TextVersion | None]  # without a version a file must be read


class ScannedText(NamedTuple):
    """A text in UTF-8, with line feeds at its line ends."""

    path: str
    text: bytes
    is_wanted: bool  # passes the filters on path and language
    may_have_secrets: bool  # False if indexing has found none


class BlankedText(NamedTuple):
    """A text for search, in which secrets are zeros, and the same text to show."""

    searched: bytes
    shown: bytes


class _UnreadFile(NamedTuple):
    """What filters can test of a file that is not indexed before it is read."""

    path: str


class _ReadFile(NamedTuple):
    """What filters can test of a file that is not indexed after it is read."""

    path: str
    text: bytes

    @property
    def language(self) -> str:
        """The language by path and content, detected only if a filter asks for it."""
        from cruxe.parse.languages import registry

        return registry().detect(self.path, self.text).name


class _Files(NamedTuple):
    """What a ref holds now."""

    indexed: frozenset[str] | None  # files that equal the index; None: all that it holds
    unindexed: frozenset[str]  # files to read whatever the index says
    changed: int  # how many of these the index should hold, and does not as they are
    total: int  # of all files that can be searched
    skipped: dict[str, int]  # the others, by reason


class Scan:
    """Reads one ref; keeps one git process for committed texts."""

    def __init__(self, session: RefSession, *, is_fresh: bool | None = None) -> None:
        """Find out which files have changed, unless the call knows; read no text yet."""
        self._session = session
        self._root = bytes_path(session.context.workspace.root, "")
        self._root_bytes = len(self._root) - 1
        self._opened = session.opened
        self._blobs: BlobReader | None = None
        self._real_folders: set[bytes] = set()
        self.is_fresh = session.is_fresh() if is_fresh is None else is_fresh
        is_changed = session.target.is_worktree and not self.is_fresh
        self._files = _changed_files(session) if is_changed else _known_files(session)
        self._lost: dict[str, str] = {}  # reasons, by path
        self._redacted = self._opened.snapshot.redacted_versions(self._opened.ref_id)
        self._newly_redacted: dict[str, int] = {}  # secrets in files that are not indexed, by path
        self._ahead = 0  # files not reached yet
        self._is_cut_short = False

    def __enter__(self) -> Self:
        """Return the scan; there is nothing to open."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the git process."""
        if self._blobs is not None:
            self._blobs.close()

    def texts(self, spec: TextSpec, *, only_wanted: bool) -> Iterator[ScannedText]:
        """Yield the texts that may match, by path; filtered-out ones only without `only_wanted`."""
        filters, read = spec.filters, self._read
        files = self._candidates(spec)
        self._ahead = len(files)
        for path, version in files:
            is_wanted = not filters or passes(filters, version or _UnreadFile(path))
            text = read(path, version) if is_wanted or not only_wanted else None
            if text is not None and is_wanted and version is None and filters:
                is_wanted = passes(filters, _ReadFile(path, text))
            if text is not None and (is_wanted or not only_wanted):
                yield ScannedText(
                    path=path,
                    text=text,
                    is_wanted=is_wanted,
                    may_have_secrets=version is None or version.version_key in self._redacted,
                )
            self._ahead -= 1

    def blanked(self, found: ScannedText) -> BlankedText:
        """Return a text without its secrets, which can neither be found nor shown."""
        from cruxe.safety.redaction import blank, redact

        security = self._session.settings.security
        blanked = blank(found.text, security)
        if not blanked.kinds:
            return BlankedText(found.text, found.text)
        if found.path in self._files.unindexed:
            self._newly_redacted[found.path] = len(blanked.kinds)
        return BlankedText(blanked.data, redact(found.text, security).data)

    def give_up(self, path: str, reason: UnsearchedReason) -> None:
        """Count a file as not searched."""
        self._lost[path] = reason

    def cut_short(self) -> None:
        """Count the file at hand and those behind it as not searched: the time is up."""
        self._is_cut_short = True

    def searched(self) -> Searched:
        """Return what the scan covered; complete only after the texts were read."""
        files, lost = self._files, Counter(self._lost.values())
        if self._is_cut_short:
            lost[UnsearchedReason.TIME_UP] += self._ahead
        secrets = sum(self._redacted.values()) + sum(self._newly_redacted.values())
        skipped = Counter(files.skipped) + lost + Counter({_REDACTED: secrets})
        return Searched(
            files=files.total - lost.total(),
            changed_files=files.changed,
            skipped=dict(sorted(skipped.items())),
        )

    def _candidates(self, spec: TextSpec) -> list[_Candidate]:
        """Return the paths in order, each with its version, or None if the file must be read."""
        indexed = candidates(spec, self._opened)
        kept, unindexed = self._files.indexed, self._files.unindexed
        found: list[_Candidate] = [
            (each.path, each) for each in indexed if kept is None or each.path in kept
        ]
        if not unindexed:
            return found  # by path already
        return sorted([*found, *((path, None) for path in unindexed)], key=lambda each: each[0])

    def _read(self, path: str, version: TextVersion | None) -> bytes | None:
        """Return the text of a file; count it as lost if it is unreadable or no longer text."""
        found = self._read_bytes(path, version)
        if not isinstance(found, SkipReason) and version is None and is_binary(found):
            found = SkipReason.BINARY
        if isinstance(found, SkipReason):
            self._lost[path] = found.value
            return None
        return found if is_plain_text(found) else decode_text(found).utf8

    def _read_bytes(self, path: str, version: TextVersion | None) -> bytes | SkipReason:
        if self._session.target.is_worktree:
            full_path = self._root + path.encode()
            return read_bytes(full_path, self._root_bytes, self._real_folders, MAX_SEARCHED_BYTES)
        blob_id = self._blob_ids.get(path) if version is None else BlobId(version.blob_id)
        return SkipReason.UNREADABLE if blob_id is None else self._read_blob(blob_id)

    def _read_blob(self, blob_id: BlobId) -> bytes | SkipReason:
        from cruxe.workspace.objects import BlobReader

        if self._blobs is None:
            self._blobs = BlobReader(self._session.context.workspace)
        return self._blobs.read(blob_id, MAX_SEARCHED_BYTES)

    @cached_property
    def _blob_ids(self) -> dict[str, BlobId]:
        """The blobs of the files of a commit that are not indexed."""
        from cruxe.workspace.objects import list_commit

        context, commit = self._session.context, self._session.target.ref.commit_id
        listed = list_commit(context.workspace, commit, context.rules) if commit else []
        unindexed = self._files.unindexed
        return {
            each.path: each.blob_id for each in listed if each.blob_id and each.path in unindexed
        }


def _known_files(session: RefSession) -> _Files:
    """Return what a ref holds if it equals the index."""
    snapshot, row = session.snapshot, session.snapshot.find_ref(session.target.ref.name)
    skips = snapshot.skipped_paths(session.opened.ref_id)
    return _files(skips, None, frozenset(), 0 if row is None else row.file_count)


def _changed_files(session: RefSession) -> _Files:
    """Return what a working tree holds if it differs from the index."""
    before = session.snapshot.read_map(session.opened.ref_id)
    found = session.freshness.find_changes(before, session.snapshot.generation)
    changed = frozenset(task.path for task in found.tasks)
    indexed = frozenset(path for path, file in found.kept.items() if file.skip_reason is None)
    skips = {path: file.skip_reason for path, file in found.kept.items() if file.skip_reason}
    return _files(skips, indexed, changed, len(indexed))


def _files(
    skips: Mapping[str, SkipReason],
    indexed: frozenset[str] | None,
    changed: frozenset[str],
    indexed_count: int,
) -> _Files:
    """Count the files that are skipped for good; the others are read."""
    read = {path for path, reason in skips.items() if reason in _READ_UNINDEXED}
    kept_out = Counter(reason.value for path, reason in skips.items() if path not in read)
    return _Files(
        indexed=indexed,
        unindexed=changed | read,
        changed=len(changed),
        total=indexed_count + len(changed) + len(read),
        skipped=dict(kept_out),
    )
