"""Comments: which of them document what stands below, and what they say."""

import pytest

from cruxe.model.symbols import ParsedFile
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText


def parsed(path: str, text: str) -> ParsedFile:
    data = text.encode()
    return parse_source(SourceText(path, data), registry().detect(path, data), 10_000)


def docs(path: str, text: str) -> list[str]:
    return [symbol.doc for symbol in parsed(path, text).symbols]


def test_comments_that_touch_a_definition_document_it() -> None:
    text = """package a

// First line,
// second line.
func f() {}

// Not of g.

func g() {} // of g's own line
func h() {}
/* of
   i */
func i() {}
"""

    assert docs("a.go", text) == ["First line,\nsecond line.", "", "", "of\n  i"]


def test_a_comment_that_ends_in_its_line_feed_touches_the_next_line() -> None:
    assert docs("a.rs", "/// One.\n/// Two.\nfn f() {}\n") == ["One.\nTwo."]


def test_a_comment_that_ends_the_file_touches_nothing() -> None:
    assert docs("a.go", "// Of f.\nfunc f() {}\n// the end") == ["Of f."]


def test_spans_of_comments_and_docs_are_told_in_order() -> None:
    text = '# a\ndef f():\n    """b"""\n    # c\n'
    found = parsed("a.py", text)

    assert [text[start:end] for start, end in found.comment_spans] == ["# a", "# c"]
    assert [text[start:end] for start, end in found.doc_spans] == ["# a", '"""b"""']


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("// plain words", "plain words"),
        ("///  indented", "indented"),
        ("//! inner", "inner"),
        ("# ---------", ""),
        ("-- | haddock", "| haddock"),
        ("<!-- shut -->", "shut"),
        ("// points -->  ", "points"),
        ("/** one */", "one"),
        (
            "/**\n * First.\n *\n *   Second.\n * @see x\n * ====\n */",
            "First.\n\n  Second.\n@see x",
        ),
        ("/*\n * ends here */", "ends here"),
        ("/*\n no star\n * \u00fcber\n */", "no star\n\u00fcber"),
    ],
)
def test_markers_frames_and_rules_are_taken_off(comment: str, text: str) -> None:
    assert strip_comment_markers([comment]) == text
