"""The lexical index's fields. Text arrives as terms joined by spaces; nothing is stored.

A document is either a chunk or a whole file; both name their file version. The text fields hold
every word whole and in parts, as stems. No positions: phrases are a literal search's work. There is
no field that no question reads; a symbol's own properties are in the database.

`text` is what chunks are ranked by: all that is said of a chunk in one field, its path and the
names it defines beside its body, so that BM25 levels off over all of it together. Measured, one
field orders files better than six that are added up, and weights inside it change nothing.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tantivy import Index, Schema

CHUNK_TEXT_FIELDS: Final = ("text", "name")
FILE_TEXT_FIELDS: Final = ("defines", "head")
EXACT_FIELDS: Final = ("language", "mode")
# Of chunks alone, beside the `version` that every document has.
CHUNK_NUMBER_FIELDS: Final = ("chunk", "line_start", "line_end")


def build_schema() -> "Schema":
    """The schema of a new index."""
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
    """Teach an index how its fields were written; needed after every open."""
    from tantivy import TextAnalyzerBuilder, Tokenizer

    index.register_tokenizer("terms", TextAnalyzerBuilder(Tokenizer.whitespace()).build())
