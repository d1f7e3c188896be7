"""JSON key by key: what settings add to it, and what is left of a text that is broken."""

import pytest

from tests.requirements import requirement
from tests.unit.parse.outlines import broken_lines, comments_in, parse, symbols_of

SETTINGS = """\
{
  // of all "files"
  "extends": ["./b.json", "./a.json"],
  "paths": { /* none */ },
  "url": "https://example.org/*", // a list
  "inner": {
    "deep": {"er": {}},
  },
}
"""


def test_settings_may_have_comments_and_last_commas() -> None:
    assert symbols_of("a.json", SETTINGS) == [
        '3-3 extends | "extends": ["./b.json", "./a.json"]',
        '4-4 paths | "paths": { /* none */ }',
        '5-5 url | "url": "https://example.org/*"',
        '6-8 inner | "inner"',
        '7-7 inner > deep | "deep": {"er": {}}',
    ]
    assert comments_in("a.json", SETTINGS) == ['// of all "files"', "/* none */", "// a list"]
    assert [each.module for each in parse("a.json", SETTINGS).imports] == ["./a.json", "./b.json"]
    assert broken_lines("a.json", SETTINGS) == []


def test_a_file_may_hold_several_objects() -> None:
    text = '{"a": 1}\n[{"b": 2}]\n{\n"c": "}"}\n'

    assert symbols_of("a.json", text) == ['1-1 a | "a": 1', '4-4 c | "c": "}"']
    assert broken_lines("a.json", text) == []


@requirement("PARSE-ROBUST")
@pytest.mark.parametrize(
    "entry",
    ['"b" 2,', "b: 2,", '"b": "open,', "]", '"b",', "'b': [1, 2],", "b: {c: 1},"],
)
def test_an_entry_that_is_none_costs_that_entry_alone(entry: str) -> None:
    text = f'{{\n"a": 1,\n{entry}\n"d": 4\n}}\n'

    assert symbols_of("a.json", text) == ['2-2 a | "a": 1', '4-4 d | "d": 4']
    assert broken_lines("a.json", text) == [3]


@requirement("PARSE-ROBUST")
def test_an_object_that_breaks_off_keeps_its_keys() -> None:
    text = '{\n"a": {\n"b": [1,\n"c'

    assert symbols_of("a.json", text) == ['2-4 a | "a"', '3-4 a > b | "b": [1, "c']
    assert broken_lines("a.json", text) == [4]
