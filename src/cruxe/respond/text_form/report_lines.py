"""The lines of reports on the index: a field a line, whatever fields the report has."""

from collections.abc import Iterator, Mapping
from typing import Final

from cruxe.respond.text_form.notation import flat, has_fields, has_parts

# What the closing line tells.
_APART: Final = frozenset({"metadata", "suggested_next_actions", "message"})


def report_lines(answer: Mapping[str, object]) -> Iterator[str]:
    """Yield `name: value` for each field that is not empty; a list of objects has one on a line."""
    for name, value in answer.items():
        if name not in _APART and value not in ([], {}):
            yield from _field(name, value)


def _field(name: str, value: object) -> Iterator[str]:
    if has_parts(value) and any(map(has_fields, value)):
        yield f"{name}:"
        yield from (f"  {flat(part)}" for part in value)
    else:
        yield f"{name}: {flat(value)}"
