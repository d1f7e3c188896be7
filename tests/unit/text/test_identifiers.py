"""Words as search terms."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.text.identifiers import (
    MAX_TERM_CHARACTERS,
    split_identifier,
    stem_of,
    terms_of_each,
    terms_of_text,
    terms_of_word,
    words_of,
)


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("user", "user"),
        ("User", "user"),
        ("USER", "user"),
        ("A", "a"),
        ("getHTTPResponse", "gethttprespons get http respons"),
        ("HTTPServer2", "httpserver2 http serv 2"),
        ("rate_limit", "ratelimit rat limit"),
        ("rateLimit", "ratelimit rat limit"),
        ("RATE_LIMIT", "ratelimit rat limit"),
        ("__init__", "init"),
        ("_private", "privat"),
        ("utf8", "utf8 utf 8"),
        ("x1y2", "x1y2 x 1 y 2"),
        ("42", "42"),
        ("größe", "größe"),
        ("maxGröße", "maxgröße max größe"),
        ("数据库", "数据库"),
        ("数据Base", "数据base 数据 bas"),
        ("naïve—café", "naïve café"),
        ("___", ""),
        ("", ""),
    ],
)
def test_a_word_is_kept_whole_and_in_parts(word: str, terms: str) -> None:
    assert terms_of_word(word) == terms


def test_only_what_is_no_word_parts_words() -> None:
    assert words_of(b"a.b::C->d[e]#f$g-h/i 'j'\n\tk_l") == [*"abCdefghij", "k_l"]
    assert words_of("straße naïve".encode()) == ["straße", "naïve"]


def test_words_too_long_to_be_names_are_left_out() -> None:
    assert terms_of_word("a" * MAX_TERM_CHARACTERS) == "a" * MAX_TERM_CHARACTERS
    assert terms_of_word("a" * (MAX_TERM_CHARACTERS + 1)) == ""


def test_a_long_name_is_still_found_by_its_parts() -> None:
    name = "a_killed_writer_leaves_the_last_generation_and_the_next_run_makes_good_whenever_it_died"

    assert terms_of_word(name).split()[-3:] == ["whenev", "it", "die"]


@given(text=st.text(max_size=200))
def test_terms_are_lower_case_and_never_too_long(text: str) -> None:
    terms = terms_of_text(text).split()

    assert [term for term in terms if len(term) > 2 * MAX_TERM_CHARACTERS] == []
    assert [term for term in terms if term != term.lower()] == []


@given(words=st.lists(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}", fullmatch=True), max_size=8))
def test_a_text_has_the_terms_of_its_words_in_order(words: list[str]) -> None:
    expected = " ".join(terms_of_word(word) for word in words).split()

    assert terms_of_text(" + ".join(words)).split() == expected


@given(text=st.text("agsK\u212aIéÉ\u03a3İ\u0301\u200d\u093e数1_\u2019\xa0\u3000", max_size=12))
@example("\u212aings")  # in lower case it is ASCII
def test_letters_of_all_kinds_have_the_terms_that_the_rule_says(text: str) -> None:
    def plain_terms(word: str) -> str:
        stems = [stem_of(part) for part in split_identifier(word)]
        whole = stem_of(word.lower().replace("_", ""))
        return " ".join([whole, *stems] if len(stems) > 1 else stems)

    runs = [" ".join(map(plain_terms, re.findall(r"\w+", run))) for run in text.split()]

    for _ in range(2):
        assert terms_of_text(text) == " ".join(runs)


@given(texts=st.lists(st.text("abA1_ .\n\xe9\ud800", max_size=12), max_size=5))
def test_texts_looked_up_together_have_the_terms_that_each_has(texts: list[str]) -> None:
    assert terms_of_each(texts) == [terms_of_text(text).encode() for text in texts]


@given(word=st.text("abAB1_\xe9\xc9\xdf\u0130\u212a\u6570\u0301", min_size=1, max_size=90))
@example("\u0130" * 50)  # letters that grow
def test_the_short_way_to_the_terms_of_a_word_is_the_long_one(word: str) -> None:
    assert terms_of_text(word) == terms_of_word(word)


@given(word=st.from_regex(r"[A-Za-z0-9_]{1,30}", fullmatch=True))
def test_the_parts_of_an_identifier_are_all_of_it(word: str) -> None:
    assert "".join(split_identifier(word)) == word.replace("_", "").lower()
