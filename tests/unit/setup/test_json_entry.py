"""An entry in JSON looks like its neighbours, and nothing but the entry changes."""

import json
from typing import Final

import pytest

from cruxe.setup.json_entry import Fields, JsonEntry
from cruxe.setup.pieces import UnusableTextError
from tests.requirements import requirement

FIELDS: Final[Fields] = {"command": "/bin/cruxe", "args": ["serve-mcp"]}
FLAT: Final = '"cruxe": {"command": "/bin/cruxe", "args": ["serve-mcp"]}'
STRICT: Final = JsonEntry(("servers", "cruxe"), FIELDS, with_comments=False)
COMMENTED: Final = JsonEntry(("servers", "cruxe"), FIELDS, with_comments=True)

# By what the text is: the text, and the text with the entry.
LAYOUTS: Final = {
    "nothing": (
        "",
        (
            '{\n  "servers": {\n    "cruxe": {\n      "command": "/bin/cruxe",\n'
            '      "args": [\n        "serve-mcp"\n      ]\n    }\n  }\n}\n'
        ),
    ),
    "an empty object": (
        "{}",
        (
            '{\n  "servers": {\n    "cruxe": {\n      "command": "/bin/cruxe",\n'
            '      "args": [\n        "serve-mcp"\n      ]\n    }\n  }\n}'
        ),
    ),
    "one line": ('{"a": 1}', f'{{"servers": {{{FLAT}}}, "a": 1}}'),
    "one line with servers": (
        '{"servers": {"b": {}}}',
        f'{{"servers": {{{FLAT}, "b": {{}}}}}}',
    ),
    "tabs and an empty object inside": (
        '{\n\t"servers": {}\n}',
        (
            '{\n\t"servers": {\n\t\t"cruxe": {\n\t\t\t"command": "/bin/cruxe",\n\t\t\t"args": [\n'
            '\t\t\t\t"serve-mcp"\n\t\t\t]\n\t\t}\n\t}\n}'
        ),
    ),
    "carriage returns": (
        '{\r\n "servers": {\r\n  "b": {}\r\n }\r\n}',
        (
            '{\r\n "servers": {\r\n  "cruxe": {\r\n   "command": "/bin/cruxe",\r\n   "args": [\r\n'
            '    "serve-mcp"\r\n   ]\r\n  },\r\n  "b": {}\r\n }\r\n}'
        ),
    ),
    "comments": (
        '{\n  "servers": { // by name\n    // the first\n    "b": {}, // last\n  },\n}',
        (
            '{\n  "servers": { // by name\n    "cruxe": {\n      "command": "/bin/cruxe",\n'
            '      "args": [\n        "serve-mcp"\n      ]\n    },\n    // the first\n'
            '    "b": {}, // last\n  },\n}'
        ),
    ),
    "comments on both sides of a brace": (
        '{"servers": {/* in */}/* out */\n}',
        (
            '{"servers": {\n  "cruxe": {\n    "command": "/bin/cruxe",\n    "args": [\n'
            '      "serve-mcp"\n    ]\n  }\n/* in */}/* out */\n}'
        ),
    ),
    "a comment over lines": (
        '{"servers": { /* one\n two */ "b": {}}}',
        f'{{"servers": {{{FLAT},  /* one\n two */ "b": {{}}}}}}',
    ),
}


@pytest.mark.parametrize("what", LAYOUTS)
def test_an_entry_is_laid_out_like_its_neighbours(what: str) -> None:
    before, after = LAYOUTS[what]

    assert COMMENTED.insert(before).apply(before) == after


def test_an_entry_of_another_object_is_not_taken_for_ours() -> None:
    text = '{"projects": {"x": {"servers": {"cruxe": {}}}}, "cruxe": {}, "servers": {}}'

    assert STRICT.find(text) is None
    assert json.loads(STRICT.insert(text).apply(text))["projects"] == {
        "x": {"servers": {"cruxe": {}}}
    }


def test_an_entry_is_found_by_its_meaning() -> None:
    text = '{"servers": {"\\u0063ruxe": {"args":["serve-mcp"],"command":"/bin\\/cruxe"}}}'
    found = STRICT.find(text)

    assert found is not None
    assert found.value == STRICT.value
    assert text[found.start : found.end].startswith('"\\u0063ruxe"')


REFUSED: Final = {
    "a list": ("[]", "does not hold a JSON object"),
    "a scalar": ("1", "does not hold a JSON object"),
    "servers that are a list": ('{"servers": []}', 'has a "servers" that is not an object'),
    "servers that are null": ('{"servers": null}', 'has a "servers" that is not an object'),
    "servers twice": ('{"servers": {}, "servers": {}}', 'has "servers" twice in the same object'),
    "an entry twice": (
        '{"servers": {"cruxe": 1, "cruxe": 2}}',
        'has "cruxe" twice in the same object',
    ),
    "an open brace": (
        '{\n"a": 1',
        "is not valid JSON: line 2: Expecting ',' delimiter",
    ),
    "a single quote": ("{\n'a': 1}", "is not valid JSON: line 2: Expecting property name"),
    "an open string": ('{\n\n"a', "is not valid JSON: line 3"),
    "not a number": ('{"a": NaN}', "is not valid JSON: NaN is not a value"),
    "too deep": ('{"a": ' + "[" * 20_000 + "]" * 20_000 + "}", "is nested too deeply to be read"),
    "two documents": ("{}\n{}", "is not valid JSON: line 2: Extra data"),
}


@requirement("SETUP-REFUSE")
@pytest.mark.parametrize("what", REFUSED)
def test_json_that_cannot_be_edited_is_refused_with_the_line(what: str) -> None:
    text, why = REFUSED[what]

    with pytest.raises(UnusableTextError) as raised:
        COMMENTED.find(text)

    assert str(raised.value).startswith(why)


@requirement("SETUP-REFUSE")
def test_comments_are_refused_where_the_client_does_not_take_them() -> None:
    with pytest.raises(UnusableTextError, match="has a comment in line 2"):
        STRICT.find('{\n// no\n"servers": {}}')
    with pytest.raises(UnusableTextError, match="is not valid JSON: line 1"):
        STRICT.find('{"servers": {},}')


# The text, what was made with the entry, and the text without it.
REMOVALS: Final = {
    "the first of two": ('{"servers": {"cruxe": 1, "b": 2}}', 0, '{"servers": {"b": 2}}'),
    "the last of two": ('{"servers": {"b": 2, "cruxe": 1}}', 0, '{"servers": {"b": 2 }}'),
    "the only one": ('{"servers": {"cruxe": 1}}', 0, '{"servers": {}}'),
    "with its object": ('{"servers": {"cruxe": 1}, "a": 2}', 1, '{"a": 2}'),
    "beside another": ('{"servers": {"cruxe": 1, "b": 2}}', 1, '{"servers": {"b": 2}}'),
    "beside a comment": ('{"servers": {"cruxe": 1 /* x */}}', 1, '{"servers": {/* x */}}'),
    "a comment before the comma": (
        '{"servers": {"cruxe": 1 // x\n, "b": 2}}',
        0,
        '{"servers": {// x\n "b": 2}}',
    ),
    "whole lines": (
        '{\n "servers": {\n  "b": 2, // b\n  "cruxe": {\n  }\n }\n}\n',
        0,
        '{\n "servers": {\n  "b": 2 // b\n }\n}\n',
    ),
    "a trailing comma": ('{"servers": {"b": 2, "cruxe": 1,}}', 0, '{"servers": {"b": 2, }}'),
}


@requirement("SETUP-EDITS")
@pytest.mark.parametrize("what", REMOVALS)
def test_an_entry_goes_with_one_comma_and_no_comment(what: str) -> None:
    text, made, rest = REMOVALS[what]
    found = COMMENTED.find(text)
    assert found is not None

    assert COMMENTED.remove(text, found, made) == rest


def test_an_entry_is_replaced_in_its_place() -> None:
    text = '{"servers": {"a": 1, "cruxe": {"mine": [1]}, "b": 2}}'
    found = STRICT.find(text)
    assert found is not None

    edit = STRICT.replace(text, found)

    assert edit.apply(text) == f'{{"servers": {{"a": 1, {FLAT}, "b": 2}}}}'
    assert edit.undo(edit.apply(text)) == text
