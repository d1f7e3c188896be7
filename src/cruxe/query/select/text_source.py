"""The texts behind hits, as selection reads them.

Selection verifies, narrows and deduplicates hits by the text of their files. It gets the texts
through a Protocol, so that it knows neither working trees nor git.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cruxe.model.identity import VersionKey
from cruxe.text.lines import LinedText

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile


class FileText(NamedTuple):
    """A file's text as it is now."""

    path: str
    content: LinedText
    changed: "ParsedFile | None"  # the new parse, if the file is not what was indexed

    @property
    def line_count(self) -> int:
        """The number of lines; a final line feed starts none."""
        return self.content.line_count

    @property
    def whole(self) -> str:
        """The whole text."""
        return self.text_between(1, self.line_count + 1)

    def between(self, first: int, last: int) -> list[str]:
        """Lines from `first` to `last`, 1-based and inclusive."""
        return self.content.between(first, last)

    def text_between(self, first: int, last: int) -> str:
        """The same lines as one text."""
        return "\n".join(self.content.between(first, last))


class TextSource(Protocol):
    """Reads the texts of one ref."""

    def expect(self, files: Iterable[tuple[VersionKey, str]]) -> None:
        """Look up at once what reading some files, by version and path, will need."""
        ...

    def read(self, version_key: VersionKey, path: str) -> FileText | None:
        """Return the text of an indexed file as it is now, or None if the file is gone."""
        ...
