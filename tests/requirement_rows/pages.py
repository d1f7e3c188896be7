"""The requirements of what is written for people: README and the pages in docs/."""

from typing import Final

from tests.requirement_rows import Group

PAGES: Final = (
    Group(
        "PRODUCT 11 and 15: where it is met",
        None,
        {
            "README-RUNS": (
                "Nothing in the README fails when typed: its commands and samples run, its options,"
                " tools, settings and links exist, and nothing is installed by a name that no"
                " registry has."
            ),
            "README-FIGURES": (
                "The figures in the README are those of the kept results, losses included."
            ),
            "DOCS-LIMITS": (
                "ARCHITECTURE says where each limit is set, and the file it names defines it."
            ),
        },
    ),
)
