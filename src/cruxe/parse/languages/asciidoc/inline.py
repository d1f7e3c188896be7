"""Strip AsciiDoc's inline markup."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

_MARKED: Final = re.compile(r"[`*_#+<\[(\\]")
_ANCHOR: Final = re.compile(r"\[\[[^\]]*\]\]\]?|\(\(\([^)]*\)\)\)")
_REFERENCE: Final = re.compile(r"<<([^<>,]+)(?:,\s*([^<>]+))?>>")
_MACRO: Final = re.compile(
    r"(?<![\w:])(?:link|xref|mailto|footnote|https?)(?:::?)[^\s\[\]]*\[([^\]]*)\]"
)
_SHOWN: Final = re.compile(
    r"(?<![\w:])(?:kbd|btn|menu|pass|stem|image|icon|term)::?[\w.,/-]*\[([^\]]*)\]"
)
_ROLE: Final = re.compile(r"\[[.#%][^\[\]]*\](?=[#*_`])")
_MONOSPACED: Final = re.compile(r"(`{1,2})\+?(.+?)\+?\1")
_MARKS: Final = re.compile(r"(?<!\w)([*_#+]{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE: Final = re.compile(r"\\(?=[*_#+`{<\[])")
_LINE_BREAK: Final = re.compile(r"\s\+(?=\s|$)")
_KEPT: Final = re.compile("\0(\\d+)\0")


def plain_text(markup: str) -> str:
    """Return one line of text without markup; attributes such as `{version}` are kept."""
    text = _LINE_BREAK.sub("", fold_white_space(markup.replace("\0", "")))
    if not _MARKED.search(text):
        return text
    text = _ANCHOR.sub("", text)
    text = _REFERENCE.sub(lambda found: found[2] or found[1], text)
    text = _MACRO.sub(lambda found: found[1].partition(",")[0].rstrip("^"), text)
    text = _SHOWN.sub(r"\1", text)
    text = _ROLE.sub("", text)
    codes: list[str] = []  # text in code is not markup

    def keep(code: re.Match[str]) -> str:
        codes.append(code[2])
        return f"\0{len(codes) - 1}\0"

    text = _MONOSPACED.sub(keep, text)
    text = _ESCAPE.sub("", _MARKS.sub(r"\2", text))
    return fold_white_space(_KEPT.sub(lambda place: codes[int(place[1])], text))
