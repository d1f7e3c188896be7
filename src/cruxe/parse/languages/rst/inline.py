"""Strip reStructuredText's inline markup."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

_MARKED: Final = re.compile(r"[`*|_\\\[]")
_LITERAL: Final = re.compile(r"``(.+?)``")
# Both starts are one literal character, which is fast to search.
_ROLE: Final = re.compile(r"(?::[A-Za-z][\w:+.-]*:`|`)([^`]+)`(?:__?|:[A-Za-z][\w:+.-]*:)?")
_TITLED: Final = re.compile(r"^(.+?)\s*<[^<>]*>$")
_STRONG: Final = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_SUBSTITUTION: Final = re.compile(r"\|(\S(?:[^|]*\S)?)\|(?:__?)?")
_REFERENCE: Final = re.compile(r"(?<![\w_])(\w[\w.-]*?)__?(?![\w_])")
_REFERENCE_END: Final = re.compile(r"_(?!\w)")
_FOOTNOTE: Final = re.compile(r"\s*\[(?:\d+|#\w*|\*)\]_")
_ESCAPE: Final = re.compile(r"\\(.)")
# The characters it needs, pattern and replacement: a text has few of them.
_TAKEN_OFF: Final = (
    ("]_", _FOOTNOTE, ""),
    ("*", _STRONG, r"\2"),
    ("|", _SUBSTITUTION, r"\1"),
)


def plain_text(markup: str) -> str:
    """Return one line of text without markup."""
    text = fold_white_space(markup.replace("\0", ""))
    if not _MARKED.search(text):
        return text
    kept: list[str] = []  # text in literals and links is not markup

    def keep(words: str) -> str:
        kept.append(words)
        return f"\0{len(kept) - 1}\0"

    if "`" in text:
        text = _LITERAL.sub(lambda literal: keep(literal[1].strip()), text)
        text = _ROLE.sub(lambda role: keep(_shown(role[1])), text)
    for sign, expression, left in _TAKEN_OFF:
        if sign in text:
            text = expression.sub(left, text)
    if _REFERENCE_END.search(text):  # most underscores are inside names
        text = _REFERENCE.sub(r"\1", text)
    if "\\" in text:
        text = _ESCAPE.sub(lambda escape: escape[1].strip(), text)
    while "\0" in text:  # a literal may be inside a link
        parts = text.split("\0")
        parts[1::2] = [kept[int(number)] for number in parts[1::2]]
        text = "".join(parts)
    return fold_white_space(text)


def _shown(content: str) -> str:
    """Return what a role shows: its title or target; after a tilde only the last part."""
    titled = _TITLED.match(content) if content.endswith(">") else None
    if titled is not None:
        return titled[1]
    if content.startswith("~"):
        return content.rpartition(".")[2].lstrip("~")
    return content.lstrip("!")
