"""Ranks files for a pasted text: by what each of its parts finds, and by what it names.

The title, the whole text, the names, the code and the error are asked like questions of their own.
Their rankings and the evidence of `retrieve/pasted_evidence.py` are signals of one table.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.answering import answering_symbols
from cruxe.query.rank.policy import (
    PASTED_FILES,
    PASTED_LEADING_FILES,
    PASTED_RANK_SCALE,
    PASTED_WEIGHTS,
)
from cruxe.query.rank.ranking import FoundFiles, Ranking, find_files
from cruxe.query.rank.regions import RankedRegions
from cruxe.query.rank.scoring import Budgets, FileScores
from cruxe.query.rank.signals import (
    Mentions,
    PastedScales,
    Scales,
    Signal,
    SignalTable,
    SignalValues,
    measure_scales,
    values_of,
)
from cruxe.query.retrieve.dense import LEXICAL_ONLY, SemanticPlan
from cruxe.query.retrieve.evidence import Candidates, Values, admitted, filtered
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.pasted_evidence import PastedEvidence
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.text.identifiers import words_of
from cruxe.text.paths import folders_of, telling_name

_MOST_MENTIONS: Final = 3


class PastedQuery(NamedTuple):
    """A pasted text, ready to be searched for."""

    whole: QueryAnalysis
    parts: Mapping[str, QueryAnalysis]  # title, names, code, error: those that say something
    evidence: PastedEvidence
    plan: SemanticPlan  # of the title


def search_pasted(
    query: PastedQuery, spec: SearchSpec, opened: OpenedRef, budgets: Budgets
) -> Ranking:
    """Rank all candidates of a pasted text; limit and offset play no part."""
    found = find_pasted(query, spec, opened, budgets)
    if not spec.filters.on_symbols:
        found = _with_answering(found, query, opened, budgets)
    return Ranking(RankedRegions(found.files, found.scales, budgets), opened, found, budgets)


def _with_answering(
    found: FoundFiles, query: PastedQuery, opened: OpenedRef, budgets: Budgets
) -> FoundFiles:
    """Add the definitions of the leading files that the text is about."""
    pasted = found.scales.pasted
    if pasted is None:
        return found
    estimates = FileScores(found.files, found.scales, budgets).estimates()
    leading = found.files.best_first(estimates, 0.0, estimates)[:PASTED_LEADING_FILES]
    keys = [found.files.keys[index] for index in leading]
    answering = answering_symbols(query.whole, keys, opened, pasted.body)
    scales = found.scales._replace(pasted=pasted._replace(answering=answering))
    return found._replace(scales=scales)


def find_pasted(
    query: PastedQuery, spec: SearchSpec, opened: OpenedRef, budgets: Budgets
) -> FoundFiles:
    """Ask for each part, and join what is found."""
    text = find_files(query.whole, spec, opened, budgets, LEXICAL_ONLY)
    lists = {"text": text}
    for name, part in query.parts.items():
        plan = query.plan if name == "title" else LEXICAL_ONLY
        lists[name] = find_files(part, spec, opened, budgets, plan)
    ranks = {name: _ranks(found, budgets) for name, found in lists.items()}
    files = _joined(lists, ranks, query.evidence, spec, opened)
    files = filtered(files, spec, opened.snapshot)
    title = query.parts.get("title", query.whole)
    scales = measure_scales(title, files)._replace(
        table=PASTED_TABLE,
        most=PASTED_TABLE.most,
        pasted=PastedScales(
            ranks=ranks,
            evidence=query.evidence,
            body=Mentions(query.whole.weights),
            words=Counter(words_of(query.whole.raw.lower().encode("utf-8", "replace"))),
        ),
    )
    semantics = lists.get("title", text).semantics
    return FoundFiles(files, scales, semantics)


def _ranks(found: FoundFiles, budgets: Budgets) -> dict[VersionKey, float]:
    """The value of the best files of a ranking: half by rank, half by score."""
    estimates = FileScores(found.files, found.scales, budgets).estimates()
    best = found.files.best_first(estimates, 0.0, estimates)[:PASTED_FILES]
    top = estimates[best[0]] if best else 0.0
    return {
        found.files.keys[index]: (
            PASTED_RANK_SCALE / (PASTED_RANK_SCALE + rank) + estimates[index] / top
        )
        / 2
        for rank, index in enumerate(best)
    }


def _joined(
    lists: Mapping[str, FoundFiles],
    ranks: Mapping[str, Mapping[VersionKey, float]],
    found: PastedEvidence,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """The files of all rankings, with the chunks that the whole text or else a part found."""
    sources = (*ranks.values(), found.definitions, found.literals, found.paths, found.frames)
    keys = dict.fromkeys(key for source in sources for key in source)
    chunks = {
        key: rows
        for each in reversed([*lists.values()])
        for key, rows in each.files.evidence.chunks.items()
    }
    evidence = lists["text"].files.evidence._replace(chunks=chunks, definitions={}, path_matches={})
    files = Candidates(*admitted(keys, spec, opened), evidence)
    files.near_keys = lists.get("title", lists["text"]).files.near_keys
    return files


def _rank_signal(part: str) -> SignalValues:
    def values(files: Candidates, scales: Scales) -> Values:
        found = None if scales.pasted is None else scales.pasted.ranks.get(part)
        return values_of(files, found) if found else ()

    return values


def _evidence_signal(name: str) -> SignalValues:
    def values(files: Candidates, scales: Scales) -> Values:
        found = None if scales.pasted is None else getattr(scales.pasted.evidence, name)
        return values_of(files, found) if found else ()

    return values


def _literal_match(files: Candidates, scales: Scales) -> Values:
    if scales.pasted is None or not scales.pasted.evidence.literals:
        return ()
    places = scales.pasted.evidence.literals
    return values_of(files, {key: place.value for key, place in places.items()})


def _stem_in_text(files: Candidates, scales: Scales) -> Values:
    """How often the text has a file's whole name as a word, shared by the files of that name."""
    if scales.pasted is None:
        return ()
    words, shared = scales.pasted.words, Counter(telling_name(each.path) for each in files.facts)
    values: list[float] = []
    for each in files.facts:
        name = telling_name(each.path)
        count = min(_MOST_MENTIONS, words.get(name.lower(), 0))
        values.append(count / _MOST_MENTIONS / shared[name])
    return values


def _folder_in_title(files: Candidates, scales: Scales) -> Values:
    """A folder of the file is called like a word of the title."""
    weights = scales.analysis.weights
    return [
        float(any(folder.lower() in weights for folder in folders_of(each.path)))
        for each in files.facts
    ]


def _recent_change(files: Candidates, scales: Scales) -> Values:
    """How recently and often commits changed the file."""
    if scales.pasted is None or not scales.pasted.evidence.recent:
        return ()
    recent = scales.pasted.evidence.recent
    return [recent.get(each.path, 0.0) for each in files.facts]


_VALUES: Final[Mapping[str, SignalValues]] = {
    **{
        f"{part}_rank": _rank_signal(part)
        for part in ("title", "text", "terms", "names", "code", "error")
    },
    "named_definitions": _evidence_signal("definitions"),
    "literal_match": _literal_match,
    "path_match": _evidence_signal("paths"),
    "frame_match": _evidence_signal("frames"),
    "stem_in_text": _stem_in_text,
    "folder_in_title": _folder_in_title,
    "recent_change": _recent_change,
}
PASTED_TABLE: Final = SignalTable(
    tuple(
        Signal(name=name, weight=weight, values=_VALUES[name])
        for name, weight in PASTED_WEIGHTS.items()
    )
)
