"""Files through the parser: what it costs beside the floor, and whether all it gives holds."""

import gc
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Final, NamedTuple

from benchmarks.suites.quality.parsing.files import CorpusFile
from benchmarks.suites.quality.parsing.invariants import misfits
from benchmarks.suites.speed.floors.parse_files import match_queries
from cruxe.model.symbols import ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.grammars import load_toolchain
from cruxe.parse.source_text import SourceText

MAX_NODES: Final = 2_000_000
# The pool gives a file up after some seconds; one that comes near is a defect of the parser.
MAX_FILE_SECONDS: Final = 3.0


class Cost(NamedTuple):
    """CPU seconds of one language's files."""

    floor_seconds: float  # 0 where there is no grammar, and so nothing to parse
    extraction_seconds: float
    source_bytes: int

    @property
    def times_floor(self) -> float:
        """How many times the floor the extraction takes; 0 without a floor."""
        return self.extraction_seconds / self.floor_seconds if self.floor_seconds else 0.0


class Extraction(NamedTuple):
    """What one file gave."""

    file: CorpusFile
    parsed: ParsedFile | None  # absent where the parser raised
    misfits: tuple[str, ...]
    seconds: float


def measure_cost(files: Sequence[CorpusFile], repeat: int) -> Cost:
    """Parse files of one language by both ways, in turns file by file; the median ratio's turn."""
    for file in files[:1]:
        if file.language.grammar:
            load_toolchain(file.language)
    with _without_collector():
        costs = sorted(
            (_take_turns(files, turn) for turn in range(repeat)), key=lambda cost: cost.times_floor
        )
    middle = median(range(len(costs)))
    return costs[int(middle)]


def extract_all(files: Iterable[CorpusFile]) -> Iterator[Extraction]:
    """Extract every file and check what came out; a parser that raises is a misfit."""
    for file in files:
        source, start = SourceText(file.path, file.data), time.process_time()
        try:
            parsed = parse_source(source, file.language, MAX_NODES)
        except Exception as error:  # noqa: BLE001 - whatever it is, the suite goes on and says so
            yield Extraction(file, None, (f"raised {error!r}",), 0.0)
            continue
        seconds = time.process_time() - start
        found = misfits(source, parsed)
        if seconds > MAX_FILE_SECONDS:
            found.append(f"took {seconds:.1f} s for {len(file.data)} bytes")
        yield Extraction(file, parsed, tuple(found), seconds)


@contextmanager
def _without_collector() -> Iterator[None]:
    """As in Cruxe's workers, so that it is no difference between the two."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _take_turns(files: Sequence[CorpusFile], turn: int) -> Cost:
    floor = extraction = 0.0
    for number, file in enumerate(files):
        # Who comes second finds the text in the cache.
        is_floor_first = (number + turn) % 2 == 0
        if is_floor_first:
            floor += _floor_seconds(file)
        extraction += _extraction_seconds(file)
        if not is_floor_first:
            floor += _floor_seconds(file)
    return Cost(floor, extraction, sum(len(file.data) for file in files))


def _floor_seconds(file: CorpusFile) -> float:
    if not file.language.grammar:
        return 0.0
    # The floor reads what the grammar reads; what makes it so is part of the extraction.
    text = file.language.rules.legible(SourceText(file.path, file.data))
    start = time.process_time()
    match_queries(file.language, text)
    return time.process_time() - start


def _extraction_seconds(file: CorpusFile) -> float:
    start = time.process_time()
    parse_source(SourceText(file.path, file.data), file.language, MAX_NODES)
    return time.process_time() - start
