"""What answers say of what is not there, and of what is: unknown names, confidence, no circles."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.indexing import settle
from tests.support.polyglot import Failure, metadata_of, results_of, search_with
from tests.support.repositories import MakeRepo, split_files

if TYPE_CHECKING:
    from cruxe.contract.results import SearchCodeResult

WHARF = """\
-- wharf/berth.py
class BerthLedger:
    '''Keeps which ship lies at which berth.'''

    def assign_berth(self, ship_name: str) -> int:
        return len(ship_name)

    def release_all_berths(self) -> None:
        '''Uses HTTP2 and repl-backlog-size.'''
-- wharf/ledger_rules.py
def check_ledger(ledger: object) -> bool:
    return harbourMasterRule(ledger)
-- notes.md
# Notes

Ships wait at the roads. See wharf/berth.py.
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/checkout/{path}", line 5, in {name}
    return {call}(box_name)
{error}: no free berth
"""


@pytest.fixture
def wharf(repo: MakeRepo) -> Repository:
    opened = open_repository(repo(WHARF).root)
    opened.sync_repo()
    return opened


@requirement("SEARCH-UNKNOWN-TERMS")
@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("BerthShipLedger", ["BerthShipLedger"]),
        ("assign_ship_ledger", ["assign_ship_ledger"]),
        ("where is checkBerthName defined", ["checkBerthName"]),
        ("how does BerthLedger.moor_ship work", ["BerthLedger.moor_ship"]),
        ("does BerthLedger use ShipRegister or ship_crew", ["ShipRegister", "ship_crew"]),
        ("what does wharf/berth_rules.py check", ["wharf/berth_rules.py"]),
        ("the HTTPLedger of the wharf", ["HTTPLedger"]),
        ("is the ledger kept by Kubernetes", ["Kubernetes"]),
        ("BerthLedgr", ["BerthLedgr"]),
        ("--berth-backlog", ["--berth-backlog"]),
    ],
)
def test_names_that_do_not_occur_are_listed_and_the_answer_is_low(
    wharf: Repository, query: str, unknown: list[str]
) -> None:
    metadata = metadata_of(wharf.search_code(query))

    assert metadata["unknown_terms"] == unknown
    assert metadata["low_confidence"] is True


@requirement("SEARCH-UNKNOWN-TERMS")
@pytest.mark.parametrize(
    "query",
    [
        *("BerthLedger", "berth_ledger", "BERTH_LEDGER", "assignBerth", "assign_berth()"),
        *("BerthLedger.assign_berth", "BerthLedger::assign_berth", "wharf.berth.BerthLedger"),
        *("harbourMasterRule", "harbour_master_rule", "harbourmaster", "release_all", "HTTP2"),
        *("wharf/berth.py", "/srv/x/wharf/berth.py:12:3", "berth.py", "repl-backlog-size"),
        *("how does BerthLedger assign a berth", "which Ships wait", "ships and/or ledgers"),
        *("where are ships released", "the roads of 2024 and v1.2.3", '"lies at which"'),
    ],
)
def test_names_that_occur_in_any_spelling_are_not_listed(wharf: Repository, query: str) -> None:
    assert "unknown_terms" not in metadata_of(wharf.search_code(query))


@requirement("SEARCH-UNKNOWN-TERMS")
def test_the_nearest_results_are_still_given_and_lead_to_no_other_name(wharf: Repository) -> None:
    answer = wharf.search_code("where is BerthShipLedger defined")

    assert results_of(answer)[0]["path"] == "wharf/berth.py"
    assert answer["suggested_next_actions"] == []
    assert metadata_of(answer)["suggested_action"] == (
        "'BerthShipLedger' does not occur here. Check its spelling, or say what it does."
    )


@requirement("SEARCH-UNKNOWN-TERMS")
def test_only_the_first_unknown_names_are_listed(wharf: Repository) -> None:
    names = [f"ship{letter}_x_crew" for letter in "abcdefghijkl"]

    assert metadata_of(wharf.search_code(" ".join(names)))["unknown_terms"] == names[:8]


@requirement("SEARCH-UNKNOWN-TERMS")
def test_a_name_in_a_changed_file_occurs(repo: MakeRepo) -> None:
    made = repo(WHARF)
    settle(made, *split_files(WHARF))
    open_repository(made.root).sync_repo()
    made.write("-- wharf/crane.py\ndef lift_ship_crane():\n    pass\n")
    opened = open_repository(made.root)

    asked = [opened.search_code(f"what does {name} do") for name in ("lift_ship_crane", "no_ship")]

    assert [metadata_of(each)["freshness_status"] for each in asked] == ["stale", "stale"]
    assert "unknown_terms" not in metadata_of(asked[0])
    assert metadata_of(asked[1])["unknown_terms"] == ["no_ship"]


@requirement("SEARCH-UNKNOWN-TERMS")
def test_a_pasted_text_is_low_only_if_the_repository_has_none_of_it(wharf: Repository) -> None:
    own = TRACEBACK.format(
        path="wharf/berth.py", name="assign_berth", call="moor_ship", error="CraneError"
    )
    foreign = TRACEBACK.format(
        path="crane/lift.py", name="lift_box", call="lower_box", error="CraneError"
    )
    known, unknown = (metadata_of(wharf.search_code(text)) for text in (own, foreign))

    assert known["low_confidence"] is False
    assert known["unknown_terms"] == ["CraneError", "moor_ship", "box_name"]
    assert unknown["low_confidence"] is True
    assert "crane/lift.py" in str(unknown["unknown_terms"])


@requirement("LOCATE-ABSENT")
@pytest.mark.parametrize("name", ["ShipRegister", "BerthLedger.ShipRegister", "moor_ship_now"])
def test_a_name_that_no_file_holds_is_confirmed_absent(wharf: Repository, name: str) -> None:
    located = wharf.locate_symbol(name)

    assert (located["results"], located.get("empty_reason")) == ([], "confirmed_absent")
    assert (located.get("case"), located.get("searched")) == (
        "insensitive",
        {"files": 3, "skipped": {}},
    )
    assert wharf.search_text(name).get("empty_reason") == "confirmed_absent"


@requirement("LOCATE-ABSENT")
def test_a_name_that_occurs_without_a_definition_is_no_match(wharf: Repository) -> None:
    located = wharf.locate_symbol("harbourMasterRule")

    assert (located["results"], located.get("empty_reason")) == ([], "no_match")
    assert "searched" not in located


@requirement("LOCATE-ABSENT")
def test_a_name_one_typing_error_away_is_answered_listed_and_low(wharf: Repository) -> None:
    located = wharf.locate_symbol("BerthLedgr")
    metadata = metadata_of(located)

    assert [each["name"] for each in results_of(located)] == ["BerthLedger"]
    assert (metadata["unknown_terms"], metadata["low_confidence"]) == (["BerthLedgr"], True)


@requirement("LOCATE-ABSENT")
def test_similar_names_of_one_that_occurs_are_not_low(wharf: Repository) -> None:
    exact, part = wharf.locate_symbol("BerthLedger"), wharf.locate_symbol("release_all")

    assert part["matches"] == {"sub_word": 1}
    for located in (exact, part):
        assert {"unknown_terms", "low_confidence"}.isdisjoint(metadata_of(located))


@requirement("LOCATE-ABSENT")
def test_a_name_in_a_changed_file_is_not_absent(repo: MakeRepo) -> None:
    made = repo(WHARF)
    settle(made, *split_files(WHARF))
    open_repository(made.root).sync_repo()
    made.write("-- wharf/crane.py\ndef lift_ship_crane():\n    pass\n")
    opened = open_repository(made.root)

    present, absent = (opened.locate_symbol(name) for name in ("lift_ship_crane", "no_ship"))

    assert (present.get("empty_reason"), absent.get("empty_reason")) == (
        "stale",
        "confirmed_absent",
    )
    assert absent.get("searched") == {"files": 4, "changed_files": 1, "skipped": {}}


_Call = tuple[str, tuple[tuple[str, object], ...]]
_ADVICE = re.compile(
    r"Try (?P<tool>locate_symbol|search_text|search_code) with"
    r" (?:natural language: )?'(?P<text>.*)'"
)
_ARGUMENT = {"locate_symbol": "name", "search_code": "query", "search_text": "pattern"}
PIECES = ["Berth", "Ship", "Ledger", "Rate", "Limiter", "Token", "Zorblax", "Frobnicated", "get"]
INVENTED = st.builds(
    lambda parts, joined: joined(parts),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
    st.sampled_from(
        [
            "".join,
            lambda parts: "_".join(parts).lower(),
            ".".join,
            lambda parts: f"where is {''.join(parts)} defined",
            lambda parts: f'"{" ".join(parts)}"',
        ]
    ),
)
OPTIONS = st.sampled_from([{}, {"kind": "class"}, {"language": "go"}, {"role": "type"}])


@requirement("SEARCH-NO-CIRCLE")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(tool=st.sampled_from([*_ARGUMENT]), asked=INVENTED, options=OPTIONS)
def test_what_is_suggested_never_leads_back_or_to_a_name_that_does_not_exist(
    harbor: Repository, tool: str, asked: str, options: dict[str, object]
) -> None:
    given = {} if tool == "search_text" else options
    for path in _paths_from(harbor, _call(tool, {_ARGUMENT[tool]: asked, **given}), ()):
        assert len(set(path)) == len(path), path
        assert len(path) <= 4, path
        for each, arguments in path[1:]:
            if each != "search_code":
                assert _answer_to(harbor, each, dict(arguments))["results"], path


@requirement("SEARCH-NO-CIRCLE")
@pytest.mark.parametrize(
    ("name", "options", "suggested"),
    [
        ("ShipRegister", {}, []),
        ("berth of a ship", {}, [{"tool": "search_code", "query": "berth of a ship"}]),
        # It is only called.
        (
            "ledger.harbourMasterRule",
            {},
            [{"tool": "search_text", "pattern": "harbourMasterRule", "case": "insensitive"}],
        ),
        ("BerthLedger", {"kind": "method"}, [{"tool": "locate_symbol", "name": "BerthLedger"}]),
    ],
)
def test_a_name_without_a_definition_leads_to_what_can_find_it(
    wharf: Repository, name: str, options: dict[str, object], suggested: list[dict[str, object]]
) -> None:
    answer = _answer_to(wharf, "locate_symbol", {"name": name, **options})

    assert (answer["results"], answer["suggested_next_actions"]) == ([], suggested)


def _paths_from(
    opened: Repository, call: _Call, before: tuple[_Call, ...]
) -> Iterator[tuple[_Call, ...]]:
    """Every chain of calls that suggestions lead to, as far as six."""
    path = (*before, call)
    tool, arguments = call
    suggested = _suggestions(_answer_to(opened, tool, dict(arguments))) if len(path) < 6 else []
    if not suggested:
        yield path
    for following in suggested:
        yield from _paths_from(opened, following, path)


def _suggestions(answer: Mapping[str, object]) -> list[_Call]:
    """The calls that an answer suggests, in either place; the next page is no other call."""
    actions = cast("list[dict[str, object]]", answer.get("suggested_next_actions", []))
    if answer["results"] and "unknown_terms" in metadata_of(answer):
        assert actions == []  # the results are something else
    called = [_call(str(each.pop("tool")), each) for each in map(dict, actions)]
    advice = _ADVICE.fullmatch(str(metadata_of(answer).get("suggested_action")))
    if advice is not None:
        called.append(_call(advice["tool"], {_ARGUMENT[advice["tool"]]: advice["text"]}))
    return [each for each in called if "cursor" not in dict(each[1])]


def _call(tool: str, arguments: Mapping[str, object]) -> _Call:
    return tool, tuple(sorted(arguments.items()))


def _answer_to(opened: Repository, tool: str, arguments: dict[str, object]) -> Mapping[str, object]:
    calls: dict[str, Callable[..., Mapping[str, object]]] = {
        "locate_symbol": opened.locate_symbol,
        "search_code": opened.search_code,
        "search_text": opened.search_text,
        "sync_repo": opened.sync_repo,
    }
    return calls[tool](*[arguments.pop(_ARGUMENT[tool])], **arguments)


@requirement("SEARCH-CONFIDENCE")
@pytest.mark.parametrize(
    "query", ["RateLimiter", "RateLimiter.allow", "sign_token", "rate_limit.py", "server/router.go"]
)
def test_the_very_name_or_path_that_was_asked_for_has_confidence_one(
    harbor: Repository, query: str
) -> None:
    answer = harbor.search_code(query, confidence_threshold=1.0, ranking_explain_level="full")

    assert metadata_of(answer)["low_confidence"] is False
    assert _confidence_of(answer) == 1.0


@requirement("SEARCH-CONFIDENCE")
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_what_is_below_the_threshold_is_low_and_nothing_else(
    harbor: Repository, threshold: float
) -> None:
    for query in ("RateLimiter", "how are requests limited", "zebra pauses quota", "noSuchThing"):
        answer = harbor.search_code(
            query, confidence_threshold=threshold, ranking_explain_level="full"
        )
        is_low = _confidence_of(answer) < threshold
        assert metadata_of(answer)["low_confidence"] is is_low, query


def _confidence_of(answer: "SearchCodeResult") -> float:
    assert "stats" in answer
    return answer["stats"]["trust"]["confidence"]["value"]


@requirement("SEARCH-CONFIDENCE")
@pytest.mark.parametrize(
    "query",
    [
        "how long should I boil an egg",
        "how does a nuclear reactor control neutrons",
        "who painted the ceiling of the sistine chapel",
        "how does the chess engine prune its search tree",
    ],
)
def test_a_question_about_something_else_is_low(harbor: Repository, query: str) -> None:
    assert metadata_of(harbor.search_code(query))["low_confidence"] is True


@requirement("SEARCH-CONFIDENCE")
@pytest.mark.parametrize(
    "query",
    [
        "how are requests limited",
        "where is a token signed",
        "how does the cache evict entries",
        "rate limiter",
    ],
)
def test_a_question_about_the_repository_is_not_low(harbor: Repository, query: str) -> None:
    assert metadata_of(harbor.search_code(query))["low_confidence"] is False


@requirement("FILTER-LANGUAGE-NAMES")
@pytest.mark.parametrize(
    ("given", "name"),
    [
        *(("py", "python"), (".py", "python"), ("Python", "python"), ("ts", "typescript")),
        *(("Rust", "rust"), ("rs", "rust"), ("golang", "go"), ("GO", "go")),
    ],
)
def test_a_language_has_many_names(harbor: Repository, given: str, name: str) -> None:
    options: list[dict[str, object]] = [{"language": given}, {"language": name}]
    found, same = (search_with(harbor, "", each) for each in options)

    assert results_of(found) == results_of(same) != []
    assert {each["language"] for each in results_of(found)} == {name}
    assert harbor.search_text("limit", language=given) == harbor.search_text("limit", language=name)


@requirement("FILTER-LANGUAGE-NAMES")
def test_an_unknown_language_is_invalid_input_with_the_nearest(harbor: Repository) -> None:
    calls: list[Callable[[], object]] = [
        lambda: harbor.search_code("x", language="pyhton"),
        lambda: harbor.locate_symbol("x", language="pyhton"),
        lambda: harbor.search_text("x", language="pyhton"),
        lambda: harbor.get_file_outline("x.py", language="pyhton"),
        lambda: harbor.explain_ranking("x", "x.py", 1, language="pyhton"),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError) as caught:
            call()
        failure = Failure.of(caught.value)
        assert failure.message == "language is 'pyhton'; did you mean python?"
        assert failure.data["field"] == "language"
        assert "typescript" in str(failure.data["choices"])


@requirement("SEARCH-BLANK")
@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_a_blank_query_is_invalid_input(harbor: Repository, query: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        harbor.search_code(query)

    assert Failure.of(caught.value) == Failure(
        "invalid_input",
        "query is empty",
        "say what to look for; without words a filter lists all that passes it",
        {"field": "query"},
    )


@requirement("SEARCH-BLANK")
def test_a_blank_query_with_a_filter_lists_all_that_passes_by_path_and_line(
    wharf: Repository,
) -> None:
    methods = wharf.search_code("", kind="method")
    files = wharf.search_code(" ", path="wharf/")
    none = wharf.search_code("", kind="trait")

    assert [each["name"] for each in results_of(methods)] == ["assign_berth", "release_all_berths"]
    assert [(each["path"], each["name"]) for each in results_of(files)] == [
        ("wharf/berth.py", "BerthLedger"),
        ("wharf/berth.py", "assign_berth"),
        ("wharf/berth.py", "release_all_berths"),
        ("wharf/ledger_rules.py", "check_ledger"),
    ]
    assert metadata_of(files)["low_confidence"] is False
    assert (none["results"], none.get("empty_reason")) == ([], "filtered_out")


@requirement("SEARCH-BLANK", "SEARCH-CURSOR")
def test_the_pages_of_a_list_are_the_list(wharf: Repository) -> None:
    whole = wharf.search_code("", path="wharf/")
    page, shown = wharf.search_code("", path="wharf/", limit=3), list[object]()
    while True:
        shown += results_of(page)
        if "next_cursor" not in page:
            break
        page = wharf.search_code("", path="wharf/", limit=3, cursor=page["next_cursor"])

    assert shown == results_of(whole)
    assert whole["total_candidates"] == len(shown) == 4


@requirement("EMPTY-REASON")
def test_every_empty_list_has_its_reason(repo: MakeRepo) -> None:
    made = repo("-- a.py\nx = 1\n-- plain.txt\nwords\n-- none.py\n# nothing\n-- logo.png\n\0\0\n")
    opened = open_repository(made.root)
    opened.sync_repo()
    outlines = {
        path: opened.get_file_outline(path) for path in ("plain.txt", "none.py", "logo.png")
    }

    assert {path: each.get("empty_reason") for path, each in outlines.items()} == {
        "plain.txt": "language_not_parsed",
        "none.py": "no_match",
        "logo.png": "not_indexed",
    }
    assert outlines["logo.png"].get("skip_reason") == "binary"
    assert opened.get_file_outline("a.py", language="go").get("empty_reason") == "filtered_out"
    assert opened.search_text("nowhere", regex=True).get("empty_reason") == "no_match"
    assert (
        opened.search_code("nowhere at all", semantic_ratio=0.0).get("empty_reason") == "no_match"
    )
