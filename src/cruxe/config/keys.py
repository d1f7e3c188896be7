"""The table of settings: every dotted key with its reader, default, guard and aliases.

The table is derived from the fields of `Settings`, so it cannot disagree with them. It is built on
first use: a run without configuration never needs it.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, Protocol, TypeVar, get_type_hints

from cruxe.config.settings import Guard, Section, Settings
from cruxe.config.values import Reader, read_flag

# Not a setting: it is used for `search.ranking_explain_level` if no layer sets that.
LEGACY_EXPLAIN_FLAG: Final = "debug.ranking_reasons"
EXPLAIN_LEVEL: Final = "search.ranking_explain_level"

_OTHER_NAMES: Final = {
    "semantic_mode": "semantic.mode",
    "semantic.semantic_mode": "semantic.mode",
    "search.semantic_mode": "semantic.mode",
    "embedding.api_key": "semantic.embedding.api_key",
    "rerank.api_key": "semantic.rerank.api_key",
    "index.default_limit": "search.default_limit",
    "search.score_blend.sparseWeight": "search.score_blend.sparse_weight",
    "search.score_blend.annWeight": "search.score_blend.dense_weight",
    "search.mode_weights.extractedProse": "search.mode_weights.extracted_prose",
}
# The order matters: a renamed section may be inside another renamed section.
_OTHER_PREFIXES: Final = (
    ("search.score_blend.", "search.scoreBlend."),
    ("search.ranking_signal_budgets.", "search.ranking_budget."),
    ("semantic.", "search.semantic."),
    ("search.", "query."),
)

_SectionT = TypeVar("_SectionT", bound=Section)


class _Annotation(Protocol):
    """The type hint `Annotated[type, reader, guard]` of a field; the guard is optional."""

    __metadata__: tuple[Reader, *tuple[Guard, ...]]


class Key(NamedTuple):
    """One setting of the table."""

    path: str
    read: Reader
    default: object
    guard: Guard


class _Place(NamedTuple):
    """A field of a section with its value."""

    section: Section
    name: str
    value: object


@cache
def key_table() -> Mapping[str, Key]:
    """Return every key in the order of `Settings`, the legacy flag last."""
    return {path: find_key(path) for path in _places()}


@cache
def find_key(path: str) -> Key:
    """Return one key of the table; only the annotations of its own section are read."""
    if path == LEGACY_EXPLAIN_FLAG:
        return Key(path=path, read=read_flag, default=False, guard=Guard.NONE)
    section, name, default = _places()[path]
    reader, *guards = _annotations(section)[name].__metadata__
    return Key(path=path, read=reader, default=default, guard=guards[0] if guards else Guard.NONE)


@cache
def canonical_keys() -> Mapping[str, str]:
    """Map every accepted dotted name to its key; the keys themselves come first."""
    names = {path: path for path in _places()} | _OTHER_NAMES
    for canonical, other in _OTHER_PREFIXES:
        for name, key in tuple(names.items()):
            if name.startswith(canonical):
                names.setdefault(other + name.removeprefix(canonical), key)
    return names


@cache
def section_names() -> frozenset[str]:
    """Return the dotted name of every section."""
    return frozenset(
        name[:position]
        for name in canonical_keys()
        for position, character in enumerate(name)
        if character == "."
    )


def flat_values(settings: Settings) -> dict[str, object]:
    """Return the value of each key, in the order of `Settings`."""
    return {path: place.value for path, place in _leaves(settings, "")}


def build_settings(values: Mapping[str, object]) -> Settings:
    """Build settings from values that the readers returned; missing keys take their default."""
    return _rebuilt(Settings(), "", values)


@cache
def _places() -> Mapping[str, _Place]:
    """Map each key to its field and default."""
    flag = _Place(Settings(), "", value=False)
    return dict(_leaves(Settings(), "")) | {LEGACY_EXPLAIN_FLAG: flag}


def _leaves(section: Section, prefix: str) -> Iterator[tuple[str, _Place]]:
    for name, member in section.members().items():
        if isinstance(member, Section):
            yield from _leaves(member, f"{prefix}{name}.")
        else:
            yield prefix + name, _Place(section, name, member)


@cache
def _annotations(section: Section) -> Mapping[str, _Annotation]:
    # Reading those of all sections takes half as long as starting an interpreter.
    return get_type_hints(type(section), include_extras=True)


def _rebuilt(section: _SectionT, prefix: str, values: Mapping[str, object]) -> _SectionT:
    return section.replace(
        **{
            name: _rebuilt(member, f"{prefix}{name}.", values)
            if isinstance(member, Section)
            else values.get(prefix + name, member)
            for name, member in section.members().items()
        }
    )
