"""What one process says of a watched tree, and what others take from it."""

import os
from pathlib import Path

import pytest

from cruxe.freshness import watcher_heartbeat
from cruxe.freshness.watcher_heartbeat import Knowledge, WatcherHeartbeat, read_heartbeat
from cruxe.model.stored import RefRow
from tests.requirements import requirement

ROW = RefRow(1, "worktree:/a", "/a", "main", "c0ffee", "settings", 3, 0, 12345)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return os.fspath(tmp_path / "watch.state")


@requirement("SERVE-ONE-WATCHER")
def test_a_state_that_is_vouched_for_is_fresh_to_others_until_something_changes(path: str) -> None:
    heartbeat = WatcherHeartbeat(path)
    before = read_heartbeat(path, ROW)
    heartbeat.write(Knowledge.FRESH, ROW)
    vouched = read_heartbeat(path, ROW)
    other = read_heartbeat(path, ROW._replace(indexed_at_ns=99999))
    heartbeat.write(Knowledge.CHANGED)
    changed = read_heartbeat(path, ROW)
    heartbeat.close()

    assert (before, vouched) == (Knowledge.UNKNOWN, Knowledge.FRESH)
    assert (other, changed) == (Knowledge.UNKNOWN, Knowledge.CHANGED)
    assert read_heartbeat(path, ROW) is Knowledge.UNKNOWN


@requirement("SERVE-ONE-WATCHER")
def test_a_watcher_that_is_not_seen_alive_is_not_believed(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = WatcherHeartbeat(path)
    heartbeat.write(Knowledge.FRESH, ROW)
    assert read_heartbeat(path, ROW) is Knowledge.FRESH

    monkeypatch.setattr(watcher_heartbeat, "_ALIVE_SECONDS", 0.0)

    assert read_heartbeat(path, ROW) is Knowledge.UNKNOWN
    heartbeat.close()


@requirement("SERVE-ONE-WATCHER")
def test_the_word_of_another_machine_means_nothing_here(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = WatcherHeartbeat(path)
    heartbeat.write(Knowledge.FRESH, ROW)

    monkeypatch.setattr(watcher_heartbeat, "_machine", lambda: b"elsewhe!")

    assert read_heartbeat(path, ROW) is Knowledge.UNKNOWN
    heartbeat.close()


@requirement("SERVE-ONE-WATCHER")
@pytest.mark.parametrize("content", [None, b"", b"short", b"x" * 500])
def test_a_file_that_says_nothing_sensible_is_passed_over(path: str, content: bytes | None) -> None:
    if content is not None:
        with open(path, "wb") as file:
            file.write(content)

    assert read_heartbeat(path, ROW) is Knowledge.UNKNOWN
