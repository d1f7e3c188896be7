"""Trigrams narrow a search for a literal and never miss a text that holds it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.store.api import Store
from cruxe.text.trigrams import literal_trigrams
from tests.store.conftest import Backend
from tests.support.records import BRANCH, may_hold, publish, ref_id_of

TEXTS = {
    "lamp.py": "copper = 'lantern'\n",
    "tide.py": "copper = 'harbour'\n",
    "notes.md": "The Lantern of the HARBOUR.\n",
}
LETTERS = st.text(alphabet="abé \n_", max_size=30)


def found(store: Store, *literals: str) -> list[str]:
    with store.snapshot() as snapshot:
        return may_hold(snapshot, ref_id_of(snapshot), *literals)


def test_texts_that_may_hold_a_literal_are_found_by_path(backend: Store) -> None:
    publish(backend, TEXTS)

    assert found(backend, "lantern") == ["lamp.py", "notes.md"]
    assert found(backend, "copper = 'harb") == ["tide.py"]
    assert found(backend, "absent") == []


def test_alternatives_are_asked_for_together(backend: Store) -> None:
    publish(backend, TEXTS)

    assert found(backend, "lantern", "copper") == ["lamp.py", "notes.md", "tide.py"]
    assert found(backend, "absent", "harbour") == ["notes.md", "tide.py"]
    assert found(backend) == []


def test_versions_of_every_ref_are_found(backend: Store) -> None:
    publish(backend, TEXTS)
    publish(backend, {"other.py": "lantern = 1\n"}, BRANCH)

    with backend.snapshot() as snapshot:
        assert may_hold(snapshot, ref_id_of(snapshot, BRANCH), "lantern") == ["other.py"]
        assert may_hold(snapshot, ref_id_of(snapshot), "lantern") == ["lamp.py", "notes.md"]


@given(texts=st.lists(LETTERS, min_size=1, max_size=8))
@settings(max_examples=15)
def test_no_text_with_a_literal_is_missed(opener: Backend, texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        store = opener(Path(folder), "0" * 32)
        files = {f"f{number}.txt": text for number, text in enumerate(texts)}
        publish(store, files)
        parts = {
            text[start : start + length]
            for text in texts
            for start in range(len(text))
            for length in (3, 5, 9)
        }

        for literal in filter(lambda part: literal_trigrams(part, 48), parts):
            holding = {path for path, each in files.items() if literal in each}
            assert holding <= set(found(store, literal))
