"""What a repository's own file can never do."""

import os
import sys

import pytest

from cruxe.config import Layer, Notice, Origin, Settings
from cruxe.config.keys import Key, canonical_keys, flat_values, key_table
from cruxe.config.layers import MAX_POINTS_A_LINE, MAX_REPOSITORY_FILE_BYTES
from cruxe.config.settings import Guard
from cruxe.config.values import Reading
from cruxe.model.errors import InvalidInputError
from tests.requirements import requirement
from tests.unit.config.workplace import LITERALS, Workplace, raw_of

WHERE = "set it in ~/.cruxe/config.toml, a --config file or the environment"
GUARDED_BY_THE_PRODUCT = {
    "semantic.external_provider_enabled",
    "semantic.allow_code_payload_to_external",
    "semantic.embedding.profile",
    "semantic.embedding.provider",
    "semantic.embedding.model",
    "semantic.embedding.model_path",
    "semantic.embedding.models_dir",
    "semantic.embedding.allow_download",
    "semantic.embedding.endpoint",
    "semantic.rerank.provider",
    "semantic.rerank.endpoint",
    "server.allowed_roots",
    "storage.data_dir",
    "security.redaction_enabled",
    "security.allow_secret_files",
    "security.custom_redaction_rules",
}


def names_guarded_by(guard: Guard) -> list[str]:
    return [name for name, key in canonical_keys().items() if key_table()[key].guard is guard]


def other_literal(name: str) -> str:
    """Find a legal value for a setting, other than its default; a number is above it."""
    key = key_table()[canonical_keys()[name]]
    for literal in LITERALS:
        reading = key.read(raw_of(literal), key.default)
        if not reading.problem and reading.value != key.default and not _is_below(reading, key):
            return literal
    raise AssertionError(f"no literal is legal for {name}")


def _is_below(reading: Reading, key: Key) -> bool:
    if isinstance(key.default, bool) or not isinstance(key.default, int):
        return False
    return isinstance(reading.value, int) and reading.value < key.default


def defaults_in(workplace: Workplace) -> Settings:
    storage = Settings().storage.replace(data_dir=str(workplace.home / ".cruxe"))
    return Settings().replace(storage=storage)


@requirement("CFG-SAFETY")
def test_what_the_product_calls_safety_is_guarded() -> None:
    guarded = set(names_guarded_by(Guard.TRUSTED_ONLY))

    assert GUARDED_BY_THE_PRODUCT - guarded == set()


@requirement("CFG-SAFETY")
@pytest.mark.parametrize("name", names_guarded_by(Guard.TRUSTED_ONLY))
def test_a_repository_cannot_set_a_safety_setting_under_any_of_its_names(
    workplace: Workplace, name: str
) -> None:
    loaded = workplace.load(repository=f"{name} = {other_literal(name)}\n")

    assert loaded.settings == defaults_in(workplace)
    assert [(notice.key, notice.why) for notice in loaded.notices] == [
        (canonical_keys()[name], f"a repository may not set this; {WHERE}")
    ]


@requirement("CFG-SAFETY")
@pytest.mark.parametrize("layer", ["home", "chosen"])
@pytest.mark.parametrize("name", names_guarded_by(Guard.TRUSTED_ONLY))
def test_the_users_own_files_can_set_every_safety_setting(
    workplace: Workplace, layer: str, name: str
) -> None:
    loaded = workplace.load_only(layer, f"{name} = {other_literal(name)}\n")

    key = canonical_keys()[name]
    assert loaded.notices == ()
    assert flat_values(loaded.settings)[key] != flat_values(defaults_in(workplace))[key]


@requirement("CFG-SAFETY")
@pytest.mark.parametrize(
    "name", [name for name in names_guarded_by(Guard.LOWER_ONLY) if name != "index.auto"]
)
def test_a_repository_cannot_raise_a_limit(workplace: Workplace, name: str) -> None:
    loaded = workplace.load(repository=f"{name} = {other_literal(name)}\n")

    assert loaded.settings == defaults_in(workplace)
    assert [(notice.key, notice.why) for notice in loaded.notices] == [
        (canonical_keys()[name], f"a repository may only lower this; {WHERE}")
    ]


@requirement("CFG-SAFETY")
def test_a_repository_cannot_turn_on_what_home_turned_off(workplace: Workplace) -> None:
    loaded = workplace.load(home="index.auto = false\n", repository="index.auto = true\n")

    assert loaded.settings.index.auto is False
    assert [notice.key for notice in loaded.notices] == ["index.auto"]


@requirement("CFG-SAFETY")
def test_a_repository_can_lower_a_limit(workplace: Workplace) -> None:
    loaded = workplace.load(
        repository="[index]\nauto = false\nmax_file_size = 5000\nparse_timeout_ms = 1000\n"
    )

    assert loaded.settings.index == Settings().index.replace(
        auto=False, max_file_size=5000, parse_timeout_ms=1000
    )
    assert loaded.notices == ()


@requirement("CFG-SAFETY")
def test_a_repository_cannot_raise_a_limit_that_home_lowered(workplace: Workplace) -> None:
    loaded = workplace.load(
        home="index.max_file_size = 1000\n", repository="index.max_file_size = 2000\n"
    )

    assert loaded.settings.index.max_file_size == 1000


@requirement("CFG-SAFETY")
def test_a_bad_limit_in_a_repository_does_not_bring_the_default_back(workplace: Workplace) -> None:
    bad = 'index.max_file_size = "huge"\n'

    lowered = workplace.load(home="index.max_file_size = 1000\n", repository=bad)
    raised = workplace.load(home="index.max_file_size = 2000000\n", repository=bad)

    assert lowered.settings.index.max_file_size == 1000
    assert raised.settings.index.max_file_size == 2_000_000
    why = "expected a whole number from 1 to 1073741824"
    assert [(notice.given, notice.used, notice.why) for notice in lowered.notices] == [
        ('"huge"', "1000", why)
    ]


@requirement("CFG-SAFETY")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"search = ", "Invalid value (at end of document)"),
        (b"a = \xff", "'utf-8' codec can't decode byte 0xff in position 4: invalid start byte"),
        (b"a = " + b"[" * 20_000, "nested too deeply"),
        (b"a" + b".a" * 30_000 + b" = 1", f"a line has more than {MAX_POINTS_A_LINE} points"),
        (b"#" * 70_000, f"it has more than {MAX_REPOSITORY_FILE_BYTES} bytes"),
    ],
    ids=["no value", "not text", "deep", "many points", "large"],
)
def test_a_broken_or_hostile_file_of_a_repository_is_ignored_with_a_notice(
    workplace: Workplace, content: bytes, why: str
) -> None:
    workplace.repository_file.parent.mkdir(parents=True)
    workplace.repository_file.write_bytes(content)

    loaded = workplace.load(home="search.rrf.k = 1\n")

    assert loaded.settings.search.rrf.k == 1
    origin = Origin(Layer.REPOSITORY, str(workplace.repository_file))
    text = f"the repository's configuration is ignored: {why}"
    assert len(loaded.notices) == 1
    assert loaded.notices[0]._replace(why="") == Notice("", "", "", "", origin)
    assert loaded.notices[0].why == text


@requirement("CFG-SAFETY")
def test_a_repository_file_that_is_a_folder_or_a_device_is_ignored(workplace: Workplace) -> None:
    workplace.repository_file.mkdir(parents=True)

    loaded = workplace.load()

    assert loaded.settings == defaults_in(workplace)
    assert [notice.why for notice in loaded.notices] == [
        "the repository's configuration is ignored: it is not a regular file"
    ]


@requirement("CFG-SAFETY")
@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_dangling_link_as_repository_file_is_ignored(workplace: Workplace) -> None:
    workplace.repository_file.parent.mkdir(parents=True)
    os.symlink(workplace.repository / "nothing", workplace.repository_file)

    assert workplace.load().settings == defaults_in(workplace)


@requirement("CFG-SAFETY")
def test_what_a_repository_writes_cannot_act_on_a_terminal(workplace: Workplace) -> None:
    loaded = workplace.load(
        repository='"\\u001b[2J" = 1\nsearch.freshness_policy = "\\u001b]0;owned\\u0007"\n'
    )

    assert [(notice.key, notice.given) for notice in loaded.notices] == [
        ("\\x1b[2J", ""),
        ("search.freshness_policy", '"\\x1b]0;owned\\x07"'),
    ]


@pytest.mark.parametrize("layer", ["home", "chosen"])
def test_a_broken_file_of_the_users_own_is_an_error_that_names_the_line(
    workplace: Workplace, layer: str
) -> None:
    file = workplace.home_file if layer == "home" else workplace.chosen_file

    with pytest.raises(InvalidInputError) as caught:
        workplace.load_only(layer, "[search]\nrrf = = 1\n")

    assert caught.value.message == (
        f"the configuration file {file} is not valid TOML: Invalid value (at line 2, column 7)"
    )
    assert caught.value.data == {"path": str(file), "line": 2}
    assert caught.value.remedy == (
        "correct that line; until then the settings in the file cannot be honoured"
    )
