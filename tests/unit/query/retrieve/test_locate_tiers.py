"""Names that are merely alike, and the order of definitions within a tier."""

from typing import Final

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.repositories import MakeRepo

WEB: Final = """
    -- web/http.py
    class HTTPHeaderParser:
        def parse(self) -> None:
            return None

    def parse_header_value() -> None:
        return None

    def responseTime() -> int:
        return 1

    class HttpResponse:
        def write(self) -> None:
            return None

    class Request:
        def write(self) -> None:
            return None
"""


@pytest.fixture
def web(repo: MakeRepo) -> Repository:
    made = open_repository(repo(WEB).root)
    made.sync_repo()
    return made


def found(made: Repository, name: str, **options: str) -> list[tuple[object, object]]:
    answer = made.locate_symbol(name, **options)  # type: ignore[arg-type]
    assert isinstance(answer["results"], list)
    return [(each["qualified_name"], each["match"]) for each in answer["results"]]


@requirement("LOCATE-ALIKE")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("parse_header", ["web.http.HTTPHeaderParser", "web.http.parse_header_value"]),
        ("parsed_headers", ["web.http.HTTPHeaderParser", "web.http.parse_header_value"]),
        ("HeaderValue", ["web.http.parse_header_value"]),
        ("http.HeaderValue", ["web.http.parse_header_value"]),
        ("ftp.HeaderValue", []),
        ("header_footer", []),
    ],
)
def test_a_name_that_holds_all_the_words_is_found_where_no_other_is(
    name: str, expected: list[str], web: Repository
) -> None:
    assert found(web, name) == [(each, "sub_word") for each in expected]


@requirement("LOCATE-ALIKE")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("HttpRespnse", ["web.http.HttpResponse"]),  # a letter left out
        ("httpresponsse", ["web.http.HttpResponse"]),  # one too many
        ("Http_Responze", ["web.http.HttpResponse"]),  # another
        ("HttRspnse", []),  # three errors
        ("HttpRespones", ["web.http.HttpResponse"]),  # two swapped
        ("reponse_tiem", ["web.http.responseTime"]),  # two errors in a long name
        ("Requst", ["web.http.Request"]),
        ("Reqst", []),  # two errors in a short one
        ("Requst.write", ["web.http.Request.write"]),
        ("Request.wite", ["web.http.Request.write"]),
        ("pars", ["web.http.HTTPHeaderParser.parse"]),
    ],
)
def test_a_name_with_a_typing_error_is_found_where_no_other_is(
    name: str, expected: list[str], web: Repository
) -> None:
    assert found(web, name) == [(each, "fuzzy") for each in expected]


@requirement("LOCATE-ALIKE")
def test_names_merely_alike_never_stand_beside_the_name_itself(web: Repository) -> None:
    assert found(web, "Parse") == [("web.http.HTTPHeaderParser.parse", "case_insensitive")]
    assert found(web, "write") == [
        ("web.http.HttpResponse.write", "exact"),
        ("web.http.Request.write", "exact"),
    ]


@requirement("LOCATE-ALIKE")
def test_a_filter_never_makes_a_sure_match_a_doubtful_one(web: Repository) -> None:
    answer = web.locate_symbol("Request", kind="function")
    assert (answer["results"], answer["empty_reason"]) == ([], "filtered_out")

    assert found(web, "parse_header", kind="class") == [("web.http.HTTPHeaderParser", "sub_word")]


@requirement("LOCATE-AMBIGUOUS")
def test_the_definitions_of_each_tier_are_counted_shown_or_not(web: Repository) -> None:
    web_answer = web.locate_symbol("write", limit=1)
    assert (web_answer["matches"], web_answer["total_candidates"]) == ({"exact": 2}, 2)
    assert web.locate_symbol("HttpRespnse")["matches"] == {"fuzzy": 1}


ORDER: Final = """
    -- tests/test_a.py
    class Timer:
        pass
    -- examples/a.py
    class Timer:
        pass
    -- docs/timer.md
    # Timer
    -- src/b.py
    def Timer():
        return 1
    -- src/c.py
    class Timer:
        x = 1
    -- src/d.c
    struct Timer { int x; };
    -- src/d.h
    int start_timer(struct Timer *timer);
    -- src/e.c
    int start_timer(struct Timer *timer)
    {
        return timer->x;
    }
    -- src/f.c
    typedef struct Spring {
        int x;
    } Spring;
    -- src/_g.py
    _Timer = 1
    Timer = 2
"""


@requirement("LOCATE-ORDER")
def test_within_a_tier_place_comes_before_role_and_role_before_path(repo: MakeRepo) -> None:
    made = open_repository(repo(ORDER).root)
    made.sync_repo()

    answer = made.locate_symbol("Timer")
    assert isinstance(answer["results"], list)
    shown = [(f"{each['path']}:{each['line_start']}", each["kind"]) for each in answer["results"]]

    assert shown == [
        ("src/c.py:1", "class"),
        ("src/d.c:1", "struct"),  # on one line, as a mere declaration would be
        ("src/b.py:1", "function"),
        ("src/_g.py:2", "variable"),
        ("examples/a.py:1", "class"),
        ("docs/timer.md:1", "section"),
        ("tests/test_a.py:1", "class"),
        ("src/_g.py:1", "variable"),  # in another spelling
    ]


@requirement("LOCATE-ORDER")
def test_a_definition_comes_before_its_prototype(repo: MakeRepo) -> None:
    made = open_repository(repo(ORDER).root)
    made.sync_repo()

    answer = made.locate_symbol("start_timer")
    assert isinstance(answer["results"], list)

    assert [each["path"] for each in answer["results"]] == ["src/e.c", "src/d.h"]


@requirement("S000-DEDUP-ONE", "S000-DEDUP-COUNT")
def test_a_type_and_the_name_it_is_given_are_one_result(repo: MakeRepo) -> None:
    made = open_repository(repo(ORDER).root)
    made.sync_repo()

    answer = made.locate_symbol("Spring")
    assert isinstance(answer["results"], list)
    assert isinstance(answer["metadata"], dict)

    assert [(each["kind"], each["line_start"]) for each in answer["results"]] == [("struct", 1)]
    assert answer["matches"] == {"exact": 1}
    assert answer["metadata"]["suppressed_duplicate_count"] == 1


def test_copies_of_a_definition_are_all_told(repo: MakeRepo) -> None:
    body = "class Copied:\n        def run(self, value):\n            return value + 1\n"
    made = open_repository(repo(f"\n    -- a.py\n    {body}    -- b.py\n    {body}").root)
    made.sync_repo()

    answer = made.locate_symbol("Copied")
    assert isinstance(answer["results"], list)
    assert isinstance(answer["metadata"], dict)

    assert [each["path"] for each in answer["results"]] == ["a.py", "b.py"]
    assert "suppressed_duplicate_count" not in answer["metadata"]
