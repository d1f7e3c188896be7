"""TOML line by line: values of every form, and what is left of a text that is broken."""

import pytest

from tests.requirements import requirement
from tests.unit.parse.outlines import broken_lines, comments_in, symbols_of

VALUES = '''\
# on top
text = """
[no.table]
key = 1 # no comment
"""  # behind
raw = \'\'\'
# neither\'\'\'
list = [
    "a#b", # inside
    [1, 2], { c = "}" },
]
when = 1979-05-27 07:32:00Z
"quoted name".'x.y' = inf
'''


def test_values_on_many_lines_hold_neither_tables_nor_comments() -> None:
    assert symbols_of("a.toml", VALUES) == [
        '2-5 text | text = """ [no.table] key = 1 # no comment """',
        "6-7 raw | raw = ''' # neither'''",
        '8-11 list | list = ["a#b", # inside [1, 2], { c = "}" },]',
        "12-12 when | when = 1979-05-27 07:32:00Z",
        "13-13 x.y | \"quoted name\".'x.y' = inf",
    ]
    assert comments_in("a.toml", VALUES) == ["# on top", "# behind", "# inside"]
    assert broken_lines("a.toml", VALUES) == []


@requirement("PARSE-ROBUST")
@pytest.mark.parametrize(
    "line",
    ['b = "open', "b = [1,", "b = {c = ]", "b", "[b", "[[b]", "b = word", 'b = "c" "d"', "= 1"],
)
def test_a_broken_line_costs_that_line_alone(line: str) -> None:
    text = f"a = 1\n{line}\n[c]\nd = 2\n"

    assert symbols_of("a.toml", text) == ["1-1 a | a = 1", "3-4 c | [c]", "4-4 c > d | d = 2"]
    assert broken_lines("a.toml", text) == [2]


@requirement("PARSE-ROBUST")
def test_values_that_never_end_are_not_read_again_and_again() -> None:
    text = "a = [\n" * 20_000 + "b = 1\n"

    assert symbols_of("a.toml", text) == ["20001-20001 b | b = 1"]
    assert broken_lines("a.toml", text) == [1]
