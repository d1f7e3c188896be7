"""Filters are checked on the fields that a candidate has."""

from typing import NamedTuple

from cruxe.model.specs import read_filters
from cruxe.query.retrieve.opened_ref import failed_filters, index_conditions, passes
from cruxe.store.conditions import Holds


class File(NamedTuple):
    path: str
    language: str | None


class Symbol(NamedTuple):
    path: str
    language: str
    kind: str
    role: str


LAMP = Symbol("src/lamp.py", "python", "class", "type")


def test_all_filters_that_fail_are_named_in_the_order_of_the_table() -> None:
    filters = read_filters(path="tests/**", kind="function", language="go", role="type")

    assert failed_filters(filters, LAMP) == ["language", "kind", "path"]


def test_a_filter_on_symbols_does_not_fail_a_file() -> None:
    filters = read_filters(kind="function", language="python")

    assert passes(filters, File("src/lamp.py", "python"))
    assert not passes(filters, File("src/lamp.py", None))
    assert not passes(filters, LAMP)


def test_filters_part_into_those_on_files_and_on_symbols() -> None:
    filters = read_filters(path="*.py", kind="class", language="python")

    assert filters.on_files == read_filters(path="*.py", language="python")
    assert filters.on_symbols == read_filters(kind="class")
    assert filters.alone["kind"] == filters.on_symbols


def test_the_index_is_asked_for_exact_values_of_files() -> None:
    filters = read_filters(path="src", kind="class", language="\ud800go")

    assert index_conditions(filters) == [Holds("language", "?go")]
