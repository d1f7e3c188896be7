"""Capabilities: what a language's queries and rules say of it, and the page that lists them all."""

import os
from collections.abc import Iterable

from cruxe.model.symbols import Import
from cruxe.parse.capabilities import Capabilities, capabilities_of, list_capabilities
from cruxe.parse.language import Language, Rules
from cruxe.parse.languages import folder_of, registry
from tests.shape.project import ROOT
from tests.support.golden_files import check_golden

PAGE = os.path.join(ROOT, "docs", "LANGUAGES.md")
HEAD = """# Languages

What Cruxe extracts from each language. The table is derived from the queries and rules of the
languages; `cruxe status --languages` shows it with the number of files. Other text files are
indexed as windows of lines. `UPDATE_GOLDEN=1 make test ARGS="-k languages_page"` writes this page.

- **symbols**: definitions with kind, whole signature, parent, qualified name and lines
- **docs**: doc comments or doc strings of symbols
- **visibility**: who may use a symbol, by the language's rules; without it every symbol is public
- **calls**, **references**: sites that mention a name, each with its enclosing symbol
- **receivers**: the expression before the name of a call or reference, as written
- **imports**: the names that a file imports, with aliases and re-exports
- **inheritance**: what a type extends or implements
"""


class _RulesWithImports(Rules):
    def imports(self, node: object, source: object) -> Iterable[Import]:
        del node, source
        return ()


def test_captures_and_overridden_rules_make_a_capability(tmp_path: os.PathLike[str]) -> None:
    folder = os.path.join(tmp_path, "toy")
    os.mkdir(folder)
    _write(os.path.join(folder, "__init__.py"), _TOY)
    _write(os.path.join(folder, "queries.scm"), _QUERIES)
    (toy,) = [each for each in registry((os.fspath(tmp_path),)).languages if each.name == "toy"]

    assert folder_of(toy) == folder
    assert capabilities_of(toy) == Capabilities(
        language="toy",
        symbols=True,
        docs=False,
        visibility=False,
        calls=True,
        references=False,
        receivers=True,
        imports=False,
        inheritance=False,
    )
    assert capabilities_of(toy._replace(rules=_RulesWithImports())).imports is True


def test_a_language_without_a_grammar_finds_nothing() -> None:
    assert capabilities_of(Language(name="plain")) == Capabilities("plain", *[False] * 8)


def test_a_language_that_reads_its_text_itself_finds_what_its_code_names() -> None:
    found = {each.language: each for each in list_capabilities()}["asciidoc"]

    assert (found.symbols, found.references, found.calls) == (True, True, False)


def test_a_language_that_gives_an_outline_finds_what_its_code_names() -> None:
    found = {each.language: each for each in list_capabilities()}

    assert found["dockerfile"] == Capabilities(
        language="dockerfile",
        symbols=True,
        docs=True,
        visibility=False,
        calls=False,
        references=True,
        receivers=False,
        imports=True,
        inheritance=True,
    )
    assert (found["toml"].visibility, found["toml"].imports) == (True, False)


def test_every_language_but_plain_text_finds_symbols() -> None:
    assert [each.language for each in list_capabilities() if not each.symbols] == ["text"]


def test_the_languages_page_is_up_to_date() -> None:
    check_golden(PAGE, _page())


def _page() -> str:
    columns = ["language", "files", *Capabilities._fields[1:]]
    rows = [
        [language.name, _files_of(language), *("yes" if each else "" for each in capabilities[1:])]
        for language, capabilities in zip(registry().languages, list_capabilities(), strict=True)
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *rows)]
    return "\n".join([HEAD, *lines, ""])


def _files_of(language: Language) -> str:
    shown = [*(f"`*{extension}`" for extension in language.extensions)]
    shown += [f"`{name}`" for name in language.filenames]
    return " ".join([*shown, *(f"`#! {name}`" for name in language.interpreters)])


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


_TOY = """
from cruxe.parse.language import Language

LANGUAGE = Language(name="toy", grammar="no_such_module:language")
"""
_QUERIES = """
; a comment with @extends in it
(function name: (_) @name) @definition.function
(call object: (_) @qualifier method: (_) @call (#not-eq? @call "@reference"))
(use) @import
"""
