"""How channels are fused: by the fitted sum, by reciprocal ranks, or by a blend of scores."""

from pathlib import Path
from typing import cast

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository
from tests.requirements import requirement
from tests.support.polyglot import Answer, Polyglot, ids_of, open_with, reasons_of, results_of

QUERY = "how are requests limited per client"
RRF = "[search.rrf]\nenabled = true\nk = {k}"
BLEND = "[search.score_blend]\nenabled = true\nsparse_weight = {weight}"
CHANNELS = ("bm25", "defined_names", "file_head")


@requirement("SEARCH-FUSION", "SEARCH-SUM")
@pytest.mark.parametrize("toml", ["", RRF.format(k=60), RRF.format(k=1), BLEND.format(weight=2.5)])
def test_scores_are_the_sums_of_what_is_printed_under_every_fusion(
    polyglot: Polyglot, tmp_path: Path, toml: str
) -> None:
    answer = _explained(open_with(polyglot, tmp_path, toml))

    assert [_sum(reason) for reason in reasons_of(answer)] == [
        result["score"] for result in results_of(answer)
    ]
    assert all(0 <= cast("float", each["score"]) <= 1 for each in results_of(answer))


@requirement("SEARCH-FUSION")
def test_reciprocal_ranks_count_ranks_and_not_scores(polyglot: Polyglot, tmp_path: Path) -> None:
    k = 4
    by_rank = _explained(open_with(polyglot, tmp_path, RRF.format(k=k)))
    by_sum = _explained(polyglot.shared)

    for signal in ("bm25", "defined_names", "file_head"):
        values = sorted(set(_raw(by_rank, signal)), reverse=True)
        ranks = [round((k + 1) * values[0] / value - k, 2) for value in values]
        assert ranks == [round(rank) for rank in ranks]
        assert len(ranks) > 1
    assert _raw(by_rank, "bm25_rank") == []
    assert _raw(by_sum, "bm25_rank") != []
    assert _raw(by_rank, "path_affinity") == _raw(by_sum, "path_affinity")


@requirement("SEARCH-FUSION")
def test_a_smaller_k_parts_the_first_from_the_second_more(
    polyglot: Polyglot, tmp_path: Path
) -> None:
    near = _raw(_explained(open_with(polyglot, tmp_path, RRF.format(k=60))), "bm25")
    far = _raw(_explained(open_with(polyglot, tmp_path, RRF.format(k=1))), "bm25")

    assert max(near) == max(far)
    assert min(near) > min(far)


@requirement("SEARCH-FUSION")
def test_a_blend_weighs_the_scores_of_the_channels(polyglot: Polyglot, tmp_path: Path) -> None:
    once = _explained(open_with(polyglot, tmp_path, BLEND.format(weight=1.0)))
    twice = _explained(open_with(polyglot, tmp_path, BLEND.format(weight=2.0)))
    silent = _explained(open_with(polyglot, tmp_path, BLEND.format(weight=0.0)))

    assert _raw(once, "bm25_rank") == []
    for signal in CHANNELS:
        assert max(_raw(twice, signal)) == pytest.approx(2 * max(_raw(once, signal)))
        assert _raw(silent, signal) == []


@requirement("SEARCH-FUSION")
def test_a_blend_takes_the_place_of_ranks_and_is_read_in_either_spelling(
    polyglot: Polyglot, tmp_path: Path
) -> None:
    both = f"{RRF.format(k=7)}\n{BLEND.format(weight=2.0)}"
    camel = "[search.scoreBlend]\nenabled = true\nsparseWeight = 2.0"

    blended = _explained(open_with(polyglot, tmp_path, BLEND.format(weight=2.0)))
    assert _explained(open_with(polyglot, tmp_path, both)) == blended
    assert _explained(open_with(polyglot, tmp_path, camel)) == blended


@requirement("SEARCH-FUSION")
def test_a_cursor_of_another_fusion_is_refused(polyglot: Polyglot, tmp_path: Path) -> None:
    cursor = str(polyglot.shared.search_code("client", limit=1)["next_cursor"])
    ranked = open_with(polyglot, tmp_path, RRF.format(k=60))

    assert ids_of(ranked.search_code("client")) != []
    with pytest.raises(InvalidInputError, match="it belongs to another request"):
        ranked.search_code("client", limit=1, cursor=cursor)


def _explained(opened: Repository) -> Answer:
    return opened.search_code(QUERY, ranking_explain_level="full")


def _raw(answer: Answer, signal: str) -> list[float]:
    return [
        cast("float", each["raw"])
        for reason in reasons_of(answer)
        for each in cast("list[dict[str, object]]", reason["contributions"])
        if each["signal"] == signal
    ]


def _sum(reason: Answer) -> float:
    contributions = cast("list[dict[str, float]]", reason["contributions"])
    return max(0.0, round(sum(each["effective"] for each in contributions), 6))
