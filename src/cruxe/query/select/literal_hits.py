"""Puts the places first where the literals of a question stand in code."""

from typing import TYPE_CHECKING, Final

from cruxe.model.identity import VersionKey
from cruxe.model.intent import QueryIntent
from cruxe.query.rank.policy import LITERAL_SHARE
from cruxe.query.rank.ranking import Change, Ranking
from cruxe.query.rank.regions import Region
from cruxe.query.rank.scoring import changed, kept_share
from cruxe.query.retrieve.literals import LiteralPlace, LiteralSearch
from cruxe.query.retrieve.opened_ref import passes
from cruxe.query.select.pasted_query import Asked
from cruxe.query.understand.analysis import MAX_QUERY_CHARACTERS, is_statement
from cruxe.query.understand.pasted_text import keys_in, marked_literals
from cruxe.query.understand.traces import find_errors

if TYPE_CHECKING:
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
    raising: dict[tuple[VersionKey, int | None], Change] = {}
    for key, each in zip(keys, facts, strict=True):
        if each is not None and passes(question.spec.filters.on_files, each):
            chunk = _chunk_at(question, key, places[key].line)
            base = known.get((key, chunk[0])) or best.get(key)
            change = _raising(question, chunk, places[key], each, ranking.most)
            added.append(change(base or _region_without_evidence(key, each)))
            raising[key, chunk[0]] = change
    replaced = [each for each in present if (each.version_key, each.chunk) in raising]

    def change_known(region: Region) -> Region:
        change = raising.get((region.version_key, region.chunk))
        return region if change is None else change(region)

    return ranking.with_added(added, replaced, change_known)


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


def _likely_files(ranking: Ranking) -> set[VersionKey]:
    return {each.version_key for each in ranking.regions[:_LIKELY_REGIONS]}


def _chunk_at(question: Asked, key: VersionKey, line: int) -> tuple[int, int, int]:
    """The chunk that has a line: its ordinal, first and last line."""
    opened = question.opened
    version = opened.chunks.look_up_versions([key], opened.snapshot)[key]
    ordinal = version.chunk_holding(line)
    first, last, _ = version.chunk(ordinal)
    return ordinal, first, last


def _region_without_evidence(key: VersionKey, facts: "FileFacts") -> Region:
    return Region(
        version_key=key,
        path=facts.path,
        language=facts.language,
        line_start=1,
        line_end=1,
        symbol=None,
        chunk=None,
        points=(),
        score=0.0,
    )


def _raising(
    question: Asked,
    chunk: tuple[int, int, int],
    place: LiteralPlace,
    facts: "FileFacts",
    most: float,
) -> Change:
    """Return what makes a region of a file the chunk with a literal, by what the literal tells."""
    kept = kept_share(facts.roles, says_test=question.analysis.says_test)
    ordinal, first, last = chunk

    def change(region: Region) -> Region:
        gain = (1 - region.score) * LITERAL_SHARE * place.value * kept
        points, score = changed(region.points, region.score, ("literal_match", gain), most)
        return region._replace(
            line_start=first,
            line_end=last,
            symbol=None,
            chunk=ordinal,
            points=points,
            score=score,
        )

    return change
