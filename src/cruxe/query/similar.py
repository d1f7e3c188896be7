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
    added = {key: FileEvidence(key) for _, key in sorted(near)[:_FILES]}
    _place_chunks(added, similarities, opened.snapshot)
    return admitted(list(added.values()), analysis, spec, opened)


def _place_chunks(
    added: dict[VersionKey, FileEvidence], similarities: Similarities, snapshot: Snapshot
) -> None:
    """Look up where the nearest chunks stand; no words speak for them."""
    for version in snapshot.versions(added):
        key = version.version_key
        nearest = similarities.files[key].chunks[:CHUNKS_PER_FILE]
        places = zip(nearest, version.chunks_at(nearest), strict=True)
        added[key].chunks += [LexicalHit(0.0, key, chunk, *lines) for chunk, (*lines, _) in places]
