"""What a result shows is what it is called: its lines, its handle, its snippet, its evidence."""

from typing import Final

import pytest

from cruxe.model.errors import AmbiguousSymbolError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import Answer, Result, names_of, paths_of, results_of, search_with
from tests.support.repositories import MakeRepo, Repo

# One function with a doc comment above it or inside it, in each way that languages have.
DOCUMENTED: Final = """
    -- py.py
    import os


    @os.fspath
    def kindle():
        '''Light the lantern wick.'''
        return 1
    -- go.go
    package lamp

    // Kindle lights the lantern wick.
    func Kindle() int {
        return 1
    }
    -- js.js
    const a = 1;

    /**
     * Lights the lantern wick.
     */
    export function kindle() {
      return 1;
    }
    -- rs.rs
    use std::io;

    /// Lights the lantern wick.
    #[inline]
    pub fn kindle() -> i32 {
        1
    }
    -- c.c
    #include <stdio.h>

    /* Lights the lantern wick. */
    int kindle(void) {
        return 1;
    }
    -- Ja.java
    class Ja {
        /** Lights the lantern wick. */
        @Deprecated
        int kindle() {
            return 1;
        }
    }
"""
LINES_OF_KINDLE: Final = {
    "py.py": (4, 7),
    "go.go": (4, 6),
    "js.js": (6, 8),
    "rs.rs": (4, 7),
    "c.c": (4, 6),
    "Ja.java": (3, 6),
}
_FIELDS: Final = "\n".join(f"    field_{number} = {number}" for number in range(200))
_STEPS: Final = "\n".join(f"    step_{number}()" for number in range(150))
_SMALL: Final = "\n\n\n".join(f"def {word}():\n    return 1" for word in ("north", "east", "south"))


def opened(made: Repo) -> Repository:
    repository = open_repository(made.root)
    repository.sync_repo()
    return repository


def lines_of(found: Answer) -> tuple[object, object]:
    return found["line_start"], found["line_end"]


def of_path(answer: Answer, path: str) -> Result:
    return next(each for each in results_of(answer) if each["path"] == path)


@requirement("SHOWN-LINES")
def test_every_tool_gives_a_symbol_the_same_lines_without_its_doc_comment(repo: MakeRepo) -> None:
    lamps = opened(repo(DOCUMENTED))
    searched = lamps.search_code("lantern wick", limit=20)
    located = lamps.locate_symbol("kindle")

    for path, lines in LINES_OF_KINDLE.items():
        result = of_path(searched, path)
        outline = lamps.get_file_outline(path)["symbols"]
        nodes = [*outline, *(each for node in outline for each in node.get("children", []))]
        (node,) = [each for each in nodes if each["name"].lower() == "kindle"]
        read = lamps.read_symbol(f"{path}:{lines[1]}")

        assert str(result["name"]).lower() == "kindle"
        assert lines_of(result) == lines_of(of_path(located, path)) == lines, path
        assert lines_of(node) == lines_of(read) == lines, path
        assert "lantern wick" in read.get("doc", ""), path


@requirement("SHOWN-SNIPPET")
def test_the_snippet_may_be_of_the_doc_comment_above_the_lines(repo: MakeRepo) -> None:
    lamps = opened(repo(DOCUMENTED))
    snippets = {
        str(each["path"]): each.get("snippet")
        for each in results_of(lamps.search_code("lantern wick", limit=20))
    }

    assert snippets["go.go"] == "// Kindle lights the lantern wick."
    assert snippets["js.js"] == "* Lights the lantern wick."
    assert snippets["py.py"] == "'''Light the lantern wick.'''"


@requirement("SHOWN-LINES", "SHOWN-HANDLE")
def test_a_chunk_of_many_small_definitions_has_no_name_and_its_own_lines(repo: MakeRepo) -> None:
    made = opened(repo(f"-- small.py\n{_SMALL}\n"))
    (result,) = results_of(made.search_code("north and east and south"))
    read = made.read_symbol(str(result["result_id"]))

    assert not {"name", "kind", "symbol_id"} & result.keys()
    assert lines_of(result) == lines_of(read) == (1, 10)
    assert read["source"] == _SMALL


@requirement("SHOWN-LINES", "SHOWN-HANDLE")
def test_a_part_of_a_long_function_is_shown_as_the_function(repo: MakeRepo) -> None:
    made = opened(repo(f"-- long.py\ndef march():\n{_STEPS}\n    halt_here()\n"))
    (result,) = results_of(made.search_code("halt here", detail_level="context"))

    assert (result["name"], *lines_of(result)) == ("march", 1, 152)
    assert str(result["snippet"]).endswith("halt_here()")
    assert lines_of(made.read_symbol(str(result["result_id"]))) == (1, 152)


@requirement("SHOWN-LINES", "SHOWN-HANDLE")
def test_a_part_of_a_long_class_is_a_chunk_with_the_class_as_its_parent(repo: MakeRepo) -> None:
    made = opened(repo(f"-- wide.py\nclass Wide:\n{_FIELDS}\n    zebra = 1\n"))
    (field, *_) = results_of(made.search_code("zebra", detail_level="context"))
    (part, *_) = results_of(made.search_code("field 7 and zebra", detail_level="context"))
    read = made.read_symbol(str(part["result_id"]))
    parent = {"kind": "class", "name": "Wide", "path": "wide.py", "line": 1}

    assert (field["name"], *lines_of(field)) == ("zebra", 202, 202)
    assert not {"name", "symbol_id"} & {*part, *read}
    assert part["parent"] == parent
    assert dict(read["parent"]) == parent
    assert lines_of(part) == lines_of(read)


@requirement("SHOWN-HANDLE")
def test_a_located_definition_has_a_result_id_too(repo: MakeRepo) -> None:
    lamps = opened(repo(DOCUMENTED))

    for level in ("location", "signature", "context"):
        for compact in (False, True):
            answer = lamps.locate_symbol("kindle", detail_level=level, compact=compact)
            for result in results_of(answer):
                read = lamps.read_symbol(str(result["result_id"]))
                assert (read["path"], *lines_of(read)) == (result["path"], *lines_of(result))


@requirement("SHOWN-SNIPPET")
def test_a_snippet_marks_its_gaps(repo: MakeRepo) -> None:
    made = opened(
        repo("-- a.py\ndef f():\n    copper = 1\n    copper += 2\n    other()\n    silver()\n")
    )
    (result,) = results_of(made.search_code("copper silver", detail_level="context"))

    assert result["snippet"] == "    copper = 1\n    copper += 2\n…\n    silver()"


MIXED: Final = """
    -- shop.py
    class Till:
        def open(self):
            return "coins"

        def close(self):
            return "nothing"


    def count_coins(till):
        return till


    def sweep(floor):
        return floor
"""


@requirement("SHOWN-EVIDENCE")
@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"kind": "method"}, ["open"]),
        ({"kind": "function"}, ["count_coins"]),
        ({"role": "type"}, ["Till"]),
        ({"role": "callable"}, ["count_coins", "open"]),
    ],
)
def test_a_filter_on_symbols_leaves_those_that_hold_the_query(
    repo: MakeRepo, options: dict[str, str], names: list[str]
) -> None:
    shop = opened(repo(MIXED))

    assert names_of(search_with(shop, "coins", options)) == names


@requirement("SHOWN-EVIDENCE")
def test_a_file_without_evidence_leaves_its_place_to_the_next(repo: MakeRepo) -> None:
    others = "\n".join(
        f"    -- coins/box_{number}.py\n    def lid():\n        return {number}\n"
        for number in range(12)
    )
    shop = opened(repo(f"{MIXED}\n{others}"))
    answer = shop.search_code("coins", kind="function", limit=3)

    assert names_of(answer) == ["count_coins"]
    assert "next_cursor" not in answer


MANUAL: Final = """
    -- src/pot.c
    #include "pot.h"

    struct pot {
        int cups;
    };

    int pour(pot *p, int cups) {
        return p->cups - cups;
    }
    -- src/pot.h
    typedef struct pot pot; /* opaque */

    int pour(pot *p, int cups);
    -- src/brew.py
    from typing import overload

    @overload
    def brew(a: int) -> int: ...
    @overload
    def brew(a: str) -> str: ...
    def brew(a):
        return a


    class Kettle:
        pass
    -- src/brew.pyi
    class Kettle: ...
    -- docs/api.rst
    API
    ===

    .. class:: Kettle

       Boils water.

    .. function:: pour(p, cups)

       Pours.
    -- README.md
    # Kettle

    About it.
    -- src/one.py
    def stir():
        pass
    -- src/two.py
    def stir():
        return 2
"""


@requirement("SHOWN-READ-NAME")
def test_code_is_read_before_documentation_and_a_definition_before_declarations(
    repo: MakeRepo,
) -> None:
    tea = opened(repo(MANUAL))
    pour, pot = tea.read_symbol("pour"), tea.read_symbol("pot")
    kettle, brew = tea.read_symbol("Kettle"), tea.read_symbol("brew")

    assert (pour["path"], *lines_of(pour)) == ("src/pot.c", 7, 9)
    assert pour["passed_over"] == [
        "src/pot.h:3 function pour",
        "docs/api.rst:8 function docs/api > API > pour",
    ]
    assert (pot["path"], pot["kind"]) == ("src/pot.c", "struct")
    assert pot["passed_over"] == ["src/pot.h:1 type_alias pot"]
    assert (kettle["path"], kettle["kind"]) == ("src/brew.py", "class")
    assert kettle["passed_over"] == [
        "docs/api.rst:4 class docs/api > API > Kettle",
        "src/brew.pyi:1 class brew.Kettle",
        "README.md:1 section README > Kettle",
    ]
    assert lines_of(brew) == (7, 8)
    assert "passed_over" not in tea.read_symbol(pour["symbol_id"])


@requirement("SHOWN-READ-NAME")
def test_two_definitions_of_a_name_stay_ambiguous(repo: MakeRepo) -> None:
    with pytest.raises(AmbiguousSymbolError, match="stir has 2 definitions"):
        opened(repo(MANUAL)).read_symbol("stir")


@requirement("SHOWN-COPIES")
def test_copies_are_named_at_the_default_level(repo: MakeRepo) -> None:
    body = "\n".join(f"    amber_{number} = amber({number})" for number in range(8))
    made = opened(repo(f"-- a.py\ndef amber():\n{body}\n-- b/a.py\ndef amber():\n{body}\n"))
    answer = made.search_code("amber")
    (result,) = results_of(answer)

    assert result["also_at"] == [f"{'b/a.py' if result['path'] == 'a.py' else 'a.py'}:1"]
    assert answer["metadata"]["suppressed_duplicate_count"] == 1
    assert "also_at" not in results_of(made.search_code("amber", compact=True))[0]


@requirement("SHOWN-COPIES")
def test_a_hit_of_few_lines_hides_no_other_file(repo: MakeRepo) -> None:
    files = "\n".join(
        f'    -- m{number}.zig\n    const Amber = @import("amber.zig").Amber;\n'
        for number in range(4)
    )
    answer = opened(repo(files)).search_code("Amber")

    assert len(set(paths_of(answer))) == 4
    assert "suppressed_duplicate_count" not in answer["metadata"]


@requirement("SHOWN-SPREAD")
def test_in_a_sentence_further_definitions_of_a_file_come_after_other_files(
    repo: MakeRepo,
) -> None:
    classes = "\n\n".join(
        f"class Box{number}:\n    def seal_lid(self):\n        return 'the lid {number}'"
        for number in range(3)
    )
    others = "\n".join(
        f"-- lid_{number}.py\ndef shut_{number}():\n    return 'seal the lid of box {number}'\n"
        for number in range(3)
    )
    made = opened(repo(f"-- boxes.py\n{classes}\n{others}"))
    sentence = paths_of(made.search_code("how does seal_lid close the lid of a box"))
    name = paths_of(made.search_code("seal_lid"))

    assert set(sentence[:4]) == {"boxes.py", "lid_0.py", "lid_1.py", "lid_2.py"}
    assert name[:2] == ["boxes.py"] * 2


@requirement("SHOWN-LINES", "EXPLAIN-RANK")
def test_a_doc_comment_ranks_as_the_definition_below_it(repo: MakeRepo) -> None:
    lamps = opened(repo(DOCUMENTED))
    comment = lamps.explain_ranking("lantern wick", "go.go", 3)

    assert comment["rank"] == lamps.explain_ranking("lantern wick", "go.go", 4)["rank"]
    assert comment["result"]["name"] == "Kindle"
