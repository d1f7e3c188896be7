"""The lexical index's fields. Text arrives as terms joined by spaces; nothing is stored.

A document is either a chunk (`chunk` and the text fields) or a whole file (`trigram`); both name
their file version. `identifier` holds the names a chunk defines, exactly as written; the text
fields hold every word whole and in parts. No positions: phrases are a literal search's work.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tantivy import Index, Schema

TEXT_FIELDS: Final = ("name", "signature", "doc", "comment", "body", "path")
EXACT_FIELDS: Final = ("identifier", "language", "kind", "role", "mode")
NUMBER_FIELDS: Final = ("version", "chunk", "line_start", "line_end")
TRIGRAM_FIELD: Final = "trigram"
_STEMMED: Final = ("doc", "comment")


def build_schema() -> "Schema":
    """The schema of a new index."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("version", indexed=True, fast=True)
    for field in NUMBER_FIELDS[1:]:
        builder.add_unsigned_field(field, fast=True)
    for field in TEXT_FIELDS:
        analyzer = "prose" if field in _STEMMED else "terms"
        builder.add_text_field(field, tokenizer_name=analyzer, index_option="freq")
    for field in (*EXACT_FIELDS, TRIGRAM_FIELD):
        builder.add_text_field(field, tokenizer_name="terms", index_option="basic")
    return builder.build()


def register_analyzers(index: "Index") -> None:
    """Teach an index how its fields were written; needed after every open."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    index.register_tokenizer("terms", TextAnalyzerBuilder(Tokenizer.whitespace()).build())
    index.register_tokenizer(
        "prose",
        TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english")).build(),
    )
