"""Random publications and edits against a model: a dict of texts for each ref."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.model.stored import MapEdit, RefState
from cruxe.store.api import Store
from tests.store.conftest import Backend
from tests.support.records import (
    BRANCH,
    WORKTREE,
    RefContent,
    Texts,
    add_all,
    key_of,
    map_of,
    publish,
    read_content,
    ref_id_of,
)

CONTENTS = ("def lamp():\n    pass\n", "class Tide:\n    copper = 1\n", "# copper\n", "")
TREES = st.dictionaries(
    st.sampled_from(["a.py", "b/a.py", "b/é.md", "z.txt"]), st.sampled_from(CONTENTS), max_size=4
)
STEPS = st.lists(st.tuples(st.sampled_from(["whole", "edit", "branch"]), TREES), max_size=6)
WORDS = ["copper", "lamp", "tide"]


@given(steps=STEPS)
@settings(max_examples=12)
def test_a_store_holds_what_was_published_last(
    opener: Backend, steps: list[tuple[str, Texts]]
) -> None:
    with TemporaryDirectory() as folder:
        store, fresh = (opener(Path(folder), digit * 32) for digit in "01")
        published: dict[RefState, Texts] = {}
        for step, tree in steps:
            ref = BRANCH if step == "branch" else WORKTREE
            if step == "edit" and ref in published:
                publish_edit(store, published[ref], tree)
            else:
                publish(store, tree, ref)
            published[ref] = tree
            check_maps(store, published)
        for ref, texts in published.items():
            publish(fresh, texts, ref)

        if published:
            assert unscored(read_content(store, WORDS)) == unscored(read_content(fresh, WORDS))


def publish_edit(store: Store, before: Texts, after: Texts) -> None:
    """Publish the difference between two trees, with the rows of unchanged paths left out."""
    old, new = map_of(before), map_of(after)
    changed = {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
    edit = MapEdit(
        before={path: file for path, file in old.items() if path in changed},
        after={path: file for path, file in new.items() if path in changed},
    )
    with store.writer_lock(0), closing(store.open_writer()) as writer:
        row = writer.find_ref(WORKTREE.name)
        assert row is not None
        add_all(writer, after)
        writer.publish_edit(row.ref_id, edit)


def check_maps(store: Store, published: dict[RefState, Texts]) -> None:
    with store.snapshot() as snapshot:
        assert {row.name for row in snapshot.list_refs()} == {ref.name for ref in published}
        for ref, tree in published.items():
            ref_id = ref_id_of(snapshot, ref)
            assert snapshot.read_map(ref_id) == map_of(tree, ref)
            assert snapshot.live_keys(ref_id) == {key_of(*each) for each in tree.items()}
            joined = "".join(f"{path}\0" for path in sorted(tree))
            assert snapshot.joined_paths(ref_id) == joined


def unscored(content: dict[str, RefContent]) -> dict[str, RefContent]:
    """The content without scores: documents of versions that are gone still count in them."""
    return {
        name: each._replace(
            hits={
                word: sorted(hit._replace(score=0.0) for hit in hits)
                for word, hits in each.hits.items()
            }
        )
        for name, each in content.items()
    }
