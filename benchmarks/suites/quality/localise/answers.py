"""What the engine makes of an issue: its answer, and the candidates that it chose from."""

import time
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.suites.quality.localise.issues import Issue
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.pasted import PASTED_TABLE, find_pasted
from cruxe.query.rank.scoring import FileScore, score_files
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.pasted_query import pasted_query
from cruxe.query.select.question import Question
from cruxe.repository import Repository
from cruxe.store.open import open_store
from cruxe.tools.texts import TextReader
from cruxe.workspace.context import resolve_target

_RESULTS: Final = 50
_TIMED_RESULTS: Final = 10  # as many as an agent is shown
_ABSENT: Final = 10_000


class Place(NamedTuple):
    """A result, as far as a fix cares."""

    path: str
    name: str


class Answered(NamedTuple):
    """An issue with what its text and its title found, and what was chosen from."""

    issue: Issue
    places: list[Place]
    title_places: list[Place]
    milliseconds: float  # of a further ask, for as many results as are shown
    candidates: list[str]
    signals: NDArray[np.float64]  # by candidate: the value of each signal times what penalties left


def answer(issue: Issue, repository: Repository) -> Answered:
    """Ask for an issue at the commit before its fix."""
    repository.sync_repo(ref=issue.commit)
    places = _ask(repository, issue.text, issue.commit)
    started = time.perf_counter()
    _ask(repository, issue.text, issue.commit, _TIMED_RESULTS)
    milliseconds = (time.perf_counter() - started) * 1000
    candidates, signals = _candidates(issue, repository)
    title_places = _ask(repository, issue.title, issue.commit)
    return Answered(issue, places, title_places, milliseconds, candidates, signals)


def paths_of(places: list[Place]) -> list[str]:
    """The files of an answer, in its order."""
    return [each.path for each in places]


def file_ranks(issue: Issue, paths: list[str]) -> list[int]:
    """The rank of each file of the fix, from 1; a large number for one that is absent."""
    found = {path: rank for rank, path in enumerate(dict.fromkeys(paths), start=1)}
    return [found.get(path, _ABSENT) for path in issue.files]


def function_ranks(issue: Issue, places: list[Place]) -> list[int]:
    """The same of the functions, among distinct results."""
    distinct = [*dict.fromkeys(places)]
    return [
        next((rank for rank, each in enumerate(distinct, start=1) if _is(gold, each)), _ABSENT)
        for gold in issue.functions
    ]


def _is(gold: str, found: Place) -> bool:
    path, _, name = gold.partition(":")
    return found.path == path and (found.name == name or found.name.endswith(f".{name}"))


def _ask(repository: Repository, query: str, commit: str, limit: int = _RESULTS) -> list[Place]:
    results = repository.search_code(query, ref=commit, limit=limit)["results"]
    return [Place(each["path"], each.get("qualified_name", "")) for each in results]


def _candidates(issue: Issue, repository: Repository) -> tuple[list[str], NDArray[np.float64]]:
    context = repository.context
    target = resolve_target(context.workspace, issue.commit)
    with open_store(context.location).snapshot() as snapshot:
        row = snapshot.find_ref(target.ref.name)
        assert row is not None
        opened = OpenedRef(snapshot, row.ref_id)
        spec = SearchSpec(query=issue.text)
        question = Question(context.settings, context.name, spec, opened)
        pasted = question.analysis.pasted
        if pasted is None:
            return [], np.zeros((0, len(PASTED_TABLE.signals)))
        with TextReader(context, target, opened) as texts:
            found = find_pasted(pasted_query(question.asked, pasted, texts), spec, opened, {})
        scored = score_files(found.files, found.scales, {})
        return [each.file.facts.path for each in scored], np.array([_row(each) for each in scored])


def _row(each: FileScore) -> list[float]:
    left = each.score / each.earned if each.earned else 0.0
    values = dict(each.points)
    return [left * values.get(signal.name, 0.0) / signal.weight for signal in PASTED_TABLE.signals]
