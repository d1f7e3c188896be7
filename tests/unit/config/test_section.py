"""Groups of settings are values: frozen, compared and copied by what they hold."""

import pickle

import pytest

from cruxe.config import Settings
from cruxe.config.settings import IndexSettings, RrfSettings
from cruxe.config.values import Secret


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError, match="settings are frozen"):
        setattr(Settings().index, "auto", False)  # noqa: B010


def test_a_copy_differs_only_in_what_was_replaced() -> None:
    usual = IndexSettings()

    changed = usual.replace(auto=False, max_file_size=5)

    assert changed == IndexSettings(auto=False, max_file_size=5)
    assert usual == IndexSettings()
    assert changed.replace(auto=True, max_file_size=usual.max_file_size) == usual


def test_a_setting_that_does_not_exist_cannot_be_replaced() -> None:
    with pytest.raises(TypeError, match="RrfSettings has no kk"):
        RrfSettings().replace(kk=1)


def test_equal_settings_hash_alike_and_survive_a_process_boundary() -> None:
    settings = Settings().replace(search=Settings().search.replace(default_limit=3))
    own = hash(settings)

    copy = pickle.loads(pickle.dumps(settings))  # noqa: S301

    assert copy == settings
    assert hash(copy) == own == hash(settings)
    assert copy != Settings()


def test_a_hash_crosses_no_process_boundary_and_no_copy_has_that_of_its_original() -> None:
    settings = RrfSettings(k=3)

    fresh = pickle.dumps(settings)
    own = hash(settings)

    assert pickle.dumps(settings) == fresh
    assert hash(settings.replace(k=4)) == hash(RrfSettings(k=4)) != own


def test_a_section_shows_all_its_values() -> None:
    assert repr(RrfSettings(k=3)) == "RrfSettings(enabled=False, k=3)"


def test_a_secret_shows_only_whether_it_is_set() -> None:
    secret = Secret("sk-1")

    assert [repr(secret), str(secret), f"{secret}", repr(Secret())] == [
        *["Secret(hidden)"] * 3,
        "Secret(unset)",
    ]
    assert secret == Secret("sk-1") != Secret("sk-2")
    assert hash(secret) == hash(Secret("sk-1"))
    assert secret.reveal() == "sk-1"
