"""Group results by file: the `bundles` of seed 004, in its order.

A bundle repeats little of each result and refers to it by its index in `results`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import SearchHit
from cruxe.model.levels import ContentMode, mode_of
from cruxe.respond.search_answer import result_handle

if TYPE_CHECKING:
    from cruxe.contract.result_parts import Bundle, BundleHit, Bundles

SCHEMA_VERSION: Final = 1
_DIGITS: Final = 6  # of a score
_PRECEDENCE: Final = {mode: place for place, mode in enumerate(ContentMode)}


class _Member(NamedTuple):
    """A result inside a bundle."""

    place: int  # index in `results`
    hit: SearchHit
    mode: ContentMode
    result_id: str

    def order(self) -> tuple[float, int, int, str]:
        """Return the sort key: best score first; mode, index and id break ties."""
        return -self.hit.score, _PRECEDENCE[self.mode], self.place, self.result_id


class _Bundle(NamedTuple):
    """The results of one file, or a single result without a file."""

    bundle_id: str
    file: str | None
    members: list[_Member]

    @property
    def total_score(self) -> float:
        """The sum of the scores of its results, rounded as they are."""
        return round(sum(each.hit.score for each in self.members), _DIGITS)

    @property
    def top_score(self) -> float:
        """The score of its best result."""
        return max(each.hit.score for each in self.members)

    @property
    def modes(self) -> list[ContentMode]:
        """The modes of its results, by precedence."""
        return [mode for mode in ContentMode if any(each.mode is mode for each in self.members)]

    def order(self) -> tuple[float, float, int, str, str]:
        """Return the sort key: highest total first; top score, modes, file and id break ties."""
        scores = -self.total_score, -self.top_score
        return *scores, -len(self.modes), self.file or "", self.bundle_id


def bundles_of(hits: Sequence[SearchHit]) -> "Bundles":
    """Bundle the hits of an answer's results, given in the order of the results."""
    bundles: dict[str, _Bundle] = {}
    for place, hit in enumerate(hits):
        member = _Member(
            place=place, hit=hit, mode=mode_of(hit.language), result_id=result_handle(hit)
        )
        # Paths are relative, so no file has the id of a bundle without a file.
        bundle_id = hit.path or f"/{member.mode}/{member.result_id}"
        bundle = bundles.setdefault(bundle_id, _Bundle(bundle_id, hit.path or None, []))
        bundle.members.append(member)
    groups = [_group(each) for each in sorted(bundles.values(), key=_Bundle.order)]
    return {"schemaVersion": SCHEMA_VERSION, "groups": groups}


def _group(bundle: _Bundle) -> "Bundle":
    members = sorted(bundle.members, key=_Member.order)
    modes = bundle.modes
    return {
        "bundleId": bundle.bundle_id,
        "file": bundle.file,
        "language": members[0].hit.language,
        "hitCount": len(members),
        "totalScore": bundle.total_score,
        "topScore": bundle.top_score,
        "modeCount": len(modes),
        "modes": modes,
        "hits": [_hit(each) for each in members],
    }


def _hit(member: _Member) -> "BundleHit":
    return {
        "index": member.place,
        "result_id": member.result_id,
        "line_start": member.hit.line_start,
        "line_end": member.hit.line_end,
        "score": member.hit.score,
        "mode": member.mode,
    }
