"""The floor of an index: read files, detect their languages, parse them, run the queries.

    python -m benchmarks.suites.speed.floors.parse_files ROOT LISTING

LISTING holds paths below ROOT, with a zero byte between two. Prints the number of matches.
"""

import gc
import os
import sys
from typing import Final

from tree_sitter import QueryCursor

from cruxe.parse.grammars import load_toolchain
from cruxe.parse.language import Language
from cruxe.parse.languages import registry

# As in the parser: without it a match over broken source may take minutes.
_MATCH_LIMIT: Final = 4096


def main() -> None:
    """Do it for all files."""
    root, listing = sys.argv[1:]
    with open(listing, encoding="utf-8") as file:
        paths = file.read().split("\0")
    # As in Cruxe's workers, so that it is no difference between the two.
    gc.disable()
    print(sum(count_matches(root, path) for path in paths))


def count_matches(root: str, path: str) -> int:
    """Read one file and run the queries of its language; without a grammar there are none."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    language = registry().detect(path, data)
    return match_queries(language, data) if language.grammar else 0


def match_queries(language: Language, data: bytes) -> int:
    """Parse a text and run the queries of its language; how many matches there are."""
    toolchain = load_toolchain(language)
    tree = toolchain.parser.parse(data)
    cursor = QueryCursor(toolchain.query, match_limit=_MATCH_LIMIT)
    return len(cursor.matches(tree.root_node))


if __name__ == "__main__":
    main()
