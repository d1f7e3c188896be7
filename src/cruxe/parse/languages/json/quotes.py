"""Strip quotes and templates from keys and plain values."""

import re
from typing import Final

from cruxe.text.lines import fold_white_space

# An expression of a template: `{{ .Release.Name }}`.
TEMPLATE: Final = re.compile(r"\{\{(?:(?!\{\{|\}\}).|(?!))*+\}\}", re.DOTALL)


def unquoted(text: str) -> str:
    """Return a one-line key or plain value without its quotes."""
    text = fold_white_space(text)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def literal_part(text: str) -> str:
    """Return the literal part of a name: `web` of `{{ .Release.Name }}-web`."""
    if "{{" not in text:
        return text
    return TEMPLATE.sub("", text).strip("-_. \"'")
