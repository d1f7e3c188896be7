"""Disks that are full or cannot be written: a clear message, and the old state as it was."""

import hashlib
import json
import os
from pathlib import Path
from typing import Final

import pytest

from cruxe.model.errors import StorageError
from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.indexing import context_of, index, settle
from tests.support.mounts import can_mount, run_mounted
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

NEEDS_MOUNT: Final = pytest.mark.skipif(
    not can_mount(), reason="this user may not mount, so no disk can be made full or read-only"
)
ROOM: Final = [0, 20_000, 400_000, 1_600_000]
MORE: Final = range(50_000, 1_600_000, 50_000)
SMALL: Final = "-- a.py\ndef lantern():\n    pass\n"
# Indexes a little, fills the disk but for some bytes, indexes a lot, makes room, tries again.
FILLS_UP: Final = """
    import json, os, sys
    root, data_dir, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.environ["CRUXE_STORAGE_DATA_DIR"] = data_dir
    import cruxe
    from cruxe.store.local.lexical import LexicalReader
    from cruxe.store.open import open_store
    from cruxe.model.errors import EngineError

    repository = cruxe.open(root)
    repository.sync_repo()
    for number in range(30):
        with open(f"{root}/big{number}.py", "w") as file:
            file.writelines(f"def f{number}_{n}(): return {n * 7919}\\n" for n in range(900))
    disk = os.statvfs(data_dir)
    with open(f"{data_dir}/filler", "wb") as filler:
        filler.write(bytes(max(0, disk.f_bavail * disk.f_frsize - left)))

    def attempt(task):
        try:
            task()
        except EngineError as error:
            return [type(error).__name__, error.code, error.message, error.remedy]

    report = {"full": attempt(repository.sync_repo)}
    report["forced"] = attempt(lambda: repository.sync_repo(force=True))
    folder = open_store(repository.context.location).location
    report["stores"] = sorted(name for name in os.listdir(folder) if name.startswith("s-"))
    report["old"] = repository.locate_symbol("lantern")["total_candidates"]
    report["new"] = repository.locate_symbol("f1_1")["total_candidates"]
    report["status"] = repository.index_status()["index_status"]
    with open_store(repository.context.location).snapshot() as snapshot:
        reader = LexicalReader(snapshot.lexical_path)
        hits = reader.search("name", [("lantern", 1.0)], 5, lambda _: True)
        report["generation"], report["hits"] = snapshot.generation, len(hits)
    os.remove(f"{data_dir}/filler")
    report["again"] = attempt(repository.sync_repo)
    report["found"] = repository.locate_symbol("f1_1")["total_candidates"]
    report["health"] = repository.health_check()["status"]
    print(json.dumps(report))
"""
# Asks on the command line after an edit that the disk has no room for.
ASKS_WHEN_FULL: Final = """
    import os, sys
    root, data_dir = sys.argv[1:]
    os.environ["CRUXE_STORAGE_DATA_DIR"] = data_dir
    from cruxe.repository import open_repository
    from cruxe.serve.cli.main import main

    open_repository(root).sync_repo()
    with open(f"{root}/b.py", "w") as file:
        file.writelines(f"def f{n}(): return {n * 7919}\\n" for n in range(9000))
    disk = os.statvfs(data_dir)
    with open(f"{data_dir}/filler", "wb") as filler:
        filler.write(bytes(disk.f_bavail * disk.f_frsize))
    sys.exit(main(["-C", root, "locate", "lantern", "--json"]))
"""
READS_ONLY: Final = """
    import json, os, sys
    import cruxe
    from cruxe.store.local.lexical import LexicalReader
    from cruxe.store.open import open_store
    from cruxe.model.errors import EngineError

    root = sys.argv[1]
    repository = cruxe.open(root)
    report = {"located": repository.locate_symbol("lantern")["total_candidates"]}
    report["outline"] = len(repository.get_file_outline("a.py")["symbols"])
    report["status"] = repository.index_status()["index_status"]
    report["unchanged"] = repository.sync_repo()["changed_files"]

    def search():
        with open_store(repository.context.location).snapshot() as snapshot:
            reader = LexicalReader(snapshot.lexical_path)
            return len(reader.search("name", [("lantern", 1.0)], 5, lambda _: True))

    def attempt(task):
        try:
            return task()
        except EngineError as error:
            return [type(error).__name__, error.code, error.remedy]

    report["hits"] = attempt(search)

    with open(f"{root}/b.py", "w") as file:
        file.write("x = 1")
    report["sync"] = attempt(repository.sync_repo)
    report["force"] = attempt(lambda: repository.sync_repo(force=True))
    report["collect"] = attempt(repository.collect)
    print(json.dumps(report))
"""
REFUSED: Final = [
    "StorageError",
    "internal_error",
    "allow writing there, or set `storage.data_dir` to a place that can be written",
]


@NEEDS_MOUNT
@requirement("STORE-DISK", "STORE-CRASH")
@pytest.mark.parametrize("left", [*ROOM, *(pytest.param(n, marks=pytest.mark.long) for n in MORE)])
def test_a_full_disk_is_named_and_the_old_state_answers(
    left: int, repo: MakeRepo, tmp_path: Path
) -> None:
    made = repo(SMALL)
    data_dir = tmp_path / "small"
    data_dir.mkdir()
    mount = f"mount -t tmpfs -o size=24m tmpfs '{data_dir}'"
    report = json.loads(run_mounted(mount, FILLS_UP, made.root, str(data_dir), str(left)))

    for failure in (report.pop("full"), report.pop("forced")):
        name, code, message, remedy = failure
        assert (name, code) == ("StorageError", "internal_error")
        assert message.startswith("no space left on the disk that holds ")
        assert "free some space" in remedy
    assert report == {
        "stores": ["s-1"],
        "old": 1,
        "new": 0,
        "status": "ready",
        "generation": 1,
        "hits": 1,
        "again": None,
        "found": 1,
        "health": "ready",
    }


@NEEDS_MOUNT
@requirement("READ-WHILE-WRITING", "STORE-DISK")
def test_a_question_on_a_full_disk_is_answered_from_what_is_published(
    repo: MakeRepo, tmp_path: Path
) -> None:
    made = repo(SMALL)
    data_dir = tmp_path / "small"
    data_dir.mkdir()
    mount = f"mount -t tmpfs -o size=16m tmpfs '{data_dir}'"

    answer = json.loads(run_mounted(mount, ASKS_WHEN_FULL, made.root, str(data_dir)))

    metadata = answer["metadata"]
    assert [result["name"] for result in answer["results"]] == ["lantern"]
    assert (metadata["freshness_status"], metadata["indexing_status"]) == ("stale", "ready")
    (warning,) = metadata["warnings"]
    assert warning.startswith("the index is not up to date: no space left on the disk")


@NEEDS_MOUNT
@requirement("STORE-DISK")
def test_a_read_only_disk_is_read_and_never_written(repo: MakeRepo, home: str) -> None:
    made = repo(SMALL)
    settle(made, "a.py")
    index(context_of(made))

    assert _read_only_report(made, home) == {
        "located": 1,
        "outline": 1,
        "status": "ready",
        "hits": 1,
        "unchanged": 0,
        "sync": REFUSED,
        "force": REFUSED,
        "collect": REFUSED,
    }


@NEEDS_MOUNT
@requirement("STORE-DISK", "STORE-CRASH")
def test_what_a_killed_writer_published_is_read_from_a_read_only_disk_too(
    repo: MakeRepo, home: str
) -> None:
    made = repo(SMALL)
    settle(made, "a.py")
    code = """
        import os, sys
        from cruxe.store.local.writer import StoreWriter
        StoreWriter.close = lambda _: os._exit(9)
        import cruxe
        cruxe.open(sys.argv[1]).sync_repo()
    """
    with start_program(code, made.root) as program:
        program.communicate()
    assert program.returncode == 9
    report = _read_only_report(made, home)

    assert (report["located"], report["status"], report["hits"]) == (1, "ready", 1)


@requirement("STORE-DISK")
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    monkeypatch.setenv("CRUXE_STORAGE_DATA_DIR", str(locked))

    with pytest.raises(StorageError) as caught:
        index(context_of(repo(SMALL)))
    assert caught.value.remedy == REFUSED[2]


@requirement("STORE-DISK")
def test_a_data_dir_that_is_a_file_is_named(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("CRUXE_STORAGE_DATA_DIR", str(tmp_path / "file"))
    made = repo(SMALL)

    with pytest.raises(StorageError) as caught:
        index(context_of(made))
    assert str(tmp_path / "file") in caught.value.message
    with pytest.raises(StorageError):
        open_repository(made.root).locate_symbol("lantern")


@requirement("STORE-DISK")
def test_a_lock_file_that_is_no_lock_is_named(repo: MakeRepo) -> None:
    context = context_of(repo(SMALL))
    os.makedirs(layout_of(context).folder)
    with open(layout_of(context).lock_path, "wb") as file:
        file.write(b"not ours " * 1000)

    with pytest.raises(StorageError) as caught:
        index(context)
    assert layout_of(context).lock_path in caught.value.message


@requirement("STORE-DISK")
def test_reading_changes_no_data_of_the_store(repo: MakeRepo) -> None:
    made = repo(SMALL)
    settle(made, "a.py")
    context = context_of(made)
    index(context)
    before = _digests_below(layout_of(context).folder)
    repository = open_repository(made.root)
    repository.locate_symbol("lantern")
    repository.get_file_outline("a.py")
    repository.index_status()
    repository.health_check()
    repository.list_refs()
    repository.sync_repo()

    assert _digests_below(layout_of(context).folder) == before


def _read_only_report(made: Repo, home: str) -> dict[str, object]:
    mount = f"mount --bind '{home}' '{home}' && mount -o remount,ro,bind '{home}'"
    report: dict[str, object] = json.loads(run_mounted(mount, READS_ONLY, made.root))
    return report


def _digests_below(folder: str) -> dict[str, str]:
    found = {}
    for parent, _, names in os.walk(folder):
        # SQLite's shared memory and its empty log, and Tantivy's lock files, hold no data; a
        # witness is about the working tree, and any question may renew it.
        for name in names:
            path = os.path.join(parent, name)
            is_witness = name.startswith("witness-")
            if is_witness or name.endswith((".lock", "-shm")) or not os.path.getsize(path):
                continue
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            found[os.path.relpath(path, folder)] = digest
    return found
