"""Mentions in SQL: tables that are read, changed or referenced, functions that are called."""

import re
from collections.abc import Iterator
from typing import Final

from cruxe.parse.languages.sql.names import NAME, Span

Mention = tuple[str, Span]  # kind of site, the name with its schema

_BEFORE_TABLE: Final = (
    rb"from(?<!distinct from)|join|(?:insert|merge|replace)\s+(?:ignore\s+)?into|references"
    rb"|partition\s+of|comment\s+on\s+(?:table|view)"
    rb"|(?:alter|drop|truncate)\s+(?:foreign\s+)?(?:table|view)(?:\s+if\s+exists)?"
    rb"|update(?=\s+[^\s;]+(?:\s+\w+)?(?:\s+\w+)?\s+set\b)"
    rb"|(?:index|trigger(?<!event trigger)|policy)\b[^;()]{0,200}?\son"
)
_MENTION: Final = re.compile(
    rb"\b(?:%(before)b)\s+(?:only\s+)?(?P<table>%(name)b)"
    rb"|\binherits\s*\(\s*(?P<parent>%(name)b)"
    rb"|\b(?:key|index|constraint|table|with|as|using)\s+(?:if\s+not\s+exists\s+)?%(name)b\s*\("
    rb"|(?<![\w.$@#\"`\x80-\xff])(?P<function>%(name)b)(?=\()"
    # Any other word, up to a possible name: skipping it as a whole halves the time.
    rb"|[\w$@#\x80-\xff]++[^\w$@#\x80-\xff\"`\[]*+" % {b"before": _BEFORE_TABLE, b"name": NAME}
)
_NO_TABLE: Final = frozenset((b"lateral", b"only", b"select", b"stdin", b"stdout", b"unnest"))
# Keywords before a parenthesis, types with a length, and built-in functions.
_NO_FUNCTION: Final = frozenset(
    b"""
    abs all and any array as avg between bigint binary bit cast ceil char character check coalesce
    columns concat count cube current_timestamp date date_add date_sub date_trunc datetime decimal
    default dense_rank distinct enum except exists extract filter first_value float floor from
    generated group_concat grouping having identity ifnull in int integer intersect interval into
    is isnull json_agg json_build_object jsonb_agg jsonb_build_object key lag last_value lateral
    lead left length like limit lower ltrim max min mod nchar not now ntile nullif number numeric
    nvarchar nvarchar2 nvl object on or over partition percentile_cont power primary raise range
    rank references regexp_replace replace return returning returns right rollup round row
    row_number rtrim select set smallint some sqrt string_agg strftime substr substring sum table
    text then time timestamp timestamptz tinyint to_char to_date trim trunc truncate union unique
    unnest update upper using values varbinary varchar varchar2 varying when where with within
    """.split()
)


def mentions(code: bytes) -> Iterator[Mention]:
    """Yield all mentions in file order; consecutive inserts into one table count once."""
    filled = b""
    for found in _MENTION.finditer(code):
        group = found.lastgroup
        if group == "table":
            name, is_insertion = found[group], found[0][:1] == b"i"
            if name in _NO_TABLE or (is_insertion and name == filled):
                continue
            # A function may be used as a table.
            is_called = found[0][:1] in b"fj" and code[found.end() : found.end() + 1] == b"("
            yield "call" if is_called else "reference", found.span(group)
            filled = name if is_insertion else filled
        elif group == "parent":
            yield "extends", found.span(group)
        elif group == "function" and found[group] not in _NO_FUNCTION:
            yield "call", found.span(group)
