"""Bundles as seed 004 has them: what is in one, their order, and what holds for any hits."""

from typing import TypedDict, cast

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.hits import SearchHit
from cruxe.model.identity import VersionKey
from cruxe.model.levels import PROSE_LANGUAGES, ContentMode, mode_of
from cruxe.parse.languages import registry
from cruxe.respond.bundles import bundles_of
from cruxe.respond.search_answer import result_handle
from tests.requirements import requirement

LANGUAGES = {"py": "python", "md": "markdown"}
PRECEDENCE = ["code", "extractedProse", "prose", "records"]


class Hit(TypedDict):
    """A hit of a bundle."""

    index: int
    result_id: str
    line_start: int
    line_end: int
    score: float
    mode: str


class Group(TypedDict):
    """A bundle."""

    bundleId: str
    file: str | None
    language: str
    hitCount: int
    totalScore: float
    topScore: float
    modeCount: int
    modes: list[str]
    hits: list[Hit]


def hit(path: str, line: int, score: float, language: str | None = None) -> SearchHit:
    """A region of a file, or of none, without a definition in it."""
    key = VersionKey(sum(map(ord, path)))
    language = language or LANGUAGES.get(path.rpartition(".")[2], "python")
    return SearchHit(key, path, language, line, line + 4, None, line, score, ())


def groups_of(hits: list[SearchHit]) -> list[Group]:
    """The bundles of some hits."""
    bundles = bundles_of(hits)
    assert bundles["schemaVersion"] == 1
    assert list(bundles) == ["schemaVersion", "groups"]
    return cast("list[Group]", bundles["groups"])


HITS = st.lists(
    st.builds(
        hit,
        st.sampled_from(["a.py", "b.md", "b.py", "c/a.py", ""]),
        st.integers(1, 30),
        st.integers(0, 1_000_000).map(lambda parts: parts / 1_000_000),
        st.sampled_from([None, "markdown", "python"]),
    ),
    max_size=12,
    unique_by=result_handle,
)
FEW_SCORES = st.lists(
    st.builds(
        hit,
        st.sampled_from(["a.py", "b.md", "b.py", "c/a.py", ""]),
        st.integers(1, 30),
        st.sampled_from([0.25, 0.5]),
    ),
    max_size=12,
    unique_by=result_handle,
)


@requirement("S004-BUNDLES")
def test_hits_are_put_together_by_file() -> None:
    hits = [hit("a.py", 1, 0.7), hit("README.md", 5, 0.600001), hit("a.py", 9, 0.2)]

    assert groups_of(hits) == [
        {
            "bundleId": "a.py",
            "file": "a.py",
            "language": "python",
            "hitCount": 2,
            "totalScore": 0.9,
            "topScore": 0.7,
            "modeCount": 1,
            "modes": ["code"],
            "hits": [
                {
                    "index": 0,
                    "result_id": result_handle(hits[0]),
                    "line_start": 1,
                    "line_end": 5,
                    "score": 0.7,
                    "mode": "code",
                },
                {
                    "index": 2,
                    "result_id": result_handle(hits[2]),
                    "line_start": 9,
                    "line_end": 13,
                    "score": 0.2,
                    "mode": "code",
                },
            ],
        },
        {
            "bundleId": "README.md",
            "file": "README.md",
            "language": "markdown",
            "hitCount": 1,
            "totalScore": 0.600001,
            "topScore": 0.600001,
            "modeCount": 1,
            "modes": ["prose"],
            "hits": [
                {
                    "index": 1,
                    "result_id": result_handle(hits[1]),
                    "line_start": 5,
                    "line_end": 9,
                    "score": 0.600001,
                    "mode": "prose",
                }
            ],
        },
    ]


@requirement("S004-BUNDLES")
def test_hits_without_a_file_are_alone_under_a_name_that_is_theirs_anywhere() -> None:
    hits = [hit("", 1, 0.5), hit("", 2, 0.4, "text")]
    names = [f"/code/{result_handle(hits[0])}", f"/prose/{result_handle(hits[1])}"]

    assert [(each["bundleId"], each["file"], each["hitCount"]) for each in groups_of(hits)] == [
        (names[0], None, 1),
        (names[1], None, 1),
    ]
    assert [each["bundleId"] for each in groups_of([hit("x.py", 1, 0.9), *hits])][1:] == names


@requirement("S004-BUNDLE-ORDER")
def test_total_top_modes_file_and_id_order_the_bundles() -> None:
    by_total = [hit("a.py", 1, 0.5), hit("b.py", 1, 0.3), hit("b.py", 9, 0.3)]
    by_top = [hit("a.py", 1, 0.4), hit("a.py", 9, 0.4), hit("b.py", 1, 0.5), hit("b.py", 9, 0.3)]
    of_two_modes = [hit("b.py", 1, 0.5), hit("b.py", 9, 0.3, "markdown")]
    by_modes = [hit("a.py", 1, 0.5), hit("a.py", 9, 0.3), *of_two_modes]
    by_file = [hit("b.py", 1, 0.5), hit("a.py", 1, 0.5), hit("", 1, 0.5)]
    by_id = [hit("", 2, 0.5), hit("", 1, 0.5)]

    def files(hits: list[SearchHit]) -> list[str | None]:
        return [each["file"] for each in groups_of(hits)]

    assert files(by_total) == ["b.py", "a.py"]
    assert files(by_top) == ["b.py", "a.py"]
    assert files(by_modes) == ["b.py", "a.py"]
    assert files(by_file) == [None, "a.py", "b.py"]
    names = [each["bundleId"] for each in groups_of(by_id)]
    assert names == sorted(names)
    assert names[0] == f"/code/{result_handle(by_id[1])}"


@requirement("S004-BUNDLE-ORDER")
def test_score_mode_and_index_order_the_hits_of_a_bundle() -> None:
    hits = [
        hit("a.py", 1, 0.4),
        hit("a.py", 2, 0.5, "markdown"),
        hit("a.py", 3, 0.5),
        hit("a.py", 4, 0.5),
    ]

    (group,) = groups_of(hits)
    assert [each["index"] for each in group["hits"]] == [2, 3, 1, 0]
    assert group["modes"] == ["code", "prose"]


@requirement("S004-BUNDLES", "S004-BUNDLE-ORDER")
@given(hits=HITS | FEW_SCORES)
def test_counts_and_scores_add_up_and_every_order_is_kept(hits: list[SearchHit]) -> None:
    groups = groups_of(hits)

    shown = [each for group in groups for each in group["hits"]]
    assert sorted(each["index"] for each in shown) == list(range(len(hits)))
    for group in groups:
        members = [hits[each["index"]] for each in group["hits"]]
        assert {each.path or None for each in members} == {group["file"]}
        assert [each["result_id"] for each in group["hits"]] == list(map(result_handle, members))
        assert [each["score"] for each in group["hits"]] == [each.score for each in members]
        assert group["hitCount"] == len(members)
        assert group["totalScore"] == round(sum(each.score for each in members), 6)
        assert group["topScore"] == members[0].score
        assert group["modeCount"] == len(group["modes"])
        assert group["modes"] == [
            mode for mode in PRECEDENCE if mode in {each["mode"] for each in group["hits"]}
        ]
        assert group["hits"] == sorted(group["hits"], key=_hit_order)
    assert groups == sorted(groups, key=_group_order)
    assert len({each["bundleId"] for each in groups}) == len(groups)


@requirement("S004-BUNDLE-ORDER")
@given(both=FEW_SCORES.flatmap(lambda hits: st.tuples(st.just(hits), st.permutations(hits))))
def test_which_file_comes_first_does_not_depend_on_the_order_of_the_hits(
    both: tuple[list[SearchHit], list[SearchHit]],
) -> None:
    hits, shuffled = both

    def told(group: Group) -> tuple[object, ...]:
        return group["bundleId"], group["hitCount"], group["totalScore"], group["topScore"]

    assert bundles_of(hits) == bundles_of(hits)
    assert list(map(told, groups_of(shuffled))) == list(map(told, groups_of(hits)))


def test_prose_are_the_languages_that_say_so() -> None:
    languages = registry().languages

    assert {each.name for each in languages if each.mode == "prose"} == PROSE_LANGUAGES
    assert {each.name: mode_of(each.name).value for each in languages} == {
        each.name: each.mode for each in languages
    }


@requirement("S004-BUNDLE-ORDER")
def test_modes_have_the_precedence_of_the_seed() -> None:
    assert [mode.value for mode in ContentMode] == PRECEDENCE


def _hit_order(each: Hit) -> tuple[float, int, int, str]:
    return -each["score"], PRECEDENCE.index(each["mode"]), each["index"], each["result_id"]


def _group_order(group: Group) -> tuple[float, float, int, str, str]:
    scores = -group["totalScore"], -group["topScore"]
    return *scores, -group["modeCount"], group["file"] or "", group["bundleId"]
