"""Where each value came from, what was not taken as given, and what is never shown."""

import pytest

from cruxe.config import Layer, Notice, Origin, Settings
from cruxe.config.keys import flat_values
from cruxe.config.report import describe
from tests.requirements import requirement
from tests.unit.config.workplace import Workplace


@requirement("CFG-ORIGIN")
def test_every_value_tells_its_layer_and_where_exactly(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="search.rrf.k = 1\n",
        repository="search.default_limit = 12\n",
        chosen="server.call_deadline_ms = 500\n",
        environ={"CODECOMPASS_SEMANTIC_MODE": "off"},
    )

    rows = {row.key: (row.value, str(row.origin)) for row in describe(loaded)}
    assert rows["search.rrf.k"] == ("1", f"home {workplace.home_file}")
    assert rows["search.default_limit"] == ("12", f"repository {workplace.repository_file}")
    assert rows["server.call_deadline_ms"] == ("500", f"config_file {workplace.chosen_file}")
    assert rows["semantic.mode"] == ('"off"', "environment CODECOMPASS_SEMANTIC_MODE")
    assert rows["index.auto"] == ("true", "default")


@requirement("CFG-ORIGIN")
def test_the_rows_list_every_setting_once_in_the_order_of_the_settings(
    workplace: Workplace,
) -> None:
    keys = [row.key for row in describe(workplace.load())]

    assert keys == list(flat_values(Settings()))
    assert keys[0] == "index.auto"
    assert keys[-1] == "server.max_workspaces"


@requirement("CFG-ORIGIN")
def test_api_keys_come_from_the_environment_and_are_never_shown(workplace: Workplace) -> None:
    environ = {"CODECOMPASS_EMBEDDING_API_KEY": "sk-legacy", "CRUXE_RERANK_API_KEY": "sk-rerank"}

    loaded = workplace.load(environ=environ)

    semantic = loaded.settings.semantic
    assert semantic.embedding.api_key.reveal() == "sk-legacy"
    assert semantic.rerank.api_key.reveal() == "sk-rerank"
    told = f"{loaded!r} {describe(loaded)!r}"
    assert "sk-" not in told
    assert "semantic.rerank.api_key', value='hidden'" in told


@requirement("CFG-ORIGIN")
@pytest.mark.parametrize("layer", ["home", "repository", "chosen"])
def test_an_api_key_in_a_file_is_not_used_and_not_repeated(
    workplace: Workplace, layer: str
) -> None:
    loaded = workplace.load_only(layer, 'semantic.embedding.api_key = "sk-file"\n')

    assert not loaded.settings.semantic.embedding.api_key
    assert [(notice.key, notice.given, notice.used) for notice in loaded.notices] == [
        ("semantic.embedding.api_key", "", "unset")
    ]
    assert "CRUXE_EMBEDDING_API_KEY" in loaded.notices[0].why
    assert "sk-file" not in repr(loaded)


def test_credentials_in_an_endpoint_are_not_shown(workplace: Workplace) -> None:
    loaded = workplace.load(home='semantic.rerank.endpoint = "https://me:pass@host/v1"\n')

    rows = {row.key: row.value for row in describe(loaded)}
    assert rows["semantic.rerank.endpoint"] == '"https://host/v1"'


@requirement("CFG-ORIGIN")
def test_a_notice_names_key_value_file_and_what_is_used(workplace: Workplace) -> None:
    loaded = workplace.load(repository="search.default_limit = 1000\n")

    origin = Origin(Layer.REPOSITORY, str(workplace.repository_file))
    why = "expected a whole number from 1 to 100"
    assert loaded.notices == (Notice("search.default_limit", "1000", "10", why, origin),)
    assert str(loaded.notices[0]) == (
        "search.default_limit = 1000: expected a whole number from 1 to 100; using 10"
        f" (repository {workplace.repository_file})"
    )


def test_a_notice_tells_the_value_that_is_in_force_after_all_layers(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="search.default_limit = 1000\n", environ={"CRUXE_SEARCH_DEFAULT_LIMIT": "20"}
    )

    assert [(notice.given, notice.used) for notice in loaded.notices] == [("1000", "20")]
