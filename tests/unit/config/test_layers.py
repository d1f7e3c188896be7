"""Which layer decides a setting."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cruxe.config import Layer, LoadedSettings, Origin, Settings, load_settings
from cruxe.config.keys import build_settings, canonical_keys, flat_values, key_table
from cruxe.config.layers import variable_of
from cruxe.config.settings import Guard
from cruxe.model.errors import InvalidInputError
from tests.requirements import requirement
from tests.unit.config.workplace import Workplace

K_OF_EACH_FILE = {"home": 1, "repository": 2, "chosen": 3}


@requirement("CFG-LAYERS")
def test_without_configuration_every_setting_has_its_default(workplace: Workplace) -> None:
    loaded = workplace.load()

    storage = Settings().storage.replace(data_dir=str(workplace.home / ".cruxe"))
    assert loaded == LoadedSettings(Settings().replace(storage=storage), {}, ())


@requirement("CFG-LAYERS")
@pytest.mark.parametrize(
    ("layers", "winner"),
    [
        (("home",), "home"),
        (("home", "repository"), "repository"),
        (("home", "repository", "chosen"), "chosen"),
        (("home", "chosen"), "chosen"),
    ],
)
def test_of_the_files_the_chosen_beats_the_repository_beats_home(
    workplace: Workplace, layers: tuple[str, ...], winner: str
) -> None:
    home, repository, chosen = (
        f"[search.rrf]\nk = {k}\n" if layer in layers else "" for layer, k in K_OF_EACH_FILE.items()
    )

    loaded = workplace.load(home=home, repository=repository, chosen=chosen)

    assert loaded.settings.search.rrf.k == K_OF_EACH_FILE[winner]
    assert loaded.notices == ()


@requirement("CFG-LAYERS")
def test_the_environment_beats_every_file(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="search.rrf.k = 1\n",
        repository="search.rrf.k = 2\n",
        chosen="search.rrf.k = 3\n",
        environ={"CRUXE_SEARCH_RRF_K": "4"},
    )

    assert loaded.settings.search.rrf.k == 4


@requirement("CFG-LAYERS")
def test_layers_are_joined_key_by_key_and_not_table_by_table(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="[search]\ndefault_limit = 11\n[search.rrf]\nk = 1\n",
        repository="[search.rrf]\nenabled = true\n",
        chosen='[search]\nfreshness_policy = "strict"\n',
        environ={"CRUXE_INDEX_LANGUAGES": "python, go"},
    )

    changed = flat_values(loaded.settings).items() - flat_values(Settings()).items()
    assert dict(changed) == {
        "search.default_limit": 11,
        "search.rrf.k": 1,
        "search.rrf.enabled": True,
        "search.freshness_policy": "strict",
        "index.languages": ("python", "go"),
        "storage.data_dir": str(workplace.home / ".cruxe"),
    }


@requirement("CFG-LAYERS")
def test_a_list_of_a_stronger_layer_takes_the_place_of_the_weaker_one(
    workplace: Workplace,
) -> None:
    loaded = workplace.load(
        home='index.languages = ["python", "go"]', repository='index.languages = ["rust"]'
    )

    assert loaded.settings.index.languages == ("rust",)


@requirement("CFG-LAYERS")
@pytest.mark.parametrize("path", [path for path, key in key_table().items() if key.default is True])
def test_every_setting_that_is_on_can_be_turned_off_by_its_own_variable(path: str) -> None:
    loaded = load_settings(None, None, {variable_of(path): "off"}, "nowhere")

    assert flat_values(loaded.settings)[path] is False
    assert loaded.origins == {path: Origin(Layer.ENVIRONMENT, variable_of(path))}


def test_no_two_settings_share_an_environment_variable() -> None:
    owners: dict[str, set[str]] = {}
    for name, key in canonical_keys().items():
        owners.setdefault(variable_of(name), set()).add(key)

    assert {name: keys for name, keys in owners.items() if len(keys) > 1} == {}


def test_settings_are_built_back_from_their_flat_values() -> None:
    settings = Settings().replace(search=Settings().search.replace(default_limit=7))

    assert build_settings(flat_values(settings)) == settings


@requirement("CFG-LAYERS")
def test_the_config_variable_names_the_file_unless_the_flag_does(workplace: Workplace) -> None:
    named = workplace.home / "named.toml"
    workplace.home.mkdir()
    named.write_text("search.rrf.k = 9\n", encoding="utf-8")
    environ = {"CRUXE_CONFIG": "~/named.toml"}

    by_variable = workplace.load(environ=environ)
    by_flag = workplace.load(chosen="search.rrf.k = 3\n", environ=environ)

    assert (by_variable.settings.search.rrf.k, by_flag.settings.search.rrf.k) == (9, 3)


def test_an_empty_variable_counts_as_not_set(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="search.rrf.k = 1\n", environ={"CRUXE_SEARCH_RRF_K": " ", "CRUXE_CONFIG": ""}
    )

    assert loaded.settings.search.rrf.k == 1
    assert loaded.notices == ()


def test_an_empty_list_variable_takes_back_what_a_file_allowed(workplace: Workplace) -> None:
    loaded = workplace.load(
        home='security.allow_secret_files = ["*.env"]\n',
        environ={"CRUXE_SECURITY_ALLOW_SECRET_FILES": ""},
    )

    assert loaded.settings.security.allow_secret_files == ()


def test_a_file_with_a_byte_order_mark_is_read(workplace: Workplace) -> None:
    loaded = workplace.load(home="\ufeffsearch.rrf.k = 1\n")

    assert loaded.settings.search.rrf.k == 1


def test_paths_are_anchored_where_they_are_written(workplace: Workplace) -> None:
    in_home = workplace.load(
        home='storage.data_dir = "data"\nserver.allowed_roots = ["~/code", "/srv/../opt"]\n'
    )
    in_environment = workplace.load(environ={"CRUXE_STORAGE_DATA_DIR": "data"})

    assert in_home.settings.storage.data_dir == str(workplace.home / ".cruxe" / "data")
    assert in_home.settings.server.allowed_roots == (
        str(workplace.home / "code"),
        os.path.abspath("/opt"),
    )
    assert in_environment.settings.storage.data_dir == os.path.abspath("data")


def test_the_folders_of_models_are_anchored_too(workplace: Workplace) -> None:
    loaded = workplace.load(
        home='semantic.embedding.model_path = "large"\nsemantic.embedding.models_dir = "~/models"\n'
    )

    embedding = loaded.settings.semantic.embedding
    assert embedding.model_path == str(workplace.home / ".cruxe" / "large")
    assert embedding.models_dir == str(workplace.home / "models")


def test_the_file_of_a_repository_that_is_the_home_directory_is_the_users_own(
    workplace: Workplace,
) -> None:
    workplace.load(home="server.call_deadline_ms = 500\n")

    loaded = load_settings(str(workplace.home), None, {}, str(workplace.home))

    assert loaded.settings.server.call_deadline_ms == 500
    assert loaded.notices == ()


def test_a_chosen_file_that_is_missing_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.toml")

    with pytest.raises(InvalidInputError, match=r"missing\.toml cannot be read") as caught:
        load_settings(None, missing, {}, str(tmp_path))

    assert caught.value.data == {"path": missing}
    assert caught.value.remedy == "make it a file that you can read, or take it away"


def test_loading_without_configuration_imports_no_reader_of_it() -> None:
    script = (
        "import sys\nfrom cruxe.config import load_settings\n"
        "load_settings(None, None, {}, 'nowhere')\n"
        "heavy = {'tomllib', 'difflib', 'cruxe.config.keys', 'cruxe.config.layers'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )

    finished = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )

    assert finished.stdout == "[]\n"


def test_every_guard_is_in_use() -> None:
    assert {key.guard for key in key_table().values()} == set(Guard)
