"""Names without their spelling.

Alone here because every question needs it, and nothing else of how words become terms.
"""


def fold_name(name: str) -> str:
    """A name without its spelling: `rate_limit`, `rateLimit` and `RATE_LIMIT` are one."""
    folded = name.casefold()
    return folded.replace("_", "") or folded
