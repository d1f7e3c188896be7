"""The words of a file's chunks, split once for all that is made of them."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cruxe.embed.encoding import Encoder
    from cruxe.model.symbols import ParsedFile
    from cruxe.parse.source_text import SourceText


class ChunkWords(NamedTuple):
    """What the words of each chunk are found by."""

    terms: list[bytes]
    pieces: list[bytes]  # of a model's vocabulary, packed; empty without a model


def words_of_chunks(
    source: "SourceText", parsed: "ParsedFile", searchable: bytes, encoder: "Encoder | None"
) -> ChunkWords:
    """Split what is searchable of a file, chunk by chunk."""
    from cruxe.text.identifiers import space_out, terms_of_spaced

    spaced = space_out(searchable)
    starts = [*source.line_starts, len(spaced)]
    spans = [(starts[first - 1], starts[last]) for first, last, _ in parsed.chunks]
    if encoder is None:
        return ChunkWords([terms_of_spaced(spaced, *span) for span in spans], [])
    return ChunkWords(*encoder.split_spaced(spaced, spans))
