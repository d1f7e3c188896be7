"""A language is a folder: putting one in place is all that a new language takes."""

from pathlib import Path
from typing import Final

from cruxe.model.symbols import SiteKind, SymbolKind
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from tests.requirements import requirement

PACKAGE: Final = '''"""A toy language with the grammar of another."""

from cruxe.parse.language import Language, Rules


class ToyRules(Rules):
    def module_path(self, source, root):
        return source.path.removesuffix(".toy").replace("/", "~")


LANGUAGE = Language(
    name="toy",
    extensions=(".toy",),
    filenames=("toyfile",),
    interpreters=("toy",),
    grammar="tree_sitter_go:language",
    separator="~",
    rules=ToyRules(),
)
'''
QUERIES: Final = """
(function_declaration name: (identifier) @name) @definition.function
(call_expression function: (identifier) @call)
(comment) @comment
"""
SOURCE: Final = b"package p\n\n// Rings.\nfunc ring(times int) {\n\tstrike(times)\n}\n"


@requirement("PARSE-LANGUAGE-FOLDER")
def test_a_folder_with_a_grammar_and_queries_is_a_language(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE, "utf-8")
    (folder / "queries.scm").write_text(QUERIES, "utf-8")
    languages = registry((str(tmp_path),))
    language = languages.detect("lib/bell.toy", SOURCE)
    parsed = parse_source(SourceText("lib/bell.toy", SOURCE), language, 10_000)

    assert language.name == parsed.language == "toy"
    assert [
        (each.name, each.qualified_name, each.kind, each.signature, each.doc)
        for each in parsed.symbols
    ] == [("ring", "lib~bell~ring", SymbolKind.FUNCTION, "func ring(times int)", "Rings.")]
    assert parsed.sites == ((SiteKind.CALL, "strike", "", 5, 0),)
    assert [(each.line_start, each.line_end) for each in parsed.chunks] == [(1, 6)]
    assert languages.detect("Toyfile", b"").name == "toy"
    assert languages.detect("run", b"#!/usr/bin/env toy\n").name == "toy"
    assert languages.detect("a.py", b"").name == "python"
    assert registry().detect("lib/bell.toy", SOURCE).name == "text"
