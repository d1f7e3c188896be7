"""What the intent classifier sees in a query: a few signs, each between 0 and 1.

Reads the string as written, before any splitting. Knows nothing of weights.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

from cruxe.config.choices import IntentRule
from cruxe.config.settings import IntentSettings
from cruxe.model.named import NamedTuple
from cruxe.query.intent_words import QueryWord, WordKind, read_word, word_set
from cruxe.query.words import FUNCTION_WORDS

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
    """The signs of a query, and the configured rules that find something in it."""

    values: dict[Feature, float]  # without zeros
    rules: frozenset[IntentRule]


def features_of(raw: str, settings: IntentSettings) -> Features:
    """See what a query shows; takes any string, in time linear in its length."""
    text = raw.strip()[:MAX_CHARACTERS].rstrip()
    words = [read_word(word, settings.path_extensions) for word in text.split()]
    found: dict[Feature, float] = {
        "always": float(bool(words)),
        **_lone_word(words),
        **_sentence(words),
        **_names_and_paths(words),
        **_code(text, words, settings),
        **_error(text, words, settings),
        "quoted_text": float(_is_quoted_error(text, words, settings)),
    }
    values: dict[Feature, float] = {feature: value for feature, value in found.items() if value > 0}
    return Features(values, frozenset(_rules_that_find(words, values)))


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


def _sentence(words: list[QueryWord]) -> dict[Feature, float]:
    if len(words) <= 1:
        return {}
    lowered = [word.text.lower() for word in words]
    function_words = sum(word in FUNCTION_WORDS for word in lowered)
    return {
        "many_words": min(1.0, len(words) / _WORDS_OF_A_SENTENCE),
        "plain_words": _share(words, "plain"),
        # Half of the words of a sentence are such.
        "function_words": min(1.0, 2 * function_words / len(words)),
        "question": float(lowered[0] in _QUESTION_OPENERS),
    }


def _share(words: list[QueryWord], kind: WordKind) -> float:
    return sum(word.kind == kind for word in words) / len(words)


def _names_and_paths(words: list[QueryWord]) -> dict[Feature, float]:
    if not words:
        return {}
    kinds = [word.kind for word in words]
    has_plain = "plain" in kinds
    is_short_path = kinds == ["slashed"]
    return {
        "name_among_words": float(has_plain and "name" in kinds),
        "paths": 1.0 if is_short_path else _share(words, "path"),
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
_CODE_CHARACTERS: Final = "{}()[]<>=;*&|+^%$@\\~!#"
_PUNCTUATION_OF_CODE: Final = 5  # a fifth of the characters is as much as all
_WORDS_OF_A_DEFINITION: Final = 3


def _code(text: str, words: list[QueryWord], settings: IntentSettings) -> dict[Feature, float]:
    if not words:
        return {}
    opening = [word.text for word in words[:_WORDS_OF_A_DEFINITION]]
    is_several = len(words) > 1
    is_definition = (
        1 < len(words) <= _WORDS_OF_A_DEFINITION
        and opening[0].lower() in settings.symbol_kind_keywords
    )
    share = sum(map(text.count, _CODE_CHARACTERS)) / len(text)
    return {
        "opens_as_code": float(is_several and not _CODE_OPENERS.isdisjoint(opening)),
        "kind_keyword": float(is_definition),
        "punctuation": min(1.0, share * _PUNCTUATION_OF_CODE),
        "statement": float(is_several and _is_statement(text, words)),
    }


def _is_statement(text: str, words: list[QueryWord]) -> bool:
    if words[0].text.lower() in _SQL_OPENERS:
        return any(word.text.lower() in _SQL_WORDS for word in words)
    is_enclosed = words[0].kind == "name" and text[-1] in ")]>"  # `connect(host, port)`
    if is_enclosed or _STATEMENT_SIGNS.isdisjoint(text):
        return is_enclosed
    return re.search(_STATEMENT, text) is not None


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


def _error(text: str, words: list[QueryWord], settings: IntentSettings) -> dict[Feature, float]:
    if IntentRule.ERROR_PATTERN not in settings.rule_order:
        return {}
    may_have_head = not _HEAD_ENDS.isdisjoint(text)
    has_head = (may_have_head and re.search(_ERROR_HEAD, text) is not None) or any(
        _is_telling(pattern) and _has_pattern(text, pattern) for pattern in settings.error_patterns
    )
    return {
        "error_head": float(has_head),
        "trace": float(_is_trace(text)),
        "failure_words": _failure_words(text, words),
        "error_code": float(_ERROR_CODE.search(text) is not None),
    }


def _is_trace(text: str) -> bool:
    if any(phrase in text for phrase in _TRACE_PHRASES):
        return True
    return (":" in text or "(" in text) and re.search(_TRACE, text) is not None


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


def _failure_words(text: str, words: list[QueryWord]) -> float:
    lowered = text.lower()
    phrases = sum(phrase in lowered for phrase in _FAILURE_PHRASES)
    single = sum(word.text.rstrip(".").lower() in _FAILURE_WORDS for word in words)
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
