"""Formats settings for a person: the rows of `cruxe config show`, and values in notices.

Output is escaped for terminals and never contains a secret.
"""

from typing import Final, NamedTuple

from cruxe.config.keys import flat_values
from cruxe.config.provenance import DEFAULT_ORIGIN, LoadedSettings, Origin
from cruxe.config.values import Secret, is_list
from cruxe.safety.redaction import RedactionRule

MAX_SHOWN_CHARACTERS: Final = 80
MAX_SHOWN_BITS: Final = 128


class SettingRow(NamedTuple):
    """One line of `cruxe config show`."""

    key: str
    value: str
    origin: Origin


def describe(loaded: LoadedSettings) -> tuple[SettingRow, ...]:
    """Return every setting with value and origin, secrets hidden, in the order of `Settings`."""
    return tuple(
        SettingRow(key, show_value(value), loaded.origins.get(key, DEFAULT_ORIGIN))
        for key, value in flat_values(loaded.settings).items()
    )


def show_value(value: object) -> str:
    """Format a value as TOML on one line, without secrets."""
    if isinstance(value, str):
        return f'"{printable(_without_credentials(value))}"'
    if isinstance(value, RedactionRule):
        return show_value(value.name)
    if is_list(value):
        return f"[{', '.join(map(show_value, value))}]"
    return _show_plain(value)


def show_given(raw: object) -> str:
    """Format a raw value for a notice: as `show_value`, but shortened."""
    return shortened(show_value(raw))


def shortened(text: str) -> str:
    """Escape control characters and cut long text."""
    is_long = len(text) > MAX_SHOWN_CHARACTERS
    return printable(f"{text[:MAX_SHOWN_CHARACTERS]}…" if is_long else text)


def printable(text: str) -> str:
    """Escape characters that a terminal acts upon."""
    return text if text.isprintable() else ascii(text)[1:-1]


def _show_plain(value: object) -> str:
    match value:
        case None:
            text = "unset"
        case bool():
            text = "true" if value else "false"
        case int() if value.bit_length() > MAX_SHOWN_BITS:
            text = "a very large number"
        case Secret():
            text = "hidden" if value else "unset"
        case dict():
            text = "a table"
        case _:
            text = str(value)
    return text


def _without_credentials(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if not separator:
        return text
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
