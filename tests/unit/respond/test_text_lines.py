"""The notation of the text form where it is not obvious, and the parts of the closing line."""

from collections.abc import Mapping

import pytest

from cruxe.model.errors import Reader
from cruxe.respond.text_form import text_form
from cruxe.respond.text_form.closing_line import closing_line
from cruxe.respond.text_form.notation import flat, heading, pairs, qualified, word
from cruxe.respond.text_form.wording import Wording
from tests.requirements import requirement
from tests.support.text_forms import read_head, read_matches, read_text

RESULT: Mapping[str, object] = {
    "path": "src/shop.ts",
    "line_start": 3,
    "line_end": 9,
    "kind": "class",
    "name": "Cart",
    "qualified_name": "src/shop.Cart",
    "score": 0.5,
    "symbol_id": "abcdefghijkl",
}
USUAL: Mapping[str, object] = {
    "freshness_status": "fresh",
    "indexing_status": "ready",
    "schema_status": "compatible",
    "result_completeness": "complete",
}


@requirement("TEXT-PARSE")
@pytest.mark.parametrize(
    ("path", "name", "line"),
    [
        ("src/shop.ts", "src/shop.Cart", "src/shop.ts:3-9 class .Cart"),
        ("docs/api.md", "docs/api > Use > it", 'docs/api.md:3-9 class " > Use > it"'),
        ("src/shop.ts", "src/shopping.Cart", "src/shop.ts:3-9 class src/shopping.Cart"),
        ("Makefile", ".PHONY", 'Makefile:3-9 class ".PHONY"'),
        ("my docs/a b.py", "a b.f", '"my docs/a b.py":3-9 class "a b.f"'),
        ("a:7-8/b.py", "b.f", "a:7-8/b.py:3-9 class b.f"),
        ('say "x".py', "x.f", '"say \\"x\\".py":3-9 class x.f'),
        ("a.cc", "ns::operator new", 'a.cc:3-9 class "ns::operator new"'),
    ],
)
def test_paths_and_names_can_be_read_back(path: str, name: str, line: str) -> None:
    item = {**RESULT, "path": path, "qualified_name": name}
    text = _located([item])
    read = read_head(text)

    assert text == line
    assert (read.path, read.name, read.kind, read.signature) == (path, name, "class", "")


@requirement("TEXT-PARSE")
def test_a_signature_may_have_anything_but_a_line_break() -> None:
    signature = 'def f(a: "x y" = "-- z",\n  b: int) -> dict[str, int]: ...'
    read = read_head(_located([{**RESULT, "signature": signature}]))

    assert read.signature == " ".join(signature.splitlines())
    assert read_head(_located([{**RESULT, "signature": "src/shop.Cart"}])).signature == ""


@requirement("TEXT-PARSE")
def test_code_that_looks_like_a_result_or_a_closing_line_is_code() -> None:
    body = "a.py:1-2 class X\n-- stale\n  match: fuzzy\n\n\tindented"
    answer = read_text(_located([{**RESULT, "body_preview": body}, RESULT]))

    assert answer.results[0].block == body.split("\n")
    assert (len(answer.results), answer.closing) == (2, "")


@requirement("TEXT-PARSE")
def test_a_path_that_looks_like_a_match_is_quoted() -> None:
    item = {"path": "12:odd.txt", "line": 4, "column": 1, "text": "13-text"}
    text = text_form("search_text", {"results": [item], "metadata": USUAL}, Wording())

    assert text == '"12:odd.txt"\n4:13-text'
    assert list(read_matches(text)) == [("12:odd.txt", 4, ":", "13-text")]
    assert heading("a/12:odd.txt") == "a/12:odd.txt"


@requirement("TEXT-CLOSING")
@pytest.mark.parametrize(
    ("answer", "metadata", "line"),
    [
        ({}, {}, ""),
        ({}, {"freshness_status": "stale"}, "-- stale"),
        (
            {},
            {"freshness_status": "syncing", "indexing_status": "indexing"},
            "-- syncing; indexing",
        ),
        (
            {},
            {"indexing_status": "not_indexed", "schema_status": "not_indexed"},
            "-- not_indexed",
        ),
        (
            {"results": [RESULT]},
            {
                "low_confidence": True,
                "suggested_action": "Try locate_symbol with 'x'",
                "unknown_terms": ["HttpZorblax", "two words"],
                "relaxed_demands": ['"a b"'],
            },
            (
                "-- low_confidence: Try locate_symbol with 'x';"
                ' unknown_terms: HttpZorblax,"two words"; relaxed_demands: "\\"a b\\""'
            ),
        ),
        (
            {"results": [RESULT]},
            {
                "low_confidence": True,
                "suggested_action": "Try search_code with natural language: 'where is Zorb'",
                "unknown_terms": ["Zorb"],
            },
            "-- low_confidence; unknown_terms: Zorb",
        ),
        (
            {"results": [RESULT]},
            {
                "low_confidence": True,
                "suggested_action": "'Zorb' does not occur here.",
                "unknown_terms": ["Zorb"],
            },
            "-- low_confidence: 'Zorb' does not occur here.; unknown_terms: Zorb",
        ),
        (
            {"results": [RESULT], "total_candidates": 47, "next_cursor": "3-a-0b"},
            {"dropped_stale": 2},
            "-- dropped_stale: 2; 1 of 47; more: cursor=3-a-0b",
        ),
        (
            {"results": [], "empty_reason": "filtered_out", "filtered_out": {"kind": 3}},
            {},
            "-- empty_reason: filtered_out; filtered_out: kind=3",
        ),
        (
            {"results": [RESULT]},
            {"suppressed_duplicate_count": 2},
            "-- suppressed_duplicate_count: 2",
        ),
        (
            {"results": [{**RESULT, "also_at": ["b.py:3", "c.py:3"]}]},
            {"suppressed_duplicate_count": 2},
            "",
        ),
        ({"flags": ["overrides_instructions"]}, {}, "-- flags: overrides_instructions"),
        ({}, {"warnings": ["a bad value"]}, '-- warnings: "a bad value"'),
    ],
)
def test_each_remark_has_its_part_of_the_closing_line(
    answer: Mapping[str, object], metadata: Mapping[str, object], line: str
) -> None:
    whole = {**answer, "metadata": {**USUAL, **metadata}}

    assert "".join(closing_line(whole, Wording(), is_report=False)) == line


@requirement("TEXT-CLOSING", "REMEDY-READER")
def test_what_to_try_is_told_where_the_answer_is_not_whole() -> None:
    actions = [{"tool": "search_code", "query": "a b"}, {"tool": "search_code", "cursor": "1-2-3"}]
    rest = {"suggested_next_actions": actions, "next_cursor": "1-2-3", "total_candidates": 9}
    whole = {"results": [RESULT], **rest, "metadata": USUAL}
    cut = {**whole, "metadata": {**USUAL, "safety_limit_applied": True}}
    person = Wording(Reader.PERSON)

    told = "".join(closing_line(cut, Wording(), is_report=False))
    assert told == '-- 1 of 9; more: cursor=1-2-3; next: search_code query="a b"'
    told = "".join(closing_line(cut, person, is_report=False))
    assert told == "-- 1 of 9; more: --cursor 1-2-3; next: cruxe search 'a b'"
    told = "".join(closing_line(whole, Wording(), is_report=False))
    assert told == "-- 1 of 9; more: cursor=1-2-3"


def test_values_of_any_shape_are_one_line() -> None:
    nested = {"a": 1, "b": {"c": True, "d": None}, "e": [1, 2], "f": [], "g": "two words"}

    assert pairs(nested) == 'a=1 b(c=true d=null) e=1,2 g="two words"'
    assert flat([{"a": 1}, {"a": 2}]) == "a=1 | a=2"
    assert flat("a\nsentence") == "a sentence"
    assert (word(""), word("é"), qualified("a.b", "c.py")) == ('""', "é", "a.b")


@requirement("TEXT-PARSE")
def test_text_that_is_not_utf_8_is_escaped_as_in_json() -> None:
    assert _located([{**RESULT, "path": "a\udcff.py"}]).startswith("a\\udcff.py:3-9")


def _located(items: list[Mapping[str, object]]) -> str:
    return text_form("locate_symbol", {"results": items, "metadata": USUAL}, Wording())
