"""Options, defaults, errors and suggestions of the command line that tools have as well."""

import json
from typing import cast

import pytest

from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.command import TEA, run_cruxe
from tests.support.repositories import MakeRepo, Repo


@pytest.fixture
def tea(repo: MakeRepo) -> Repo:
    made = repo(TEA)
    run_cruxe(made.root, "index")
    return made


def code_of(answer: dict[str, object]) -> object:
    return cast("dict[str, object]", answer["error"])["code"]


@requirement("CLI-ALIASES")
@pytest.mark.parametrize("command", ["search", "locate", "text"])
def test_lang_and_top_are_language_and_limit(tea: Repo, command: str) -> None:
    short = run_cruxe(tea.root, command, "pour", "--lang", "python", "--top", "1", "--json")
    long = run_cruxe(tea.root, command, "pour", "--language", "python", "--limit", "1", "--json")

    assert short == long
    assert len(cast("list[object]", short.answer["results"])) == 1
    assert run_cruxe(tea.root, command, "pour", "--lang", "go", "--json").answer["results"] == []


@pytest.mark.parametrize("command", ["search", "locate"])
def test_the_command_line_obeys_the_default_limit(tea: Repo, command: str) -> None:
    found = run_cruxe(tea.root, command, "pour", "--json", CRUXE_SEARCH_DEFAULT_LIMIT="1")

    assert len(cast("list[object]", found.answer["results"])) == 1


def test_a_budget_of_no_tokens_has_one_code(tea: Repo) -> None:
    failed = run_cruxe(tea.root, "show", "Pot", "--max-tokens", "0", "--json")

    assert (failed.code, code_of(failed.answer)) == (2, "invalid_max_tokens")


def test_what_was_never_indexed_and_shall_not_be_has_one_code(repo: MakeRepo) -> None:
    made = repo(TEA)

    failed = run_cruxe(made.root, "search", "pour", "--json", CRUXE_INDEX_AUTO="false")

    assert (failed.code, code_of(failed.answer)) == (1, "project_not_found")
    assert run_cruxe(made.root, "index", CRUXE_INDEX_AUTO="false").code == 0
    assert run_cruxe(made.root, "search", "pour", CRUXE_INDEX_AUTO="false").code == 0


@pytest.mark.parametrize(
    "words",
    [("--explain", "nonsense", "pour"), ("pour", "--explain", "nonsense"), ("--explain=no", "tea")],
)
def test_a_level_of_explanation_that_does_not_exist_is_wrong_usage(
    tea: Repo, words: tuple[str, ...]
) -> None:
    failed = run_cruxe(tea.root, "search", *words)

    assert (failed.code, failed.stdout) == (2, "")
    assert "is none of basic, full" in failed.stderr


def test_a_word_after_explain_is_the_query_if_nothing_else_can_be(tea: Repo) -> None:
    assert run_cruxe(tea.root, "search", "--explain", "pour").code == 0


@requirement("SEARCH-NEAREST")
@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("find", "x"), "did you mean 'search'?"),
        (("grep-it", "x"), "there is no command 'grep-it'"),
        (("serch", "x"), "did you mean 'search'?"),
        (("outline", "tea/brow.py"), "did you mean tea/brew.py?"),
        (("outline", "brew.pi"), "did you mean tea/brew.py?"),
        (("outline", "tae"), "did you mean tea?"),
        (("show", "tea/laef.py:1"), "did you mean tea/leaf.py?"),
    ],
)
def test_the_nearest_command_or_path_is_suggested(
    tea: Repo, words: tuple[str, ...], suggestion: str
) -> None:
    failed = run_cruxe(tea.root, *words)

    assert failed.code in (1, 2)
    assert suggestion in failed.stderr


@requirement("SEARCH-NEAREST")
def test_the_nearest_folder_is_suggested(tea: Repo) -> None:
    failed = run_cruxe(tea.root, "-C", "tee", "search", "pour")

    assert failed.code == 1
    assert f"tee does not exist; did you mean {tea.path('tea')}?" in failed.stderr


def test_a_response_size_below_the_least_is_the_least(tea: Repo) -> None:
    found = run_cruxe(tea.root, "search", "pour", "--json", CRUXE_SEARCH_MAX_RESPONSE_BYTES="100")

    warnings = cast("dict[str, object]", found.answer["metadata"])["warnings"]
    assert warnings == [
        (
            'search.max_response_bytes = "100": expected a whole number from 1600 to 16777216;'
            " using 1600 (environment CRUXE_SEARCH_MAX_RESPONSE_BYTES)"
        )
    ]
    assert len(json.dumps(found.answer, separators=(",", ":"))) < 2_500


@requirement("SEARCH-BASIC-FULL")
def test_a_factor_has_the_same_number_at_both_levels(tea: Repo) -> None:
    opened = open_repository(tea.root)
    asked = "where is the tea poured into a pot"
    basic, full = (
        opened.search_code(asked, ranking_explain_level=level)["metadata"]["ranking_reasons"]
        for level in ("basic", "full")
    )

    assert len(basic) == len(full) > 0
    for few, all_of_them in zip(basic, full, strict=True):
        given = {each["signal"]: each["effective"] for each in all_of_them["contributions"]}
        assert few["semantic_similarity"] == given.get("semantic_similarity", 0.0)
        assert few["path_boost"] == all_of_them["path_affinity"]
        assert few["exact_match"] == all_of_them["exact_match_boost"]
        assert few["definition_boost"] == all_of_them["definition_boost"]
        assert few["final_score"] == all_of_them["final_score"]


@requirement("SEARCH-FIELD-WEIGHTS")
def test_field_weights_change_what_a_field_counts_for(
    tea: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def points() -> dict[str, float]:
        answer = open_repository(tea.root).search_code("tea leaf", ranking_explain_level="full")
        (first, *_) = answer["metadata"]["ranking_reasons"]
        effective = {each["signal"]: each["effective"] for each in first["contributions"]}
        assert sum(effective.values()) == pytest.approx(first["final_score"], abs=1e-5)
        return {each["signal"]: each["raw"] for each in first["contributions"]}

    before = points()
    monkeypatch.setenv("CRUXE_SEARCH_FIELD_WEIGHTS_PATH", "0.5")
    monkeypatch.setenv("CRUXE_SEARCH_FIELD_WEIGHTS_BODY", "0")
    after = points()

    assert after["path_affinity"] == pytest.approx(before["path_affinity"] / 2)
    assert before["bm25"] > 0
    assert after.get("bm25", 0.0) == 0.0


@requirement("S001-LEGACY-READ")
def test_a_legacy_state_of_a_job_is_read(tea: Repo) -> None:
    import sqlite3
    from contextlib import closing
    from glob import glob
    from pathlib import Path

    (database,) = glob(f"{Path.home()}/.cruxe/data/*/s-*/store.db")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE index_jobs SET status = 'partial_available'")

    answer = run_cruxe(tea.root, "status", "--json").stdout
    assert "partial_available" not in answer
    assert '"status":"published"' in answer
