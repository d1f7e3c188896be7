"""Servers and the processes beside them: none is left behind, and they do not fight."""

import os
import signal
from typing import TYPE_CHECKING, Final

import pytest

from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.indexing import context_of, index
from tests.support.processes import HAS_PROC, left_behind
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    import subprocess

FILE_COUNT: Final = 400
# Serves a workspace as a server does; each line asks for a symbol and is answered by its names.
SERVER: Final = """
    import sys
    from cruxe.hosting.workspaces import ServingOptions, Workspaces

    workspaces = Workspaces(ServingOptions(workspace=sys.argv[1]))
    for line in sys.stdin:
        command, _, name = line.strip().partition(" ")
        with workspaces.open() as served:
            if command == "index":
                job = served.begin_indexing()
                while not (job.files_done or job.has_ended):
                    job.wait(0.01)
                print("indexing", served.background.process_id, flush=True)
            else:
                answer = served.repository.locate_symbol(name, freshness_policy="best_effort")
                names = [result["name"] for result in answer["results"]]
                basis = answer["metadata"].get("freshness_basis")
                print(",".join(names), basis, flush=True)
    workspaces.close()
"""


def start_server(made: Repo) -> "subprocess.Popen[str]":
    return start_program(SERVER, made.root)


def ask(server: "subprocess.Popen[str]", line: str) -> str:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(line + "\n")
    server.stdin.flush()
    return server.stdout.readline().strip()


def many_files() -> str:
    return "".join(
        f"-- part{number}.py\ndef beacon_{number}():\n    return {number}\n"
        for number in range(FILE_COUNT)
    )


@requirement("SERVE-NO-ORPHAN")
@pytest.mark.skipif(not HAS_PROC, reason="needs to see all processes")
@pytest.mark.parametrize("way", ["killed", "ended"])
def test_no_process_outlives_a_server_that_was_indexing(
    repo: MakeRepo, home: str, way: str
) -> None:
    made = repo(many_files())
    with start_server(made) as server:
        said, child = ask(server, "index").split()
        if way == "killed":
            server.send_signal(signal.SIGKILL)
        else:
            assert server.stdin is not None
            server.stdin.close()
        server.wait()

    assert (said, int(child) != server.pid) == ("indexing", True)
    assert left_behind(home) == []
    assert interrupted_or_published(made)


def interrupted_or_published(made: Repo) -> bool:
    """Whether the index says what became of the job, and a sync still mends it."""
    status = open_repository(made.root).index_status()
    jobs = status["recent_jobs"]
    assert isinstance(jobs, list)
    assert [job["status"] for job in jobs][:1] in (["interrupted"], ["published"])
    return index(context_of(made)).generation > 0


@requirement("SERVE-ONE-WATCHER", "SERVE-JOBS")
def test_two_servers_on_one_store_see_the_same_edits_and_one_takes_over_from_the_other(
    repo: MakeRepo,
) -> None:
    made = repo("-- a.py\ndef lantern():\n    pass\n")
    index(context_of(made))
    with start_server(made) as first, start_server(made) as second:
        wait_for(lambda: ask(first, "find lantern") == "lantern watcher", "the first watcher")
        ask(second, "find lantern")
        # Each drains its own events; the first one alone requests syncs.
        wait_for(lambda: ask(second, "find lantern") == "lantern watcher", "the second watcher")

        made.write("-- a.py\ndef harbour():\n    pass\n")
        wait_for(lambda: ask(first, "find harbour").startswith("harbour"), "the edit")
        wait_for(lambda: ask(second, "find harbour").startswith("harbour"), "the edit")

        first.kill()
        first.wait()
        wait_for(lambda: ask(second, "find harbour") == "harbour watcher", "the take-over")
        made.write("-- a.py\ndef quay():\n    pass\n")
        wait_for(lambda: ask(second, "find quay").startswith("quay"), "the second edit")

        assert second.stdin is not None
        second.stdin.close()
        assert second.wait() == 0
        assert second.stderr is not None
        assert second.stderr.read() == ""


@requirement("SERVE-SAVE-TO-SEARCHABLE")
def test_the_server_of_a_folder_without_git_follows_it_too(repo: MakeRepo) -> None:
    made = repo("-- a.py\ndef lantern():\n    pass\n", git=False)
    with start_server(made) as server:
        assert ask(server, "find lantern").startswith("lantern")
        wait_for(lambda: ask(server, "find lantern") == "lantern watcher", "the watcher")

        os.makedirs(made.path("new/folder"))
        made.write("-- new/folder/b.py\ndef harbour():\n    pass\n")

        wait_for(lambda: ask(server, "find harbour").startswith("harbour"), "the new file")
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait() == 0
