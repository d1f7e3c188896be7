"""The tool `explain_ranking`: the rank of a region for a query, why, and what ranks above it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.model.hits import SearchHit
from cruxe.model.levels import FreshnessPolicy
from cruxe.model.outcomes import Rival, Standing, Unranked, UnrankedReason
from cruxe.model.specs import SearchSpec
from cruxe.model.stored import StoredFile
from cruxe.query.rank.ranking import Ranking
from cruxe.query.rank.regions import Region
from cruxe.query.retrieve.file_outline import file_not_found
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.gather import WINDOW, Gathered
from cruxe.query.select.question import Question
from cruxe.query.select.unranked import find_out_why
from cruxe.query.select.verify import FileText, TextSource
from cruxe.respond.explain_answer import explained_answer
from cruxe.tools.ref_session import RefSession

if TYPE_CHECKING:
    from cruxe.contract.results import ExplainRankingResult

LEAST_DEPTH: Final = 20
MOST_DEPTH: Final = 500
_RIVALS: Final = 5


class ExplainRequest(NamedTuple):
    """The checked arguments of `explain_ranking`."""

    spec: SearchSpec
    path: str
    line: int
    depth: int  # results to examine for the line
    policy: FreshnessPolicy


def explain_request(
    spec: SearchSpec, path: str, line: int, depth: int, policy: FreshnessPolicy
) -> ExplainRequest:
    """Check the arguments of `explain_ranking`."""
    if not LEAST_DEPTH <= depth <= MOST_DEPTH:
        raise InvalidInputError(
            f"limit is {depth}",
            remedy=f"use a number from {LEAST_DEPTH} to {MOST_DEPTH}",
            data={"field": "limit"},
        )
    return ExplainRequest(spec=spec, path=path, line=line, depth=depth, policy=policy)


def explain_ranking(session: RefSession, request: ExplainRequest) -> "ExplainRankingResult":
    """Look for a line among all results of a query and return the answer."""
    is_fresh = session.is_fresh(request.policy)
    name = session.context.name
    question = Question(session.settings, name, request.spec, session.opened)
    with session.texts() as texts:
        standing = _stand(question, request, texts)
    is_fresh = is_fresh and not standing.is_changed
    metadata = session.metadata(is_fresh=is_fresh)
    max_bytes = session.settings.search.max_response_bytes
    return explained_answer(request.spec.query, standing, metadata, max_bytes)


def _stand(question: Question, request: ExplainRequest, texts: TextSource) -> Standing:
    file = _known_file(question.opened, request.path)
    standing = Standing(path=file.path, line=request.line, total=0, is_changed=False)
    if file.version_key is None or file.skip_reason is not None:
        unranked = Unranked(UnrankedReason.NOT_INDEXED, skip_reason=file.skip_reason)
        return standing._replace(unranked=unranked)
    text = texts.read(file.version_key, file.path)
    _check_line(request, file, text)
    ranking = question.rank(texts)
    gathered = question.gather(ranking, 0, request.depth, texts)
    standing = standing._replace(
        total=len(ranking.regions),
        is_changed=gathered.is_changed or text is None or text.changed is not None,
    )
    if (found := _among_shown(standing, gathered)) is not None:
        return found
    order = gathered.order
    if gathered.next_index < WINDOW and not gathered.is_exhausted:
        # The order of what is below is known when the first window was read.
        order = question.gather(ranking, 0, WINDOW, texts).order
    regions = order.regions()
    if (found := _among_candidates(standing, regions, ranking, gathered)) is not None:
        return found
    unranked = find_out_why(question, file, request.line, regions, text)
    return standing._replace(unranked=unranked)


def _known_file(opened: OpenedRef, path: str) -> StoredFile:
    file = opened.snapshot.find_file(opened.ref_id, path)
    if file is None:
        raise file_not_found(opened.snapshot, opened.ref_id, path)
    return file


def _check_line(request: ExplainRequest, file: StoredFile, text: FileText | None) -> None:
    """Raise if the file has this line neither now nor in the index."""
    last = max(1, file.line_count or 0, 0 if text is None else text.line_count)
    if not 1 <= request.line <= last:
        raise InvalidInputError(
            f"{file.path} has no line {request.line}; its last is {last}",
            remedy="give a line of the file",
            data={"field": "result_line_start", "line_count": last},
        )


def _among_shown(standing: Standing, gathered: Gathered) -> Standing | None:
    """Return the hit that shows the line: one that starts there, else the first around it."""
    shown = [(each.item.verified.hit, each.item.rank) for each in gathered.distinct]
    places = [rank for rank, (hit, _) in enumerate(shown) if _holds(hit, standing)]
    starting = [rank for rank in places if shown[rank][0].line_start == standing.line]
    return _standing_at((starting or places)[0], standing, gathered) if places else None


def _standing_at(rank: int, standing: Standing, gathered: Gathered) -> Standing:
    """Return the standing of a hit by its rank among those shown, from 0."""
    verified, place = gathered.distinct[rank].item
    rivals = _rivals([each.item.verified.hit for each in gathered.distinct[:rank]])
    return standing._replace(hit=verified.hit, place=place + 1, rank=rank + 1, rivals=rivals)


def _among_candidates(
    standing: Standing, regions: Sequence[Region], ranking: Ranking, gathered: Gathered
) -> Standing | None:
    """Return a candidate that is not shown: a duplicate, or one below the examined results."""
    places = [
        place
        for place, region in enumerate(regions)
        if region.path == standing.path and region.line_start <= standing.line <= region.line_end
    ]
    if not places:
        return None
    place = places[0]
    shown = [each.item.rank for each in gathered.distinct]
    if place in shown:  # as the definition that has most of the candidate's lines
        return _standing_at(shown.index(place), standing, gathered)
    hit = ranking.hit_of(regions[place])
    original = _original(standing.path, gathered) if place < gathered.next_index else ""
    ahead = [each.item for each in gathered.distinct if each.item.rank < place]
    rivals = _rivals([each.verified.hit for each in ahead])
    return standing._replace(hit=hit, place=place + 1, duplicate_of=original, rivals=rivals)


def _original(path: str, gathered: Gathered) -> str:
    """Return `path:line` of the shown hit that has a duplicate in this file."""
    for each in gathered.distinct:
        if any(copy.rpartition(":")[0] == path for copy in each.also_at):
            hit = each.item.verified.hit
            return f"{hit.path}:{hit.line_start}"
    return ""


def _rivals(hits: list[SearchHit]) -> tuple[Rival, ...]:
    return tuple(Rival(rank, hit) for rank, hit in enumerate(hits[:_RIVALS], start=1))


def _holds(hit: SearchHit, standing: Standing) -> bool:
    return hit.path == standing.path and hit.line_start <= standing.line <= hit.line_end
