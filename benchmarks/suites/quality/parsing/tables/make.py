"""Makefiles: every word before a colon is a target to ctags."""

from benchmarks.suites.quality.parsing.differences import Rule, Table, both, is_of, line_matches

TABLE = Table(
    ctags_language="Make",
    kinds=frozenset({"macro", "target"}),
    rules=(
        Rule(
            "value of a target",
            "a variable that is set for some targets is no rule for them",
            both(is_of("target"), line_matches(r"^[^=#]*:(?!=)[^=#]*[:+?]?=")),
        ),
        Rule(
            "static pattern",
            "the pattern between the colons of `$(OBJECTS): %.o: %.c` is no target",
            both(is_of("target"), line_matches(r":\s*NAME\s*:")),
        ),
    ),
)
