"""Candidates that only their meaning speaks for, beside those that words found."""

from collections.abc import Callable, Container
from typing import Final

from cruxe.index.lexical_reader import LexicalHit
from cruxe.index.snapshot import Snapshot
from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.dense import Similarities
from cruxe.query.evidence import CHUNKS_PER_FILE, FileEvidence, admitted, liveness
from cruxe.query.opened import OpenedRef

# Of the dev queries' targets that words miss, all are among these.
_FILES: Final = 40


def similar_liveness(spec: SearchSpec, opened: OpenedRef) -> Callable[[VersionKey], bool] | None:
    """Whether a version passes the filters, before any is ranked; nothing where all do."""
    if spec.language is None and spec.path is None:
        return None
    is_live = liveness(spec, opened)
    if spec.language is None:
        return is_live
    of_language = opened.snapshot.versions_of_language(spec.language)
    return lambda key: key in of_language and is_live(key)


def similar_files(
    similarities: Similarities,
    known: Container[VersionKey],
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> list[FileEvidence]:
    """The nearest files that no other channel found.

    Where a query says what hits must hold, there are none: vectors cannot vouch for a word.
    """
    if analysis.expression is not None:
        return []
    near = [(-each.top, key) for key, each in similarities.files.items() if key not in known]
    added: list[FileEvidence] = [
        SimilarFile(key, similarities.files[key].chunks[:CHUNKS_PER_FILE], opened.snapshot)
        for _, key in sorted(near)[:_FILES]
    ]
    return admitted(added, analysis, spec, opened)


class SimilarFile(FileEvidence):
    """A file that no words speak for; the lines of its chunks are looked up once someone asks."""

    def __init__(self, version_key: VersionKey, chunks: list[int], snapshot: Snapshot) -> None:
        """Take its nearest chunks."""
        super().__init__(version_key)
        self.chunks = [LexicalHit(0.0, version_key, chunk, 0, 0) for chunk in chunks]
        self._snapshot = snapshot
        self._lines: dict[int, tuple[int, int]] = {}

    def lines_of(self, hit: LexicalHit) -> tuple[int, int]:
        """Where one of its chunks stands."""
        if not self._lines:
            chunks = [each.chunk for each in self.chunks]
            for version in self._snapshot.versions([self.version_key]):
                found = zip(chunks, version.chunks_at(chunks), strict=True)
                self._lines = {chunk: (start, end) for chunk, (start, end, _) in found}
        return self._lines[hit.chunk]
