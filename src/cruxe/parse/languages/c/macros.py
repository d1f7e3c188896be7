"""Blank macros that occur where the grammar expects a declaration.

`class API_EXPORT Name {`, `API_EXPORT int f();`, `int f() LOCKS_EXCLUDED(mutex);`: one such word
can cost a parser all members of a class. Only words in capitals are considered, and only where
they cannot be an operand. Offsets and lines do not change.
"""

import re
from typing import Final

from cruxe.parse.languages.c.branches import blank_spans

# Nested brackets of arguments are followed one level down.
_ARGUMENTS: Final = rb"\((?:[^()\n]|\([^()\n]*+\)|(?!))*+\)"
_KEYWORDS: Final = (
    rb"(?:static|extern|inline|const|constexpr|virtual|explicit|template|class|struct|union|enum"
    rb"|typedef|using|namespace|friend|auto|void|bool|char|short|int|long|float|double|signed"
    rb"|unsigned|size_t|ssize_t|u?int(?:8|16|32|64|ptr|max)_t)\b"
)
_BUILT_IN: Final = re.compile(_KEYWORDS)
_TAGGED_NAME: Final = rb"\s++[A-Za-z_][\w:]*+(?:<[^;{}()]{0,200}>)?\s*+(?:final\s*+)?(?:\{|:[^:])"
# The text before and after a word decides whether it is checked: after `=`, `(` or `,`
# a word is an operand. The first character is a plain set, so the search can skip ahead;
# possessive and bounded repeats keep the cost linear.
_WORD: Final = re.compile(
    rb"[A-Z](?<![^\s>*)][A-Z])(?<![^\w\s>*)][ \t][A-Z])[A-Z0-9_]{2,}+(?>(?P<arguments>"
    + _ARGUMENTS
    + rb")|)(?=[\s;{:])(?:"
    rb"(?P<declaration>(?=\s++" + _KEYWORDS + rb"))"
    rb"|(?P<type>(?=[ \t]++[A-Za-z_][\w:]*+(?:<[^;{}()\n]{0,200}>)?[\s*&]++[A-Za-z_(]))"
    rb"|(?P<function>(?=\s++~?[A-Za-z_][\w:]*+\())"
    rb"|(?P<name>(?=[ \t]++[a-z_]\w*+[ \t]*+[;=,)\[]))"
    rb"|(?P<end>(?=(?:\s++[A-Z][A-Z0-9_]{2,}+(?>" + _ARGUMENTS + rb"|)){0,3}\s*+[;{]))"
    rb"|(?P<condition>(?=[ \t]++\())"
    rb"|(?P<label>[ \t]*+:(?=[ \t]*+\r?\n))"
    rb"|(?P<line>(?=[ \t]*+\r?\n))"
    rb"|(?P<tag>(?=" + _TAGGED_NAME + rb"))"
    rb")"
)
_TAGGED: Final = re.compile(_TAGGED_NAME)
_TAGS: Final = (b"class", b"struct", b"union", b"enum")
_SPECIFIERS: Final = re.compile(
    rb"(?:\b" + _KEYWORDS + rb"|[>*]|\b[A-Z0-9_]*(?:API|CONSTE|EXPORT|INLINE)[A-Z0-9_]*)\Z"
)
_STATEMENT: Final = re.compile(
    rb"\s*(?:\}?[ \t]*else\b|(?:if|while|for|switch|return|case|do|goto|throw)\b|\#)"
)
_CLAUSE_END: Final = re.compile(rb"[{};]")
_FUNCTION_HEAD: Final = re.compile(rb"\s*[A-Za-z_~][^=;{}]*[\w>\])]\s*\(")
_SUFFIXES: Final = (b"const", b"override", b"noexcept", b"final")
# Words about how a function is compiled, not what it returns.
_MODIFIER: Final = re.compile(
    rb"API|ATTR|CONSTE|DEPRECATED|EXPLICIT|EXPORT|EXTERN|INLINE|NODISCARD|NON_NULL|NOTHROW|PRAGMA"
    rb"|PUBLIC|SUPPRESS|WARN|\AQ_|\AU(?:PROPERTY|FUNCTION|CLASS|STRUCT|ENUM)|GENERATED"
)
_ACCESS: Final = re.compile(rb"PUBLIC|PRIVATE|PROTECTED")
# `DEFINE_COMPARISON(less, <)`: an operator alone is no expression.
_OPERATOR_ARGUMENT: Final = re.compile(rb"[(,]\s*[-+*/%&|^!=<>]+\s*[,)]")
_CONTINUED: Final = (b"\\\n", b"\\\r\n")
_CONTEXT_BYTES: Final = 200


def blank_macros(data: bytes) -> bytes:
    """Return the text with declaration-breaking macros as spaces."""
    return blank_spans(data, [word.span() for word in _WORD.finditer(data) if _is_in_the_way(word)])


def _is_in_the_way(match: re.Match[bytes]) -> bool:
    """Return whether a word breaks the grammar here and is not part of a directive."""
    start, data = match.start(), match.string
    floor = max(0, start - _CONTEXT_BYTES)
    line_start = max(floor, data.rfind(b"\n", floor, start) + 1)
    line = data[line_start:start]
    if not _is_unreadable(match, line):  # the usual case
        return False
    return not (line.lstrip().startswith(b"#") or data.endswith(_CONTINUED, 0, line_start))


def _is_unreadable(match: re.Match[bytes], line: bytes) -> bool:
    """Return whether a word breaks the grammar; `line` is the text before it on its line."""
    before, place = line.rstrip(), match.lastgroup
    if before.endswith(_TAGS):
        return _TAGGED.match(match.string, match.end()) is not None
    if place == "end":
        return _is_behind_declarator(match, line)
    if not before:
        return _is_in_front(match, line)
    if place in ("declaration", "function"):
        return _SPECIFIERS.search(before) is not None
    if place == "name":
        return before.endswith(b"*") and match.group("arguments") is None
    return place == "condition" and before.endswith(b"if")


def _is_in_front(match: re.Match[bytes], line: bytes) -> bool:
    """Return whether the first word of a line belongs to what follows it."""
    word, place = match.group().partition(b"(")[0], match.lastgroup
    if place == "type":
        return b"_" in word
    if place == "label":
        return _ACCESS.search(word) is not None
    if place == "line" and match.group("arguments") is None:
        return not line or word.startswith(b"Q_")
    if place in ("function", "line"):
        return bool(_MODIFIER.search(word) or _OPERATOR_ARGUMENT.search(match.group()))
    return place == "declaration"


def _is_behind_declarator(match: re.Match[bytes], line: bytes) -> bool:
    before = match.string[max(0, match.start() - _CONTEXT_BYTES) : match.start()].rstrip()
    while before.endswith(_SUFFIXES):
        before = before.rstrip(b"abcdefghijklmnopqrstuvwxyz").rstrip()
    is_behind_bracket, has_arguments = before.endswith(b")"), match.group("arguments") is not None
    if not (is_behind_bracket or (has_arguments and line.strip())):
        return False  # the usual case: `return WORD;`, `name = WORD;`, `CHECK(it);`
    line = _clause(line)
    if _STATEMENT.match(line):
        return False
    if is_behind_bracket:
        return _is_function_head(_clause(before.rpartition(b"\n")[2]), match)
    return _ends_in_member(line)


def _clause(line: bytes) -> bytes:
    """Return the part of a line after the last brace or semicolon."""
    return _CLAUSE_END.split(line)[-1]


def _is_function_head(head: bytes, match: re.Match[bytes]) -> bool:
    """Return whether the parentheses that just closed held parameters, not a condition or cast."""
    if _STATEMENT.match(head):
        return False
    if head.count(b"(") < head.count(b")"):  # they opened on an earlier line
        after = match.string[match.end() : match.end() + _CONTEXT_BYTES]
        return after.lstrip().startswith(b"{")
    return _FUNCTION_HEAD.match(head) is not None


def _ends_in_member(line: bytes) -> bool:
    """Return whether a line so far has the form `type name`."""
    *kind, name = line.split() or [b""]
    name = name.lstrip(b"*&")
    is_name = name[:1].islower() and name.replace(b"_", b"").isalnum()
    is_name = is_name and _BUILT_IN.fullmatch(name) is None
    return bool(kind) and is_name and kind[-1][-1:] not in b"(,="
