"""The table of settings: every dotted key with its reader, default and guard, and its other names.

The table is derived from the fields of `Settings`, so that it cannot disagree with them. It is
built on first use: a run without any configuration never needs it.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Protocol, TypeVar, get_type_hints

from cruxe.config.section import Section
from cruxe.config.settings import Guard, Settings
from cruxe.config.values import Reader, read_flag
from cruxe.model.named import NamedTuple

# Not a setting: it stands for `search.ranking_explain_level` where that is nowhere given.
LEGACY_EXPLAIN_FLAG: Final = "debug.ranking_reasons"
EXPLAIN_LEVEL: Final = "search.ranking_explain_level"

_OTHER_NAMES: Final = {
    "semantic_mode": "semantic.mode",
    "semantic.semantic_mode": "semantic.mode",
    "search.semantic_mode": "semantic.mode",
    "semantic.limit_multiplier": "semantic.semantic_limit_multiplier",
    "embedding.api_key": "semantic.embedding.api_key",
    "rerank.api_key": "semantic.rerank.api_key",
    "index.default_limit": "search.default_limit",
    "search.score_blend.sparseWeight": "search.score_blend.sparse_weight",
    "search.score_blend.annWeight": "search.score_blend.dense_weight",
    "search.mode_weights.extractedProse": "search.mode_weights.extracted_prose",
}
# In this order: a section that was renamed may lie inside another that was.
_OTHER_PREFIXES: Final = (
    ("search.score_blend.", "search.scoreBlend."),
    ("search.ranking_signal_budgets.", "search.ranking_budget."),
    ("semantic.", "search.semantic."),
    ("search.", "query."),
)

_SectionT = TypeVar("_SectionT", bound=Section)


class _Annotation(Protocol):
    """What `Annotated[type, reader, guard]` leaves of a field; not every field has a guard."""

    __metadata__: tuple[Reader, *tuple[Guard, ...]]


class Key(NamedTuple):
    """One setting of the table."""

    path: str
    read: Reader
    default: object
    guard: Guard


@cache
def key_table() -> Mapping[str, Key]:
    """Give every key in the order of the settings, the legacy flag last."""
    keys = {key.path: key for key in _keys_of(Settings(), "")}
    return keys | {
        LEGACY_EXPLAIN_FLAG: Key(LEGACY_EXPLAIN_FLAG, read_flag, default=False, guard=Guard.NONE)
    }


@cache
def canonical_keys() -> Mapping[str, str]:
    """Map every dotted name that is accepted to the key it stands for; keys come first."""
    names = {path: path for path in key_table()} | _OTHER_NAMES
    for canonical, other in _OTHER_PREFIXES:
        for name, key in tuple(names.items()):
            if name.startswith(canonical):
                names.setdefault(other + name.removeprefix(canonical), key)
    return names


@cache
def section_names() -> frozenset[str]:
    """Give every dotted name that holds others."""
    return frozenset(
        name[:position]
        for name in canonical_keys()
        for position, character in enumerate(name)
        if character == "."
    )


def flat_values(settings: Settings) -> dict[str, object]:
    """Give the value of each key, in the order of the settings."""
    return {path: member for path, member, _ in _leaves(settings, "")}


def build_settings(values: Mapping[str, object]) -> Settings:
    """Make settings of values that the keys' readers gave; absent keys take their default."""
    return _rebuilt(Settings(), "", values)


def _keys_of(section: Section, prefix: str) -> Iterator[Key]:
    for path, default, annotation in _leaves(section, prefix):
        reader, *guards = annotation.__metadata__
        yield Key(path, reader, default, guards[0] if guards else Guard.NONE)


def _leaves(section: Section, prefix: str) -> Iterator[tuple[str, object, _Annotation]]:
    annotations: Mapping[str, _Annotation] = get_type_hints(type(section), include_extras=True)
    for name, member in section.members().items():
        if isinstance(member, Section):
            yield from _leaves(member, f"{prefix}{name}.")
        else:
            yield prefix + name, member, annotations[name]


def _rebuilt(section: _SectionT, prefix: str, values: Mapping[str, object]) -> _SectionT:
    return section.replace(
        **{
            name: _rebuilt(member, f"{prefix}{name}.", values)
            if isinstance(member, Section)
            else values.get(prefix + name, member)
            for name, member in section.members().items()
        }
    )
