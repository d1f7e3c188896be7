"""Lexical search: the best first, ties in a fixed order, conditions as they say."""

import pytest

from cruxe.model.identity import VersionKey
from cruxe.store.api import LexicalIndex, Store
from cruxe.store.conditions import Condition, Every, Holds, Lacks, Some
from tests.support.records import WORKTREE, key_of, publish, ref_id_of, terms_for

LANTERN = "def lantern():\n    pass\n"
COLOURS = {
    "both.py": "# red tan\n",
    "red.py": "# red\n",
    "tan.py": "# tan\n",
    "prose.md": "red\n",
}
BODY = "".join(f"    value{number} = lantern({number}, weight)\n" for number in range(60))
LONG = "".join(f"def keeper{number}():\n{BODY}\n\n" for number in range(8))


def opened(store: Store) -> LexicalIndex:
    with store.snapshot() as snapshot:
        return snapshot.lexical_opener()()


def anything(_: VersionKey) -> bool:
    return True


def test_equal_documents_come_by_version_and_chunk(backend: Store) -> None:
    texts = {f"{name}.py": LANTERN for name in ("ash", "elm", "fir", "oak", "yew", "box")}
    publish(backend, texts)
    lexical = opened(backend)

    found = lexical.search("name", terms_for("lantern"), 10, anything)

    assert [(hit.version_key, hit.chunk) for hit in found] == [
        (key, 0) for key in sorted(key_of(path, LANTERN) for path in texts)
    ]
    assert len({hit.score for hit in found}) == 1
    for limit in range(1, 7):
        assert lexical.search("name", terms_for("lantern"), limit, anything) == found[:limit]


def test_the_best_come_first(backend: Store) -> None:
    publish(backend, {"one.py": "# lantern\n" + "# other\n" * 9, "two.py": "# lantern lantern\n"})

    found = opened(backend).search("text", terms_for("lantern"), 10, anything)

    assert [hit.version_key for hit in found] == [
        key_of("two.py", "# lantern lantern\n"),
        key_of("one.py", "# lantern\n" + "# other\n" * 9),
    ]
    assert found[0].score > found[1].score
    assert [(hit.line_start, hit.line_end) for hit in found] == [(1, 1), (1, 10)]


def test_weights_decide_between_terms(backend: Store) -> None:
    publish(backend, COLOURS)
    lexical = opened(backend)

    def first(red: float, tan: float) -> VersionKey:
        terms = [("red", red), ("tan", tan)]
        condition = Lacks(Every((Holds("text", "red"), Holds("text", "tan"))))
        return lexical.search("text", terms, 1, anything, condition)[0].version_key

    assert first(1.0, 9.0) == key_of("tan.py", "# tan\n")
    assert first(9.0, 1.0) in {key_of("red.py", "# red\n"), key_of("prose.md", "red\n")}


def test_versions_that_are_not_live_do_not_use_up_the_limit(backend: Store) -> None:
    texts = {f"f{number}.py": LANTERN for number in range(30)}
    publish(backend, texts)
    last = max(key_of(path, LANTERN) for path in texts)

    found = opened(backend).search("name", terms_for("lantern"), 1, last.__eq__)

    assert [hit.version_key for hit in found] == [last]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (None, {"both.py", "red.py", "tan.py", "prose.md"}),
        (Holds("text", "red"), {"both.py", "red.py", "prose.md"}),
        (Holds("language", "markdown"), {"prose.md"}),
        (Holds("text", "grey"), set()),
        (Every((Holds("text", "red"), Holds("text", "tan"))), {"both.py"}),
        (Every((Holds("text", "red"), Holds("language", "python"))), {"both.py", "red.py"}),
        (
            Some((Holds("text", "tan"), Holds("language", "markdown"))),
            {"both.py", "tan.py", "prose.md"},
        ),
        (Lacks(Holds("text", "red")), {"tan.py"}),
        (Lacks(Some((Holds("text", "tan"), Holds("language", "markdown")))), {"red.py"}),
        (Every((Holds("text", "red"), Lacks(Holds("text", "tan")))), {"red.py", "prose.md"}),
    ],
)
def test_a_condition_decides_who_takes_part(
    condition: Condition | None, expected: set[str], backend: Store
) -> None:
    publish(backend, COLOURS)
    paths = {key_of(*each): each[0] for each in COLOURS.items()}
    lexical, terms = opened(backend), terms_for("red tan")

    found = lexical.search("text", terms, 10, anything, condition)
    by_version = lexical.search_chunks(terms, 10, anything, condition, per_file=4)

    assert {paths[hit.version_key] for hit in found} == expected
    assert {paths[key] for key in by_version} == expected


def test_a_condition_does_not_change_scores(backend: Store) -> None:
    publish(backend, COLOURS)
    lexical, terms = opened(backend), terms_for("red")

    free = lexical.search("text", terms, 10, anything)

    assert lexical.search("text", terms, 10, anything, Holds("text", "red")) == free


def test_chunks_by_version_are_those_of_the_list(backend: Store) -> None:
    publish(backend, {"long.py": LONG, "short.py": LANTERN})
    lexical, terms = opened(backend), terms_for("lantern")
    everything = lexical.search("text", terms, 100, anything)
    rows = [(-hit.score, *hit[1:]) for hit in everything]
    long_key = key_of("long.py", LONG)
    assert len([row for row in rows if row[1] == long_key]) > 4

    for limit in (1, 3, 100):
        found = lexical.search_chunks(terms, limit, anything, per_file=2)
        for key, own in found.items():
            assert own == [row for row in rows[:limit] if row[1] == key][:2]
        assert found.keys() == {row[1] for row in rows[:limit]}


def test_files_are_found_by_what_they_define_and_by_their_heads(backend: Store) -> None:
    texts = {"harbour/gate.py": LANTERN, "harbour/wall.py": "def keeper():\n    pass\n"}
    publish(backend, texts)
    lexical = opened(backend)
    gate, wall = (key_of(*each) for each in texts.items())

    defines = lexical.search_files("defines", terms_for("lantern"), 5, anything)
    heads = lexical.search_files("head", terms_for("harbour"), 5, anything)
    one = lexical.search_files("head", terms_for("harbour"), 1, anything)

    assert list(defines) == [gate]
    assert heads.keys() == {gate, wall}
    assert one == {min(heads): heads[min(heads)]}
    assert lexical.search_files("head", terms_for("harbour"), 5, gate.__eq__) == {gate: heads[gate]}


def test_an_index_without_documents_finds_nothing(backend: Store) -> None:
    publish(backend, {})

    lexical = opened(backend)

    assert lexical.search("text", terms_for("lantern"), 5, anything) == []
    assert lexical.search_files("head", terms_for("lantern"), 5, anything) == {}
    with backend.snapshot() as snapshot:
        assert snapshot.live_keys(ref_id_of(snapshot, WORKTREE)) == frozenset()
        snapshot.check_files()
