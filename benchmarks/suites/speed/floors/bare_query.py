"""The floor of a query: the same terms asked of the same index by Tantivy alone."""

import time
from collections.abc import Iterable

import tantivy

_RESULTS = 10


class BareIndex:
    """A lexical index of Cruxe, opened without Cruxe."""

    def __init__(self, folder: str) -> None:
        """Open it as Tantivy does."""
        self._index = tantivy.Index.open(folder)
        builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
        self._index.register_tokenizer("terms", builder.build())
        self._searcher = self._index.searcher()

    @property
    def document_count(self) -> int:
        """Documents in it: chunks, and one for each file."""
        return self._searcher.num_docs

    def milliseconds(self, terms: Iterable[str]) -> float:
        """The CPU time of one search for any of the terms."""
        parts = [
            (
                tantivy.Occur.Should,
                tantivy.Query.term_query(self._index.schema, "text", term),
            )
            for term in terms
        ]
        started = time.process_time()
        _ = self._searcher.search(tantivy.Query.boolean_query(parts), limit=_RESULTS).hits
        return (time.process_time() - started) * 1000
