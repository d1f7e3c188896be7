"""Settings from environment variables: `CRUXE_` and the key in capitals, points as underscores.

`CODECOMPASS_` is read too, and so are the variables of legacy names. When several name one key,
`CRUXE_` beats `CODECOMPASS_`, and then the key's own name beats the others.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from cruxe.config.canonical_keys import Collected, first_of_each, nearest_name
from cruxe.config.keys import canonical_keys, find_key
from cruxe.config.locations import ENVIRONMENT_PREFIXES
from cruxe.config.provenance import Layer, Notice, Origin
from cruxe.config.report import shortened

# Read elsewhere, or passed on by clients' templates; none of them is a setting.
_NOT_SETTINGS: Final = frozenset({"CONFIG", "WORKSPACE", "PROJECT_ID", "JOB_ID", "INDEX_BIN"})


class _Variable(NamedTuple):
    prefix_rank: int
    is_other_name: bool
    variable: str
    name: str  # dotted; empty when unknown
    text: str


def collect_environment(environ: Mapping[str, str]) -> Collected:
    """Gather the entries that the environment gives; an empty text counts as not set."""
    variables = sorted(_variables(environ))
    return Collected(
        entries=first_of_each(
            (found.name, found.text, Origin(Layer.ENVIRONMENT, found.variable))
            for found in variables
            if found.name and _says_something(found)
        ),
        notices=tuple(_unknown_notice(found) for found in variables if not found.name),
    )


def variable_of(key: str) -> str:
    """Name the environment variable of a key."""
    return ENVIRONMENT_PREFIXES[0] + _capitals(key)


def shortest_variable_of(key: str) -> str:
    """Name the shortest of the variables that set a key."""
    names = (name for name, canonical in canonical_keys().items() if canonical == key)
    return min(map(variable_of, names), key=len)


@cache
def _dotted_names() -> Mapping[str, str]:
    names: dict[str, str] = {}
    for name in canonical_keys():
        names.setdefault(_capitals(name), name)
    return names


def _variables(environ: Mapping[str, str]) -> Iterator[_Variable]:
    for variable, text in environ.items():
        for rank, prefix in enumerate(ENVIRONMENT_PREFIXES):
            rest = variable.removeprefix(prefix)
            if rest != variable and rest not in _NOT_SETTINGS:
                name = _dotted_names().get(rest, "")
                is_other = bool(name) and canonical_keys()[name] != name
                yield _Variable(rank, is_other, variable, name, text)


def _says_something(found: _Variable) -> bool:
    # An empty list is a value: it takes back what a file allowed.
    is_list = isinstance(find_key(canonical_keys()[found.name]).default, tuple)
    return is_list or bool(found.text.strip())


def _unknown_notice(found: _Variable) -> Notice:
    nearest = nearest_name(found.variable, map(variable_of, canonical_keys()))
    hint = f"; did you mean {nearest}?" if nearest else ""
    origin = Origin(Layer.ENVIRONMENT, shortened(found.variable))
    why = f"unknown setting{hint}"
    return Notice(shortened(found.variable), given="", used="", why=why, origin=origin)


def _capitals(name: str) -> str:
    return name.upper().replace(".", "_")
