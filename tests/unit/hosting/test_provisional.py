"""Answers about a workspace whose first index is still being written."""

from collections.abc import Callable, Generator, Mapping
from typing import Final

import pytest

from cruxe.hosting import provisional
from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.model.errors import IndexStaleError
from cruxe.repository import Repository
from cruxe.store.local.lock import WriterLock
from cruxe.workspace.context import open_context, resolve_target
from tests.requirements import requirement
from tests.support.indexing import context_of, index
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

FILES: Final = """
    -- shop/order.py
    class Order:
        '''What a customer wants.'''

        def cancel(self) -> None:
            self.cancelled = True
    -- shop/refund.py
    def refund_order(order: object) -> None:
        '''Give the money back.'''
    -- docs/notes.md
    # Notes

    Orders are cancelled by hand.
"""
Answer = Mapping[str, object]


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that nobody has indexed."""
    return repo(FILES)


@pytest.fixture
def cold(made: Repo, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    """The repository, served while somebody else holds its index up."""
    monkeypatch.setattr(provisional, "FIRST_INDEX_SHARE", 0.0)
    served = HostedWorkspace(open_context(made.root), has_watcher=False)
    with WriterLock(layout_of(served.context), 0):
        yield served.repository
        served.close()


def metadata_of(answer: Answer) -> Answer:
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    return metadata


QUESTIONS: Final[dict[str, Callable[[Repository], Answer]]] = {
    # Vectors come with the index.
    "search_code": lambda it: it.search_code("how is an order cancelled", semantic_ratio=0.0),
    "search_code in context": lambda it: it.search_code("refund", detail_level="context"),
    "locate_symbol": lambda it: it.locate_symbol("Order.cancel"),
    "get_file_outline": lambda it: it.get_file_outline("shop/order.py"),
    "search_text": lambda it: it.search_text("cancelled"),
    "read_symbol": lambda it: it.read_symbol("refund_order"),
    "read_symbol by line": lambda it: it.read_symbol("shop/order.py:5"),
}


@requirement("SERVE-COLD")
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_scan_answers_as_the_index_will_and_says_that_it_is_partial(
    made: Repo, cold: Repository, name: str
) -> None:
    answer = QUESTIONS[name](cold)

    metadata = metadata_of(answer)
    assert metadata["answered_from"] == "scan"
    assert metadata["scanned"] == {"files": 3, "total_files": 3}
    told = [metadata[key] for key in ("freshness_status", "indexing_status", "result_completeness")]
    assert told == ["syncing", "indexing", "partial"]
    assert comparable(answer) == comparable(QUESTIONS[name](indexed(made)))


@requirement("SERVE-COLD")
def test_nothing_found_by_a_scan_is_no_proof(cold: Repository) -> None:
    searched = cold.search_code("lighthouse")
    located = cold.locate_symbol("lighthouse")
    read = cold.read_symbol("lighthouse")

    answers: tuple[Answer, ...] = (searched, located, read)
    for answer in answers:
        assert (answer["results"], answer["empty_reason"]) == ([], "indexing")
        assert metadata_of(answer)["indexing_status"] == "indexing"


@requirement("SERVE-COLD")
def test_under_strict_a_scan_is_no_answer(cold: Repository) -> None:
    with pytest.raises(IndexStaleError) as caught:
        cold.search_code("order", freshness_policy="strict")

    head = resolve_target(cold.context.workspace, None).ref.commit_id
    assert caught.value.data == {"current_head": head}


def indexed(made: Repo) -> Repository:
    """The same files with an index of their own."""
    context = context_of(made, f"{made.root}-data")
    index(context)
    return Repository(context)


def comparable(answer: Answer) -> Answer:
    """What was found, without what depends on how much was looked at."""
    kept = {"results", "matches", "symbols", "symbol", "source", "file_path", "total_matches"}
    return {key: _without_scores(value) for key, value in answer.items() if key in kept}


def _without_scores(value: object) -> object:
    if isinstance(value, list):
        return [_without_scores(each) for each in value]
    if isinstance(value, dict):
        return {key: _without_scores(each) for key, each in value.items() if key != "score"}
    return value
