"""Settings that contradict each other, made consistent.

Single values were judged when they were read; here they are judged together. Takes settings, gives
settings with the reason for each key that had to change; applying it twice changes nothing more.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.config.settings import RankingSignalBudgets, Settings, SignalBudget

# Beyond this, sums of contributions lose the digits that order results.
MAX_BUDGET: Final = 1_000.0


class Consistent(NamedTuple):
    """Settings that agree with each other, and why each changed key was changed."""

    settings: Settings
    reasons: Mapping[str, str]


def make_consistent(settings: Settings) -> Consistent:
    """Replace ranges that contradict themselves by the default; all others are left alone."""
    reasons: dict[str, str] = {}
    search = settings.search
    budgets = _usable_budgets(search.ranking_signal_budgets, reasons)
    changed = settings.replace(search=search.replace(ranking_signal_budgets=budgets))
    return Consistent(changed, reasons)


def _usable_budgets(budgets: RankingSignalBudgets, reasons: dict[str, str]) -> RankingSignalBudgets:
    usual = RankingSignalBudgets().by_signal()
    changes: dict[str, SignalBudget] = {}
    for signal, budget in budgets.by_signal().items():
        problem = _range_problem(budget)
        if problem:
            changes[signal] = usual[signal]
            prefix = f"search.ranking_signal_budgets.{signal}."
            reasons.update((prefix + field, problem) for field in budget.members())
    return budgets.replace(**changes)


def _range_problem(budget: SignalBudget) -> str:
    if not (abs(budget.min) <= MAX_BUDGET and abs(budget.max) <= MAX_BUDGET):
        return f"non_finite_range: expected bounds from {-MAX_BUDGET:g} to {MAX_BUDGET:g}"
    if budget.min > budget.max:
        return "inverted_range: the minimum is above the maximum"
    return ""
