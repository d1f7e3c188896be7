"""Warming up: beside the questions, never before them."""

import threading

import pytest

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.hosting.prewarm import warm_up
from cruxe.hosting.warm_readers import WarmReaders
from cruxe.store.open import open_store
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.support.indexing import context_of, index
from tests.support.repositories import MakeRepo

FILES = "-- lamp.py\ndef main():\n    return 1\n"


class _AskedError(Exception):
    """Stands for a question that comes while the store is being warmed up."""


@requirement("PREWARM-YIELDS")
def test_nothing_is_opened_before_warming_up_has_stood_aside(repo: MakeRepo) -> None:
    context = open_context(repo(FILES).root)  # without an index: opening it would be an error

    def stand_aside() -> None:
        raise _AskedError

    with pytest.raises(_AskedError):
        warm_up(WarmReaders(open_store(context.location)), context, stand_aside)


@requirement("PREWARM-YIELDS")
def test_warming_up_stands_aside_before_every_step(repo: MakeRepo) -> None:
    context = context_of(repo(FILES))
    index(context)
    readers = WarmReaders(open_store(context.location))
    steps: list[None] = []

    warm_up(readers, context, lambda: steps.append(None))
    readers.close()

    assert len(steps) == 3  # the store, a search, a name


@requirement("PREWARM-YIELDS")
def test_warming_up_waits_for_the_calls_under_way(repo: MakeRepo) -> None:
    served = HostedWorkspace(context_of(repo(FILES)), has_watcher=False)
    order: list[str] = []

    def warm() -> None:
        served.let_calls_pass()
        order.append("warmed up")

    thread = threading.Thread(target=warm)
    with served:
        thread.start()
        thread.join(0.2)
        order.append("answered")
    thread.join()
    served.close()

    assert order == ["answered", "warmed up"]
