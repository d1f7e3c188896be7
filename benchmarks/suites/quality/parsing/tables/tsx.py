"""TSX: read by ctags as TypeScript."""

from benchmarks.suites.quality.parsing.tables.typescript import TABLE

__all__ = ["TABLE"]
