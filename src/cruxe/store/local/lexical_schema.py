"""The fields of the Tantivy index. Text arrives as terms joined by spaces; nothing is stored.

A document is a chunk or a whole file and has the key of its version. Text fields hold the stems of
whole words and of their parts, without positions: phrases are checked in the text. Properties of
symbols are in the database.

Chunks are ranked by `text` alone: path, defined names and body in one field, so that BM25 saturates
over all of them. Measured, one field orders files better than a sum over six, and weights inside it
change nothing.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tantivy import Index, Schema

CHUNK_TEXT_FIELDS: Final = ("text", "name")
FILE_TEXT_FIELDS: Final = ("defines", "head")
EXACT_FIELDS: Final = ("language", "mode")
# Only of chunks; `version` is in every document.
CHUNK_NUMBER_FIELDS: Final = ("chunk", "line_start", "line_end")


def build_schema() -> "Schema":
    """Return the schema of a new index."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("version", indexed=True, fast=True)
    for field in CHUNK_NUMBER_FIELDS:
        builder.add_unsigned_field(field, fast=True)
    for field in (*CHUNK_TEXT_FIELDS, *FILE_TEXT_FIELDS):
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    for field in EXACT_FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="basic")
    return builder.build()


def register_analyzers(index: "Index") -> None:
    """Register the tokenizer of an index; needed after every open."""
    from tantivy import TextAnalyzerBuilder, Tokenizer

    index.register_tokenizer("terms", TextAnalyzerBuilder(Tokenizer.whitespace()).build())
