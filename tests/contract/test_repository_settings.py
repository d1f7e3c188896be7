"""What a repository's own configuration says never makes a question about it fail."""

import json

import pytest

import cruxe
from cruxe.config.keys import canonical_keys, key_table
from cruxe.config.settings import Guard
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

# Each for all keys at once: of any type some keys take it, and it is at the edge of what is legal.
VALUES = [0, 1, -1, 1 << 40, 0.0, 1e300, True, False, "", "strict", "x", "../..", [], ["x"]]


@requirement("CFG-REPOSITORY-HARMLESS")
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_no_value_of_a_repository_makes_its_questions_fail(repo: MakeRepo, value: object) -> None:
    names = [name for name in sorted(set(canonical_keys().values())) if _may_be_set(name)]
    settings = "".join(f"{name} = {json.dumps(value)}\n" for name in names)
    made = repo(
        "-- lamp.py\ndef lantern():\n    return 'bright'\n"
        f"-- .cruxe/config.toml\n{settings.replace('1e+300', '1e300')}"
    )
    repository = cruxe.open(made.root)
    repository.sync_repo()

    searched = repository.search_code("where is the lantern")
    located = repository.locate_symbol("lantern")

    assert [answer["metadata"]["indexing_status"] for answer in (searched, located)] == [
        "ready"
    ] * 2


def _may_be_set(name: str) -> bool:
    return key_table()[name].guard in (Guard.NONE, Guard.LOWER_ONLY)
