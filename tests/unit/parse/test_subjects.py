"""What a pattern is about is told by its text alone, and by its number from then on."""

import pytest
import tree_sitter_java
from tree_sitter import Language, Query

from cruxe.model.symbols import SiteKind
from cruxe.parse.pattern_subjects import (
    COMMENT,
    DEFINITION,
    OTHER,
    PLACED_SUBJECTS,
    RANKED_KINDS,
    placed_pattern,
    subjects_of,
)

_JAVA = Language(tree_sitter_java.language())


def _subjects(text: str) -> tuple[object, ...]:
    """The subjects of a query's patterns, without those that every query has."""
    return subjects_of(Query(_JAVA, text), text)[: -len(PLACED_SUBJECTS)]


def _rank(kind: SiteKind) -> int:
    return RANKED_KINDS.index(kind)


def test_a_pattern_is_about_the_capture_that_says_what_it_is() -> None:
    text = """
    (class_declaration name: (identifier) @name) @definition.class
    (method_invocation object: (_) @qualifier name: (identifier) @call)
    (type_identifier) @reference
    """

    assert _subjects(text) == (
        ("definition.class", DEFINITION, False, None),
        ("call", _rank(SiteKind.CALL), True, None),
        ("reference", _rank(SiteKind.REFERENCE), False, None),
    )


def test_alternatives_come_one_after_another() -> None:
    text = "(expression_statement [(identifier) @reference (method_invocation) @import])"

    assert _subjects(text) == (
        ("reference", _rank(SiteKind.REFERENCE), False, ("import", OTHER, False, None)),
    )


def test_what_is_quoted_or_commented_out_is_no_capture() -> None:
    text = '(line_comment) @comment ; not @call\n((identifier) @reference (#eq? @reference "@é;"))'

    assert _subjects(text) == (
        ("comment", COMMENT, False, None),
        ("reference", _rank(SiteKind.REFERENCE), False, None),
    )


def test_a_pattern_that_captures_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="captures nothing"):
        _subjects("(line_comment)")


def test_places_have_numbers_that_count_from_the_end() -> None:
    subjects = subjects_of(Query(_JAVA, "(identifier) @call"), "(identifier) @call")

    assert subjects[placed_pattern("import")][0] == "import"
    assert subjects[placed_pattern("scope")][0] == "scope"
    assert placed_pattern("definition.section") < 0
