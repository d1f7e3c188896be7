"""Whatever happens to a working tree, a fingerprint that still vouches tells the truth."""

import os
import shutil
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from tests.support.fingerprints import watch
from tests.support.repositories import Repo, write_repo

_TREE = "-- .gitignore\n*.log\nout/\n-- a.py\n-- lib/b.py\n-- lib/c/d.py\n-- out/e.py\n"
_PATHS = st.sampled_from(
    ["a.py", "lib/b.py", "lib/x.log", "lib/c/y.py", "new/z.py", "out/f.py", "lib/c", "empty/g.py"]
)
_RULES = st.sampled_from(["*.log\nout/\n", "*.log\n", "lib/\n", "*.py\n", "!out/\nempty\n", ""])
_RULE_FILES = st.sampled_from(
    [".gitignore", "lib/.gitignore", "out/.gitignore", ".git/info/exclude"]
)
_STEPS = st.one_of(
    st.tuples(st.just("write"), _PATHS),
    st.tuples(st.just("remove"), _PATHS),
    st.tuples(st.just("make folder"), _PATHS),
    st.tuples(st.just("track"), _PATHS),
    st.tuples(st.just("forget"), _PATHS),
    st.tuples(st.just("put times back"), _PATHS),
    st.tuples(st.just("rename"), _PATHS, _PATHS),
    st.tuples(st.just("rule"), _RULE_FILES, _RULES),
)


@requirement("FRESH-WITNESS")
@settings(max_examples=40)
@given(before=st.lists(_STEPS, max_size=4), after=st.lists(_STEPS, min_size=1, max_size=3))
def test_a_fingerprint_vouches_only_for_what_git_lists(
    before: list[tuple[str, ...]], after: list[tuple[str, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = write_repo(os.path.join(folder, "repo"), _TREE)
        for step in before:
            _take(repo, *step)
        watched = watch(repo)
        for step in after:
            _take(repo, *step)
            assert not watched.is_vouched_for() or watched.listing_now() == watched.listing


def _take(repo: Repo, what: str, path: str, other: str = "") -> None:
    """Take a step; one that is not possible here changes nothing."""
    full = repo.path(path)
    try:
        if what == "write":
            repo.write_bytes(path, b"x")
        elif what == "rule":
            repo.write_bytes(path, other.encode())
        elif what == "remove":
            shutil.rmtree(full) if os.path.isdir(full) else os.remove(full)
        elif what == "make folder":
            os.makedirs(full, exist_ok=True)
        elif what == "rename":
            os.renames(full, repo.path(other))
        elif what == "put times back":
            os.utime(os.path.dirname(full), ns=(10**18, 10**18))
        elif os.path.isfile(full):
            repo.git(
                *(
                    ["add", "--force"]
                    if what == "track"
                    else ["rm", "-q", "--cached", "-f", "--ignore-unmatch"]
                ),
                path,
            )
    except OSError:
        return
