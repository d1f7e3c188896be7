"""Whatever is done to a tree, a change journal sees what a look at everything sees."""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cruxe.freshness.change_journal import ChangeJournal
from cruxe.freshness.listing_fingerprint import begin_folder_look, has_same_listing
from cruxe.model.stored import STAMP_NUMBERS
from cruxe.workspace.read import begin_look
from tests.requirements import requirement
from tests.support.fingerprints import watch
from tests.support.journals import known_stamps
from tests.support.native import needs_folder_events
from tests.support.repositories import write_repo

TREE: Final = "-- a.py\na = 1\n-- b.py\nb = 1\n-- lib/c.py\nc = 1\n-- lib/in/d.py\nd = 1\n"
PATHS: Final = ("a.py", "b.py", "lib/c.py", "lib/in/d.py", "lib/new.py", "lib", "x", ".gitignore")

Change = Callable[[Path], object]


def append(path: Path) -> None:
    """Write in place."""
    with path.open("a", encoding="utf-8") as file:
        file.write("*.py\n")


def put_in_place(path: Path) -> None:
    """Write aside, then take the name."""
    aside = path.with_name(f"{path.name}~")
    aside.write_text("n = 1\n", encoding="utf-8")
    os.replace(aside, path)


def come_and_go(path: Path) -> None:
    """Leave nothing behind."""
    aside = path.with_name(f"{path.name}~")
    aside.touch()
    aside.unlink()


CHANGES: Final[dict[str, Change]] = {
    "append": append,
    "put in place": put_in_place,
    "come and go": come_and_go,
    "remove": os.remove,
    "remove all": shutil.rmtree,
    "make folder": os.mkdir,
    "touch": os.utime,
    "link": lambda path: os.symlink("a.py", path),
    "move": lambda path: os.rename(path, path.with_name("moved")),
    "move back": lambda path: os.rename(path.with_name("moved"), path),
}
STEPS: Final = st.lists(
    st.lists(st.tuples(st.sampled_from([*CHANGES]), st.sampled_from(PATHS)), max_size=3),
    max_size=8,
)


@needs_folder_events
@requirement("FRESH-TRAIL")
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
@example(steps=[[("append", "x")], [("put in place", "a.py")]])
@example(steps=[[("put in place", "a.py")], [("append", "x")], [("put in place", "a.py")]])
@example(steps=[[("put in place", ".gitignore")], [("append", "a.py")]])
def test_a_journal_sees_what_a_look_at_everything_sees(
    steps: list[list[tuple[str, str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path_factory.getbasetemp()) as folder:
        _compare(os.path.join(folder, "repo"), steps)


def _compare(root: str, steps: list[list[tuple[str, str]]]) -> None:
    watched = watch(write_repo(root, TREE))
    listing, fingerprint = watched.listing, watched.fingerprint
    numbers = known_stamps(watched)
    journal = ChangeJournal(root)
    for step in [[], [], *steps]:
        for change, path in step:
            with suppress(OSError):
                CHANGES[change](Path(root, path))
        files, folders = journal.begin(listing, numbers, fingerprint)

        assert files.places() == begin_look(root, listing, numbers).places()
        is_same_by_journal = has_same_listing(fingerprint, folders, listing)
        is_same = has_same_listing(fingerprint, begin_folder_look(fingerprint, root), listing)
        # A folder may have got another stamp and hold the same names: then git need not be asked.
        if is_same_by_journal and not is_same:
            assert watched.listing_now() == listing
        assert is_same_by_journal or not is_same
    assert len(numbers) == STAMP_NUMBERS * listing.count(b"\0")
