"""Locks: one writer of a store, one watcher of a working tree."""

from collections.abc import Callable

import pytest

from cruxe.model.errors import IndexInProgressError
from cruxe.store.api import Store
from tests.support.records import publish

TEXTS = {"lamp.py": "lamp = 1\n"}


def test_a_second_writer_is_refused_until_the_first_is_done(
    backend: Store, again: Callable[[], Store]
) -> None:
    other = again()
    with backend.writer_lock(0):
        assert other.is_being_written()
        with pytest.raises(IndexInProgressError), other.writer_lock(0):
            pass

    assert not other.is_being_written()
    assert publish(other, TEXTS) == 1


def test_a_lock_is_released_by_an_error(backend: Store, again: Callable[[], Store]) -> None:
    with pytest.raises(KeyError), backend.writer_lock(0):
        raise KeyError

    with again().writer_lock(0):
        assert backend.is_being_written()


def test_readers_need_no_lock(backend: Store, again: Callable[[], Store]) -> None:
    publish(backend, TEXTS)

    with backend.writer_lock(0), again().snapshot() as snapshot:
        assert snapshot.generation == 1


def test_a_working_tree_has_one_watcher(backend: Store, again: Callable[[], Store]) -> None:
    with backend.watcher_lock("/srv/one"):
        with pytest.raises(IndexInProgressError), again().watcher_lock("/srv/one"):
            pass
        with again().watcher_lock("/srv/two"), again().writer_lock(0):
            pass

    with again().watcher_lock("/srv/one"):
        pass


def test_stores_of_two_repositories_are_locked_apart(backend: Store, another: Store) -> None:
    with backend.writer_lock(0), another.writer_lock(0):
        assert backend.is_being_written()
        assert another.is_being_written()
