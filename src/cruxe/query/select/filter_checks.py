"""Filters applied: to files and symbols exactly, to the index as a condition, to a ref's versions.

The rows of `model/specs.py` say what each filter looks at and how its values match.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cruxe.model.identity import VersionKey
from cruxe.model.specs import Filters, MatchRule

if TYPE_CHECKING:
    from cruxe.query.retrieve.opened_ref import OpenedRef
    from cruxe.store.conditions import Condition

_ABSENT: Final = object()


def passes(filters: Filters, candidate: object) -> bool:
    """Whether a file or symbol passes all filters on fields that it has."""
    return not filters or not failed_filters(filters, candidate)


def failed_filters(filters: Filters, candidate: object) -> list[str]:
    """The names of the filters that a file or symbol fails.

    A filter on a field that the candidate does not have is not failed.
    """
    failed: list[str] = []
    for row, wanted in filters.rows():
        value: object = getattr(candidate, row.field, _ABSENT)
        if value is not _ABSENT and not _matches(row.rule, wanted, value):
            failed.append(row.name)
    return failed


def live_versions(filters: Filters, opened: "OpenedRef") -> Callable[[VersionKey], bool]:
    """Whether a version is in a ref and its path passes the filters on paths.

    Exact filters on files are left to the index condition and to `passes`: a search for chunks
    needs no list of all versions that pass them.
    """
    patterns = [wanted for row, wanted in filters.rows() if row.rule is MatchRule.PATH]
    if not patterns:
        return opened.is_live
    from cruxe.text.patterns import path_filter

    tests = [path_filter(wanted) for wanted in patterns]
    paths = opened.snapshot.paths_by_key(opened.ref_id)
    live = (key for key, path in paths.items() if all(is_match(path) for is_match in tests))
    return frozenset(live).__contains__


def versions_passing(filters: Filters, opened: "OpenedRef") -> Callable[[VersionKey], bool] | None:
    """Return whether a version passes the filters on files, or None if all do.

    For channels without an index condition, which would otherwise be full of other versions.
    """
    if not filters.on_files:
        return None
    is_live = live_versions(filters, opened)
    language = filters.get("language")
    if language is None:
        return is_live
    of_language = opened.snapshot.versions_of_language(language)
    return lambda key: key in of_language and is_live(key)


def index_conditions(filters: Filters) -> "list[Condition]":
    """What the index can check: exact filters on files, by fields of the same names."""
    exact = [each for each in filters.on_files.rows() if each[0].rule is MatchRule.EXACT]
    if not exact:
        return []
    from cruxe.store.conditions import Holds

    # The index holds no lone surrogates, and cannot be asked for one.
    return [Holds(row.field, text.encode("utf-8", "replace").decode()) for row, text in exact]


def _matches(rule: MatchRule, wanted: str, value: object) -> bool:
    if rule is MatchRule.EXACT:
        return value == wanted
    from cruxe.text.patterns import path_filter

    return isinstance(value, str) and path_filter(wanted)(value)
