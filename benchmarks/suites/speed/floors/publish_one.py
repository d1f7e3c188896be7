"""One edited file published, beside one document committed to a bare lexical index, in turns.

    python -m benchmarks.suites.speed.floors.publish_one ROOT PATH LEXICAL_FOLDER REPEAT

Edits PATH below ROOT before each sync. The bare index is once a small one and once LEXICAL_FOLDER
copied, in the folder that holds temporary files; like a sync, a commit opens the index first and
waits for merges last. Prints the costs as JSON.
"""

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec
import tantivy

import cruxe
from cruxe.store.local.lexical import build_schema, register_analyzers

# The least that Tantivy takes.
_HEAP_BYTES: Final = 15_000_000
_DOCUMENT: Final = '{"version": 1, "chunk": 0, "body": "one document of a few words"}'


class Spent(NamedTuple):
    """What one piece of work cost, children included."""

    wall_seconds: float
    cpu_seconds: float


class Turn(NamedTuple):
    """The costs of one turn."""

    sync: Spent
    small_commit: Spent
    large_commit: Spent


def main() -> None:
    """Take turns, the first one to warm up and not to count."""
    root, path, lexical_folder, repeat = sys.argv[1:]
    repository = cruxe.open(root)
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-bare-") as folder:
        small, large = os.path.join(folder, "small"), os.path.join(folder, "large")
        os.mkdir(small)
        shutil.copytree(lexical_folder, large)
        turns = []
        for _ in range(1 + int(repeat)):
            _edit(os.path.join(root, path))
            turns.append(
                Turn(
                    sync=_spent_by(repository.sync_repo),
                    small_commit=_spent_by(lambda: _commit_one(small)),
                    large_commit=_spent_by(lambda: _commit_one(large)),
                )
            )
    print(msgspec.json.encode(turns[1:]).decode())


def _edit(path: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"\n# edited at {time.time_ns()}\n")


def _commit_one(folder: str) -> None:
    index = tantivy.Index(build_schema(), path=folder, reuse=True)
    register_analyzers(index)
    writer = index.writer(_HEAP_BYTES, 1)
    writer.add_json(_DOCUMENT)
    writer.commit()
    writer.wait_merging_threads()


def _spent_by(work: Callable[[], object]) -> Spent:
    wall, cpu = time.perf_counter(), _cpu_seconds()
    work()
    return Spent(time.perf_counter() - wall, _cpu_seconds() - cpu)


def _cpu_seconds() -> float:
    accounts = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(account.ru_utime + account.ru_stime for account in accounts)


if __name__ == "__main__":
    main()
