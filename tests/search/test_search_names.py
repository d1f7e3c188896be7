"""A query that is nothing but a name finds its definition first; aliases define nothing."""

import pytest

from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import metadata_of, paths_of, reasons_of, results_of, search_with
from tests.support.repositories import MakeRepo

SOURCES = """
-- shop/wrappers.py
class Request:
    '''What a client sends.'''

    def __init__(self, body):
        self.body = body

-- shop/context.py
class AppContext:
    '''Holds the request; request after request, each request has one.'''

    def request(self):
        '''The request of this context, of the requests that the request stack holds.'''
        return self.request_stack[-1]

    def request_finished(self, request):
        self.request_stack.remove(request)

-- shop/request_log.py
import shop.wrappers

request_count = 0
Request = shop.wrappers.Request

def log_request(request):
    '''Write the request to the request log.'''
    print("request", request)

-- shop/fields.py
class Log:
    request: str = ""

-- shop/queries.py
class QuerySet:
    '''Rows that are read when they are needed.'''

    def save(self):
        for row in self.rows:
            row.write()

def query_set_of(queryset):
    '''The queryset of a queryset: query sets are sets of queries.'''
    return queryset

-- shop/savepoints.py
def save_point(save):
    '''Save a save point; to save is to save the save point.'''
    save.save_point()

def savepoint_saved(save_point):
    return save_point

-- shop/sizes.py
MAX_REQUESTS = 5

class MaxRequestsGuard:
    '''Guards max requests: no more requests than the max of requests.'''

    def check(self, max_requests):
        return max_requests

-- shop/rows.rb
class Row
  def empty?
    cells.none?
  end

  def empty_cells
    cells.select(&:empty)
  end
end

-- tests/test_requests.py
class HangingRequest:
    '''Never ends.'''

def test_a_request_hangs():
    assert HangingRequest()

-- docs/request.md
# Request

A request is what a client sends. See the request log for each request.
"""


@pytest.fixture
def opened(repo: MakeRepo) -> Repository:
    opened = open_repository(repo(SOURCES).root)
    opened.sync_repo()
    return opened


@requirement("SEARCH-KNOWN-NAMES")
@pytest.mark.parametrize(
    ("query", "path", "name"),
    [
        ("Request", "shop/wrappers.py", "Request"),
        ("request", "shop/wrappers.py", "Request"),
        ("class Request", "shop/wrappers.py", "Request"),
        ("class Request(Base):", "shop/wrappers.py", "Request"),
        ("export class request {", "shop/wrappers.py", "Request"),
        ("def request", "shop/context.py", "request"),
        ("def request(self, *args):", "shop/context.py", "request"),
        ("def save", "shop/queries.py", "save"),
        ("save", "shop/queries.py", "save"),
        ("Queryset", "shop/queries.py", "QuerySet"),
        ("query_set", "shop/queries.py", "QuerySet"),
        ("QuerySet.save", "shop/queries.py", "save"),
        ("MAX_REQUESTS", "shop/sizes.py", "MAX_REQUESTS"),
        ("const MAX_REQUESTS", "shop/sizes.py", "MAX_REQUESTS"),
        ("empty?", "shop/rows.rb", "empty?"),
        ("HangingRequest", "tests/test_requests.py", "HangingRequest"),
    ],
)
def test_the_definition_of_a_name_comes_first(
    opened: Repository, query: str, path: str, name: str
) -> None:
    answer = opened.search_code(query)

    first = results_of(answer)[0]
    assert (first["path"], first["name"]) == (path, name)
    assert metadata_of(answer)["low_confidence"] is False


@requirement("SEARCH-KNOWN-NAMES")
@pytest.mark.parametrize(
    ("query", "path", "name"),
    [
        ("Requst", "shop/wrappers.py", "Request"),
        ("class Requets", "shop/wrappers.py", "Request"),
        ("QueryStet", "shop/queries.py", "QuerySet"),
        ("log_requset", "shop/request_log.py", "log_request"),
    ],
)
def test_a_typing_error_finds_the_definition(
    opened: Repository, query: str, path: str, name: str
) -> None:
    answer = opened.search_code(query, ranking_explain_level="full")

    first = results_of(answer)[0]
    assert (first["path"], first["name"]) == (path, name)
    assert "fuzzy" in signals_of(reasons_of(answer)[0])


@requirement("SEARCH-KNOWN-NAMES")
@pytest.mark.parametrize("query", ["Requst", "class Requets"])
def test_what_only_a_typing_error_finds_is_not_sure(opened: Repository, query: str) -> None:
    assert metadata_of(opened.search_code(query))["low_confidence"] is True


def signals_of(reason: dict[str, object]) -> list[object]:
    contributions = reason["contributions"]
    assert isinstance(contributions, list)
    return [each["signal"] for each in contributions]


@requirement("SEARCH-KNOWN-NAMES")
@pytest.mark.parametrize("query", ["class name", "type inference", "function call", "request logs"])
def test_a_keyword_before_a_word_that_no_such_definition_has_is_a_word(
    opened: Repository, query: str
) -> None:
    reasons = reasons_of(opened.search_code(query, ranking_explain_level="full"))

    assert [each for each in reasons if "exact_match" in signals_of(each)] == []


@requirement("SEARCH-KNOWN-NAMES")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("class Request", ["shop.wrappers.Request"]),
        ("def request", ["shop.context.AppContext.request"]),
        ("class save", ["shop.queries.QuerySet.save"]),
        ("class Requst", ["shop.wrappers.Request"]),
    ],
)
def test_locate_takes_a_keyword_for_the_kind(
    opened: Repository, name: str, found: list[str]
) -> None:
    assert [each["qualified_name"] for each in results_of(opened.locate_symbol(name))] == found


@requirement("SEARCH-KNOWN-NAMES", "FR-115")
@pytest.mark.parametrize("query", ["Request", "class Request", "Requst", "HangingRequest", "save"])
def test_the_score_of_a_known_name_is_its_explanation(opened: Repository, query: str) -> None:
    for reason in reasons_of(opened.search_code(query, ranking_explain_level="full")):
        contributions = reason["contributions"]
        final_score = reason["final_score"]
        assert isinstance(contributions, list)
        assert isinstance(final_score, float)
        assert sum(each["effective"] for each in contributions) == pytest.approx(
            final_score, abs=1e-6
        )
        assert 0 <= final_score <= 1


@requirement("SEARCH-KNOWN-NAMES")
def test_a_filter_leaves_the_definitions_that_pass_it(opened: Repository) -> None:
    by_kind = search_with(opened, "Request", {"kind": "method"})
    by_path = search_with(opened, "Request", {"path": "shop/fields.py"})

    assert (paths_of(by_kind)[0], results_of(by_kind)[0]["kind"]) == ("shop/context.py", "method")
    assert paths_of(by_path) == ["shop/fields.py"]


ALIASES = """
-- lib/tree.zig
const std = @import("std");

pub const Tree = struct {
    nodes: []const u8,

    pub fn walk(self: Tree) void {
        _ = self;
    }
};

-- lib/printer.zig
const lib = @import("lib.zig");
const Tree = lib.Tree;
const Ast = lib.external.Ast;

/// Print the tree: every tree of the trees, Ast by Ast.
pub fn printTree(tree: Tree, ast: Ast) void {
    printTreeOf(tree, ast);
}

-- lib/checker.zig
const lib = @import("lib.zig");
const Tree = lib.Tree;
const Ast = lib.external.Ast;

/// Check the tree, and the tree in the tree, against its Ast.
pub fn checkTree(tree: Tree, ast: Ast) bool {
    return checkTreeOf(tree, ast);
}

-- lib/state.zig
pub const State = struct {
    tree: ?Tree = null,
};
"""


@requirement("SEARCH-ALIASES")
@pytest.mark.parametrize("query", ["Tree", "const Tree", "how is a Tree defined"])
def test_an_alias_ranks_below_what_it_names(repo: MakeRepo, query: str) -> None:
    opened = open_repository(repo(ALIASES).root)
    opened.sync_repo()

    answer = opened.search_code(query)

    assert (paths_of(answer)[0], results_of(answer)[0]["kind"]) == ("lib/tree.zig", "struct")
    assert [each for each in results_of(answer) if each.get("kind") == "type_alias"] == []


@requirement("SEARCH-ALIASES")
def test_where_all_are_aliases_the_code_that_uses_them_is_shown(repo: MakeRepo) -> None:
    opened = open_repository(repo(ALIASES).root)
    opened.sync_repo()

    answer = opened.search_code("how is the Ast of a tree checked")

    assert results_of(answer)[0]["name"] == "checkTree"
    assert {"lib/checker.zig", "lib/printer.zig"} <= {*paths_of(answer)}


@requirement("SEARCH-OPERATORS")
def test_no_file_pays_for_a_region_that_is_not_shown(repo: MakeRepo) -> None:
    parts = [
        f"def lantern_{number}(ship):\n    '''Lantern {number} of the ship.'''\n"
        + "".join(f"    ship.lantern_{number}_{line} = 'bright'\n" for line in range(40))
        for number in range(3)
    ]
    parts[2] += "    ship.say('all clear tonight')\n"
    opened = open_repository(repo("-- ship.py\n" + "\n".join(parts) + "\n").root)
    opened.sync_repo()

    answer = opened.search_code('ship lantern "all clear tonight"', ranking_explain_level="full")

    (reason,) = reasons_of(answer)
    assert "saturation" not in signals_of(reason)
    assert results_of(answer)[0]["name"] == "lantern_2"


MEANING = """
-- auth.py
import hashlib

def verify_credentials(account, secret):
    '''Compare the stored digest with that of a given secret.'''
    return hashlib.sha256(secret).hexdigest() == account.digest

-- canvas.py
def paint(canvas, shape):
    '''Draw a shape.'''
    canvas.draw(shape)

-- mailer.py
class Outbox:
    '''Messages that wait to be sent.'''

    def flush(self):
        for each in self.items:
            each.deliver()
"""
WITHOUT_WORDS = "how do people log in with a password"


@requirement("SEARCH-MEANING-ALONE")
@pytest.mark.parametrize("more", ["", "-- README.md\nFor people who draw.\n"])
def test_a_question_none_of_whose_words_occur_gets_the_nearest(repo: MakeRepo, more: str) -> None:
    opened = open_repository(repo(MEANING + more).root)
    opened.sync_repo()

    answer = opened.search_code(WITHOUT_WORDS, ranking_explain_level="full")

    nearest = [each for each in results_of(answer) if each["provenance"] == "semantic"]
    assert nearest[0]["name"] == "verify_credentials"
    assert len(results_of(answer)) <= 5
    assert metadata_of(answer)["low_confidence"] is True


@requirement("SEARCH-MEANING-ALONE")
def test_a_repository_of_one_file_is_enough_for_that(repo: MakeRepo) -> None:
    opened = open_repository(repo(MEANING.partition("\n-- canvas.py")[0] + "\n").root)
    opened.sync_repo()

    (found,) = results_of(opened.search_code(WITHOUT_WORDS))

    assert (found["path"], found["provenance"]) == ("auth.py", "semantic")


@requirement("SEARCH-MEANING-ALONE")
def test_words_that_only_a_filter_hides_are_no_reason_for_it(repo: MakeRepo) -> None:
    opened = open_repository(repo(MEANING).root)
    opened.sync_repo()

    answer = opened.search_code("which shape is drawn on the canvas", language="go")

    assert (results_of(answer), answer["empty_reason"]) == ([], "filtered_out")
