"""Bad values, odd spellings and contradictions, made into settings."""

import math

import pytest

from cruxe.config import Layer, Notice, Origin, Settings, load_settings
from cruxe.config.keys import flat_values
from cruxe.config.layers import make_consistent
from cruxe.config.setting_choices import IntentRule, RerankProvider
from cruxe.config.settings import SignalBudget
from cruxe.model.levels import FreshnessPolicy, RankingExplainLevel, SemanticMode
from cruxe.safety.redaction import RedactionRule
from tests.requirements import requirement
from tests.unit.config.workplace import Workplace

EXPLAIN_LEVEL = "search.ranking_explain_level"


def value_of(workplace: Workplace, key: str, literal: str) -> object:
    """Give what a key becomes when the user's file holds the literal."""
    return flat_values(workplace.load(home=f"{key} = {literal}\n").settings)[key]


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("key", "literal"),
    [
        ("index.auto", '"maybe"'),
        ("index.auto", "2"),
        ("index.max_file_size", "0"),
        ("index.max_file_size", "1.5"),
        ("index.max_file_size", "true"),
        ("index.languages", "7"),
        ("storage.data_dir", '" "'),
        ("storage.busy_timeout_ms", "-1"),
        ("search.default_ref", '"a\\u0000b"'),
        ("search.freshness_policy", '"eager"'),
        ("search.intent.rule_order", "[]"),
        ("search.intent.rule_order", '["magic"]'),
        ("search.rrf.k", "0xffffffffffffffffffffffffffffffffffffffffffffffff"),
        ("semantic.mode", '"sometimes"'),
        ("semantic.ratio", "1.01"),
        ("semantic.ratio", "nan"),
        ("semantic.confidence_threshold", "-0.1"),
        ("semantic.rerank.provider", '"oracle"'),
        ("semantic.rerank.endpoint", '"file:///etc/passwd"'),
        ("semantic.overrides.symbol.ratio", "2"),
        ("search.adaptive_plan.hybrid_standard_latency_budget_ms", "0"),
        ("security.custom_redaction_rules", '"T-[0-9]+"'),
        ("search.ranking_explain_level", "1979-05-27"),
    ],
)
def test_a_bad_value_becomes_the_default_and_a_notice(
    workplace: Workplace, key: str, literal: str
) -> None:
    usual = workplace.load().settings

    loaded = workplace.load(home=f"{key} = {literal}\n")

    assert loaded.settings == usual
    assert [(notice.key, notice.origin) for notice in loaded.notices] == [
        (key, Origin(Layer.HOME, str(workplace.home_file)))
    ]
    assert loaded.origins == {key: Origin(Layer.DEFAULT)}


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("variable", "text"),
    [("CRUXE_INDEX_MAX_FILE_SIZE", "9" * 5000), ("CRUXE_SEMANTIC_RATIO", "half")],
)
def test_a_bad_variable_becomes_the_default_and_a_notice(
    workplace: Workplace, variable: str, text: str
) -> None:
    loaded = workplace.load(environ={variable: text})

    assert loaded.settings == workplace.load().settings
    assert [notice.origin.source for notice in loaded.notices] == [variable]
    assert len(loaded.notices[0].given) < 100


@requirement("CFG-NORMALIZE")
def test_a_bad_value_becomes_the_default_even_over_a_good_one_of_a_weaker_layer(
    workplace: Workplace,
) -> None:
    loaded = workplace.load(home="search.rrf.k = 7\n", chosen='search.rrf.k = "seven"\n')

    assert loaded.settings.search.rrf.k == 60


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("word", "value"),
    [
        *((word, True) for word in ("1", "true", "YES", "on")),
        *((word, False) for word in ("0", "false", "No", " off ")),
    ],
)
def test_a_flag_is_read_from_any_usual_word(word: str, value: bool) -> None:  # noqa: FBT001
    environ = {"CRUXE_SEARCH_SCORE_BLEND_ENABLED": word, "CRUXE_SEARCH_RRF_ENABLED": word}

    search = load_settings(None, None, environ, "nowhere").settings.search

    assert (search.score_blend.enabled, search.rrf.enabled) == (value, value)


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("key", "literal", "value"),
    [
        ("semantic.mode", '"rerankonly"', SemanticMode.RERANK_ONLY),
        ("semantic.mode", '"rerank-only"', SemanticMode.RERANK_ONLY),
        ("semantic.mode", '"shadow"', SemanticMode.RERANK_ONLY),
        ("semantic.mode", '"on"', SemanticMode.HYBRID),
        ("semantic.mode", '"enabled"', SemanticMode.HYBRID),
        ("semantic.mode", '"disabled"', SemanticMode.OFF),
        ("semantic.mode", "false", SemanticMode.OFF),
        ("search.freshness_policy", '"besteffort"', FreshnessPolicy.BEST_EFFORT),
        ("search.freshness_policy", '"Strict"', FreshnessPolicy.STRICT),
        ("semantic.rerank.provider", '"cross_encoder"', RerankProvider.CROSS_ENCODER),
        ("semantic.rerank.provider", '"local"', RerankProvider.LOCAL),
        ("index.languages", '"Python, go,"', ("python", "go")),
        ("index.languages", '["python", "", 3, "python"]', ("python",)),
        ("search.intent.path_extensions", '["py", ".RS"]', (".py", ".rs")),
        ("search.intent.error_patterns", '["at line", "E0"]', ("at line", "E0")),
        (
            "search.intent.rule_order",
            '["quoted", "error"]',
            (IntentRule.QUOTED_ERROR, IntentRule.ERROR_PATTERN, IntentRule.NATURAL_LANGUAGE),
        ),
        (
            "search.intent.rule_order",
            '["nl", "magic", "default", "path"]',
            (IntentRule.NATURAL_LANGUAGE, IntentRule.PATH),
        ),
        ("semantic.embedding.model", '"NomicEmbedTextV15Q"', "NomicEmbedTextV15Q"),
        ("semantic.embedding.dimensions", "768", 768),
        ("semantic.overrides.natural_language.ratio", "0.5", 0.5),
        ("semantic.ratio", "1", 1.0),
        ("index.max_file_size", '"2_000"', 2000),
    ],
)
def test_an_odd_spelling_becomes_the_canonical_value(
    workplace: Workplace, key: str, literal: str, value: object
) -> None:
    assert value_of(workplace, key, literal) == value


@requirement("CFG-NORMALIZE")
def test_a_redaction_rule_that_cannot_be_used_does_not_take_the_others_with_it(
    workplace: Workplace,
) -> None:
    loaded = workplace.load(
        home="""
        [[security.custom_redaction_rules]]
        name = "ticket"
        pattern = "T-[0-9]+"
        [[security.custom_redaction_rules]]
        name = "unclosed"
        pattern = "("
        [[security.custom_redaction_rules]]
        name = "employee"
        category = "person"
        pattern = "E[0-9]{6}"
        placeholder = "[WHO]"
        """
    )

    assert loaded.settings.security.custom_redaction_rules == (
        RedactionRule("ticket", "T-[0-9]+"),
        RedactionRule("employee", "E[0-9]{6}", "person", "[WHO]"),
    )
    assert [(notice.why, notice.used) for notice in loaded.notices] == [
        ("left out 1 that cannot be used", '["ticket", "employee"]')
    ]


@requirement("S000-EXPLAIN-CONFIG")
@pytest.mark.parametrize("level", list(RankingExplainLevel))
def test_the_explain_level_is_taken_as_configured(
    workplace: Workplace, level: RankingExplainLevel
) -> None:
    assert value_of(workplace, EXPLAIN_LEVEL, f'"{level}"') is level


@requirement("S000-EXPLAIN-CONFIG")
@pytest.mark.parametrize(
    ("flag", "level"), [("true", RankingExplainLevel.FULL), ("false", RankingExplainLevel.OFF)]
)
def test_the_legacy_flag_means_full_or_off_where_no_level_is_given(
    workplace: Workplace, flag: str, level: RankingExplainLevel
) -> None:
    loaded = workplace.load(home=f"debug.ranking_reasons = {flag}\n")

    assert loaded.settings.search.ranking_explain_level is level
    assert loaded.origins == {EXPLAIN_LEVEL: Origin(Layer.HOME, str(workplace.home_file))}
    assert loaded.notices == ()


@requirement("S000-EXPLAIN-CONFIG")
def test_a_level_beats_the_legacy_flag_even_of_a_stronger_layer(workplace: Workplace) -> None:
    loaded = workplace.load(
        home=f'{EXPLAIN_LEVEL} = "basic"\n', environ={"CRUXE_DEBUG_RANKING_REASONS": "1"}
    )

    assert loaded.settings.search.ranking_explain_level is RankingExplainLevel.BASIC


@requirement("S000-EXPLAIN-CONFIG")
def test_an_invalid_level_means_off_whatever_the_legacy_flag_says(workplace: Workplace) -> None:
    loaded = workplace.load(
        home=f'debug.ranking_reasons = true\n{EXPLAIN_LEVEL} = "verbose"\n',
        repository="debug.ranking_reasons = true\n",
    )

    assert loaded.settings.search.ranking_explain_level is RankingExplainLevel.OFF
    origin = Origin(Layer.HOME, str(workplace.home_file))
    assert loaded.notices == (
        Notice(EXPLAIN_LEVEL, '"verbose"', '"off"', "expected one of off, basic, full", origin),
    )


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("given", "used", "code"),
    [
        ("min = 0.0\nmax = 1.0", (0.0, 1.0), None),
        ("min = 9.0", (0.0, 8.0), "inverted_range"),
        ("max = inf", (0.0, 8.0), "non_finite_range"),
        ("min = nan", (0.0, 8.0), "non_finite_range"),
        ("max = 1e300", (0.0, 8.0), "non_finite_range"),
    ],
)
def test_a_signal_budget_is_judged_as_a_range(
    workplace: Workplace, given: str, used: tuple[float, float], code: str | None
) -> None:
    loaded = workplace.load(home=f"[search.ranking_signal_budgets.exact_match]\n{given}\n")

    low, high = used
    budget = loaded.settings.search.ranking_signal_budgets.exact_match
    assert budget == SignalBudget(min=low, max=high)
    assert {notice.why.partition(":")[0] for notice in loaded.notices} == ({code} - {None})


@requirement("CFG-NORMALIZE")
def test_the_defaults_are_consistent_and_finite() -> None:
    assert make_consistent(Settings()) == (Settings(), {})
    numbers = [value for value in flat_values(Settings()).values() if isinstance(value, float)]
    assert all(map(math.isfinite, numbers))
