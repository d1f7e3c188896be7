"""A query understood: its terms with their weights, the names and paths in it, what it demands.

Every text is a legal query. Quotes, a leading minus and AND, OR, NOT with parentheses mean what
they do elsewhere; malformed ones are words like any other.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind, SymbolRole, split_name
from cruxe.query.rank.policy import GENERIC_WORD_WEIGHT, OWN_NAME_WEIGHT, PASTED_ZONE_WEIGHTS
from cruxe.query.understand.operators import Expression, read_expression
from cruxe.text.identifiers import stem_of, terms_of_text, terms_of_word, words_of

if TYPE_CHECKING:
    from cruxe.query.understand.pasted_text import PastedText

# Longer than the questions of people: a text of more words describes something.
MAX_QUESTION_WORDS: Final = 30
# More terms than this are a pasted file, not a question; the first say what it is about.
MAX_TERMS: Final = 64
MAX_QUERY_CHARACTERS: Final = 4_000
# A word that a part of a pasted text repeats more often counts no more.
_MOST_COUNTED: Final = 4
_NAME: Final = re.compile(r"[\w$]+(?:(?:::|->|[.#])[\w$]+)*")
# `class Model`, `pub fn new(`, `func (r *Router) ServeHTTP(w …`: how languages begin a definition.
_DEFINITION: Final = (
    r"(?:(?:pub(?:\(\w+\))?|export|default|public|private|protected|internal|static|async|abstract"
    r"|final|sealed|open|override|virtual|inline|unsafe|extern|data|const|partial|declare)\s+)*"
    r"([a-z]+)\s+(?:\([^()]*\)\s*)?(?:self\.)?([\w$]+(?:(?:::|->|[.#])[\w$]+)*[?!]?)"
    r"\s*([(<{:=\[;].*)?"
)
# What a word of a sentence must look like to be a name in code.
_CODE_LIKE: Final = re.compile(r"[a-z][A-Z]|\w_\w|::|->|\w[.#]\w|[A-Za-z]\d")
# `a.py:12:5`, `"a.py"`, `(a.py)`, `a.py,`: what surrounds a pasted path.
_AROUND_PATH: Final = re.compile(r"^[\"'`(<\[]+|(?::\d+)*[\"'`)>\],;:?!]*$")
_FILE_NAME: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,4}")
_PLAIN_NUMBER: Final = re.compile(r"[\d.]+")
_SENTENCE_ENDS: Final = ".,;:?!"
# Left out of a sentence if other words remain.
_FUNCTION_WORDS: Final = (
    "a an the of in on at to for from by with and or not is are was were be been being do does did"
    " how what where which who whom whose when why this that these those it its as into over under"
    " up out off than then there here can could should would will shall may might must i we you he"
    " she they them our your their my me us if else but so no yes any all each every some such via"
    " per about between within without during through across after before get gets use used uses"
    " using work works"
)
FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split())
_MARKS_OF_LITERALS: Final = frozenset("\"'`-.:")
_LEAST_STATEMENT_WORDS: Final = 3
_QUESTION_WORDS: Final = FUNCTION_WORDS | {"find", "show", "list"}
# Every repository has these everywhere.
_GENERIC_WORDS: Final = (
    "handle type value function create base core implement implementation define class method"
    " module file code support set make object data main logic different various provide"
)
_GENERIC_STEMS: Final = frozenset(map(stem_of, _GENERIC_WORDS.split()))


class QueryTerm(NamedTuple):
    """One term as the index holds it, and how much it counts."""

    term: str
    weight: float


class QueryAnalysis(NamedTuple):
    """A query, understood."""

    raw: str
    terms: tuple[QueryTerm, ...]
    names: tuple[str, ...]  # that look like names in code, as written
    paths: tuple[str, ...]  # that may be paths, with forward slashes
    is_name: bool  # nothing but one name was asked, perhaps with the kind of its definition
    is_path: bool  # nothing but what may be a path was asked
    says_test: bool  # tests are what is asked for
    expression: Expression | None  # what hits must satisfy, where the query says so
    kinds: frozenset[SymbolKind] = frozenset()  # of definition, as said: `class Model`
    pasted: "PastedText | None" = None  # its parts, if it is no question

    @property
    def bare_names(self) -> frozenset[str]:
        """The last parts of the names, as written."""
        return frozenset(part for name in self.names for part in split_name(name)[-1:])

    @property
    def weights(self) -> dict[str, float]:
        """What each term counts for."""
        return dict(self.terms)


def analyse_query(raw: str, own_name: str = "") -> QueryAnalysis:
    """Analyse a query; `own_name` is the repository's, whose words count little."""
    text = raw[:MAX_QUERY_CHARACTERS]
    if is_pasted(text):
        from cruxe.query.understand.pasted_text import read_pasted

        return _analyse_pasted(raw, read_pasted(text), own_name)
    return _analyse_words(raw, text, read_expression(text), own_name)


def analyse_relaxed(raw: str, expression: Expression | None, own_name: str = "") -> QueryAnalysis:
    """Analyse a question again, with fewer demands than it has."""
    return _analyse_words(raw, raw[:MAX_QUERY_CHARACTERS], expression, own_name)


def analyse_part(text: str, own_name: str = "") -> QueryAnalysis:
    """Analyse a part of a pasted text: its words are only wanted, whatever stands between them."""
    return _analyse_words(text, text[:MAX_QUERY_CHARACTERS], None, own_name)


def _analyse_words(
    raw: str, text: str, expression: Expression | None, own_name: str
) -> QueryAnalysis:
    asked = text if expression is None else " ".join(expression.wanted_words())
    words = asked.split()
    defined = None if expression is not None else read_definition(asked)
    if defined is not None:
        words = [defined.name]
        # Of a plain word (`class name`) the keyword may be a word like any other.
        asked = asked if is_plain_word(defined.name) else defined.name
    if len(words) == 1 and is_glob(words[0]):
        asked = ""  # to hold the words of a pattern is not to match it
    is_name = len(words) == 1 and _NAME.fullmatch(_bare(words[0])) is not None
    weights = _weigh(asked, _own_terms(own_name), is_sentence=len(asked.split()) > 1)
    terms = [QueryTerm(term, weight) for term, weight in weights.items()]
    return QueryAnalysis(
        raw=raw,
        terms=tuple(terms[:MAX_TERMS]),
        names=tuple(_names(words)),
        paths=tuple(_paths(words)),
        is_name=is_name,
        is_path=len(words) == 1,
        says_test=_asks_for_tests(words, weights),
        expression=expression,
        kinds=frozenset() if defined is None else defined.kinds,
    )


def is_pasted(text: str) -> bool:
    """Whether a query is a pasted text and not a question: several lines, or many words."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 or len(text.split()) > MAX_QUESTION_WORDS


def may_have_literals(text: str) -> bool:
    """Whether a question has a quoted text, an option or a key, or may itself be a message."""
    return not _MARKS_OF_LITERALS.isdisjoint(text) or is_statement(text)


def is_statement(text: str) -> bool:
    """Whether a line may be a message that stands in the code as it is: no name, no question."""
    words = text.split()
    return len(words) >= _LEAST_STATEMENT_WORDS and words[0].lower() not in _QUESTION_WORDS


def _analyse_pasted(raw: str, pasted: "PastedText", own_name: str) -> QueryAnalysis:
    weights = zone_weights(pasted, own_name)
    best = sorted(weights, key=lambda term: -weights[term])[:MAX_TERMS]
    return QueryAnalysis(
        raw=raw,
        terms=tuple(QueryTerm(term, weights[term]) for term in best),
        names=pasted.names,
        paths=pasted.paths,
        is_name=False,
        is_path=False,
        says_test=False,
        expression=None,
        pasted=pasted,
    )


def zone_weights(pasted: "PastedText", own_name: str = "") -> dict[str, float]:
    """Weigh the terms of a pasted text by the parts that have them, and by how often."""
    own_terms, weights = _own_terms(own_name), dict[str, float]()
    for zone, zone_weight in PASTED_ZONE_WEIGHTS.items():
        _, content = _content_words(pasted.zone(zone))
        for term, count in Counter(" ".join(map(terms_of_word, content)).split()).items():
            own = zone_weight * sqrt(min(count, _MOST_COUNTED)) * _weight(term, own_terms)
            weights[term] = weights.get(term, 0.0) + own
    return weights


def _bare(word: str) -> str:
    """A lone word without what a name may end with: a call, or Ruby's `empty?` and `save!`."""
    return word.removesuffix("()").removesuffix("?").removesuffix("!")


class NamedKind(NamedTuple):
    """What a query says that is the start of a definition."""

    kinds: frozenset[SymbolKind]
    name: str


def read_definition(asked: str) -> NamedKind | None:
    """Read a keyword of definition with a name, and what may follow on the line that defines it."""
    if not _KIND_WORDS.keys() & asked.split():
        return None
    found = re.fullmatch(_DEFINITION, asked.strip())
    keyword, name, rest = (None, "", "") if found is None else found.groups("")
    kinds = _KIND_WORDS.get(keyword or "")
    # `function call: how many` is no definition, as far as one can see.
    if kinds is None or (is_plain_word(name) and rest.startswith(":") and " " in rest.strip()):
        return None
    return NamedKind(kinds, name)


def is_plain_word(word: str) -> bool:
    """Whether a word may be one of plain English: letters only, in lower case."""
    return word.isalpha() and word.islower()


def content_of(raw: str) -> str:
    """Return a query without its function words, or all of it if nothing else is left.

    A vector should not point to what function words mean.
    """
    words, content = _content_words(raw[:MAX_QUERY_CHARACTERS])
    return " ".join(content or words)


def likely_name(analysis: QueryAnalysis) -> str:
    """Return the first name in a query, else its longest content word, else an empty string.

    Generic words ("implemented") are taken only if there is nothing else.
    """
    if analysis.names:
        return analysis.names[0]
    return next(iter(likely_words(analysis)), "")


def likely_words(analysis: QueryAnalysis) -> list[str]:
    """The content words of a query, each once, the longest first."""
    _, content = _content_words(analysis.raw[:MAX_QUERY_CHARACTERS])
    telling = [
        word for word in content if not _GENERIC_STEMS.issuperset(terms_of_word(word).split())
    ]
    return sorted(dict.fromkeys(telling or content), key=len, reverse=True)


def _content_words(text: str) -> tuple[list[str], list[str]]:
    """The words of a text, and the content words among them."""
    words = words_of(text.encode("utf-8", "replace"))
    return words, [word for word in words if word.lower() not in FUNCTION_WORDS]


@lru_cache(maxsize=64)
def _own_terms(own_name: str) -> frozenset[str]:
    return frozenset(terms_of_text(own_name).split())


def _weigh(text: str, own_terms: frozenset[str], *, is_sentence: bool) -> dict[str, float]:
    words, content = _content_words(text)
    telling = content if is_sentence and content else words
    terms = " ".join(map(terms_of_word, telling)).split()
    return {term: _weight(term, own_terms) if is_sentence else 1.0 for term in terms}


def _weight(term: str, own_terms: frozenset[str]) -> float:
    if term in own_terms:
        return OWN_NAME_WEIGHT
    return GENERIC_WORD_WEIGHT if term in _GENERIC_STEMS else 1.0


def _asks_for_tests(words: list[str], terms: Iterable[str]) -> bool:
    """Whether tests are meant: how a test is run is in the code that runs it."""
    if _TEST_TERMS.isdisjoint(terms):
        return False
    lowered = [word.lower().strip(_SENTENCE_ENDS) for word in words]
    return lowered[0] != "how" or "tested" in lowered


def _names(words: list[str]) -> Iterable[str]:
    """The words that are names: a lone word is one, others by how they look."""
    if len(words) == 1 and words[0].endswith(("?", "!")) and _NAME.fullmatch(_bare(words[0])):
        yield words[0]
    for position, word in enumerate(words):
        if len(words) > 1 and word.isalpha() and word.islower():
            continue
        for name in _NAME.findall(word):
            is_capital = position > 0 and name[0].isupper() and not name.isdigit()
            looks_like_code = _CODE_LIKE.search(name) and not _PLAIN_NUMBER.fullmatch(name)
            if len(words) == 1 or looks_like_code or is_capital:
                yield name


def is_glob(path: str) -> bool:
    """Whether what may be a path has a wildcard: `*.ts` and `src/**/a.py`, but not `**kwargs`."""
    return "*" in path and any(mark in path for mark in "./")


def _paths(words: list[str]) -> Iterable[str]:
    """The words that may be paths: of a sentence those with a slash or an extension."""
    for word in words:
        if "://" in word or (len(words) > 1 and word.isalpha()):
            continue
        path = _AROUND_PATH.sub("", word).replace("\\", "/").removeprefix("./")
        if len(words) == 1 or "/" in path or _FILE_NAME.fullmatch(path) or is_glob(path):
            yield path


def _kinds_of(*roles: SymbolRole) -> frozenset[SymbolKind]:
    return frozenset(kind for kind, role in ROLE_OF_KIND.items() if role in roles)


# What the keywords of all languages define.
_KINDS_BY_WORDS: Final = {
    "class record object": frozenset((SymbolKind.CLASS, SymbolKind.STRUCT)),
    "struct union": frozenset((SymbolKind.STRUCT,)),
    "interface protocol": frozenset((SymbolKind.INTERFACE,)),
    "trait": frozenset((SymbolKind.TRAIT,)),
    "enum": frozenset((SymbolKind.ENUM,)),
    "type typedef": _kinds_of(SymbolRole.TYPE, SymbolRole.ALIAS),
    "def defp defmacro fn fun func function macro method proc sub": _kinds_of(SymbolRole.CALLABLE),
    "defmodule mod module namespace package": _kinds_of(SymbolRole.NAMESPACE),
    "const constant field let property val var variable": _kinds_of(SymbolRole.VALUE),
}
_KIND_WORDS: Final = {
    word: kinds for words, kinds in _KINDS_BY_WORDS.items() for word in words.split()
}
_TEST_TERMS: Final = frozenset(terms_of_text("test spec fixture mock").split())
