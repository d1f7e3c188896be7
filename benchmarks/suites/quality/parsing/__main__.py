"""Measures one language of any checkout and prints what it found; keeps nothing."""

import sys

from benchmarks.harness.report import show_value
from benchmarks.suites.quality.parsing.ctags import ABSENCE, find_ctags
from benchmarks.suites.quality.parsing.files import read_files
from benchmarks.suites.quality.parsing.language_figures import Subject, measure_language


def main() -> None:
    """Take a root, a language and pathspecs from the command line."""
    root, language, *pathspecs = sys.argv[1:]
    files = [file for file in read_files(root, tuple(pathspecs)) if file.language.name == language]
    measured = measure_language(Subject(root, language, tuple(files)), repeat=3)
    for note in (*measured.notes, *([] if find_ctags() else [ABSENCE])):
        print(note)
    for figure in measured.figures:
        print(f"{figure.name:18} {show_value(figure.value, figure.unit):>12} {figure.verdict}")
    for tally in measured.tallies:
        print(f"{tally.count:8,} {tally.name}: {tally.reason}")
    for sample in measured.samples:
        print(f"[{sample.topic}] {sample.text}")


if __name__ == "__main__":
    main()
