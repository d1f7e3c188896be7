"""A chunk has its lines, the symbol that it shows and those inside, as the tables hold them."""

from cruxe.model.identity import VersionKey
from cruxe.model.stored import StoredChunk
from cruxe.query.retrieve.opened_ref import ShownChunks
from cruxe.repository import open_repository
from cruxe.store.local.snapshot import Snapshot, open_snapshot
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

# One class that is larger than a chunk, and small functions that share one, which shows neither.
LONG_METHOD = "".join(
    f"        value{number} = compute({number}, self.w)\n" for number in range(90)
)
FILES = f"""
-- large.py
class Large:
    def spread(self):
{LONG_METHOD}
-- small.py
def first():
    return 1

def second():
    return 2
"""


def read_one_by_one(snapshot: Snapshot, key: VersionKey, chunk: int) -> StoredChunk:
    (version,) = snapshot.versions([key])
    first, last, ordinal = version.chunk(chunk)
    symbol = None if ordinal is None else snapshot.symbol_at(key, ordinal)
    symbols = dict(snapshot.symbols_of([key])).get(key, [])
    inside = [each for each in symbols if first <= each.line_start and each.line_end <= last]
    return StoredChunk(first, last, symbol, tuple(inside))


def test_chunks_are_the_same_read_together_or_one_by_one_or_kept(repo: MakeRepo) -> None:
    repository = open_repository(repo(FILES).root)
    repository.sync_repo()
    with open_snapshot(layout_of(repository.context)) as snapshot:
        ref = snapshot.find_ref(f"worktree:{repository.context.workspace.root}")
        assert ref is not None
        paths = snapshot.paths_by_key(ref.ref_id)
        names = [(key, chunk) for key in paths for chunk in range(4)]
        wanted = {name: read_one_by_one(snapshot, *name) for name in names}
        chunks = ShownChunks()

        read, kept = (chunks.look_up(names, snapshot) for _ in range(2))

    assert read == wanted
    assert kept == wanted
    assert {chunk.symbol.name for chunk in wanted.values() if chunk.symbol is not None} == {
        "Large",
        "spread",
    }
    assert max(len(chunk.inside) for chunk in wanted.values()) == 2


def test_chunks_of_unknown_versions_are_left_out(repo: MakeRepo) -> None:
    repository = open_repository(repo(FILES).root)
    repository.sync_repo()

    with open_snapshot(layout_of(repository.context)) as snapshot:
        assert ShownChunks().look_up([(VersionKey(1), 0)], snapshot) == {}
