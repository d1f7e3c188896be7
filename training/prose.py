"""Documentation as somebody would ask for it: without markup, parameters and boilerplate."""

import re
from typing import Final

# Where the description ends and the reference begins.
_REFERENCE: Final = re.compile(
    r"(?m)^\s*([@\\](?!brief|summary|details|short)\w+|:(param|type|return|rtype|raises|arg)"
    r"|(Args|Arguments|Parameters|Params|Returns?|Raises|Yields?|Examples?|Usage|Notes?|See Also"
    r"|Attributes|Throws|Inputs?|Outputs?|Panics|Errors|Safety|Since|Preconditions?)\s*:?\s*$"
    r"|#+ (Example|Argument|Parameter|Return|Panic|Error|Safety)|>>>|```"
    r"|- (Parameter|Returns|Throws)"
    r"|(Args|Returns|Parameters|Raises|Example|Usage):)"
)
_TAG: Final = re.compile(r"</?[A-Za-z][^>\n]*>")
_INLINE_TAG: Final = re.compile(r"\{@\w+\s+([^}]*)\}|:\w+:`~?([^`]*)`|\[([^\]]*)\]\([^)]*\)")
_MARKS: Final = re.compile(
    r"[@\\](brief|summary|details|short)\b|\*+/|[`*|]+|[=~_-]{3,}|https?://\S+|!?\[|\]"
)
_LINE_START: Final = re.compile(
    r"(?m)^\s*(/\*+!?|\*+/?|//+[!/]?|#+|--+[ |^!]?|;+|\{-\s*\|?|-\}|%+)\s?"
)
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_BOILERPLATE: Final = re.compile(
    r"copyright|licen[sc]e|spdx|all rights reserved|redistribut|eslint|@flow|vim:|pylint|noqa"
    r"|generated|do not edit|@ts-|deprecated|todo|fixme|xxx|see also|inheritdoc|npm install"
    r"|pip install|contribut|badge",
    re.IGNORECASE,
)
_FEWEST_WORDS: Final = 3
_SHORT_PARAGRAPH: Final = 60
_MOST_CHARACTERS: Final = 400
_LETTER_SHARE: Final = 0.7
_FOREIGN_SHARE: Final = 0.05


def description_in(raw: str) -> str:
    """The first words of a doc that say what something is for; empty where it says nothing."""
    text = _LINE_START.sub("", raw.replace("\r", ""))
    text = _INLINE_TAG.sub(lambda match: next(filter(None, match.groups()), ""), text)
    text = _TAG.sub(" ", text)
    reference = _REFERENCE.search(text)
    if reference:
        text = text[: reference.start()]
    paragraphs = [" ".join(_MARKS.sub(" ", each).split()) for each in re.split(r"\n\s*\n", text)]
    kept = [each for each in paragraphs if each]
    if not kept:
        return ""
    said = kept[0] if len(kept[0]) >= _SHORT_PARAGRAPH else " ".join(kept[:2])
    return said[:_MOST_CHARACTERS] if is_description(said) else ""


def is_description(text: str) -> bool:
    """Whether a text is a sentence in English about something, not a notice or a remark."""
    letters = sum(each.isalpha() or each == " " for each in text)
    foreign = sum(not each.isascii() for each in text)
    return (
        len(_WORD.findall(text)) >= _FEWEST_WORDS
        and letters >= _LETTER_SHARE * len(text)
        and foreign <= _FOREIGN_SHARE * len(text)
        and not _BOILERPLATE.search(text)
    )
