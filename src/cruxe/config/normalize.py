"""Settings that contradict each other, made consistent.

Single values were judged when they were read; here they are judged together. Takes settings, gives
settings with the reason for each key that had to change; applying it twice changes nothing more.
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.config.settings import (
    AdaptivePlanSettings,
    ChunkingSettings,
    RankingSignalBudgets,
    Settings,
    SignalBudget,
)

# Beyond this, sums of contributions lose the digits that order results.
MAX_BUDGET: Final = 1_000.0


class Consistent(NamedTuple):
    """Settings that agree with each other, and why each changed key was changed."""

    settings: Settings
    reasons: Mapping[str, str]


def make_consistent(settings: Settings) -> Consistent:
    """Resolve what contradicts; values that agree are left alone."""
    reasons: dict[str, str] = {}
    search, semantic = settings.search, settings.semantic
    changed = settings.replace(
        search=search.replace(
            adaptive_plan=_ordered_thresholds(search.adaptive_plan, reasons),
            ranking_signal_budgets=_usable_budgets(search.ranking_signal_budgets, reasons),
        ),
        semantic=semantic.replace(chunking=_fitting_chunks(semantic.chunking, reasons)),
    )
    return Consistent(changed, reasons)


def _ordered_thresholds(
    plan: AdaptivePlanSettings, reasons: dict[str, str]
) -> AdaptivePlanSettings:
    if plan.low_confidence_threshold <= plan.high_confidence_threshold:
        return plan
    why = "the low confidence threshold is above the high one"
    reasons["search.adaptive_plan.low_confidence_threshold"] = why
    reasons["search.adaptive_plan.high_confidence_threshold"] = why
    usual = AdaptivePlanSettings()
    return plan.replace(
        low_confidence_threshold=usual.low_confidence_threshold,
        high_confidence_threshold=usual.high_confidence_threshold,
    )


def _usable_budgets(budgets: RankingSignalBudgets, reasons: dict[str, str]) -> RankingSignalBudgets:
    usual = RankingSignalBudgets().by_signal()
    changes: dict[str, SignalBudget] = {}
    for signal, budget in budgets.by_signal().items():
        changes[signal], found = _usable_budget(budget, usual[signal])
        prefix = f"search.ranking_signal_budgets.{signal}."
        reasons.update((prefix + field, why) for field, why in found.items())
    return budgets.replace(**changes)


def _usable_budget(
    budget: SignalBudget, usual: SignalBudget
) -> tuple[SignalBudget, dict[str, str]]:
    problem = _range_problem(budget)
    if problem:
        return usual, dict.fromkeys(budget.members(), problem)
    wanted = budget.default if math.isfinite(budget.default) else usual.default
    default = min(max(wanted, budget.min), budget.max)
    if default == budget.default:
        return budget, {}
    why = "default_out_of_range: moved into the range of its budget"
    return budget.replace(default=default), {"default": why}


def _range_problem(budget: SignalBudget) -> str:
    if not (abs(budget.min) <= MAX_BUDGET and abs(budget.max) <= MAX_BUDGET):
        return f"non_finite_range: expected bounds from {-MAX_BUDGET:g} to {MAX_BUDGET:g}"
    if budget.min > budget.max:
        return "inverted_range: the minimum is above the maximum"
    return ""


def _fitting_chunks(chunking: ChunkingSettings, reasons: dict[str, str]) -> ChunkingSettings:
    size = min(chunking.chunk_size_lines, chunking.max_chunk_lines)
    overlap = min(chunking.chunk_overlap_lines, size // 2)
    if size != chunking.chunk_size_lines:
        reasons["semantic.chunking.chunk_size_lines"] = "a chunk cannot exceed max_chunk_lines"
    if overlap != chunking.chunk_overlap_lines:
        reasons["semantic.chunking.chunk_overlap_lines"] = "chunks overlap by half at most"
    return chunking.replace(chunk_size_lines=size, chunk_overlap_lines=overlap)
