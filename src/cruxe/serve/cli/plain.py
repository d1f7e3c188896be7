"""Command lines in plain form, read without argparse, whose import costs a third of a bare start.

Plain are flags and options by their full names with values that can be used, and the words that
the command takes. All else, wrong lines and requests for help among it, is argparse's.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.serve.cli.command import declare_common
from cruxe.serve.cli.session import GlobalArgs

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.serve.cli.command import AnyCommand

_NEEDS_NO_JUDGEMENT: Final = frozenset(
    {"dest", "metavar", "help", "default", "action", "nargs", "type"}
)
_FLAG: Final = "store_true"
_SEVERAL: Final = "+"


class _Option(NamedTuple):
    field: str
    is_flag: bool
    is_plain: bool
    default: object
    read: Callable[[str], object]  # raises a `ValueError` for what cannot be used


def read_plain(command: "AnyCommand", words: list[str]) -> GlobalArgs | None:
    """The arguments of a line in plain form; nothing where it is not in that form."""
    declared = _Declared()
    for declare in (command.declare, declare_common):
        declare(cast("ArgumentParser", declared))
    return declared.read(words, command.args())


class _Declared:
    """Takes declarations as argparse's parser does."""

    def __init__(self) -> None:
        self._options: dict[str, _Option] = {}
        self._places: list[_Option] = []
        self._takes_several = False

    def add_argument(self, *names: str, **details: object) -> None:
        is_flag = details.get("action") == _FLAG
        nargs = details.get("nargs")
        is_plain = details.keys() <= _NEEDS_NO_JUDGEMENT and (is_flag or "action" not in details)
        longest = max(names, key=len)
        field = str(details.get("dest", longest.lstrip("-").replace("-", "_")))
        default = details.get("default", False if is_flag else None)
        if longest.startswith("-"):
            read = cast("Callable[[str], object]", details.get("type", str))
            option = _Option(field, is_flag, is_plain and nargs is None, default, read)
            self._options.update(dict.fromkeys(names, option))
        else:
            self._takes_several = self._takes_several or nargs == _SEVERAL
            is_plain = is_plain and "type" not in details and nargs in (None, _SEVERAL)
            self._places.append(_Option(field, is_flag, is_plain, default, str))

    def read(self, words: list[str], args: GlobalArgs) -> GlobalArgs | None:
        """Fill in the arguments; nothing where a word needs a judgement."""
        values: dict[str, object] = {}
        free: list[str] = []
        waiting = iter(words)
        is_after_free = False
        for word in waiting:
            if not word.startswith("-"):
                if free and not is_after_free:
                    return None  # which of them belong together is not plain
                free.append(word)
            elif not self._take_option(word, waiting, values):
                return None
            is_after_free = not word.startswith("-")
        return self._filled(args, values) if self._place(free, values) else None

    def _take_option(self, word: str, waiting: Iterator[str], values: dict[str, object]) -> bool:
        name, has_value, value = word.partition("=")
        option = self._options.get(name)
        if option is None or not option.is_plain or (option.is_flag and has_value):
            return False
        if option.is_flag:
            values[option.field] = True
            return True
        if not has_value:
            value = next(waiting, "-")
            if value.startswith("-"):
                return False
        try:
            values[option.field] = option.read(value)
        except ValueError:
            return False
        return True

    def _place(self, free: list[str], values: dict[str, object]) -> bool:
        """Give the free words to the places for them; false where they do not fit."""
        if not all(place.is_plain for place in self._places):
            return False
        if self._takes_several:
            values[self._places[0].field] = free
            return bool(free) and len(self._places) == 1
        values.update(zip([place.field for place in self._places], free, strict=False))
        return len(free) == len(self._places)

    def _filled(self, args: GlobalArgs, values: dict[str, object]) -> GlobalArgs:
        for option in self._options.values():
            if option.field not in values and not hasattr(args, option.field):
                values[option.field] = option.default
        for field, value in values.items():
            setattr(args, field, value)
        return args
