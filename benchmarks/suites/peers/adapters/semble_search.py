"""Times semble's queries; run by the peer's interpreter, for its libraries.

    python semble_search.py ROOT MODEL REPEAT < queries.json

Prints the CPU milliseconds of each query by mode: `bm25`, its lexical ranking, and `hybrid`, its
default. Every query runs once before it is timed, REPEAT times.
"""

import json
import sys
import time
from pathlib import Path
from typing import Final

import semble.index.index as implementation  # type: ignore[import-not-found]
from semble import SembleIndex

_MODES: Final = {"bm25": 0.0, "hybrid": None}
_RESULTS: Final = 10


def main() -> None:
    """Index a folder and time every query in each mode."""
    # Usage statistics on disk are no part of a query.
    if hasattr(implementation, "save_search_stats"):
        implementation.save_search_stats = lambda *_, **__: None
    root, model, repeat = sys.argv[1:]
    index = SembleIndex.from_path(Path(root), model_path=model)
    queries = json.load(sys.stdin)
    times: dict[str, list[float]] = {}
    for mode, alpha in _MODES.items():
        for query in queries:
            index.search(query, top_k=_RESULTS, alpha=alpha)
        times[mode] = [_time(index, query, alpha) for _ in range(int(repeat)) for query in queries]
    json.dump(times, sys.stdout)


def _time(index: SembleIndex, query: str, alpha: float | None) -> float:
    started = time.process_time()
    index.search(query, top_k=_RESULTS, alpha=alpha)
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    main()
