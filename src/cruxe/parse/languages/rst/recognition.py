"""Whether a plain text file is reStructuredText."""

import re
from typing import Final

# The head is enough; data files and logs can be long.
_HEAD_BYTES: Final = 65_536
# A document's title between two rules that fit it.
_FRAMED_TITLE: Final = re.compile(rb"\s*(={4,})\r?\n[ \t]*\S[^\n]*\n\1\r?(?:\n|$)")
_MARKUP: Final = re.compile(
    rb"^[ \t]*\.\. (?:[a-z][\w-]*(?::[\w-]+)*::(?:[ \t]|\r?$)|_[^\s:`][^:\n]*:[ \t]*\r?$)"
    rb"|:[a-z]+(?::[a-z]+)?:`[^`\n]+`",
    re.MULTILINE,
)


def is_restructured(data: bytes) -> bool:
    """Return whether it has what no other format has: a framed title, directive, label or role.

    Underlined headings do not count: other formats and plain letters have them too.
    """
    head = data[:_HEAD_BYTES]
    if _FRAMED_TITLE.match(head) is not None:
        return True
    has_signs = b".. " in head or b":`" in head  # much cheaper than the regular expression
    return has_signs and _MARKUP.search(head) is not None
