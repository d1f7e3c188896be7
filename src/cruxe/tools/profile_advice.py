"""Recommend an embedding profile for a repository. Nothing acts on the recommendation.

It depends on the repository and the settings alone, so it is the same on every machine. It weighs
the cost of a larger model. No gain in ranking is measured or claimed.
"""

from typing import Final, NamedTuple

from cruxe.config.setting_choices import EmbeddingProfile

# Number of files.
_MEDIUM_FILES: Final = 10_000
_LARGE_FILES: Final = 50_000
# Seconds of one core for a chunk of 128 tokens: `docs/decisions/0022-larger-models-as-an-extra.md`.
_SECONDS_A_VECTOR: Final = {
    EmbeddingProfile.CODE_QUALITY: 0.3,
    EmbeddingProfile.HIGH_QUALITY: 1.0,
}
# The vectors of a recommended model take at most half an hour.
_MOST_SECONDS: Final = 1_800
# The least value of `search.adaptive_plan.hybrid_standard_latency_budget_ms` for each model.
_LEAST_BUDGET_MS: Final = {
    EmbeddingProfile.CODE_QUALITY: 260,
    EmbeddingProfile.HIGH_QUALITY: 650,
}
# The least share of code files: larger models were made for prose, or for code among it.
_LEAST_CODE: Final = {
    EmbeddingProfile.CODE_QUALITY: 0.45,
    EmbeddingProfile.HIGH_QUALITY: 0.6,
}
_SECONDS_A_MINUTE: Final = 60


class RepositoryFacts(NamedTuple):
    """The properties of a repository that decide the recommendation."""

    file_count: int
    code_file_count: int
    vector_count: int


class Recommendation(NamedTuple):
    """A profile and the reasons for it."""

    profile: EmbeddingProfile
    repo_size_bucket: str
    reason_codes: list[str]
    estimated_minutes: int  # of one core, to embed everything; 0 for the shipped model


def recommend(facts: RepositoryFacts, budget_ms: int) -> Recommendation:
    """Recommend the largest profile that fits, with the reasons against larger ones."""
    bucket = _bucket(facts.file_count)
    against: list[str] = []
    for profile in (EmbeddingProfile.HIGH_QUALITY, EmbeddingProfile.CODE_QUALITY):
        reasons = _reasons_against(profile, facts, budget_ms)
        if not reasons:
            minutes = -(-_seconds(profile, facts) // _SECONDS_A_MINUTE)
            codes = [f"repo_size_{bucket}", f"{profile}_fits", *against]
            return Recommendation(
                profile=profile,
                repo_size_bucket=bucket,
                reason_codes=codes,
                estimated_minutes=minutes,
            )
        against += [f"{profile}_{reason}" for reason in reasons]
    codes = [f"repo_size_{bucket}", *against]
    return Recommendation(
        profile=EmbeddingProfile.FAST_LOCAL,
        repo_size_bucket=bucket,
        reason_codes=codes,
        estimated_minutes=0,
    )


def _bucket(file_count: int) -> str:
    if file_count < _MEDIUM_FILES:
        return "small"
    return "medium" if file_count <= _LARGE_FILES else "large"


def _reasons_against(
    profile: EmbeddingProfile, facts: RepositoryFacts, budget_ms: int
) -> list[str]:
    checks = {
        "takes_long_to_index": _seconds(profile, facts) > _MOST_SECONDS,
        "over_latency_budget": budget_ms < _LEAST_BUDGET_MS[profile],
        "little_code": facts.code_file_count < _LEAST_CODE[profile] * max(1, facts.file_count),
    }
    return [reason for reason, holds in checks.items() if holds]


def _seconds(profile: EmbeddingProfile, facts: RepositoryFacts) -> int:
    return round(facts.vector_count * _SECONDS_A_VECTOR[profile])
