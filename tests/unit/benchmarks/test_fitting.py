"""Fitting the weights of signals: what tells targets apart gains, what does not loses."""

import numpy as np

from benchmarks.suites.quality.ranking.candidates import Answered
from benchmarks.suites.quality.ranking.fitting import (
    by_repository,
    fit,
    held_out_qualities,
    quality,
)
from benchmarks.suites.quality.ranking.queries import Query, Shown, Target
from cruxe.query.rank.signals import SIGNALS

TWO = SIGNALS[:2]
REPOSITORIES = "barge", "ferry", "kayak", "liner", "sloop"


def answered(repo: str, values: list[tuple[float, float]], target: int) -> Answered:
    """A query with some candidates, of which one is right."""
    shown = [Shown(f"{place}.py", 1, 9) for place in range(len(values))]
    query = Query(repo, "python", "semantic", "q", (Target(f"{target}.py"),), ())
    return Answered(query, shown, 1.0, shown, np.array(values))


# The first signal is right everywhere; the second is high where the target is not.
TOLD = [answered(repo, [(0.2, 0.9), (0.8, 0.1), (0.4, 0.6)], target=1) for repo in REPOSITORIES]


def test_the_signal_that_is_right_outweighs_the_one_that_is_not() -> None:
    right, wrong = fit(TOLD, TWO)

    assert right > 2.0
    assert wrong == 0.0


def test_weights_that_are_held_stay_nearer_to_one() -> None:
    free, held = fit(TOLD, TWO), fit(TOLD, TWO, held=0.2)

    assert free[0] > held[0] > 1.0 > held[1] > free[1]


def test_a_repository_is_judged_by_weights_of_the_others() -> None:
    # In one repository it is the other way round, which those who never saw it cannot know.
    odd = answered("yacht", [(0.2, 0.9), (0.8, 0.1), (0.4, 0.6)], target=0)
    every = [*TOLD, odd]

    found = held_out_qualities({"all": every}, TWO)["all"]

    assert found == [1.0, 1.0, 1.0, 1.0, 1.0, 0.5]
    assert by_repository(every, found) == {**dict.fromkeys(REPOSITORIES, 1.0), "yacht": 0.5}


def test_a_repository_that_is_left_out_is_left_out_of_every_scope() -> None:
    # What one repository alone knows, in both scopes, is not there where it is judged.
    odd = answered("yacht", [(0.2, 0.9), (0.8, 0.1), (0.4, 0.6)], target=0)
    whole = [odd] * 50

    found = held_out_qualities({"sub": [*TOLD, odd], "whole": whole}, TWO)

    assert found == {"sub": [1.0, 1.0, 1.0, 1.0, 1.0, 0.5], "whole": [0.5] * 50}


def test_a_query_whose_target_is_no_candidate_teaches_nothing() -> None:
    lost = answered("barge", [(0.9, 0.1)], target=7)

    assert quality(lost, np.ones(2)) == 0.0
    assert fit([*TOLD, lost], TWO)[0] > fit([*TOLD, lost], TWO)[1]
