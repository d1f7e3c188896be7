"""TSX: read by ctags as TypeScript."""

from benchmarks.parsing.tables.typescript import TABLE

__all__ = ["TABLE"]
