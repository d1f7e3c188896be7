"""Recall: tags beside symbols by path, name and line, and why a tag may have no symbol."""

import os
import shutil

import pytest

from benchmarks.suites.quality.parsing import tables
from benchmarks.suites.quality.parsing.ctags import Tag, find_ctags, read_tags
from benchmarks.suites.quality.parsing.differences import (
    Miss,
    Table,
    is_of,
    line_matches,
    local_value,
)
from benchmarks.suites.quality.parsing.extraction import Extraction, extract_all
from benchmarks.suites.quality.parsing.files import CorpusFile, read_files
from benchmarks.suites.quality.parsing.recall import compare
from benchmarks.suites.quality.parsing.tables import load_table
from cruxe.model.symbols import SymbolKind
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from tests.support.repositories import MakeRepo

PYTHON = next(each for each in registry().languages if each.name == "python")
SOURCE = b'''\
"""class Imagined of this text."""
@decorated
def brew(leaves):
    cups = 3
    return cups

class Pot:
    size = 2
'''
TABLE = Table("Python", frozenset({"class", "function", "variable"}), (local_value("variable"),))


def test_every_tag_is_matched_explained_or_missed() -> None:
    tags = [
        tag_of("brew", 3, "function"),
        tag_of("Pot", 7, "class"),
        tag_of("cups", 4, "variable"),
        tag_of("Imagined", 1, "class"),
        tag_of("Kettle", 7, "class"),
        tag_of("ignored", 7, "parameter"),
    ]

    found = compare([extracted()], tags, TABLE)

    explained = {rule.name: count for rule, count in found.explained.items()}
    assert (found.matched, explained) == (2, {"local value": 1, "in a comment": 1})
    assert [miss.tag.name for miss in found.unexplained] == ["Kettle"]
    assert [kind for kind, symbols in found.ours_alone.items() if symbols] == [SymbolKind.VARIABLE]
    assert (found.tag_count, found.recall, found.raw_recall) == (5, 2 / 3, 2 / 5)


def test_a_tag_may_name_any_line_of_a_head_but_no_other() -> None:
    lines = {
        line: compare([extracted()], [tag_of("brew", line, "function")], TABLE).matched
        for line in (1, 2, 3, 4)
    }

    assert lines == {1: 0, 2: 1, 3: 1, 4: 0}


def test_a_tag_given_twice_counts_once() -> None:
    tags = [tag_of("Pot", 7, "class")] * 2

    assert compare([extracted()], tags, TABLE).tag_count == 1


def test_conditions_look_at_the_kind_and_the_line() -> None:
    parsed = extracted().parsed
    assert parsed is not None
    miss = Miss(tag_of("cups", 5, "variable"), source_of(), parsed)

    assert is_of("class", "variable")(miss)
    assert line_matches(r"return NAME$")(miss)
    assert not line_matches(r"^NAME")(miss)
    assert miss.line_text(-2) == "def brew(leaves):"
    assert miss.line_text(100) == ""


@pytest.mark.skipif(shutil.which("ctags") is None, reason="universal-ctags is not installed")
def test_ctags_is_asked_for_files_as_one_language(repo: MakeRepo) -> None:
    if find_ctags() is None:
        pytest.skip("this ctags writes no JSON")
    made = repo("-- tea/brew.py\nclass Pot:\n    def pour(self):\n        pass\n-- notes.txt\nx\n")
    files = [file for file in read_files(made.root) if file.language.name == "python"]

    tags = read_tags(made.root, [file.path for file in files], "Python")

    assert tags == [
        Tag("tea/brew.py", "Pot", 1, "class", "", ""),
        Tag("tea/brew.py", "pour", 2, "member", "Pot", "class"),
    ]


def test_without_ctags_there_is_nothing_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert find_ctags() is None


def test_every_table_is_of_a_language_that_cruxe_reads() -> None:
    assert tables.__file__ is not None
    names = {
        name.removesuffix(".py")
        for name in os.listdir(os.path.dirname(tables.__file__))
        if name.endswith(".py") and name != "__init__.py"
    }
    known = {language.name for language in registry().languages}

    assert names - known == set()
    assert [name for name in sorted(names) if load_table(name) is None] == []
    assert load_table("no_such_language") is None


def tag_of(name: str, line: int, kind: str) -> Tag:
    return Tag("tea.py", name, line, kind, "", "")


def extracted() -> Extraction:
    (extraction,) = extract_all([CorpusFile("tea.py", PYTHON, SOURCE)])
    assert extraction.misfits == ()
    return extraction


def source_of() -> SourceText:
    return SourceText("tea.py", SOURCE)
