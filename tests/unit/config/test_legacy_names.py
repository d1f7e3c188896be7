"""Names of earlier versions, and names nobody knows."""

import pytest

from cruxe.config import Layer, Notice, Origin
from cruxe.config.keys import flat_values
from tests.requirements import requirement
from tests.unit.config.workplace import Workplace


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("legacy", "key", "value"),
    [
        ('[query]\ndefault_ref = "main"', "search.default_ref", "main"),
        ('[query]\nfreshness_policy = "strict"', "search.freshness_policy", "strict"),
        ('[query]\nranking_explain_level = "full"', "search.ranking_explain_level", "full"),
        ("[query]\nmax_response_bytes = 2048", "search.max_response_bytes", 2048),
        ('semantic_mode = "off"', "semantic.mode", "off"),
        ('[semantic]\nsemantic_mode = "off"', "semantic.mode", "off"),
        ('[search]\nsemantic_mode = "off"', "semantic.mode", "off"),
        ('[query]\nsemantic_mode = "off"', "semantic.mode", "off"),
        ('[search.semantic]\nmode = "off"', "semantic.mode", "off"),
        ('[query.semantic]\nmode = "off"', "semantic.mode", "off"),
        ('[search.semantic.rerank]\nprovider = "local"', "semantic.rerank.provider", "local"),
        ("[search.scoreBlend]\nenabled = true", "search.score_blend.enabled", True),
        ("[search.scoreBlend]\nsparseWeight = 2", "search.score_blend.sparse_weight", 2.0),
        ("[search.scoreBlend]\nannWeight = 3", "search.score_blend.dense_weight", 3.0),
        ("[search.mode_weights]\nextractedProse = 2", "search.mode_weights.extracted_prose", 2.0),
        ("[index]\ndefault_limit = 20", "search.default_limit", 20),
    ],
)
def test_a_legacy_name_in_a_file_stands_for_its_key(
    workplace: Workplace, legacy: str, key: str, value: object
) -> None:
    loaded = workplace.load(home=legacy)

    assert flat_values(loaded.settings)[key] == value
    assert loaded.origins == {key: Origin(Layer.HOME, str(workplace.home_file))}
    assert loaded.notices == ()


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("CODECOMPASS_INDEX_MAX_FILE_SIZE", "5", "index.max_file_size", 5),
        ("CRUXE_INDEX_DEFAULT_LIMIT", "5", "search.default_limit", 5),
        ("CRUXE_INDEX_PARALLELISM", "2", "index.parallelism", 2),
        ("CRUXE_QUERY_RANKING_EXPLAIN_LEVEL", "full", "search.ranking_explain_level", "full"),
        ("CRUXE_QUERY_FRESHNESS_POLICY", "strict", "search.freshness_policy", "strict"),
        ("CRUXE_SEARCH_SEMANTIC_MODE", "off", "semantic.mode", "off"),
        ("CRUXE_QUERY_SEMANTIC_MODE", "off", "semantic.mode", "off"),
        ("CRUXE_SEMANTIC_RERANK_PROVIDER", "local", "semantic.rerank.provider", "local"),
        ("CRUXE_SEARCH_SCOREBLEND_ENABLED", "on", "search.score_blend.enabled", True),
        (
            "CRUXE_SEARCH_RANKING_BUDGET_EXACT_MATCH_MAX",
            "4",
            "search.ranking_signal_budgets.exact_match.max",
            4.0,
        ),
        ("CRUXE_DEBUG_RANKING_REASONS", "yes", "search.ranking_explain_level", "full"),
    ],
)
def test_a_legacy_variable_stands_for_its_key(
    workplace: Workplace, variable: str, text: str, key: str, value: object
) -> None:
    loaded = workplace.load(environ={variable: text})

    assert flat_values(loaded.settings)[key] == value
    assert loaded.origins == {key: Origin(Layer.ENVIRONMENT, variable)}
    assert loaded.notices == ()


@requirement("CFG-NORMALIZE")
def test_within_one_file_the_canonical_name_wins_and_the_tables_are_joined(
    workplace: Workplace,
) -> None:
    loaded = workplace.load(
        home='[search.semantic]\nmode = "off"\nratio = 0.4\n[semantic]\nmode = "rerank_only"\n'
    )

    semantic = loaded.settings.semantic
    assert (semantic.mode, semantic.ratio) == ("rerank_only", 0.4)


@requirement("CFG-NORMALIZE")
def test_a_legacy_name_of_a_stronger_layer_beats_the_canonical_one_of_a_weaker(
    workplace: Workplace,
) -> None:
    loaded = workplace.load(home='semantic.mode = "off"\n', chosen='semantic_mode = "hybrid"\n')

    assert loaded.settings.semantic.mode == "hybrid"


@requirement("CFG-NORMALIZE")
def test_of_two_variables_for_one_key_the_newer_name_wins(workplace: Workplace) -> None:
    environ = {
        "CODECOMPASS_SEMANTIC_RATIO": "0.1",
        "CRUXE_SEARCH_SEMANTIC_RATIO": "0.2",
        "CRUXE_SEMANTIC_RATIO": "0.3",
    }

    ratios = []
    while environ:
        ratios.append(workplace.load(environ=environ).settings.semantic.ratio)
        del environ[max(environ, key=environ.__getitem__)]

    assert ratios == [0.3, 0.2, 0.1]


@requirement("CFG-NORMALIZE")
@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("index.max_filesize = 5", "index.max_filesize", "index.max_file_size"),
        ("[serach]\ndefault_limit = 5", "serach", ""),
        ("semantic.embedding.vector_backend = 'x'", "semantic.embedding.vector_backend", ""),
        ("[search.policy]\nmode = 'strict'", "search.policy", ""),
    ],
)
def test_an_unknown_name_gives_a_notice_with_the_nearest_one_and_without_its_value(
    workplace: Workplace, text: str, name: str, why: str
) -> None:
    loaded = workplace.load(home=text)

    hint = f"; did you mean {why}?" if why else ""
    origin = Origin(Layer.HOME, str(workplace.home_file))
    assert loaded.notices == (Notice(name, "", "", f"unknown setting{hint}", origin),)
    assert loaded.origins == {}


@requirement("CFG-NORMALIZE")
def test_an_unknown_variable_gives_a_notice_and_other_programs_are_left_alone(
    workplace: Workplace,
) -> None:
    environ = {"CRUXE_SEMANTIC_MOOD": "off", "CRUXE_WORKSPACE": "/w", "PATH": "/bin"}

    loaded = workplace.load(environ=environ)

    assert [(notice.key, notice.why) for notice in loaded.notices] == [
        ("CRUXE_SEMANTIC_MOOD", "unknown setting; did you mean CRUXE_SEMANTIC_MODE?")
    ]


@requirement("CFG-NORMALIZE")
def test_a_value_where_a_table_belongs_gives_a_notice(workplace: Workplace) -> None:
    loaded = workplace.load(home="search = 5\n")

    assert [(notice.key, notice.why) for notice in loaded.notices] == [
        ("search", "expected a table")
    ]


@requirement("CFG-NORMALIZE")
def test_a_file_full_of_unknown_names_gives_few_notices(workplace: Workplace) -> None:
    loaded = workplace.load(home="".join(f"zzz{number} = 1\n" for number in range(50)))

    assert len(loaded.notices) == 21
    assert loaded.notices[-1].why == "30 more settings are unknown"
