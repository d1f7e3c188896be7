"""A Dockerfile as an outline: stages as modules, with the variables that are set in them."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SYMBOL, Import, SiteKind, SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS
from cruxe.parse.languages.dockerfile.reading import Reader
from cruxe.parse.languages.dockerfile.stages import (
    NO_IMAGE,
    base_site,
    last_spoken_line,
    mentions_in,
    pairs_of,
    sources_in,
    stage_of,
)
from cruxe.parse.pattern_subjects import SITE_RANKS
from cruxe.parse.text_places import Outline, broken_at
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.languages.dockerfile.reading import Instruction
    from cruxe.parse.languages.dockerfile.stages import Pair
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Draft

_CONTINUATION: Final = re.compile(r"[\\`][ \t]*\n(?:[ \t]*#[^\n]*\n)*")
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
_REFERENCE: Final = SITE_RANKS[SiteKind.REFERENCE]


class StageOutline:
    """Builds the outline of one file."""

    def __init__(self, source: "SourceText", module: str, given: frozenset[str]) -> None:
        """Take a text, the module prefix of names, and the arguments that builders predefine."""
        self._source = source
        self._module = f"{module}."
        self._known = {*given}  # arguments that a stage may redeclare
        self._stages = {NO_IMAGE}
        self._images: list[tuple[int, str]] = []
        self._sites = mentions_in(source)
        self._drafts: list[Draft] = []
        self._owners: list[tuple[int, int, int]] = []
        self._prefix, self._parent = self._module, NO_SYMBOL
        self._broken_lines: list[int] = []

    def outline(self) -> Outline:
        """Read the file."""
        reader = Reader(self._source)
        reader.read()
        self._add_all(reader.instructions)
        broken_lines = self._broken_lines + ([reader.broken_line] if reader.broken_line else [])
        return Outline(
            drafts=self._drafts,
            comments=reader.comments,
            problems=broken_at(min(broken_lines)) if broken_lines else (),
            imports=self._imports(),
            sites=self._sites,
            owners=tuple(self._owners),
        )

    def _add_all(self, instructions: "list[Instruction]") -> None:
        first_lines = [each[4] for each in instructions if each[0] == "FROM"]
        last_lines = iter([*(line - 1 for line in first_lines[1:]), self._source.line_count])
        first_stage = first_lines[0] if first_lines else 0
        for each in instructions:
            keyword, _, start, end, line, _ = each
            if keyword == "FROM":
                self._open_stage(each, next(last_lines))
            elif keyword == "ENV":
                self._set_variables(each)
            elif keyword == "ARG":
                self._declare_arguments(each, is_above=line < first_stage)
            elif self._source.characters.find("from=", start, end) >= 0:
                sources = sources_in(self._source.text_between(start, end))
                self._images += [(line, image) for image in sources]

    def _open_stage(self, instruction: "Instruction", last_line: int) -> None:
        """Begin a stage, which extends to the next; without `AS` it is no symbol."""
        _, start, arguments, end, line, line_end = instruction
        source, stage = self._source, stage_of(self._source.characters, arguments, end)
        self._prefix, self._parent = self._module, NO_SYMBOL
        if stage is None or not stage.is_whole:
            self._broken_lines.append(line)
        if stage is None:
            return
        self._images.append((line, source.text_between(*stage.image)))
        if site := base_site(stage, source):
            self._sites[site[0]] = site[1]
        line_end = last_spoken_line(line_end, last_line, source)
        if stage.alias:
            name, self._parent = source.text_between(*stage.alias), len(self._drafts)
            self._stages.add(name)
            self._draft(name, _MODULE, (line, line_end), self._text(start, end))
            self._prefix = f"{self._module}{name}."
        starts = source.line_starts
        end = starts[line_end] if line_end < len(starts) else len(source.data)
        self._owners.append((start, end - 1, self._parent))

    def _declare_arguments(self, instruction: "Instruction", *, is_above: bool) -> None:
        """Add arguments, except those that a stage only redeclares."""
        for pair in self._pairs(instruction):
            name = self._source.text_between(*pair.name)
            if name not in self._known or pair.has_value:
                self._draft_variable("ARG", name, pair)
            else:
                self._sites[pair.name[0]] = (_REFERENCE, pair.name[1], None)
            if is_above:
                self._known.add(name)

    def _set_variables(self, instruction: "Instruction") -> None:
        for pair in self._pairs(instruction):
            self._draft_variable("ENV", self._source.text_between(*pair.name), pair)

    def _pairs(self, instruction: "Instruction") -> "list[Pair]":
        keyword, _, start, end, line, _ = instruction
        text, may_be_alone = self._source.characters, keyword == "ENV"
        pairs = list(pairs_of(text, start, end, may_be_alone=may_be_alone))
        if None in pairs:
            self._broken_lines.append(line)
        return [pair for pair in pairs if pair is not None]

    def _draft_variable(self, keyword: str, name: str, pair: "Pair") -> None:
        start, end = pair.whole
        starts = self._source.line_starts
        lines = bisect_right(starts, start), bisect_right(starts, end - 1)
        self._owners.append((start, end, len(self._drafts)))
        signature = f"{keyword} {self._text(start, end)}"[:MAX_SIGNATURE_CHARACTERS]
        self._draft(name, _VARIABLE, lines, signature)

    def _draft(self, name: str, kind: SymbolKind, lines: tuple[int, int], signature: str) -> None:
        """Add a symbol; a stage has no parent."""
        parent = NO_SYMBOL if kind is _MODULE else self._parent
        line, line_end = lines
        self._drafts.append((name, self._prefix, kind, parent, line, line_end, line, signature))

    def _text(self, start: int, end: int) -> str:
        """Return the lines of an instruction folded to one."""
        text = self._source.text_between(start, end)
        if "\n" in text:
            text = _CONTINUATION.sub(" ", text)
        return fold_white_space(text)[:MAX_SIGNATURE_CHARACTERS]

    def _imports(self) -> tuple[Import, ...]:
        """Return the base and source images, except stages and images named by arguments."""
        return tuple(
            Import(module=image, name="", alias="", line=line)
            for line, image in sorted(self._images)
            if image not in self._stages and image[:1].isalpha()
        )
