"""Readers that convert a raw value, from TOML or the environment, to a setting.

A reader takes the raw value and the default, and never raises. It returns the value to use, with
the reason if that is not the raw value. Text from the environment is read by the same rules.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeGuard

from cruxe.config.setting_choices import SPELLINGS, IntentRule
from cruxe.safety.redaction import RedactionRule

MAX_ENTRIES: Final = 256
MAX_TEXT_CHARACTERS: Final = 4096
_TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
_FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})


class Reading(NamedTuple):
    """The value to use, and why it differs from the raw value; empty if it does not."""

    value: object
    problem: str = ""


Reader = Callable[[object, object], Reading]


class Secret:
    """An API key or token whose text is hidden unless `reveal` is called."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        """Store the text; empty means not set."""
        self._text = text

    def reveal(self) -> str:
        """Return the text; call this only where a request needs it."""
        return self._text

    def __bool__(self) -> bool:
        """Return whether the secret is set."""
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        """Compare by text."""
        return isinstance(other, Secret) and self._text == other._text

    def __hash__(self) -> int:
        """Hash the text, consistent with equality."""
        return hash(self._text)

    def __repr__(self) -> str:
        """Show whether the secret is set, but not its text."""
        return "Secret(hidden)" if self._text else "Secret(unset)"


def is_list(raw: object) -> TypeGuard[Sequence[object]]:
    """Return whether a raw or read value is a list."""
    return isinstance(raw, list | tuple)


def is_table(raw: object) -> TypeGuard[Mapping[str, object]]:
    """Return whether a raw value is a table."""
    return isinstance(raw, dict)


def read_flag(raw: object, default: object) -> Reading:
    """Read a boolean, or one of the usual words for it."""
    if isinstance(raw, int) and raw in {0, 1}:
        return Reading(bool(raw))
    word = raw.strip().lower() if isinstance(raw, str) else ""
    if word in _TRUE_WORDS or word in _FALSE_WORDS:
        return Reading(word in _TRUE_WORDS)
    return Reading(default, "expected true or false")


def whole(minimum: int, maximum: int) -> Reader:
    """Return a reader of integers from `minimum` to `maximum`."""

    def read_whole(raw: object, default: object) -> Reading:
        number = _whole_number(raw)
        if number is None or not minimum <= number <= maximum:
            return Reading(default, f"expected a whole number from {minimum} to {maximum}")
        return Reading(number)

    return read_whole


def whole_from(minimum: int, maximum: int) -> Reader:
    """Return a reader of integers up to `maximum`; a smaller one than `minimum` becomes that."""
    read_in_range = whole(minimum, maximum)

    def read_whole(raw: object, default: object) -> Reading:
        number = _whole_number(raw)
        if number is None or number >= minimum:
            return read_in_range(raw, default)
        return Reading(minimum, f"expected a whole number from {minimum} to {maximum}")

    return read_whole


def real(minimum: float, maximum: float) -> Reader:
    """Return a reader of finite numbers from `minimum` to `maximum`."""

    def read_real(raw: object, default: object) -> Reading:
        value = _real_number(raw)
        if value is None or not minimum <= value <= maximum:
            return Reading(default, f"expected a number from {minimum:g} to {maximum:g}")
        return Reading(value)

    return read_real


def read_bound(raw: object, default: object) -> Reading:
    """Read one end of a range; accept infinity and NaN, since the range is checked as a whole."""
    value = _real_number(raw)
    if value is None:
        return Reading(default, "expected a number")
    return Reading(value)


def read_text(raw: object, default: object) -> Reading:
    """Read text without control characters."""
    problem = _text_problem(raw)
    return Reading(default, problem) if problem else Reading(raw)


def read_path(raw: object, default: object) -> Reading:
    """Read the path of a folder."""
    reading = read_text(raw, default)
    is_blank = isinstance(reading.value, str) and not reading.value.strip()
    return Reading(default, "expected a path") if is_blank else reading


def read_endpoint(raw: object, default: object) -> Reading:
    """Read the URL of a service; empty means the provider's own."""
    address = raw.strip() if isinstance(raw, str) and not _text_problem(raw) else None
    if address is None or not (address == "" or address.startswith(("https://", "http://"))):
        return Reading(default, "expected an http:// or https:// address")
    return Reading(address)


def read_secret(raw: object, default: object) -> Reading:
    """Read a secret; the problem never contains its text."""
    if isinstance(raw, str) and raw.strip().isprintable():
        return Reading(Secret(raw.strip()))
    return Reading(default, "expected one line of printable text")


def choice(choices: type[StrEnum]) -> Reader:
    """Return a reader of an enumeration, in any of its accepted spellings."""

    def read_choice(raw: object, default: object) -> Reading:
        found = _spelled(choices, raw)
        if found is None:
            return Reading(default, f"expected one of {', '.join(choices)}")
        return Reading(found)

    return read_choice


def read_texts(raw: object, default: object) -> Reading:
    """Read a list of strings, or one comma-separated string; drop entries of other types."""
    entries = _entries(raw)
    if entries is None:
        return Reading(default, f"expected a list of at most {MAX_ENTRIES} texts")
    good = tuple(
        entry
        for entry in entries
        if isinstance(entry, str) and entry.strip() and not _text_problem(entry)
    )
    return Reading(good, _left_out(len(entries) - len(good)))


def read_words(raw: object, default: object) -> Reading:
    """Read a list of words and convert them to lower case."""
    reading = read_texts(raw, default)
    return reading._replace(value=_mapped(reading.value, lambda word: word.strip().lower()))


def read_extensions(raw: object, default: object) -> Reading:
    """Read a list of file name extensions and add missing dots."""
    reading = read_words(raw, default)
    return reading._replace(value=_mapped(reading.value, lambda word: f".{word.lstrip('.')}"))


def read_rule_order(raw: object, default: object) -> Reading:
    """Read the order of intent rules; natural language is always last."""
    entries = _entries(raw)
    if not entries:
        return Reading(default, f"expected a list of {', '.join(IntentRule)}")
    found = (_spelled(IntentRule, entry) for entry in entries)
    rules = tuple(dict.fromkeys(rule for rule in found if rule is not None))
    if not rules:
        return Reading(default, f"expected a list of {', '.join(IntentRule)}")
    unknown = sum(_spelled(IntentRule, entry) is None for entry in entries)
    last = () if IntentRule.NATURAL_LANGUAGE in rules else (IntentRule.NATURAL_LANGUAGE,)
    return Reading(rules + last, _left_out(unknown))


def read_redaction_rules(raw: object, default: object) -> Reading:
    """Read a list of rule tables; drop invalid rules and keep the others."""
    if not is_list(raw) or len(raw) > MAX_ENTRIES:
        return Reading(default, f"expected a list of at most {MAX_ENTRIES} tables, in a file")
    rules = tuple(rule for rule in map(_redaction_rule, raw) if rule is not None)
    return Reading(rules, _left_out(len(raw) - len(rules)))


def _whole_number(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    try:
        return int(raw) if isinstance(raw, str) else None
    except ValueError:
        return None


def _real_number(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        return float(raw)
    except ValueError:
        return None
    except OverflowError:  # an integer outside the range of floats
        return math.inf


def _text_problem(raw: object) -> str:
    if not isinstance(raw, str):
        return "expected a text"
    if len(raw) > MAX_TEXT_CHARACTERS:
        return f"expected at most {MAX_TEXT_CHARACTERS} characters"
    has_control = any(character < " " or character == "\x7f" for character in raw)
    return "expected a text without control characters" if has_control else ""


def _spelled(choices: type[StrEnum], raw: object) -> StrEnum | None:
    if isinstance(raw, bool):
        raw = "on" if raw else "off"
    if not isinstance(raw, str):
        return None
    word = _squeezed(raw)
    by_word = {_squeezed(member): member for member in choices}
    return by_word.get(word) or SPELLINGS.get(choices, {}).get(word)


def _squeezed(text: str) -> str:
    return text.strip().lower().replace("_", "").replace("-", "")


def _entries(raw: object) -> Sequence[object] | None:
    if isinstance(raw, str):
        return _entries([part.strip() for part in raw.split(",") if part.strip()])
    return raw if is_list(raw) and len(raw) <= MAX_ENTRIES else None


def _left_out(count: int) -> str:
    return f"left out {count} that cannot be used" if count else ""


def _mapped(value: object, change: Callable[[str], str]) -> tuple[str, ...]:
    words = value if is_list(value) else ()
    return tuple(dict.fromkeys(change(word) for word in words if isinstance(word, str)))


def _redaction_rule(raw: object) -> RedactionRule | None:
    if not is_table(raw):
        return None
    texts = {name: text for name in RedactionRule._fields if (text := raw.get(name)) is not None}
    fields = {name: text for name, text in texts.items() if isinstance(text, str) and text}
    if len(fields) < len(texts) or any(map(_text_problem, fields.values())):
        return None
    is_usable = {"name", "pattern"} <= fields.keys() and _is_pattern(fields["pattern"])
    return RedactionRule(**fields) if is_usable else None


def _is_pattern(pattern: str) -> bool:
    import re  # imported late: few users write rules

    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
