"""Keys of file versions, handles and stable ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.identity import (
    HANDLE_ALPHABET,
    HANDLE_LENGTH,
    MAX_ORDINAL,
    VERSION_KEY_BITS,
    Handle,
    StableIds,
    VersionKey,
    parse_handle,
    result_id_of,
    symbol_id_of,
    version_key_of,
)
from tests.requirements import requirement

KEYS = st.integers(0, (1 << VERSION_KEY_BITS) - 1).map(VersionKey)
ORDINALS = st.integers(0, MAX_ORDINAL)


@requirement("STORE-VERSIONS")
def test_a_version_key_is_a_digest_of_path_and_content() -> None:
    # Written down: a key must be the same in every release, or stores and handles break.
    assert (
        version_key_of("a.py", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "") == 5117982832514848
    )
    assert version_key_of("a.py", "1", "") != version_key_of("b.py", "1", "")
    assert version_key_of("a.py", "1", "") != version_key_of("a.py", "2", "")
    assert version_key_of("a", "b1", "") != version_key_of("ab", "1", "")


@requirement("STORE-VERSIONS")
def test_other_rules_of_extraction_make_another_version() -> None:
    assert version_key_of("a.py", "1", "x") != version_key_of("a.py", "1", "y")


@given(key=KEYS, ordinal=ORDINALS)
def test_a_handle_says_what_it_was_made_of(key: VersionKey, ordinal: int) -> None:
    assert parse_handle(symbol_id_of(key, ordinal)) == Handle(key, ordinal, is_symbol=True)
    assert parse_handle(result_id_of(key, ordinal)) == Handle(key, ordinal, is_symbol=False)


@given(key=KEYS, ordinal=ORDINALS)
def test_a_handle_is_twelve_safe_characters(key: VersionKey, ordinal: int) -> None:
    for handle in (symbol_id_of(key, ordinal), result_id_of(key, ordinal)):
        assert len(handle) == HANDLE_LENGTH
        assert set(handle) <= set(HANDLE_ALPHABET)


@given(text=st.text(max_size=16))
def test_any_text_is_a_handle_or_is_refused(text: str) -> None:
    handle = parse_handle(text)
    if handle is not None:
        make = symbol_id_of if handle.is_symbol else result_id_of
        assert make(handle.version_key, handle.ordinal) == text


@pytest.mark.parametrize("text", ["", "short", "A" * 13, "A" * 11 + "-", "A" * 11 + "é", " " * 12])
def test_what_cannot_be_a_handle_is_nothing(text: str) -> None:
    assert parse_handle(text) is None


@requirement("PARSE-STABLE-ID")
def test_a_stable_id_tells_files_kinds_names_and_variants_apart() -> None:
    ids = {
        StableIds(path).of(kind, name, variant)
        for path in ("a.py", "b.py")
        for kind in ("class", "function")
        for name in ("m.A", "m.B")
        for variant in ("", "(int)")
    }

    assert len(ids) == 16
    assert StableIds("a.py").of("class", "m.A", "") == "7b7368cf586aa63e"
