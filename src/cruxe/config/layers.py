"""The layers joined: the strongest layer that gives a key decides it, unless it may not.

A bad value becomes the default, with a notice. What a repository's own file may not do:

- set a `TRUSTED_ONLY` key (privacy gates, providers, endpoints, models, data directory, allowed
  roots, secret and redaction rules, what the machine spends): ignored with a notice;
- raise a `LOWER_ONLY` key (sizes, time limits, automatic indexing) above what the layers below
  it say: ignored with a notice. Lowering is allowed: it only limits the repository itself.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from cruxe.config.canonical_keys import Collected, Entry
from cruxe.config.environment import shortest_variable_of
from cruxe.config.keys import (
    EXPLAIN_LEVEL,
    LEGACY_EXPLAIN_FLAG,
    Key,
    build_settings,
    find_key,
    flat_values,
)
from cruxe.config.locations import with_absolute_paths
from cruxe.config.normalize import make_consistent
from cruxe.config.provenance import DEFAULT_ORIGIN, Layer, LoadedSettings, Notice, Origin
from cruxe.config.report import show_given
from cruxe.config.settings import Guard, Settings
from cruxe.config.values import Reading
from cruxe.model.levels import RankingExplainLevel

_WHERE: Final = "set it in ~/.cruxe/config.toml, a --config file or the environment"


class _Draft(NamedTuple):
    """What has been decided so far, layer by layer."""

    values: dict[str, object]
    origins: dict[str, Origin]
    notices: list[Notice]


def combine(layers: Iterable[Collected], home: str) -> LoadedSettings:
    """Decide every key from layers, weakest first; total, whatever the layers hold."""
    draft = _Draft(values={}, origins={}, notices=[])
    for layer in layers:
        draft.notices.extend(layer.notices)
        for entry in layer.entries:
            _apply(draft, entry)
    _apply_legacy_explain_flag(draft)
    settings = with_absolute_paths(_settle(draft), draft.origins, home)
    return LoadedSettings(settings, draft.origins, _final_notices(draft.notices, settings))


def _apply(draft: _Draft, entry: Entry) -> None:
    key = find_key(entry.key)
    reading = key.read(entry.raw, key.default)
    refusal = _refusal(key, entry, reading, draft.values.get(key.path, key.default))
    if refusal or reading.problem:
        given = "" if key.guard is Guard.ENVIRONMENT_ONLY else show_given(entry.raw)
        why = refusal or reading.problem
        draft.notices.append(Notice(key.path, given, used="", why=why, origin=entry.origin))
    if not refusal:
        is_default = bool(reading.problem) and reading.value == key.default
        draft.values[key.path] = reading.value
        draft.origins[key.path] = DEFAULT_ORIGIN if is_default else entry.origin


def _refusal(key: Key, entry: Entry, reading: Reading, current: object) -> str:
    layer = entry.origin.layer
    if key.guard is Guard.ENVIRONMENT_ONLY and layer is not Layer.ENVIRONMENT:
        return f"keys are read from the environment only; set {shortest_variable_of(key.path)}"
    if layer is not Layer.REPOSITORY:
        return ""
    if key.guard is Guard.TRUSTED_ONLY:
        return f"a repository may not set this; {_WHERE}"
    if key.guard is not Guard.LOWER_ONLY:
        return ""
    is_raised = _is_raised(reading.value, current)
    # A bad value may not become the default here: home may have asked for less.
    return reading.problem or (f"a repository may only lower this; {_WHERE}" if is_raised else "")


def _is_raised(value: object, current: object) -> bool:
    return not (isinstance(value, int) and isinstance(current, int) and value <= current)


def _apply_legacy_explain_flag(draft: _Draft) -> None:
    flag = draft.values.pop(LEGACY_EXPLAIN_FLAG, None)
    origin = draft.origins.pop(LEGACY_EXPLAIN_FLAG, DEFAULT_ORIGIN)
    # A level that was given decides even when it was bad: then it means `off`.
    if flag is None or EXPLAIN_LEVEL in draft.origins:
        return
    draft.values[EXPLAIN_LEVEL] = RankingExplainLevel.FULL if flag else RankingExplainLevel.OFF
    draft.origins[EXPLAIN_LEVEL] = origin


def _settle(draft: _Draft) -> Settings:
    settings = build_settings(draft.values)
    consistent = make_consistent(settings)
    if not consistent.reasons:
        return settings
    before, after = flat_values(settings), flat_values(consistent.settings)
    for key, why in consistent.reasons.items():
        origin = draft.origins.get(key, DEFAULT_ORIGIN)
        if origin == DEFAULT_ORIGIN:
            continue
        draft.notices.append(Notice(key, show_given(before[key]), "", why, origin))
        if after[key] == find_key(key).default:
            draft.origins[key] = DEFAULT_ORIGIN
    return consistent.settings


def _final_notices(notices: list[Notice], settings: Settings) -> tuple[Notice, ...]:
    """Complete the notices with the value that is in force after all layers."""
    values = flat_values(settings) if notices else {}
    return tuple(
        notice._replace(used=show_given(values[notice.key])) if notice.key in values else notice
        for notice in notices
    )
