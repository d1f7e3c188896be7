"""Which name to look up where a search is not sure of its answer."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from cruxe.model.hits import StoredSymbol
from cruxe.query.select.question import Question
from cruxe.query.understand.analysis import likely_words

# A long query is not looked up word by word.
_MOST_LOOKED_UP: Final = 8


def defined_name(question: Question, first: StoredSymbol | None) -> str:
    """A name that has a definition; nothing where none is known.

    A name that the query writes as in code is meant; else the first result's says more about the
    whole query than any one of its words.
    """
    analysis = question.analysis
    if name := _first_defined(question, analysis.names):
        return name
    if first is not None:
        # A member's own name, such as `__init__`, is that of many.
        whole = [first.qualified_name] if first.parent is not None else []
        return _first_defined(question, whole) or first.name
    return _first_defined(question, likely_words(analysis))


def _first_defined(question: Question, names: Iterable[str]) -> str:
    few = list(islice(dict.fromkeys(names), _MOST_LOOKED_UP))
    if not few:
        return ""
    from cruxe.query.retrieve.definitions_by_name import definitions_of

    return next((name for name in few if definitions_of(name, question.opened)), "")
