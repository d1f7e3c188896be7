"""The hard limit on the size of an answer: a prefix with its reasons, never an error."""

from pathlib import Path

import pytest

from cruxe.repository import Repository
from cruxe.respond.size_limits import fit_results, size_of
from tests.requirements import requirement
from tests.support.polyglot import (
    Answer,
    Polyglot,
    Result,
    bytes_of,
    ids_of,
    metadata_of,
    open_with,
    reasons_of,
    results_of,
)

QUERY = "client request token"
LIMITS = [1_600, 2_000, 3_000, 5_000, 8_000]


def bounded(polyglot: Polyglot, folder: Path, limit: int) -> Repository:
    """The repository with a small limit on answers."""
    return open_with(polyglot, folder, f"[search]\nmax_response_bytes = {limit}")


@requirement("S000-LIMIT-TRUNCATED", "S000-LIMIT-SOFT", "FR-105c", "SEARCH-LIMIT-WHOLE")
@pytest.mark.parametrize("level", ["location", "signature", "context"])
@pytest.mark.parametrize("explain", ["off", "basic", "full"])
def test_a_cut_answer_is_a_prefix_that_says_so(
    polyglot: Polyglot, tmp_path: Path, level: str, explain: str
) -> None:
    whole = polyglot.shared.search_code(
        QUERY, detail_level=level, ranking_explain_level=explain, limit=50
    )
    counts: list[int] = []
    for limit in LIMITS:
        answer = bounded(polyglot, tmp_path, limit).search_code(
            QUERY, detail_level=level, ranking_explain_level=explain, limit=50
        )
        count = len(results_of(answer))
        counts.append(count)
        assert len(bytes_of(answer)) <= limit
        assert ids_of(answer) == ids_of(whole)[:count]
        if len(bytes_of(whole)) <= limit:
            assert answer == whole
            continue
        assert metadata_of(answer)["result_completeness"] == "truncated"
        assert metadata_of(answer)["safety_limit_applied"] is True
        assert answer["suggested_next_actions"] == _narrower(answer, count, level)
        if count > 1:
            assert results_of(answer) == results_of(whole)[:count]
        if explain == "off":
            assert "ranking_reasons" not in metadata_of(answer)
        elif count > 1:
            assert reasons_of(answer) == reasons_of(whole)[:count]
    assert counts == sorted(counts)
    assert min(counts) >= 1


@requirement("TRUNCATION-ADVICE")
@pytest.mark.parametrize("level", ["signature", "context"])
def test_what_a_cut_answer_suggests_fits(polyglot: Polyglot, tmp_path: Path, level: str) -> None:
    opened = bounded(polyglot, tmp_path, 4_096)
    cut = opened.search_code(QUERY, detail_level=level, limit=50)
    fitting = len(results_of(cut))

    fewer = opened.search_code(QUERY, detail_level=level, limit=fitting)
    rest = opened.search_code(QUERY, detail_level=level, limit=50, cursor=str(cut["next_cursor"]))
    compact = opened.search_code(QUERY, detail_level=level, limit=50, compact=True)

    assert results_of(fewer) == results_of(cut)
    assert "safety_limit_applied" not in metadata_of(fewer)
    assert set(ids_of(rest)).isdisjoint(ids_of(cut))
    assert len(results_of(compact)) > fitting


@requirement("S000-LIMIT-TRUNCATED")
def test_an_answer_within_the_limit_does_not_speak_of_it(harbor: Repository) -> None:
    metadata = metadata_of(harbor.search_code(QUERY))

    assert "safety_limit_applied" not in metadata
    assert metadata["result_completeness"] == "complete"


@requirement("SEARCH-CURSOR", "FR-105c")
def test_what_the_limit_cut_off_comes_with_the_next_page(
    polyglot: Polyglot, tmp_path: Path
) -> None:
    opened = bounded(polyglot, tmp_path, 3_000)
    whole = polyglot.shared.search_code(QUERY, limit=50)
    collected: list[object] = []
    pages, cursor = 0, None
    while pages < 50:
        answer = opened.search_code(QUERY, limit=50, cursor=cursor)
        collected += ids_of(answer)
        pages += 1
        following = answer.get("next_cursor")
        if following is None:
            break
        cursor = str(following)

    assert collected == ids_of(whole)
    assert pages > 2


@requirement("SEARCH-LIMIT-WHOLE", "SEARCH-ANY-TEXT")
@pytest.mark.parametrize("query", ["x" * 100_000, "ab." * 40_000, "é" * 100_000, "foo " * 25_000])
def test_a_very_long_query_is_not_repeated_beyond_the_limit(harbor: Repository, query: str) -> None:
    assert len(bytes_of(harbor.search_code(query))) <= 65_536


def test_the_same_cut_is_made_twice(polyglot: Polyglot, tmp_path: Path) -> None:
    opened = bounded(polyglot, tmp_path, 2_500)

    first = opened.search_code(QUERY, detail_level="context", ranking_explain_level="full")
    assert bytes_of(first) == bytes_of(
        opened.search_code(QUERY, detail_level="context", ranking_explain_level="full")
    )


@requirement("SEARCH-LIMIT-WHOLE")
def test_a_result_too_big_by_itself_gives_up_its_text_in_order() -> None:
    place: dict[str, object] = {"path": "a.py", "line_start": 1, "line_end": 9, "result_id": "x"}
    text = {
        "signature": "s" * 100,
        "related_symbols": ["r" * 100],
        "snippet": "t" * 100,
        "body_preview": "b" * 100,
    }
    result = place | text
    reason: dict[str, object] = {"result_index": 0, "final_score": 0.5}
    beside = size_of([reason])

    def kept(room: int) -> tuple[list[str], int]:
        fitted = fit_results([result], room, [reason])
        (only,) = fitted.results
        return [name for name in text if name in only], len(fitted.reasons)

    full = size_of(result) + beside
    assert kept(full + 2) == (["signature", "related_symbols", "snippet", "body_preview"], 1)
    assert kept(full - 50) == (["signature", "related_symbols", "snippet"], 1)
    assert kept(full - 150) == (["signature", "related_symbols"], 1)
    assert kept(full - 300) == (["signature"], 1)
    assert kept(size_of(place) + 130) == (["signature"], 0)
    assert kept(10) == ([], 0)
    assert fit_results([result], 10, [reason]).results == [place]


def _narrower(answer: Answer, fitting: int, level: str) -> list[Result]:
    """What a cut answer suggests: its next page, and the requests that fit."""
    again: Result = {"tool": "search_code", "query": QUERY}
    lower = {"context": "signature", "signature": "location"}
    cursor = answer.get("next_cursor")
    following = [] if cursor is None else [again | {"cursor": cursor}]
    less = [again | {"detail_level": lower[level]}] if level in lower else []
    return [*following, again | {"limit": fitting}, again | {"compact": True}, *less]
