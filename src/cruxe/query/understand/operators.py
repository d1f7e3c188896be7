"""Quotes, minus, AND, OR, NOT and parentheses in a query: what hits must satisfy.

They are operators only in an operator query: one line, few words, well formed. Quotes stand around
whole words, a minus before a word of at least three letters, and AND, OR and NOT are not part of a
shout such as `NOT NULL` or `INSERT OR REPLACE`. In any other text they are characters like others.

The index checks a demand by terms (`condition_of`), a text by its very characters
(`is_satisfied`).
"""

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.text.identifiers import terms_of_text

if TYPE_CHECKING:
    from cruxe.store.conditions import Condition

_PIECE: Final = r'-?"[^"]*"|[()]|[^\s()]+'
_PARTING: Final = frozenset('"()')
_OPERATORS: Final = frozenset(("AND", "OR", "NOT"))
_MAX_DEPTH: Final = 32
# Longer lines are sentences, commands or output.
MAX_OPERATOR_WORDS: Final = 16
_LEAST_EXCLUDED_LETTERS: Final = 3  # `-la` and `-rf` are flags
_WHOLE_QUOTE: Final = r'(?<![^\s(-])"[^"]+"(?![^\s)])'


class Phrase(NamedTuple):
    """Words that must occur in the text literally."""

    text: str


class Word(NamedTuple):
    """A word that must occur; by itself, in a query with operators."""

    text: str


class Not(NamedTuple):
    """What must not occur."""

    operand: "Node"


class AllOf(NamedTuple):
    """Each of these."""

    operands: "tuple[Node, ...]"


class AnyOf(NamedTuple):
    """At least one of these."""

    operands: "tuple[Node, ...]"


Node = Phrase | Word | Not | AllOf | AnyOf


class Expression(NamedTuple):
    """What a query demands, and its words that are only wanted."""

    demand: Node
    optional: tuple[str, ...]  # words beside quotes or minus, without AND or OR

    def wanted_words(self) -> list[str]:
        """All words that count for a hit."""
        return [*self.optional, *_wanted(self.demand)]

    @property
    def positives(self) -> tuple[Node, ...]:
        """What must occur, one by one."""
        return tuple(each for each in _operands(self.demand) if not isinstance(each, Not))

    def without(self, dropped: Collection[Node]) -> "Expression | None":
        """Return it with some demands only wanted; None if no demand is left."""
        wanted = [word for each in dropped for word in _wanted(each)]
        left = [each for each in _operands(self.demand) if each not in dropped]
        return Expression(_all_of(left), (*self.optional, *wanted)) if left else None

    def alone(self, demand: Node) -> "Expression":
        """Return it with only one of its demands, and all that it excludes."""
        excluded = [each for each in _operands(self.demand) if isinstance(each, Not)]
        return Expression(_all_of([demand, *excluded]), ())


def read_expression(text: str) -> Expression | None:
    """Return the demand of an operator query; None of any other text."""
    # To compile the expression takes longer than all the rest; most queries need none.
    is_plain = _PARTING.isdisjoint(text)
    if "\n" in text.strip() or (not is_plain and '"' in re.sub(_WHOLE_QUOTE, "", text)):
        return None
    tokens: list[str] = text.split() if is_plain else re.findall(_PIECE, text)
    if len(tokens) > MAX_OPERATOR_WORDS:
        return None
    if not _OPERATORS.isdisjoint(tokens):
        return None if _is_shout(tokens) else _read_boolean(tokens)
    if is_plain and "-" not in text:
        return None
    demands: list[Node] = []
    optional: list[str] = []
    for token in tokens:
        found = _atom(token)
        if isinstance(found, Word) or found is None:
            optional.append(token)
        else:
            demands.append(found)
    return Expression(_all_of(demands), tuple(optional)) if demands else None


def condition_of(node: Node) -> "Condition | None":
    """Return what the index can check, or None if only the text can tell.

    It never rules out a chunk that satisfies the demand: terms are stems, and a phrase needs at
    least all its terms.
    """
    from cruxe.store.conditions import Every, Holds, Lacks, Some

    if isinstance(node, Phrase | Word):
        terms = terms_of_text(node.text).split()
        return Every(tuple(Holds("text", term) for term in terms)) if terms else None
    if isinstance(node, Not):
        # A phrase that must not occur may have its words elsewhere in the chunk.
        inner = None if needs_text(node.operand) else condition_of(node.operand)
        return None if inner is None else Lacks(inner)
    conditions = [condition_of(operand) for operand in node.operands]
    known = tuple(each for each in conditions if each is not None)
    if isinstance(node, AllOf):
        return Every(known) if known else None
    return Some(known) if known and len(known) == len(conditions) else None


def needs_text(node: Node) -> bool:
    """Whether a demand has phrases, which only the text can satisfy."""
    if isinstance(node, Phrase):
        return True
    if isinstance(node, Not):
        return needs_text(node.operand)
    return isinstance(node, AllOf | AnyOf) and any(map(needs_text, node.operands))


def is_satisfied(node: Node, text: str) -> bool:
    """Whether a text satisfies a demand: phrases in any case, words by their terms."""
    if isinstance(node, Phrase):
        return node.text.casefold() in text.casefold()
    if isinstance(node, Word):
        return set(terms_of_text(node.text).split()) <= set(terms_of_text(text).split())
    if isinstance(node, Not):
        return not is_satisfied(node.operand, text)
    if isinstance(node, AllOf):
        return all(is_satisfied(operand, text) for operand in node.operands)
    return any(is_satisfied(operand, text) for operand in node.operands)


def _atom(token: str) -> Node | None:
    """Return a phrase, an excluded word or a word; None for anything else."""
    is_excluded = token.startswith("-") and len(token) > 1 and not token.startswith("--")
    body = token[1:] if is_excluded else token
    if body.startswith('"') and body.endswith('"') and len(body) > 2:  # noqa: PLR2004 - two quotes
        phrase = Phrase(body[1:-1])
        return Not(phrase) if is_excluded else phrase
    # `-1`, `->` and `-x=3` are code; a minus excludes a plain word.
    letters = body.replace("_", "")
    if is_excluded and letters.isalpha() and len(letters) >= _LEAST_EXCLUDED_LETTERS:
        return Not(Word(body))
    return None if is_excluded else Word(token)


def _is_shout(tokens: list[str]) -> bool:
    """Whether an operator stands among words in capitals, as in SQL and logs."""
    padded = ["", *tokens, ""]
    return any(
        _is_loud(after) and (token == "NOT" or _is_loud(before))  # noqa: S105 - an operator
        for before, token, after in zip(padded, padded[1:], padded[2:], strict=False)
        if token in _OPERATORS
    )


def _is_loud(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper() and word not in _OPERATORS


def _operands(node: Node) -> tuple[Node, ...]:
    return node.operands if isinstance(node, AllOf) else (node,)


def written(node: Node) -> str:
    """Return a demand as it may be written in a query."""
    if isinstance(node, Phrase):
        return f'"{node.text}"'
    if isinstance(node, Word):
        return node.text
    if isinstance(node, Not):
        return f"NOT {written(node.operand)}"
    joined = (" AND " if isinstance(node, AllOf) else " OR ").join(map(written, node.operands))
    return f"({joined})"


def _read_boolean(tokens: list[str]) -> Expression | None:
    reader = _Reader(tokens)
    demand = reader.any_of(0)
    if demand is None or not reader.is_at_end or not list(_wanted(demand)):
        return None
    return Expression(demand, ())


class _Reader:
    """Reads operators by precedence: NOT, AND (also unwritten), OR."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0

    @property
    def is_at_end(self) -> bool:
        return self._position >= len(self._tokens)

    def any_of(self, depth: int) -> Node | None:
        operands: list[Node] = []
        while True:
            operand = self._all_of(depth)
            if operand is None:
                return None
            operands.append(operand)
            if self._peek() != "OR":
                return operands[0] if len(operands) == 1 else AnyOf(tuple(operands))
            self._position += 1

    def _all_of(self, depth: int) -> Node | None:
        operands: list[Node] = []
        while self._peek() not in ("OR", ")", ""):
            if self._peek() == "AND":
                if not operands:
                    return None
                self._position += 1
            operand = self._operand(depth)
            if operand is None:
                return None
            operands.append(operand)
        return _all_of(operands) if operands else None

    def _operand(self, depth: int) -> Node | None:
        token = self._peek()
        self._position += 1
        if token == "NOT":  # noqa: S105 - an operator
            operand = self._operand(depth + 1) if depth < _MAX_DEPTH else None
            return None if operand is None else Not(operand)
        if token == "(":  # noqa: S105
            inner = self.any_of(depth + 1) if depth < _MAX_DEPTH else None
            if inner is None or self._peek() != ")":
                return None
            self._position += 1
            return inner
        return None if token in ("AND", "OR", ")", "") else _atom(token)

    def _peek(self) -> str:
        return "" if self.is_at_end else self._tokens[self._position]


def _all_of(operands: list[Node]) -> Node:
    return operands[0] if len(operands) == 1 else AllOf(tuple(operands))


def _wanted(node: Node) -> Iterator[str]:
    if isinstance(node, Phrase | Word):
        yield node.text
    elif isinstance(node, AllOf | AnyOf):
        for operand in node.operands:
            yield from _wanted(operand)
