"""Puts the places first where the literals of a question stand in code."""

from typing import TYPE_CHECKING, Final

from cruxe.model.hits import Provenance
from cruxe.model.intent import QueryIntent
from cruxe.query.rank.policy import LITERAL_SHARE
from cruxe.query.rank.ranking import Ranking
from cruxe.query.rank.regions import Region
from cruxe.query.rank.scoring import changed, kept_share
from cruxe.query.retrieve.literals import LiteralPlace, LiteralSearch
from cruxe.query.retrieve.opened_ref import passes
from cruxe.query.select.pasted_query import Asked
from cruxe.query.understand.analysis import MAX_QUERY_CHARACTERS, is_statement
from cruxe.query.understand.pasted_text import keys_in, marked_literals
from cruxe.query.understand.traces import find_errors

if TYPE_CHECKING:
    from cruxe.model.identity import VersionKey
    from cruxe.query.retrieve.literals import Places
    from cruxe.query.retrieve.opened_ref import FileFacts
    from cruxe.query.select.verify import TextSource

# The best regions, whose files are looked at even if many may hold a literal.
_LIKELY_REGIONS: Final = 60


def with_literals(question: Asked, ranking: Ranking, texts: "TextSource") -> Ranking:
    """Return the ranking with the places of literals, scored by how much each literal tells."""
    if question.spec.filters.on_symbols:  # a line is no definition
        return ranking
    places = _places(question, ranking, texts)
    if not places:
        return ranking
    keys = [*places]
    facts = question.opened.file_facts.look_up(keys, question.opened.snapshot)
    present = ranking.regions_of_files(places.keys())
    known = {(each.version_key, each.chunk): each for each in reversed(present)}
    best = {each.version_key: each for each in reversed(present)}
    added: list[Region] = []
    for key, each in zip(keys, facts, strict=True):
        if each is not None and passes(question.spec.filters.on_files, each):
            chunk, first, last = _chunk_at(question, key, places[key].line)
            base = known.get((key, chunk)) or best.get(key)
            region = _new_region(key, each, (chunk, first, last), base)
            added.append(_raised(question, region, places[key], each, ranking))
    chunks = {(each.version_key, each.chunk) for each in added}
    replaced = [each for each in present if (each.version_key, each.chunk) in chunks]
    return ranking.with_added(added, replaced)


def _places(question: Asked, ranking: Ranking, texts: "TextSource") -> "Places":
    query = question.spec.query.strip()[:MAX_QUERY_CHARACTERS]
    messages = [error.message for error in find_errors(query)]
    if question.reading.intent is QueryIntent.ERROR:
        messages.append(query)
    literals, keys = [*marked_literals(query)], keys_in(query)
    if is_statement(query) or query in keys:
        literals.append(query)
    search = LiteralSearch(question.opened, texts, lambda: _likely_files(ranking))
    places = search.find_literals(literals)
    # In a sentence `human-readable` is a word: it is a key only where it is a whole string.
    others = {**search.find_whole_strings(keys), **search.find_messages(messages)}
    for key, place in others.items():
        if key not in places or places[key].value < place.value:
            places[key] = place
    return places


def _likely_files(ranking: Ranking) -> set["VersionKey"]:
    return {each.version_key for each in ranking.regions[:_LIKELY_REGIONS]}


def _chunk_at(question: Asked, key: "VersionKey", line: int) -> tuple[int, int, int]:
    """The chunk that has a line: its ordinal, first and last line."""
    opened = question.opened
    version = opened.chunks.look_up_versions([key], opened.snapshot)[key]
    ordinal = version.chunk_holding(line)
    first, last, _ = version.chunk(ordinal)
    return ordinal, first, last


def _new_region(
    key: "VersionKey",
    facts: "FileFacts",
    chunk: tuple[int, int, int],
    base: Region | None,
) -> Region:
    ordinal, first, last = chunk
    return Region(
        version_key=key,
        path=facts.path,
        language=facts.language,
        line_start=first,
        line_end=last,
        symbol=None,
        chunk=ordinal,
        points=() if base is None else base.points,
        score=0.0 if base is None else base.score,
        provenance=Provenance.LEXICAL if base is None else base.provenance,
    )


def _raised(
    question: Asked,
    region: Region,
    place: LiteralPlace,
    facts: "FileFacts",
    ranking: Ranking,
) -> Region:
    kept = kept_share(facts.roles, says_test=question.analysis.says_test)
    gain = (1 - region.score) * LITERAL_SHARE * place.value * kept
    points, score = changed(region.points, region.score, ("literal_match", gain), ranking.most)
    return region._replace(points=points, score=score)
