"""The profile that fits a repository, told from its size, its code and the settings alone."""

import pytest

from cruxe.config.setting_choices import EmbeddingProfile
from cruxe.tools.profile_advice import Recommendation, RepositoryFacts, recommend
from tests.requirements import requirement

SMALL = RepositoryFacts(file_count=100, code_file_count=90, vector_count=900)


@requirement("ADVISE-RULES")
def test_a_small_repository_with_time_to_spare_gets_the_largest_model() -> None:
    assert recommend(SMALL, 700) == Recommendation(
        EmbeddingProfile.HIGH_QUALITY, "small", ["repo_size_small", "high_quality_fits"], 15
    )


@requirement("ADVISE-RULES")
def test_the_usual_latency_budget_leaves_the_middle_one() -> None:
    assert recommend(SMALL, 300) == Recommendation(
        EmbeddingProfile.CODE_QUALITY,
        "small",
        ["repo_size_small", "code_quality_fits", "high_quality_over_latency_budget"],
        5,
    )


@requirement("ADVISE-RULES")
@pytest.mark.parametrize(
    ("facts", "budget_ms", "bucket", "reasons"),
    [
        (
            SMALL._replace(vector_count=6_010),
            700,
            "small",
            ["high_quality_takes_long_to_index", "code_quality_takes_long_to_index"],
        ),
        (
            SMALL._replace(code_file_count=44),
            700,
            "small",
            ["high_quality_little_code", "code_quality_little_code"],
        ),
        (
            SMALL,
            180,
            "small",
            ["high_quality_over_latency_budget", "code_quality_over_latency_budget"],
        ),
        (
            RepositoryFacts(10_000, 9_000, 100_000),
            300,
            "medium",
            [
                "high_quality_takes_long_to_index",
                "high_quality_over_latency_budget",
                "code_quality_takes_long_to_index",
            ],
        ),
        (
            RepositoryFacts(50_001, 50_001, 500_000),
            700,
            "large",
            ["high_quality_takes_long_to_index", "code_quality_takes_long_to_index"],
        ),
    ],
)
def test_what_speaks_against_larger_models_is_told(
    facts: RepositoryFacts, budget_ms: int, bucket: str, reasons: list[str]
) -> None:
    assert recommend(facts, budget_ms) == Recommendation(
        EmbeddingProfile.FAST_LOCAL, bucket, [f"repo_size_{bucket}", *reasons], 0
    )


@requirement("ADVISE-RULES")
def test_an_empty_repository_has_no_code_to_recommend_anything_for() -> None:
    assert recommend(RepositoryFacts(0, 0, 0), 700).profile is EmbeddingProfile.FAST_LOCAL
