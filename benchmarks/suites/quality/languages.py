"""Suite: every language on real code: what extraction costs, what it finds, and what must hold."""

from typing import Final

from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Measured, how_often, joined
from benchmarks.harness.suites import Suite
from benchmarks.suites.quality.parsing.ctags import ABSENCE, find_ctags
from benchmarks.suites.quality.parsing.extraction import extract_all
from benchmarks.suites.quality.parsing.files import CorpusFile, read_files
from benchmarks.suites.quality.parsing.language_figures import (
    Subject,
    measure_language,
    measure_soundness,
)

# What is left over beside the languages that a corpus is measured for.
_OTHERS: Final = "other files"


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Measure the languages that a corpus stands for, and check all its other files."""
    files = read_files(corpus.root, corpus.language_paths)
    parts = [
        measure_language(Subject(corpus.root, language, _of_language(files, language)), repeat)
        for language in corpus.languages
    ]
    others = [file for file in files if file.language.name not in corpus.languages]
    parts.append(measure_soundness(_OTHERS, list(extract_all(others))))
    version = find_ctags()
    told = ABSENCE if version is None else f"{version}."
    paths = f" Only {', '.join(corpus.language_paths)}." if corpus.language_paths else ""
    return joined([*parts, Measured(notes=(f"{told}{paths} Costs {how_often(repeat)}.",))])


def _of_language(files: list[CorpusFile], language: str) -> tuple[CorpusFile, ...]:
    return tuple(file for file in files if file.language.name == language)


SUITE: Final = Suite(
    name="languages",
    about=(
        "`parse_source` over real files in memory. The floor parses the same files and runs the"
        " same queries, in turns file by file. Recall is the share of universal-ctags' definitions"
        " (functions, methods, types, constants, modules, by path, name and line) that are symbols"
        " of ours, the stated differences apart. `ours alone` are symbols that ctags lacks."
        " A file is unsound if the parser raises, takes seconds, or gives what cannot be true of"
        " its source: lines outside it, a child outside its parent, a line in no chunk or in two."
    ),
    repeat=3,
    measure=measure,
)
