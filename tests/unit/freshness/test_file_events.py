"""Events of files in watched folders, by both implementations."""

import os
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from cruxe.freshness import file_events
from cruxe.freshness.file_events import (
    EventKind,
    FileEvent,
    FileEvents,
    InotifyEvents,
    WatchFailedError,
    WatchfilesEvents,
    open_file_events,
)
from tests.support.native import needs_folder_events

LONG_SECONDS = 60.0

Open = Callable[[list[str]], FileEvents]
IMPLEMENTATIONS = [
    pytest.param(InotifyEvents, marks=needs_folder_events),
    pytest.param(WatchfilesEvents),
]


@pytest.fixture(params=IMPLEMENTATIONS)
def events(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[FileEvents]:
    """A watch on a folder with one file and one folder."""
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "folder").mkdir()
    opened: FileEvents = request.param([os.fspath(tmp_path)])
    yield opened
    opened.close()


def gather(events: FileEvents, path: Path) -> set[FileEvent]:
    """Wait for the events of a path."""
    found: set[FileEvent] = set()
    while not any(event.path == os.fspath(path) for event in found):
        assert events.wait(LONG_SECONDS), "there was no event"
        found |= events.drain()
    return {event for event in found if event.path == os.fspath(path)}


def test_a_write_is_reported_once(events: FileEvents, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 2")

    found = gather(events, tmp_path / "a.py")

    expected = FileEvent(EventKind.MODIFIED, os.fspath(tmp_path / "a.py"), is_folder=False)
    assert found == {expected}


def test_a_new_folder_is_reported_as_one(events: FileEvents, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()

    found = gather(events, tmp_path / "new")

    assert FileEvent(EventKind.ADDED, os.fspath(tmp_path / "new"), is_folder=True) in found


def test_a_removed_file_is_reported(events: FileEvents, tmp_path: Path) -> None:
    (tmp_path / "a.py").unlink()

    found = gather(events, tmp_path / "a.py")

    assert FileEvent(EventKind.REMOVED, os.fspath(tmp_path / "a.py"), is_folder=False) in found


def test_a_wait_ends_when_its_time_is_up_or_it_is_woken(events: FileEvents) -> None:
    assert not events.wait(0.01)

    started = time.monotonic()
    threading.Timer(0.05, events.wake).start()
    events.wait(LONG_SECONDS)

    assert time.monotonic() - started < LONG_SECONDS
    assert events.drain() == set()


@needs_folder_events
def test_a_queue_that_can_be_drained_holds_every_event_up_to_now(tmp_path: Path) -> None:
    events = InotifyEvents([os.fspath(tmp_path)])

    for number in range(100):
        (tmp_path / f"{number}.py").touch()
        (event,) = {event for event in events.drain() if event.kind is EventKind.ADDED}
        assert event.path == os.fspath(tmp_path / f"{number}.py")
    assert events.can_drain
    assert events.drain() == set()
    events.close()
    assert events.drain() == set()


@needs_folder_events
def test_events_beyond_what_the_kernel_keeps_are_reported_as_lost(tmp_path: Path) -> None:
    with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
        limit = int(file.read())
    if limit > 100_000:
        pytest.skip("the queue is too long to overflow")
    events = InotifyEvents([os.fspath(tmp_path)])
    one, two = (tmp_path / "one"), (tmp_path / "two")
    one.touch()
    for _ in range(limit // 4 + 1):  # two renames give four events
        one.rename(two)
        two.rename(one)

    assert FileEvent(EventKind.LOST, "", is_folder=False) in events.drain()
    events.close()


@needs_folder_events
def test_the_folder_itself_may_go(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    events = InotifyEvents([os.fspath(gone)])

    gone.rmdir()

    assert events.drain() == {FileEvent(EventKind.REMOVED, os.fspath(gone), is_folder=True)}
    events.close()


@needs_folder_events
def test_a_folder_with_two_names_is_refused(tmp_path: Path) -> None:
    os.symlink(tmp_path, tmp_path / "again")

    with pytest.raises(WatchFailedError, match="exists"):
        InotifyEvents([os.fspath(tmp_path), os.fspath(tmp_path / "again")])


def test_the_queue_that_can_be_drained_is_preferred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_it = open_file_events([os.fspath(tmp_path)])
    has_inotify = file_events.has_inotify()
    monkeypatch.setattr(file_events, "has_inotify", lambda: False)
    without_it = open_file_events([os.fspath(tmp_path)])

    assert with_it.can_drain is has_inotify
    assert not without_it.can_drain
    with_it.close()
    without_it.close()
