"""The identifiers of a query that occur nowhere in a ref.

A word is an identifier if it looks like code, if it is capitalised inside a sentence, or if it is
all that is asked. Plain words are none: that a repository lacks one says little.

The index decides nearly always: a definition has the name, or no document has its term. Terms are
stems, so what has the term is read. A name that is a part of a longer one occurs.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from cruxe.model.stored import LexicalHit
from cruxe.model.symbols import fold_name, split_name
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.verify import TextSource
from cruxe.query.understand.analysis import MAX_QUERY_CHARACTERS, QueryAnalysis, is_glob
from cruxe.text.identifiers import terms_of_word

MAX_UNKNOWN_TERMS: Final = 8
# Identifiers of one query that are looked up.
_MAX_IDENTIFIERS: Final = 24
# Documents with the stem of a name that are read for the name itself.
_READ_CHUNKS: Final = 3
# Files that may hold the words of a query by their trigrams and are read for them. With more a word
# counts as present: to read them would take longer than to search.
_READ_FILES: Final = 100
# A pasted text has many words, and what is unknown of it is told, but decides little.
_READ_FILES_IF_PASTED: Final = 20
_LEAST_LETTERS: Final = 3
_NAME: Final = re.compile(r"[\w$]+(?:(?:::|->|[.#])[\w$]+)*")
_CODE_LIKE: Final = re.compile(r"[^\W\d_A-Z][A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|::|->|\w[.#]\w|[^\W\d_]\d")
_AROUND: Final = "\"'`()[]{}<>,;:?!."
_SENTENCE_ENDS: Final = (".", "?", "!", ":")
# A path with a folder and an extension; `and/or` is none.
_PATH: Final = re.compile(r"(?:[\w.@~+-]*[/\\])+[\w.@+-]*\w\.[A-Za-z]\w{0,4}")
_KEBAB: Final = re.compile(r"-{0,2}\w+(?:-\w+)+")
_FLAG: Final = re.compile(r"--\w+(?:-\w+)*")
_LINE_NUMBERS: Final = re.compile(r"(?::\d+)+$")


class Identifier(NamedTuple):
    """A word of a query that something in the ref should be called."""

    text: str  # as written
    parts: tuple[str, ...]  # each must occur
    is_exact: bool  # else another word of the same stem will do


class UnknownTerm(NamedTuple):
    """An identifier that does not occur."""

    text: str  # as written
    part: str  # the first part of it that does not occur


class Unknowns(NamedTuple):
    """What a query names and the ref does not hold."""

    terms: tuple[UnknownTerm, ...] = ()  # in the order of the query
    asked: int = 0  # identifiers in the query

    def only(self, is_absent: Callable[[str], bool]) -> "Unknowns":
        """Keep those of which a part is absent."""
        return self._replace(terms=tuple(each for each in self.terms if is_absent(each.part)))

    @property
    def shown(self) -> list[str]:
        """The first of them as written."""
        return [each.text for each in self.terms[:MAX_UNKNOWN_TERMS]]


def find_unknown(
    analysis: QueryAnalysis, opened: OpenedRef, texts: TextSource, *, is_path: bool = False
) -> Unknowns:
    """Return the identifiers of a query that are not in the ref as it was indexed.

    `is_path` says that the query is a path, though it may have no folder.
    """
    asked = [*identifiers_of(analysis, is_path=is_path)][:_MAX_IDENTIFIERS]
    if not asked:
        return Unknowns()
    names = [*dict.fromkeys(part for each in asked for part in each.parts)]
    most_read = _READ_FILES if analysis.pasted is None else _READ_FILES_IF_PASTED
    lookup = _Lookup(opened, texts, _defined(names, opened), most_read)
    parts = [(each.text, lookup.missing_part(each)) for each in asked]
    unknown = (UnknownTerm(text, part) for text, part in parts if part is not None)
    return Unknowns(tuple(unknown), len(asked))


def occurring_share(weights: Mapping[str, float], opened: OpenedRef) -> float:
    """Return the share of some terms, by weight, that occur anywhere in the ref."""

    def occurs(term: str) -> bool:
        return bool(opened.lexical.search("text", [(term, 1.0)], 1, opened.is_live))

    total = sum(weights.values())
    said = sum([weight for term, weight in weights.items() if occurs(term)])
    return said / total if total else 0.0


def identifiers_of(analysis: QueryAnalysis, *, is_path: bool) -> Iterator[Identifier]:
    """The identifiers of a query, each once, in its order; what it excludes is left out."""
    seen: set[str] = set()
    found = _in_question(analysis, is_path=is_path)
    for each in found if analysis.pasted is None else _in_pasted(analysis):
        if each.parts and each.text not in seen:
            seen.add(each.text)
            yield each


def _in_pasted(analysis: QueryAnalysis) -> Iterator[Identifier]:
    """The leading names and paths of a pasted text, then all that looks like code in it."""
    for name in analysis.names:
        yield Identifier(name, _parts_of(name), is_exact=True)
    yield from map(_path, analysis.paths)
    words = analysis.raw[:MAX_QUERY_CHARACTERS].split()
    yield from (each for each in _identifiers(words, is_path=False) if each.is_exact)


def _in_question(analysis: QueryAnalysis, *, is_path: bool) -> Iterator[Identifier]:
    expression = analysis.expression
    if analysis.is_name and expression is None and not is_path:
        # What follows on the line of a definition (`class Model(Base):`) is not asked for.
        yield from _if_alone(analysis.names[-1])
        return
    text = analysis.raw if expression is None else " ".join(expression.wanted_words())
    yield from _identifiers(text[:MAX_QUERY_CHARACTERS].split(), is_path=is_path)


def _identifiers(words: Sequence[str], *, is_path: bool) -> Iterator[Identifier]:
    starts_sentence = True
    for word in words:
        if "://" not in word and not is_glob(word):
            bare = _LINE_NUMBERS.sub("", word.strip(_AROUND))
            if is_path and len(words) == 1:
                yield _path(bare)
            elif len(words) == 1:
                yield from _if_alone(bare)
            else:
                yield from _in_sentence(bare, is_first=starts_sentence)
        starts_sentence = word[-1:] in _SENTENCE_ENDS


def _if_alone(word: str) -> Iterator[Identifier]:
    """The whole word, whatever it looks like; a plain one may have another ending."""
    if _KEBAB.fullmatch(word):
        yield Identifier(word, (word.lstrip("-"),), is_exact=True)
    elif _NAME.fullmatch(word):
        yield Identifier(word, _parts_of(word), is_exact=not (word.isalpha() and word.islower()))
    else:
        yield from _in_sentence(word, is_first=True)


def _in_sentence(word: str, *, is_first: bool) -> Iterator[Identifier]:
    """The parts of a word that look like code; a capitalised word may have another ending."""
    if _PATH.fullmatch(word):
        yield _path(word)
    elif _FLAG.fullmatch(word):
        yield Identifier(word, (word.lstrip("-"),), is_exact=True)
    elif not _KEBAB.fullmatch(word):
        for name in _NAME.findall(word):
            is_code = _CODE_LIKE.search(name) is not None
            if is_code or (name[0].isupper() and not is_first):
                yield Identifier(name, _parts_of(name), is_exact=is_code)


def _path(word: str) -> Identifier:
    """A path; folders may be those of another checkout."""
    name = re.split(r"[/\\]", word.rstrip("/\\"))[-1]
    return Identifier(word, (name,) if len(name) >= _LEAST_LETTERS else (), is_exact=True)


def _parts_of(name: str) -> tuple[str, ...]:
    """The parts that tell something: neither numbers nor single letters."""
    return tuple(
        part
        for part in split_name(name)
        if len(part) >= _LEAST_LETTERS and any(map(str.isalpha, part))
    )


def _defined(names: Sequence[str], opened: OpenedRef) -> frozenset[str]:
    """The folded names among some that have a definition."""
    found = opened.snapshot.symbols_named(names)
    return frozenset(
        fold_name(name)
        for name, symbols in found.items()
        if any(opened.is_live(symbol.version_key) for symbol in symbols)
    )


class _Lookup:
    """Looks words up in one ref."""

    def __init__(
        self, opened: OpenedRef, texts: TextSource, defined: frozenset[str], most_read: int
    ) -> None:
        self._opened = opened
        self._texts = texts
        self._defined = defined
        self._may_read = most_read  # files, for all words together

    def missing_part(self, asked: Identifier) -> str | None:
        """Return the first part of a name that does not occur, or None if all do."""
        for part in asked.parts:
            if not self._holds(part, is_exact=asked.is_exact):
                return part
        return None

    def _holds(self, part: str, *, is_exact: bool) -> bool:
        if fold_name(part) in self._defined:
            return True
        term = terms_of_word(part.replace("-", "_")).partition(" ")[0]
        if not term:
            return True
        found = self._opened.lexical.search(
            "text", [(term, 1.0)], _READ_CHUNKS, self._opened.is_live
        )
        if found and not is_exact:
            return True
        return (
            self._is_in(part, found)
            or self._is_in_a_name(part)
            or part.lower() in (self._opened.lower_paths or self._opened.paths.lower())
            or self._is_in_a_text(part)
        )

    def _is_in(self, part: str, chunks: Sequence[LexicalHit]) -> bool:
        """Whether some chunks have the part in any spelling."""
        facts = self._opened.file_facts.look_up(
            [each.version_key for each in chunks], self._opened.snapshot
        )
        return any(
            file is not None and self._is_between(part, file.path, chunk)
            for chunk, file in zip(chunks, facts, strict=True)
        )

    def _is_between(self, part: str, path: str, chunk: LexicalHit) -> bool:
        text = self._texts.read(chunk.version_key, path)
        lines = "" if text is None else text.text_between(chunk.line_start, chunk.line_end)
        return fold_name(part) in fold_name(f"{path}\n{lines}")

    def _is_in_a_name(self, part: str) -> bool:
        """Whether a longer name has the part in it, in any spelling."""
        from cruxe.query.retrieve.loose_names import with_all_words

        folded = fold_name(part)
        similar = with_all_words([part], self._opened, self._opened.is_live)
        return any(folded in fold_name(each.symbol.name) for each in similar)

    def _is_in_a_text(self, part: str) -> bool:
        """Whether a file has the part literally, in any case."""
        from cruxe.model.outcomes import TextSpec
        from cruxe.query.retrieve.trigram_candidates import candidates

        found = candidates(TextSpec(pattern=part), self._opened)
        if len(found) > self._may_read:
            return True
        self._may_read -= len(found)
        self._texts.expect((each.version_key, each.path) for each in found)
        read = (self._texts.read(each.version_key, each.path) for each in found)
        return any(text is not None and _occurs(part, text.whole) for text in read)


def _occurs(part: str, text: str) -> bool:
    if not part.isascii():
        return part.casefold() in text.casefold()
    # A tenth of the time that folding a text with other letters takes.
    return part.lower().encode() in text.encode("utf-8", "replace").lower()
