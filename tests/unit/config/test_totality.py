"""Whatever the layers hold, there are settings, and they are legal."""

from typing import TypeGuard

from hypothesis import given
from hypothesis import strategies as st

from cruxe.config import Layer, Origin, Settings
from cruxe.config.keys import canonical_keys, flat_values, key_table
from cruxe.config.layers import (
    collect_environment,
    collect_table,
    combine,
    make_consistent,
    variable_of,
)
from cruxe.config.report import describe
from cruxe.config.settings import Guard
from tests.requirements import requirement

NAMES = st.sampled_from(sorted(canonical_keys()))
ANY_NAMES = st.one_of(NAMES, st.text(), st.sampled_from(["search", "semantic"]))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 1, -1, 1 << 20_000, "on", "off", "full", "~", ""]),
    st.floats(),
    st.text(),
    st.dates(),
)
# Patterns are kept simple: the point is the shape of the table, not the regular expression.
RULES = st.dictionaries(
    st.sampled_from(["name", "pattern", "category", "x"]), st.sampled_from(["a", "(", "", 1])
)
VALUES = st.one_of(SCALARS, RULES, st.lists(st.one_of(SCALARS, RULES), max_size=4))


def nested(flat: dict[str, object]) -> dict[str, object]:
    """Make the nested table that TOML would give; a name that is in the way is left out."""
    table: dict[str, object] = {}
    for name, value in flat.items():
        *sections, leaf = name.split(".")
        inner = table
        for section in sections:
            deeper = inner.setdefault(section, {})
            inner = deeper if is_table(deeper) else {}
        inner.setdefault(leaf, value)
    return table


def is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


TABLES = st.one_of(
    st.dictionaries(NAMES, VALUES, max_size=8).map(nested),
    st.dictionaries(ANY_NAMES, VALUES, max_size=8),
)
LAYERS = st.sampled_from([Layer.HOME, Layer.REPOSITORY, Layer.CONFIG_FILE])


@requirement("CFG-NORMALIZE")
@given(st.lists(st.tuples(LAYERS, TABLES), max_size=3))
def test_any_tables_give_legal_settings(tables: list[tuple[Layer, dict[str, object]]]) -> None:
    layers = [collect_table(table, Origin(layer, "f.toml")) for layer, table in tables]

    loaded = combine(layers, "home")

    assert_legal(loaded.settings)
    assert all(row.value.isprintable() for row in describe(loaded))
    assert all(str(notice).isprintable() for notice in loaded.notices)


@requirement("CFG-NORMALIZE")
@given(st.dictionaries(NAMES.map(variable_of), st.text(), max_size=12))
def test_any_environment_gives_legal_settings(environ: dict[str, str]) -> None:
    assert_legal(combine([collect_environment(environ)], "home").settings)


@requirement("CFG-SAFETY")
@given(TABLES)
def test_no_table_of_a_repository_changes_a_safety_setting(table: dict[str, object]) -> None:
    origin = Origin(Layer.REPOSITORY, "f.toml")

    loaded = combine([collect_table(table, origin)], "home")

    assert safety_values(loaded.settings) == safety_values(combine([], "home").settings)


def assert_legal(settings: Settings) -> None:
    """Check that each value is one its own reader takes as it is, and that all agree."""
    assert make_consistent(settings) == (settings, {})
    for path, value in flat_values(settings).items():
        key = key_table()[path]
        is_special = value is None or path.endswith(("api_key", "redaction_rules"))
        assert is_special or key.read(value, key.default) == (value, "")


def safety_values(settings: Settings) -> dict[str, object]:
    values = flat_values(settings)
    guards = {Guard.TRUSTED_ONLY, Guard.ENVIRONMENT_ONLY}
    return {path: value for path, value in values.items() if key_table()[path].guard in guards}
