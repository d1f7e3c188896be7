"""Sites: where names are mentioned, in which symbol, and what is left out."""

from cruxe.model.symbols import NO_SYMBOL, Site, SiteKind
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText


def sites_of(path: str, text: str) -> tuple[Site, ...]:
    data = text.encode()
    return parse_source(SourceText(path, data), registry().detect(path, data), 10_000).sites


def test_a_site_has_its_line_and_the_innermost_symbol_around_it() -> None:
    text = """before()

def outer():
    first()
    def inner():
        second()
    third()

after()
"""

    assert sites_of("a.py", text) == (
        (SiteKind.CALL, "before", "", 1, NO_SYMBOL),
        (SiteKind.CALL, "first", "", 4, 0),
        (SiteKind.CALL, "second", "", 6, 1),
        (SiteKind.CALL, "third", "", 7, 0),
        (SiteKind.CALL, "after", "", 9, NO_SYMBOL),
    )


def test_names_and_receivers_are_read_behind_letters_of_several_bytes() -> None:
    text = "# größer\nüber.größe()\nplain(größe)\n"

    assert sites_of("a.py", text) == (
        (SiteKind.CALL, "größe", "über", 2, NO_SYMBOL),
        (SiteKind.CALL, "plain", "", 3, NO_SYMBOL),
    )


def test_a_path_is_the_receiver_as_far_as_it_is_plain_ascii() -> None:
    sites = sites_of("a.rs", "fn f() { a::b::c(); }\n")

    assert sites == ((SiteKind.CALL, "c", "a::b", 1, 0),)


def test_a_type_parameter_is_no_site_inside_its_definition_and_one_outside() -> None:
    text = """class Box<K, V extends Key> {
    K key;
    <T> T make(V value) { return null; }
    T other;
}
class Bag {
    V value;
}
"""

    assert [(name, line) for _, name, _, line, _ in sites_of("A.java", text)] == [
        ("Key", 1),
        ("T", 4),
        ("V", 7),
    ]


def test_the_parameters_of_two_lists_have_two_scopes() -> None:
    text = "type Maker<T extends <U>(given: U) => T> = [T, U];\n"

    assert [name for _, name, _, _, _ in sites_of("a.ts", text)] == ["U"]
