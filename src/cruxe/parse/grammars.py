"""Grammars and compiled queries, loaded on first use and cached for the process."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Query

from cruxe.parse.language import Language
from cruxe.parse.languages import query_text, registry
from cruxe.parse.pattern_subjects import subjects_of

if TYPE_CHECKING:
    from cruxe.parse.pattern_subjects import Subject

# Added to every query, so that syntax errors are reported.
_ERRORS = "(ERROR) @error"


class Toolchain(NamedTuple):
    """The parser and the compiled query of one language."""

    parser: Parser
    query: Query
    subjects: "tuple[Subject, ...]"  # by pattern number


@cache
def load_toolchain(language: Language) -> Toolchain:
    """Load a language's grammar and compile its queries."""
    module_name, _, function_name = language.grammar.partition(":")
    capsule: object = getattr(import_module(module_name), function_name)()
    grammar, text = Grammar(capsule), f"{query_text(language)}\n{_ERRORS}"
    query = Query(grammar, text)
    return Toolchain(Parser(grammar), query, subjects_of(query, text))


def broken_languages() -> list[str]:
    """Return the languages whose grammar or queries cannot be loaded, each with the reason."""
    broken: list[str] = []
    for language in registry().languages:
        try:
            if language.grammar:
                load_toolchain(language)
        except (ImportError, AttributeError, ValueError, OSError) as error:
            broken.append(f"{language.name} ({error})")
    return broken
