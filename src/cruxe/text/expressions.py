r"""Regular expressions with Unicode's word characters, digits and spaces, for RE2.

RE2's `\w`, `\d`, `\s`, `\b` are ASCII. In lines of ASCII that makes no difference. Any other line
is searched in a marked form, where each character stands between two ASCII characters that tell its
class. There the class is asked of the mark, and `\b` looks at marks on both sides.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

# The mark of a character: a digit, another word character, a space, or anything else.
_DIGIT, _WORD, _SPACE, _OTHER = "0a -"
_MARKS: Final = frozenset((_DIGIT, _WORD, _SPACE, _OTHER))
MARKED_WIDTH: Final = 3
_MARKED_BY: Final = {
    "w": frozenset((_DIGIT, _WORD)),
    "d": frozenset((_DIGIT,)),
    "s": frozenset((_SPACE,)),
}
_ASCII_SPACE: Final = r"\t-\r "
_NOT_ASCII_SPACE: Final = r"\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{10FFFF}"
_NOT_ASCII: Final = r"\x{80}-\x{10FFFF}"
_ANY: Final = "(?s:.)"
_NOTHING: Final = r"[^\x{0}-\x{10FFFF}]"

_CODE: Final = r"x(?:\{[^}]*\}|[0-9A-Fa-f]{2})|0[0-7]{0,2}|[1-7][0-7]{1,2}"
_PROPERTY: Final = r"\\[pP](?:\{[^}]*\}|.)"
_TOKEN: Final = re.compile(
    rf"""
    (?P<quoted>\\Q.*?(?:\\E|\Z))
    |(?P<set>\[\^?\]?(?:{_PROPERTY}|\\.|\[:\^?\w+:\]|[^\]\\])*\])
    |(?P<perl>\\[wWdDsS])
    |(?P<boundary>\\[bB])
    |(?P<group>\((?:\?P?<\w+>)?(?!\?))
    |(?P<syntax>\\[Az]|\(\?[imsU-]*[:)]|[*+?]\??|\{{\d+(?:,\d*)?\}}\??|[|)^$])
    |(?P<any>\.|\\C)
    |(?P<character>{_PROPERTY}|\\(?:{_CODE})|\\?.)
    """,
    re.DOTALL | re.VERBOSE,
)
_ONE: Final = rf"(?:\\(?:{_CODE})|\\.|[^\\])"
_MEMBER: Final = re.compile(
    rf"(?P<perl>\\[wWdDsS])|\[:\^?\w+:\]|{_PROPERTY}|(?P<range>{_ONE}-{_ONE})|(?P<one>{_ONE})",
    re.DOTALL,
)
# Letters in circles and squares, which Unicode counts to words.
_SYMBOL_LETTERS: Final = (
    (0x24B6, 0x24E9),
    (0x1F130, 0x1F149),
    (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
)
# Unicode counts these to words as well.
_JOINERS: Final = (0x200C, 0x200D)
_SPECIAL_IN_SET: Final = frozenset("-^[]")


class Expressions(NamedTuple):
    """One expression in the forms for different lines."""

    ascii: str  # for lines of ASCII
    wide: str  # matches at least the lines that the expression matches
    is_wide_exact: bool  # in lines of ASCII, where only a boundary makes a difference
    marked: str  # for the marked form of any line; its group is what precedes the match


def unicode_expressions(expression: str) -> Expressions | None:
    """Return the forms of a valid expression; None if it means the same in every line."""
    tokens = [*_tokens(expression)]
    if not any(_is_affected(kind, text) for kind, text in tokens):
        return None
    marked = _joined(_marked, tokens)
    return Expressions(
        ascii=_joined(_ascii, tokens),
        wide=_joined(_wide, tokens),
        is_wide_exact=all(kind != "boundary" for kind, _ in tokens),
        marked=rf"\A((?:[0a -](?s:.)[0a -])*?)(?:{marked})",
    )


def marked_text(line: str) -> str:
    """Return the marked form of a line."""
    return line.translate(_marked_characters())


def _tokens(expression: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(expression):
        yield str(found.lastgroup), found[0]


def _joined(form: Callable[[str, str], str], tokens: list[tuple[str, str]]) -> str:
    return "".join([form(kind, text) for kind, text in tokens])


def _is_affected(kind: str, text: str) -> bool:
    return kind in ("perl", "boundary") or (kind == "set" and bool(_perl_in(text)))


def _perl_in(text: str) -> list[str]:
    """Return the letters of the class escapes in a set."""
    _, members = _opened(text)
    return [each["perl"][1] for each in _MEMBER.finditer(members) if each["perl"]]


def _opened(text: str) -> tuple[bool, str]:
    """Return whether a set is negated, and its members."""
    is_negated = text.startswith("[^")
    return is_negated, text[1 + is_negated : -1]


def _ascii(kind: str, text: str) -> str:
    if kind == "perl":
        return f"[{_ascii_space(text)}]"
    if kind != "set":
        return text
    is_negated, members = _opened(text)
    told = "".join(_ascii_space(each[0]) for each in _MEMBER.finditer(members))
    return f"[{'^' if is_negated else ''}{told}]"


def _ascii_space(member: str) -> str:
    # Unlike Unicode's, RE2's space does not include the vertical tab.
    if member == r"\s":
        return _ASCII_SPACE
    return _NOT_ASCII_SPACE if member == r"\S" else _safe_member(member)


def _safe_member(member: str) -> str:
    """Return a member of a set so that it means the same between other members."""
    return f"\\{member}" if member in _SPECIAL_IN_SET else member


def _wide(kind: str, text: str) -> str:
    if kind == "boundary":
        return "(?:)"
    same = _ascii(kind, text)
    return f"(?:{same}|[{_NOT_ASCII}])" if _is_affected(kind, text) else same


def _marked(kind: str, text: str) -> str:
    match kind:
        case "boundary" | "syntax":
            return text
        case "group":
            return "(?:"
        case "set":
            return _marked_set(text)
        case "quoted":
            quoted = text[2:].removesuffix(r"\E")
            return "".join(_between_marks(rf"\x{{{ord(each):X}}}") for each in quoted)
        case _:
            return _marked_character(kind, text)


def _marked_character(kind: str, text: str) -> str:
    if kind == "perl":
        return _between_marks(_ANY, _marks_of(text[1]))
    return _between_marks(_ANY if kind == "any" else text)


def _marked_set(text: str) -> str:
    """Ask class escapes of the mark and other members of the character."""
    is_negated, members = _opened(text)
    perl = [_marks_of(letter) for letter in _perl_in(text)]
    marks = frozenset[str]().union(*perl)
    rest = "".join(_safe_member(each[0]) for each in _MEMBER.finditer(members) if not each["perl"])
    if is_negated:
        return _between_marks(f"[^{rest}]" if rest else _ANY, _MARKS - marks)
    found = [_between_marks(_ANY, marks)] if marks else []
    return f"(?:{'|'.join([*found, *([_between_marks(f'[{rest}]')] if rest else [])])})"


def _marks_of(letter: str) -> frozenset[str]:
    marks = _MARKED_BY[letter.lower()]
    return _MARKS - marks if letter.isupper() else marks


def _between_marks(character: str, marks: frozenset[str] = _MARKS) -> str:
    if not marks:
        return _NOTHING
    first = "".join(each for each in "0a -" if each in marks)
    return f"(?:[{first}]{character}[0a -])"


class _MarkedCharacters(dict[int, str]):
    """A table for `str.translate`, filled as characters occur."""

    def __missing__(self, code: int) -> str:
        mark = _mark_of(chr(code))
        self[code] = marked = f"{mark}{chr(code)}{mark}"
        return marked


@cache
def _marked_characters() -> _MarkedCharacters:
    return _MarkedCharacters()


def _mark_of(character: str) -> str:
    from unicodedata import category  # only texts that are not ASCII need it

    kind = category(character)
    if kind == "Nd":
        return _DIGIT
    if kind[0] in "LM" or kind in ("Nl", "Pc") or _is_other_word(ord(character)):
        return _WORD
    return _SPACE if kind[0] == "Z" or character in "\t\n\v\f\r\x85" else _OTHER


def _is_other_word(code: int) -> bool:
    return code in _JOINERS or any(first <= code <= last for first, last in _SYMBOL_LETTERS)
