"""YAML that is read line by line gives what the grammar gives, wherever that finds no fault."""

import pytest

from cruxe.model.symbols import ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.languages.yaml import LANGUAGE, YamlRules
from cruxe.parse.source_text import SourceText
from cruxe.workspace.decode import decode_text
from tests.support.garbling import MAX_NODES, fixture_paths, garbled_files, read_fixture

YAML = [path for path in fixture_paths() if path.endswith((".yaml", ".yml"))]
SAMPLES = {
    "texts as written": "a: |\n  b: 1\n\n  # c\n\nd: >-\n  e\n\n\n",
    "text that goes on": "a: b\n  c - d\n\n  'e'\nf:\n  g\n  h # i\nj: 1\n",
    "quotes on many lines": "a: \"b\n  c: d\"\ne: 'f\n\n  g'\n",
    "lists as far out as their keys": "a:\n- b: 1\n  c:\n  - d\ne:\n  - - f\n",
    "lists and mappings in brackets": "a: [b, {c: 1}]\nd: {\n  e: [f]\n}\n",
    "documents": "# a\n---\nb: 1\n---\n- c\n---\nd:\n  e:\n\n",
    "comments at the end": "a:\n  b: 1 # c\n  # d\n\n# e\nf:\n  - g # h\n",
    "three levels": "a:\n  b:\n    c:\n      d: 1\n    e: 2\n  f:\n    - g:\n        h: 3\n",
    "no end": "a:\n  b:",
}


class _GrammarAlone(YamlRules):
    def outline(self, source: SourceText) -> None:
        del source


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_a_sample_is_plain_and_gives_what_the_grammar_gives(text: str) -> None:
    source = SourceText("some/place.yaml", text.encode())

    assert (LANGUAGE.rules.outline(source) is None) == ("- -" in text)
    assert _differences(text.encode()) == []


@pytest.mark.parametrize("path", YAML)
def test_a_fixture_gives_what_the_grammar_gives(path: str) -> None:
    assert _differences(read_fixture(path)) == []


def test_garbled_files_give_what_the_grammar_gives() -> None:
    for data in garbled_files("yaml", "plain", 300):
        assert _differences(data) == [], data


def _differences(data: bytes) -> list[tuple[str, object, object]]:
    """What differs between the two ways; nothing where the grammar stumbles."""
    source = SourceText("some/place.yaml", decode_text(data).utf8)
    grammar = _parse(source, _GrammarAlone())
    plain = _parse(source, YamlRules())
    if grammar.problems:
        return []
    fields = zip(ParsedFile._fields, plain, grammar, strict=True)
    return [(field, one, other) for field, one, other in fields if one != other]


def _parse(source: SourceText, rules: YamlRules) -> ParsedFile:
    return parse_source(source, LANGUAGE._replace(rules=rules), MAX_NODES)
