"""Merges the configuration layers: the strongest layer that sets a key wins, if it is allowed to.

An invalid value is replaced by the default, with a notice. A repository's own file may not set a
`TRUSTED_ONLY` key (privacy gates, providers, endpoints, models, data directory, allowed roots,
secret and redaction rules, resource use), nor raise a `LOWER_ONLY` key (sizes, time limits,
automatic indexing) above the weaker layers. Both are ignored with a notice. Lowering is allowed:
it only limits the repository itself.
"""

import os.path
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from cruxe.config.keys import (
    EXPLAIN_LEVEL,
    LEGACY_EXPLAIN_FLAG,
    Key,
    build_settings,
    canonical_keys,
    find_key,
    flat_values,
    section_names,
)
from cruxe.config.locations import ENVIRONMENT_PREFIXES, with_absolute_paths
from cruxe.config.provenance import DEFAULT_ORIGIN, Layer, LoadedSettings, Notice, Origin
from cruxe.config.report import shortened, show_given
from cruxe.config.settings import Guard, RankingSignalBudgets, Settings, SignalBudget
from cruxe.config.values import Reading, is_table
from cruxe.model.errors import InvalidInputError
from cruxe.model.levels import RankingExplainLevel

_WHERE: Final = "set it in ~/.cruxe/config.toml, a --config file or the environment"


class _Draft(NamedTuple):
    """The values, origins and notices of the layers applied so far."""

    values: dict[str, object]
    origins: dict[str, Origin]
    notices: list[Notice]


class Entry(NamedTuple):
    """One raw value for a canonical key."""

    key: str
    raw: object
    origin: Origin


class Collected(NamedTuple):
    """The entries and notices of one layer."""

    entries: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()


def combine(layers: Iterable[Collected], home: str) -> LoadedSettings:
    """Merge layers, weakest first. Never raises: invalid entries become notices."""
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
        draft.notices.append(
            Notice(key=key.path, given=given, used="", why=why, origin=entry.origin)
        )
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
    # An invalid value must not reset to the default here: the home file may have set it lower.
    return reading.problem or (f"a repository may only lower this; {_WHERE}" if is_raised else "")


def _is_raised(value: object, current: object) -> bool:
    return not (isinstance(value, int) and isinstance(current, int) and value <= current)


def _apply_legacy_explain_flag(draft: _Draft) -> None:
    flag = draft.values.pop(LEGACY_EXPLAIN_FLAG, None)
    origin = draft.origins.pop(LEGACY_EXPLAIN_FLAG, DEFAULT_ORIGIN)
    # A level that is set takes precedence even if it is invalid, which means `off`.
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
        draft.notices.append(
            Notice(key=key, given=show_given(before[key]), used="", why=why, origin=origin)
        )
        if after[key] == find_key(key).default:
            draft.origins[key] = DEFAULT_ORIGIN
    return consistent.settings


def _final_notices(notices: list[Notice], settings: Settings) -> tuple[Notice, ...]:
    """Add to each notice the effective value after all layers."""
    values = flat_values(settings) if notices else {}
    return tuple(
        notice._replace(used=show_given(values[notice.key])) if notice.key in values else notice
        for notice in notices
    )


# Above this, sums of contributions lose the digits that order results.
MAX_BUDGET: Final = 1_000.0


class Consistent(NamedTuple):
    """Consistent settings, and the reason for each key that was changed."""

    settings: Settings
    reasons: Mapping[str, str]


def make_consistent(settings: Settings) -> Consistent:
    """Replace invalid signal budgets by their defaults; leave everything else unchanged."""
    reasons: dict[str, str] = {}
    search = settings.search
    budgets = _usable_budgets(search.ranking_signal_budgets, reasons)
    changed = settings.replace(search=search.replace(ranking_signal_budgets=budgets))
    return Consistent(changed, reasons)


def _usable_budgets(budgets: RankingSignalBudgets, reasons: dict[str, str]) -> RankingSignalBudgets:
    usual = RankingSignalBudgets().by_signal()
    changes: dict[str, SignalBudget] = {}
    for signal, budget in budgets.by_signal().items():
        problem = _range_problem(budget)
        if problem:
            changes[signal] = usual[signal]
            prefix = f"search.ranking_signal_budgets.{signal}."
            reasons.update((prefix + field, problem) for field in budget.members())
    return budgets.replace(**changes)


def _range_problem(budget: SignalBudget) -> str:
    if not (abs(budget.min) <= MAX_BUDGET and abs(budget.max) <= MAX_BUDGET):
        return f"non_finite_range: expected bounds from {-MAX_BUDGET:g} to {MAX_BUDGET:g}"
    if budget.min > budget.max:
        return "inverted_range: the minimum is above the maximum"
    return ""


# Read elsewhere, or set by clients' templates. None of them is a setting.
_NOT_SETTINGS: Final = frozenset({"CONFIG", "WORKSPACE", "PROJECT_ID", "JOB_ID", "INDEX_BIN"})


class _Variable(NamedTuple):
    prefix_rank: int
    is_other_name: bool
    variable: str
    name: str  # dotted; empty if unknown
    text: str


def collect_environment(environ: Mapping[str, str]) -> Collected:
    """Collect the entries of the environment; an empty variable counts as not set."""
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
    """Return the environment variable of a key."""
    return ENVIRONMENT_PREFIXES[0] + _capitals(key)


def shortest_variable_of(key: str) -> str:
    """Return the shortest of the variables that set a key."""
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
                yield _Variable(
                    prefix_rank=rank,
                    is_other_name=is_other,
                    variable=variable,
                    name=name,
                    text=text,
                )


def _says_something(found: _Variable) -> bool:
    # An empty list is a value: it overrides the list in a file.
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


MAX_REPOSITORY_FILE_BYTES: Final = 65_536
# The TOML parser is quadratic in the parts of a dotted key: 16,000 parts take five seconds.
MAX_POINTS_A_LINE: Final = 64


def collect_home_file(path: str | None) -> Collected:
    """Collect the entries of the user's own file."""
    return _collect_own_file(Origin(Layer.HOME, path)) if path else Collected()


def collect_chosen_file(path: str | None) -> Collected:
    """Collect the entries of the file given with `--config`."""
    return _collect_own_file(Origin(Layer.CONFIG_FILE, path)) if path else Collected()


def collect_repository_file(path: str | None) -> Collected:
    """Collect the entries of a repository's file. Never raises: a bad file becomes a notice."""
    if not path:
        return Collected()
    origin = Origin(Layer.REPOSITORY, path)
    try:
        return collect_table(_parse(_read_guarded(path)), origin)
    except OSError as error:
        return _ignored(error.strerror or str(error), origin)
    except (ValueError, RecursionError) as error:
        return _ignored(_reason(error), origin)


def _collect_own_file(origin: Origin) -> Collected:
    path = origin.source
    try:
        return collect_table(_parse(_read(path)), origin)
    except OSError as error:
        raise InvalidInputError(
            f"the configuration file {path} cannot be read: {error.strerror or error}",
            remedy="make it a file that you can read, or take it away",
            data={"path": path},
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            f"the configuration file {path} is not valid TOML: {_reason(error)}",
            remedy="correct that line; until then the settings in the file cannot be honoured",
            data={"path": path, "line": _line(error)},
        ) from error


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read_guarded(path: str) -> bytes:
    if not os.path.isfile(path):  # reading a device or pipe may never end
        raise OSError("it is not a regular file")
    with open(path, "rb") as file:
        content = file.read(MAX_REPOSITORY_FILE_BYTES + 1)
    if len(content) > MAX_REPOSITORY_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_REPOSITORY_FILE_BYTES} bytes")
    if any(line.count(b".") > MAX_POINTS_A_LINE for line in content.splitlines()):
        raise ValueError(f"a line has more than {MAX_POINTS_A_LINE} points")
    return content


def _parse(content: bytes) -> dict[str, object]:
    import tomllib  # imported late: most runs have no file

    return tomllib.loads(content.decode("utf-8-sig"))


def _ignored(why: str, origin: Origin) -> Collected:
    text = f"the repository's configuration is ignored: {why}"
    return Collected(notices=(Notice(key="", given="", used="", why=text, origin=origin),))


def _reason(error: ValueError | RecursionError) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else shortened(str(error))


def _line(error: ValueError | RecursionError) -> int | None:
    # The parser has the line only in its message: "… (at line 3, column 5)".
    digits = str(error).rpartition("at line ")[2].partition(",")[0]
    return int(digits) if digits.isdecimal() else None


MAX_UNKNOWN_NOTICES: Final = 20
_MAX_COMPARED_CHARACTERS: Final = 64


def collect_table(table: Mapping[str, object], origin: Origin) -> Collected:
    """Collect the entries of a table; a key takes precedence over its legacy names."""
    found = tuple(_walk(table, ""))
    known = [(name, raw) for name, raw in found if name in canonical_keys()]
    unknown = [(name, raw) for name, raw in found if name not in canonical_keys()]
    return Collected(
        entries=first_of_each((name, raw, origin) for name, raw in _canonical_first(known)),
        notices=_unknown_notices(unknown, origin),
    )


def first_of_each(named: Iterable[tuple[str, object, Origin]]) -> tuple[Entry, ...]:
    """Return one entry per key: the first of the names that mean it."""
    entries: dict[str, Entry] = {}
    for name, raw, origin in named:
        key = canonical_keys()[name]
        entries.setdefault(key, Entry(key, raw, origin))
    return tuple(entries.values())


def nearest_name(name: str, names: Iterable[str]) -> str:
    """Return the closest of the names, or "" if none is close."""
    from difflib import get_close_matches  # only for misspelled names

    matches = get_close_matches(name[:_MAX_COMPARED_CHARACTERS], tuple(names), n=1, cutoff=0.75)
    return matches[0] if matches else ""


def _walk(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, raw in table.items():
        path = prefix + name
        if path in section_names() and is_table(raw):
            yield from _walk(raw, f"{path}.")
        else:
            yield path, raw


def _canonical_first(known: list[tuple[str, object]]) -> list[tuple[str, object]]:
    return sorted(known, key=lambda item: canonical_keys()[item[0]] != item[0])


def _unknown_notices(unknown: list[tuple[str, object]], origin: Origin) -> tuple[Notice, ...]:
    notices = [
        Notice(shortened(name), given="", used="", why=_why_unknown(name), origin=origin)
        for name, _ in unknown[:MAX_UNKNOWN_NOTICES]
    ]
    if len(unknown) > MAX_UNKNOWN_NOTICES:
        why = f"{len(unknown) - MAX_UNKNOWN_NOTICES} more settings are unknown"
        notices.append(Notice(key="", given="", used="", why=why, origin=origin))
    return tuple(notices)


def _why_unknown(name: str) -> str:
    if name in section_names():
        return "expected a table"
    nearest = nearest_name(name, canonical_keys())
    return f"unknown setting; did you mean {nearest}?" if nearest else "unknown setting"
