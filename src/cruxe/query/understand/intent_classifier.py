"""What a query is after: a name, words, a path, an address or an error, with probabilities.

One small model on the raw string: the features that it shows, a weight of each for every shape,
soft-max. Reads no index. `benchmarks/suites/quality/intent` has the labelled queries and the fit.

Every start of the command pays for what is defined here: string methods come before expressions,
literal types before enumerations.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from cruxe.config.setting_choices import IntentRule
from cruxe.config.settings import IntentSettings
from cruxe.model.intent import PROBABILITY_PARTS, QueryReading, QueryShape
from cruxe.query.understand.analysis import FUNCTION_WORDS
from cruxe.query.understand.intent_weights import WEIGHTS, Feature

# The intent shows at the start of a query; the rest of a pasted file changes nothing.
_MAX_CHARACTERS: Final = 2_000
_SHAPES_OF_RULE: Final = {
    IntentRule.ERROR_PATTERN: (QueryShape.ERROR,),
    IntentRule.PATH: (QueryShape.PATH, QueryShape.URL),
    IntentRule.QUOTED_ERROR: (QueryShape.ERROR,),
    IntentRule.SYMBOL: (QueryShape.SYMBOL,),
    IntentRule.NATURAL_LANGUAGE: (QueryShape.PROSE, QueryShape.MIXED),
}
# A rule that was moved ahead of another is three times as likely to be followed.
_LEAD: Final = math.log(3)


# A slashed word is a short path, or two words such as `client/server`.
WordKind = Literal["plain", "name", "path", "slashed", "url", "other"]


class QueryWord(NamedTuple):
    """A word of a query, without the punctuation around it."""

    text: str
    kind: WordKind


def _word_set(words: str) -> frozenset[str]:
    """A set of words, written in one string."""
    return frozenset(words.split())


class Features(NamedTuple):
    """The features of a query, and its words."""

    values: dict[Feature, float]  # without zeros
    words: list[QueryWord]

    @property
    def rules(self) -> frozenset[IntentRule]:
        """The configured rules that match the query."""
        return frozenset(_rules_that_find(self.words, self.values))


class _Query(NamedTuple):
    """A query as the features read it."""

    text: str
    characters: frozenset[str]  # features that need others are skipped
    words: list[QueryWord]
    kinds: list[WordKind]  # of the words
    lowered: list[str]  # the words in lower case


def classify_intent(raw: str, settings: IntentSettings) -> QueryReading:
    """Return how likely a query is of each shape; any string has an answer.

    The weights were fitted for the default order of rules. In another order, a rule that was moved
    ahead prevails over those it overtook if both match; a rule that is left out never matches.
    """
    features = features_of(raw, settings)
    scores = _scores(features)
    if settings.rule_order == IntentSettings.rule_order:
        return QueryReading(_probabilities(scores))
    by_shape = dict(zip(QueryShape, scores, strict=True))
    _follow_order(by_shape, features.rules, settings.rule_order)
    shapes = {shape for rule in settings.rule_order for shape in _SHAPES_OF_RULE[rule]}
    wanted = shapes or {*QueryShape}
    return QueryReading(
        _probabilities([by_shape[each] if each in wanted else -math.inf for each in QueryShape])
    )


def _scores(features: Features) -> list[float]:
    """The score of each shape, in the order of `QueryShape`."""
    points = [
        [weight * value for weight in WEIGHTS[feature]]
        for feature, value in features.values.items()
    ]
    return [sum(column) for column in zip(*points, strict=True)] or [0.0] * len(QueryShape)


def _follow_order(
    scores: dict[QueryShape, float], found: frozenset[IntentRule], order: tuple[IntentRule, ...]
) -> None:
    """Lift each rule over those it overtook, the last first, so that the first ends on top."""
    usual = IntentSettings.rule_order
    rules = [rule for rule in order if rule in found]
    for position, rule in reversed(list(enumerate(rules))):
        later = rules[position + 1 :]
        overtaken = [other for other in later if usual.index(other) < usual.index(rule)]
        own = _SHAPES_OF_RULE[rule]
        others = {shape for other in overtaken for shape in _SHAPES_OF_RULE[other]} - set(own)
        if others:
            _lift(scores, own, max(scores[shape] for shape in others) + _LEAD)


def _lift(scores: dict[QueryShape, float], shapes: tuple[QueryShape, ...], height: float) -> None:
    missing = height - max(scores[shape] for shape in shapes)
    for shape in shapes:
        scores[shape] += max(0.0, missing)


def _probabilities(scores: list[float]) -> tuple[float, ...]:
    """Soft-max, rounded so that no machine's arithmetic shows; what rounding lost is the best's."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = math.fsum(powers)
    rounded = [round(power / total * PROBABILITY_PARTS) for power in powers]
    rounded[rounded.index(max(rounded))] += PROBABILITY_PARTS - sum(rounded)
    return tuple([share / PROBABILITY_PARTS for share in rounded])


def features_of(raw: str, settings: IntentSettings) -> Features:
    """Compute the features of any string, in time linear in its length."""
    text = raw.strip()[:_MAX_CHARACTERS].rstrip()
    words = [_read_word(word, settings.path_extensions) for word in text.split()]
    kinds: list[WordKind] = [word.kind for word in words]
    query = _Query(
        text=text,
        characters=frozenset(text),
        words=words,
        kinds=kinds,
        lowered=[word.text.lower() for word in words],
    )
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
_QUESTION_OPENERS: Final = _word_set(
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


_CODE_OPENERS: Final = _word_set(
    "def import export let var const static async await lambda yield template extends"
    " implements int void fn func elif #include #define git docker pip npm cargo kubectl"
)
# Expressions are compiled where they can match: to compile them all takes two milliseconds.
_STATEMENT: Final = r"(?:[;{}]|[)\]]:)\s*$|[\w)\]] ?(?:[-+*/|&!=<>]?=|=>|:=|&&|\|\|) ?\S|\)\s*->"
_STATEMENT_SIGNS: Final = frozenset(";{}:=&|>")
_SQL_OPENERS: Final = _word_set("select insert update delete create")
_SQL_WORDS: Final = _word_set("from into table set")
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


_FAILURE_WORDS: Final = _word_set(
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


_AROUND: Final = "\"'`()[]{}<>,;:!?¿。？"  # noqa: RUF001 - so it is written in Chinese and Japanese
_NAME: Final = (
    r"[a-z][A-Z]|_|::|->|[^\W\d][.#][^\W\d]|[A-Za-z]\d|\d[A-Za-z]|\w[(\[<]"
    r"|[A-Z]{3,}[a-z]{2}|^[@$#%~-]+\w|\w-\w+-|^[A-Z]\w*-[A-Z]|^\w+/\d$"
)
# Longer words are data; looking at each of their characters would tell no more.
_MAX_WORD_CHARACTERS: Final = 200


def _read_word(word: str, path_extensions: tuple[str, ...]) -> QueryWord:
    """Tell what a word looks like; `path_extensions` come with their dots, in lower case."""
    word = word[:_MAX_WORD_CHARACTERS]
    if word.isascii() and word.isalpha() and word.islower():  # most are
        return QueryWord(word, "path" if word in _FILE_NAMES else "plain")
    text = word.strip(_AROUND) or word
    return QueryWord(text, _kind(text, word, path_extensions))


def _kind(text: str, word: str, path_extensions: tuple[str, ...]) -> WordKind:
    if _is_url(text):
        return "url"
    if _is_path(text, path_extensions):
        return "path"
    if _is_name(word):
        return "name"
    if text.rstrip(".").replace("-", "").replace("'", "").isalpha():
        return "plain"
    return "slashed" if _slashes(text) else "other"


def _is_name(word: str) -> bool:
    return "_" in word or re.search(_NAME, word) is not None


_SCHEMES: Final = ("www.", "mailto:", "data:", "git@")
# Others, such as `io`, are as often the last part of a package's name.
_DOMAINS: Final = frozenset(("com", "org", "net", "edu", "gov"))


def _is_url(text: str) -> bool:
    if text.startswith(_SCHEMES) or text.find("://") > 0:
        return True
    host = text.partition("/")[0].partition(":")[0].partition("?")[0]
    name, _, domain = host.rpartition(".")
    return domain in _DOMAINS and name.replace("-", "").replace(".", "").isalnum()


_LINE_SUFFIX: Final = "0123456789:,L-#("  # `:12`, `#L3-L5`, `(3,5`
_ROOTS: Final = ("./", "../", "~/", ".\\", "..\\", "file:", "path:")
_AFTER_ROOT: Final = ("{", ":", ".")
_FOLDERS: Final = _word_set(
    "src lib app test tests doc docs cmd pkg internal bin config include crates packages"
)
_GLOBS: Final = ("*.", "*/", "/*")
_MIN_SLASHES: Final = 2
# Beside the configured ones, which name the languages that are parsed.
_OTHER_EXTENSIONS: Final = _word_set(
    ".md .rst .txt .toml .yaml .yml .json .xml .html .css .scss .less .svg .csv .ini .cfg"
    " .conf .sh .sql .proto .gradle .vue .svelte .kt .kts .cs .csproj .php .scala .lua .hpp"
    " .cc .cxx .hs .ex .exs .erl .clj .dart .zig .mod .so .exe .dll .erb .tf .ipynb .png .mjs"
)
_FILE_NAMES: Final = _word_set(
    "makefile dockerfile gemfile podfile rakefile procfile jenkinsfile vagrantfile license"
    " cargo.lock yarn.lock go.sum"
)


def _is_path(text: str, path_extensions: tuple[str, ...]) -> bool:
    path = text.rstrip(_LINE_SUFFIX)
    dot = path.rfind(".")
    extension = path[dot:].lower() if dot > 0 else ""
    if extension in path_extensions or extension in _OTHER_EXTENSIONS:
        return "(" not in path
    return (
        path.lower() in _FILE_NAMES
        or any(glob in path for glob in _GLOBS)
        or _is_rooted(path)
        or _is_hidden_file(path)
        or _slashes(path) >= _MIN_SLASHES
    )


def _is_rooted(path: str) -> bool:
    if path.startswith(_ROOTS) or path[1:3] == ":\\":
        return True
    if path.startswith("/"):
        return path[1:2].isalnum() or path[1:2] in _AFTER_ROOT
    return "/" in path and path.partition("/")[0] in _FOLDERS


def _is_hidden_file(path: str) -> bool:
    return path.startswith(".") and path[1:2].islower() and path.replace(".", "").isalnum()


_NOT_IN_PATHS: Final = "<>()=;|\"'$"


def _slashes(path: str) -> int:
    """How many there are in what could be a path; a namespace's backslashes are none."""
    return 0 if any(mark in path for mark in _NOT_IN_PATHS) else path.count("/")
