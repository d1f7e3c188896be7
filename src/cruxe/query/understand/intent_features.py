"""What the intent classifier sees in a query: a few signs, each between 0 and 1.

Reads the string as written, before any splitting. Knows nothing of weights.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from cruxe.config.setting_choices import IntentRule
from cruxe.config.settings import IntentSettings
from cruxe.query.understand.intent_words import QueryWord, WordKind, read_word, word_set
from cruxe.query.understand.question_words import FUNCTION_WORDS

# What a query is shows at its start; the rest of a pasted file changes nothing.
MAX_CHARACTERS: Final = 2_000

Feature = Literal[
    "always",  # but for a query that says nothing
    "many_words",
    "one_lower",  # a lone word in lower case
    "one_abstract",  # and it ends as abstract nouns do
    "one_capital",
    "one_foreign",  # a lone run of letters outside ASCII
    "one_name",
    "plain_words",
    "function_words",
    "question",
    "name_among_words",
    "opens_as_code",
    "kind_keyword",
    "punctuation",
    "statement",
    "paths",
    "path_among_words",
    "slash_among_words",
    "url_first",
    "url_among_words",
    "error_head",  # `error:` and the like, with a message to follow
    "trace",
    "failure_words",
    "error_code",
    "quoted_text",
]


class Features(NamedTuple):
    """The signs of a query, and its words."""

    values: dict[Feature, float]  # without zeros
    words: list[QueryWord]

    @property
    def rules(self) -> frozenset[IntentRule]:
        """The configured rules that find something in it."""
        return frozenset(_rules_that_find(self.words, self.values))


class _Query(NamedTuple):
    """What signs are looked for in."""

    text: str
    characters: frozenset[str]  # that it has: what needs others is not looked for
    words: list[QueryWord]
    kinds: list[WordKind]  # of each of them
    lowered: list[str]  # the same in lower case


def features_of(raw: str, settings: IntentSettings) -> Features:
    """See what a query shows; takes any string, in time linear in its length."""
    text = raw.strip()[:MAX_CHARACTERS].rstrip()
    words = [read_word(word, settings.path_extensions) for word in text.split()]
    kinds: list[WordKind] = [word.kind for word in words]
    query = _Query(text, frozenset(text), words, kinds, [word.text.lower() for word in words])
    found: dict[Feature, float] = {
        "always": float(bool(words)),
        **_lone_word(words),
        **_sentence(query),
        **_names_and_paths(kinds),
        **_code(query, settings),
        **_error(query, settings),
        "quoted_text": float(_is_quoted_error(text, words, settings)),
    }
    values: dict[Feature, float] = {feature: value for feature, value in found.items() if value > 0}
    return Features(values, words)


_ABSTRACT: Final = ("tion", "tions", "sion", "sions", "ing", "ment", "ity", "ency", "ance", "ness")


def _lone_word(words: list[QueryWord]) -> dict[Feature, float]:
    if len(words) != 1:
        return {}
    text, kind = words[0]
    is_plain = kind == "plain"
    is_lower = is_plain and text.isascii() and text.islower()
    return {
        "one_lower": float(is_lower),
        "one_abstract": float(is_lower and text.endswith(_ABSTRACT)),
        "one_capital": float(is_plain and text.isascii() and not is_lower),
        "one_foreign": float(is_plain and not text.isascii()),
        "one_name": float(kind == "name"),
    }


_WORDS_OF_A_SENTENCE: Final = 7
_QUESTION_OPENERS: Final = word_set(
    "how where what why when which who whose is are does do did can could should show find"
    " list explain describe look please wo wie warum où comment dónde cómo quién где как"
)


def _sentence(query: _Query) -> dict[Feature, float]:
    lowered, count = query.lowered, len(query.words)
    if count <= 1:
        return {}
    function_words = sum(map(FUNCTION_WORDS.__contains__, lowered))
    return {
        "many_words": min(1.0, count / _WORDS_OF_A_SENTENCE),
        "plain_words": query.kinds.count("plain") / count,
        # Half of the words of a sentence are such.
        "function_words": min(1.0, 2 * function_words / count),
        "question": float(lowered[0] in _QUESTION_OPENERS),
    }


def _names_and_paths(kinds: list[WordKind]) -> dict[Feature, float]:
    plain = kinds.count("plain")
    if plain == len(kinds):
        return {}
    has_plain = plain > 0
    is_short_path = kinds == ["slashed"]
    return {
        "name_among_words": float(has_plain and "name" in kinds),
        "paths": 1.0 if is_short_path else kinds.count("path") / len(kinds),
        "path_among_words": float(has_plain and "path" in kinds),
        "slash_among_words": float(not is_short_path and "slashed" in kinds),
        "url_first": float(kinds[0] == "url"),
        "url_among_words": float("url" in kinds[1:]),
    }


_CODE_OPENERS: Final = word_set(
    "def import export let var const static async await lambda yield template extends"
    " implements int void fn func elif #include #define git docker pip npm cargo kubectl"
)
# Expressions are compiled where they can match: to compile them all takes two milliseconds.
_STATEMENT: Final = r"(?:[;{}]|[)\]]:)\s*$|[\w)\]] ?(?:[-+*/|&!=<>]?=|=>|:=|&&|\|\|) ?\S|\)\s*->"
_STATEMENT_SIGNS: Final = frozenset(";{}:=&|>")
_SQL_OPENERS: Final = word_set("select insert update delete create")
_SQL_WORDS: Final = word_set("from into table set")
_CODE_CHARACTERS: Final = frozenset("{}()[]<>=;*&|+^%$@\\~!#")
_PUNCTUATION_OF_CODE: Final = 5  # a fifth of the characters is as much as all
_WORDS_OF_A_DEFINITION: Final = 3


def _code(query: _Query, settings: IntentSettings) -> dict[Feature, float]:
    words = query.words
    if not words:
        return {}
    opening = [word.text for word in words[:_WORDS_OF_A_DEFINITION]]
    is_several = len(words) > 1
    is_definition = (
        1 < len(words) <= _WORDS_OF_A_DEFINITION
        and query.lowered[0] in settings.symbol_kind_keywords
    )
    marks = sum(map(query.text.count, _CODE_CHARACTERS & query.characters))
    return {
        "opens_as_code": float(is_several and not _CODE_OPENERS.isdisjoint(opening)),
        "kind_keyword": float(is_definition),
        "punctuation": min(1.0, marks / len(query.text) * _PUNCTUATION_OF_CODE),
        "statement": float(is_several and _is_statement(query)),
    }


def _is_statement(query: _Query) -> bool:
    if query.lowered[0] in _SQL_OPENERS:
        return not _SQL_WORDS.isdisjoint(query.lowered)
    # `connect(host, port)`
    is_enclosed = query.words[0].kind == "name" and query.text[-1] in ")]>"
    if is_enclosed or _STATEMENT_SIGNS.isdisjoint(query.characters):
        return is_enclosed
    return re.search(_STATEMENT, query.text) is not None


_ERROR_HEAD: Final = (
    r"(?i)(?:^|[\s(\[\"])[\w.$]*?(?:error|exception|panic|fatal|warning|warn|err!|fehler|erreur"
    r"|ошибка|エラー|错误)(?:\[\w+\]|\]| \w+\d+)?(?: ?[:：]| \w+ -| \()"  # noqa: RUF001 - as in Chinese
)
_HEAD_ENDS: Final = frozenset(":：-(")  # noqa: RUF001 - as in Chinese
_TRACE: Final = r"(?:^|\n)[ \t]*at \S+ ?\(|:\d+:(?:\d+:)? |\(\d+,\d+\):"
_TRACE_PHRASES: Final = (
    '", line ',
    "Caused by:",
    "goroutine ",
    "panicked at",
    "+0x",
    "thread '",
    'thread "',
)
_ERROR_CODE: Final = re.compile(r"\b(?:[A-Z]{1,4}-?\d{4,5}|[45]\d\d|E[A-Z]{4,})\b")
_CODE_STARTS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ45")


def _error(query: _Query, settings: IntentSettings) -> dict[Feature, float]:
    if IntentRule.ERROR_PATTERN not in settings.rule_order:
        return {}
    text, characters = query.text, query.characters
    may_have_head = not _HEAD_ENDS.isdisjoint(characters)
    has_head = (may_have_head and re.search(_ERROR_HEAD, text) is not None) or any(
        _has_pattern(text, pattern)
        for pattern in filter(text.__contains__, _telling_patterns(settings))
    )
    may_have_code = not _CODE_STARTS.isdisjoint(characters)
    return {
        "error_head": float(has_head),
        "trace": float(_is_trace(text)),
        "failure_words": _failure_words(query),
        "error_code": float(may_have_code and _ERROR_CODE.search(text) is not None),
    }


def _is_trace(text: str) -> bool:
    if any(map(text.__contains__, _TRACE_PHRASES)):
        return True
    return (":" in text or "(" in text) and re.search(_TRACE, text) is not None


@lru_cache(maxsize=8)
def _telling_patterns(settings: IntentSettings) -> tuple[str, ...]:
    return tuple(filter(_is_telling, settings.error_patterns))


def _is_telling(pattern: str) -> bool:
    """Whether a pattern tells an error by itself.

    One with punctuation does, and one that a user chose. The other usual ones are words that names
    and questions have too, as in "exception handling".
    """
    return not pattern[-1:].isalnum() or pattern not in IntentSettings.error_patterns


def _has_pattern(text: str, pattern: str) -> bool:
    """Whether a pattern occurs where a word, or a part of a camel-case one, begins."""
    at = text.find(pattern) if pattern else -1
    while at > 0 and text[at - 1].isalpha() and pattern[0].islower():
        at = text.find(pattern, at + 1)
    return at >= 0


_FAILURE_WORDS: Final = word_set(
    "failed failure fails cannot can't couldn't unable undefined undeclared unexpected expected"
    " invalid missing denied refused unresolved unhandled uncaught exceeded aborted panicked"
    " mismatched forbidden duplicate violates killed exit exited rejected conflict unknown"
    " deprecated fault broken timeout detected unrecognized incompatible introuvable nicht"
)
_FAILURE_PHRASES: Final = (
    *("could not", "not found", "no such", "does not exist", "is not", "out of", "reset by"),
    *("must be", "not allowed", "no module", "has no"),
)
_FAILURES_OF_A_MESSAGE: Final = 2


def _failure_words(query: _Query) -> float:
    lowered = query.text.lower()
    phrases = sum(map(lowered.__contains__, _FAILURE_PHRASES))
    single = sum([word.rstrip(".") in _FAILURE_WORDS for word in query.lowered])
    return min(1.0, (phrases + single) / _FAILURES_OF_A_MESSAGE)


_QUOTES: Final = ('""', "``", "''", "“”")


def _is_quoted_error(text: str, words: list[QueryWord], settings: IntentSettings) -> bool:
    is_wanted = (
        settings.enable_wrapped_quoted_error_literal
        and IntentRule.QUOTED_ERROR in settings.rule_order
    )
    return (
        is_wanted
        and len(words) > 1
        and text[0] + text[-1] in _QUOTES
        and text[-1] not in text[1:-1]
    )


_LETTERS_OF_A_NAME: Final = 3


def _rules_that_find(words: list[QueryWord], values: dict[Feature, float]) -> Iterator[IntentRule]:
    if "error_head" in values:
        yield IntentRule.ERROR_PATTERN
    if any(word.kind in ("path", "slashed", "url") for word in words):
        yield IntentRule.PATH
    if "quoted_text" in values:
        yield IntentRule.QUOTED_ERROR
    is_lone_name = len(words) == 1 and len(words[0].text) >= _LETTERS_OF_A_NAME
    if is_lone_name or "kind_keyword" in values:
        yield IntentRule.SYMBOL
    yield IntentRule.NATURAL_LANGUAGE
