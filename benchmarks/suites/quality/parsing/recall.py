"""Our symbols beside the tags of ctags, by path, name and line, in both directions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from benchmarks.suites.quality.parsing.ctags import Tag
from benchmarks.suites.quality.parsing.differences import IN_PROSE, UNNAMED, Miss, Rule, Table
from benchmarks.suites.quality.parsing.extraction import Extraction
from benchmarks.suites.quality.parsing.syntax import is_in_string
from cruxe.model.symbols import Symbol, SymbolKind
from cruxe.parse.source_text import SourceText

_IN_STRING: Final = Rule(
    "in a string",
    "ctags took words of a string or a here-document for a definition",
    is_in_string,
)
_EVERYWHERE: Final = (IN_PROSE, UNNAMED, _IN_STRING)


class Comparison(NamedTuple):
    """What both have, what only one has, and why."""

    matched: int
    explained: Counter[Rule]
    unexplained: list[Miss]
    ours_alone: dict[SymbolKind, list[tuple[str, Symbol]]]  # with the path of each

    @property
    def tag_count(self) -> int:
        """All tags that were looked for."""
        return self.matched + self.explained.total() + len(self.unexplained)

    @property
    def recall(self) -> float:
        """The share that we have of the tags that no rule takes out."""
        wanted = self.matched + len(self.unexplained)
        return self.matched / wanted if wanted else 1.0

    @property
    def raw_recall(self) -> float:
        """The share that we have of all tags."""
        return self.matched / self.tag_count if self.tag_count else 1.0


def compare(extractions: Iterable[Extraction], tags: Iterable[Tag], table: Table) -> Comparison:
    """Look for every tag of the table's kinds among our symbols; a tag given twice counts once."""
    wanted: dict[str, dict[tuple[str, int], Tag]] = defaultdict(dict)
    for tag in tags:
        if tag.kind in table.kinds:
            wanted[tag.path].setdefault((table.plain_name(tag.name), tag.line), tag)
    comparison = Comparison(0, Counter(), [], defaultdict(list))
    for extraction in extractions:
        if extraction.parsed is not None:
            tags_here = wanted.get(extraction.file.path, {})
            comparison = _with_file(comparison, extraction, tags_here, table)
    return comparison


def explain(miss: Miss, table: Table) -> bool:
    """Whether a stated difference makes a tag no definition to miss."""
    return _explain(miss, table.rules) is not None


def _with_file(
    comparison: Comparison,
    extraction: Extraction,
    tags: dict[tuple[str, int], Tag],
    table: Table,
) -> Comparison:
    parsed = extraction.parsed
    assert parsed is not None
    heads = _heads(parsed.symbols, table)
    seen: set[int] = set()
    source, matched = SourceText(extraction.file.path, extraction.file.data), 0
    for place, tag in tags.items():
        if ours := heads.get(place):
            matched += 1
            seen.update(ours)
            continue
        miss = Miss(tag, source, parsed)
        rule = _explain(miss, table.rules)
        if rule is None:
            comparison.unexplained.append(miss)
        else:
            comparison.explained[rule] += 1
    for ordinal, symbol in enumerate(parsed.symbols):
        if ordinal not in seen:
            comparison.ours_alone[symbol.kind].append((extraction.file.path, symbol))
    return comparison._replace(matched=comparison.matched + matched)


def _heads(symbols: Sequence[Symbol], table: Table) -> dict[tuple[str, int], list[int]]:
    """Symbols by name and each line of their heads: ctags may name the line of an attribute."""
    heads: dict[tuple[str, int], list[int]] = {}
    for ordinal, symbol in enumerate(symbols):
        name = table.plain_name(symbol.name)
        for line in range(symbol.line_start, symbol.name_line + 1):
            heads.setdefault((name, line), []).append(ordinal)
    return heads


def _explain(miss: Miss, rules: Iterable[Rule]) -> Rule | None:
    return next((rule for rule in (*_EVERYWHERE, *rules) if rule.applies(miss)), None)
