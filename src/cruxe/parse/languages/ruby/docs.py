"""Comments above a definition as documentation: RDoc, YARD and `=begin` blocks."""

import re
from typing import Final

from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS

# Comments for tools, not for readers.
_DIRECTIVE: Final = re.compile(
    r"^#+[ \t]*(?:!|-\*-|(?:en)?coding:|frozen_string_literal:|shareable_constant_value:|typed:"
    r"|warn_indent:|rubocop:|standard:|reek:|steep:|:nocov:|:nodoc:|:doc:|:startdoc:"
    r"|:stopdoc:|:section:|:enddoc:)",
    re.MULTILINE,
)
# RDoc omits the text between these.
_HIDDEN: Final = re.compile(r"^#--[ \t]*$.*?(?:^#\+\+[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK: Final = re.compile(r"^=begin\b.*$|^=end\b.*$", re.MULTILINE)
_RULE_CHARACTERS: Final = " \t-=*#~_/"


def doc_text(comments: list[str]) -> str:
    """Join the comments, without directives and text hidden from RDoc."""
    text = "\n".join(comments)
    if "#--" in text:
        text = _HIDDEN.sub("", text)
    if "=begin" in text:
        text = _BLOCK.sub("", text)
    lines = text.split("\n")
    if _DIRECTIVE.search(text):
        lines = [line for line in lines if not _DIRECTIVE.match(line)]
    return "\n".join([_plain(line) for line in lines]).strip()[:MAX_DOC_CHARACTERS].rstrip()


def _plain(line: str) -> str:
    text = line.lstrip("#").removeprefix(" ").rstrip()
    # Most lines start with a letter; a line of dashes or stars is a frame.
    return text if text[:1] not in _RULE_CHARACTERS or text.strip(_RULE_CHARACTERS) else ""
