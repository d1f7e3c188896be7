"""The hard limit on answers that are no list of results: explanations, states and lists of refs."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.repository import Repository
from cruxe.respond.size_limits import Shortening, size_of
from tests.requirements import requirement
from tests.support.polyglot import Answer, Polyglot, bytes_of, metadata_of, open_with

if TYPE_CHECKING:
    from cruxe.contract.result_parts import MetadataBlock

LIMITS = [1_600, 2_000, 2_600, 3_200, 5_000, 8_000]
PLACE = "src/harbor/storage/cache.py"


def bounded(polyglot: Polyglot, folder: Path, limit: int) -> Repository:
    """The repository with a small limit on answers."""
    return open_with(polyglot, folder, f"[search]\nmax_response_bytes = {limit}")


def check_marks(answer: Answer) -> None:
    """An answer that was cut says so."""
    assert metadata_of(answer)["result_completeness"] == "truncated"
    assert metadata_of(answer)["safety_limit_applied"] is True


@requirement("ANSWER-LIMIT")
@pytest.mark.parametrize("limit", LIMITS)
def test_an_explanation_keeps_the_rank_and_loses_the_last_first(
    polyglot: Polyglot, harbor: Repository, tmp_path: Path, limit: int
) -> None:
    asked = "request of a client", PLACE, 20
    whole = harbor.explain_ranking(*asked)
    answer = bounded(polyglot, tmp_path, limit).explain_ranking(*asked)

    assert len(bytes_of(answer)) <= limit
    assert list(answer) == list(whole)
    if len(bytes_of(whole)) <= limit:
        assert answer == whole
        return
    check_marks(answer)
    for field in ("query", "result", "rank", "candidate_rank", "total_candidates"):
        assert answer.get(field) == whole.get(field)
    rivals, all_rivals = (cast("list[Answer]", each["beaten_by"]) for each in (answer, whole))
    assert rivals == all_rivals[: len(rivals)]
    if rivals:
        assert (answer["scoring"], answer["scoring_details"]) == (
            whole["scoring"],
            whole["scoring_details"],
        )
    assert answer == bounded(polyglot, tmp_path, limit).explain_ranking(*asked)


@requirement("ANSWER-LIMIT")
def test_an_explanation_of_nothing_keeps_to_the_limit_too(
    polyglot: Polyglot, tmp_path: Path
) -> None:
    query = " ".join(f"unheard{number}of" for number in range(400))
    answer = bounded(polyglot, tmp_path, 1_600).explain_ranking(query, PLACE, 20)

    assert "unranked_reason" in answer
    assert len(bytes_of(answer)) <= 1_600


@requirement("ANSWER-LIMIT")
@pytest.mark.parametrize("limit", LIMITS)
def test_a_state_keeps_the_first_languages_and_jobs(
    polyglot: Polyglot, harbor: Repository, tmp_path: Path, limit: int
) -> None:
    whole = harbor.index_status(languages=True)
    answer = bounded(polyglot, tmp_path, limit).index_status(languages=True)

    assert len(bytes_of(answer)) <= limit
    assert list(answer) == list(whole)
    for field in ("languages", "recent_jobs"):
        kept, lines = (cast("list[Answer]", each[field]) for each in (answer, whole))
        assert kept == lines[: len(kept)]
    if len(bytes_of(whole)) <= limit:
        assert answer == whole
    else:
        check_marks(answer)


@requirement("ANSWER-LIMIT")
def test_refs_are_counted_though_not_all_are_told(polyglot: Polyglot, tmp_path: Path) -> None:
    opened = bounded(polyglot, tmp_path, 1_600)

    assert opened.list_refs() == polyglot.shared.list_refs()
    refs, metadata = [{"ref": "x" * 40}] * 300, empty_metadata()
    answer: Answer = {"refs": refs, "total_refs": 300, "metadata": metadata}
    Shortening(answer, metadata, 1_600).cut_list(refs)
    assert (answer["total_refs"], refs) == (300, [{"ref": "x" * 40}] * 29)
    assert size_of(answer) <= 1_600


def empty_metadata() -> "MetadataBlock":
    """Metadata that takes no room in an answer."""
    return cast("MetadataBlock", {})


Part = list[str] | dict[str, str]
PARTS = st.one_of(
    st.lists(st.text(max_size=30), max_size=12),
    st.dictionaries(st.text(max_size=8), st.text(max_size=30), max_size=12),
)


@requirement("ANSWER-LIMIT")
@given(first=PARTS, second=PARTS, limit=st.integers(100, 900))
def test_what_is_left_is_the_most_that_fits(first: Part, second: Part, limit: int) -> None:
    whole: Answer = {"first": first.copy(), "second": second.copy(), "metadata": {}}
    metadata = empty_metadata()
    answer: Answer = {"first": first, "second": second, "metadata": metadata}
    shortening = Shortening(answer, metadata, limit)
    for part in (first, second):
        if isinstance(part, dict):
            shortening.cut_table(part)
        else:
            shortening.cut_list(part)

    if size_of(whole) <= limit:
        assert answer == whole
        return
    check_marks(answer)
    kept = {name: list(cast("list[object]", answer[name])) for name in ("first", "second")}
    given_ = {name: list(cast("list[object]", whole[name])) for name in ("first", "second")}
    for name, entries in kept.items():
        assert entries == given_[name][: len(entries)]
    assert size_of(answer) <= limit or kept == {"first": [], "second": []}
    if kept["first"]:
        assert kept["second"] == given_["second"]
