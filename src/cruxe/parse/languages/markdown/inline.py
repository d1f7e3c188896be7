"""Strip Markdown's inline markup."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

# All patterns below contain one of these.
_SIGN: Final = re.compile(r"[#{\[<`*~_\\]")
_CLOSING_HASHES: Final = re.compile(r"(?:^|\s)#+\s*$")
_ANCHOR: Final = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_IMAGE: Final = re.compile(r"!\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])?")
_LINK: Final = re.compile(r"\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_BARE_LINK: Final = re.compile(r"<((?:https?|mailto):[^<>\s]+|[^<>\s@]+@[^<>\s]+)>")
# Other names in angle brackets are text: `Vec<T>`, `<path>`.
_TAG: Final = re.compile(
    r"</?(?:a|b|big|br|center|code|details|div|em|font|h[1-6]|i|img|kbd|p|picture|small|source"
    r"|span|strong|sub|summary|sup|u)\b[^<>]*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_CODE: Final = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_STARS: Final = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1")
# Underscores inside words are part of names.
_UNDERSCORES: Final = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


_MARKUP: Final = (
    (_LINK, r"\1"),
    (_BARE_LINK, r"\1"),
    (_TAG, ""),
    (_STARS, r"\2"),
    (_UNDERSCORES, r"\2"),
    (_ESCAPE, r"\1"),
)
_KEPT: Final = re.compile("\0(\\d+)\0")


def plain_text(markup: str, *, with_images: bool = True) -> str:
    """Return one line of text without markup; images become their description or are dropped."""
    text = fold_white_space(markup.replace("\0", ""))
    if _SIGN.search(text) is None:
        return text
    text = _ANCHOR.sub("", _CLOSING_HASHES.sub("", text))
    codes: list[str] = []  # text in code is not markup

    def keep(code: re.Match[str]) -> str:
        codes.append(code[2].strip())
        return f"\0{len(codes) - 1}\0"

    text = _CODE.sub(keep, text)
    text = _IMAGE.sub(r"\1" if with_images else "", text)
    for marks, left in _MARKUP:
        text = marks.sub(left, text)
    return fold_white_space(_KEPT.sub(lambda place: codes[int(place[1])], text))
