"""Bytes become text whatever their encoding, and lines stay where editors show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.workspace.decode import DecodedText, Newline, decode_text, is_plain_text
from tests.requirements import requirement


@requirement("DISC-ENCODING")
@pytest.mark.parametrize(
    ("data", "text", "encoding", "had_bom", "newline"),
    [
        (b"", "", "utf-8", False, Newline.NONE),
        (b"one", "one", "utf-8", False, Newline.NONE),
        ("é\nb\n".encode(), "é\nb\n", "utf-8", False, Newline.LF),
        (b"\xef\xbb\xbfa\n", "a\n", "utf-8", True, Newline.LF),
        (b"a\r\nb\r\n", "a\nb\n", "utf-8", False, Newline.CRLF),
        (b"a\rb\r", "a\nb\n", "utf-8", False, Newline.CR),
        (b"a\r\r\nb\n\rc", "a\n\nb\n\nc", "utf-8", False, Newline.MIXED),
        (b"\xff\xfe" + "é\r\n".encode("utf-16-le"), "é\n", "utf-16-le", True, Newline.CRLF),
        (b"\xfe\xff" + "é\n".encode("utf-16-be"), "é\n", "utf-16-be", True, Newline.LF),
        ("😀\n".encode("utf-32"), "😀\n", "utf-32-le", True, Newline.LF),
        (b"\xff\xfea\0b", "a\ufffd", "utf-16-le", True, Newline.NONE),
        ("naïve “€”\n".encode("cp1252"), "naïve “€”\n", "cp1252", False, Newline.LF),
        (b"\x81\xe9\n", "\x81é\n", "latin-1", False, Newline.LF),
        ("éé é\xff".encode() + b"\xe9\n", "éé éÿ\ufffd\n", "utf-8", False, Newline.LF),
        ("a\u2028b\x0bc\x0cd\n".encode(), "a\u2028b\x0bc\x0cd\n", "utf-8", False, Newline.LF),
    ],
)  # fmt: skip
def test_text_is_decoded(
    data: bytes, text: str, encoding: str, *, had_bom: bool, newline: Newline
) -> None:
    assert decode_text(data) == DecodedText(text, text.encode(), encoding, had_bom, newline)


@given(data=st.text("a\n\ré\ufeff", max_size=5).map(str.encode) | st.binary(max_size=5))
def test_a_text_is_plain_where_decoding_leaves_it(data: bytes) -> None:
    assert is_plain_text(data) == (decode_text(data).utf8 == data)


def test_plain_utf8_is_handed_on_without_a_copy() -> None:
    data = "é = 1\n".encode() * 100

    assert decode_text(data).utf8 is data


@requirement("DISC-ENCODING")
@given(st.binary())
def test_any_bytes_become_text_without_carriage_returns(data: bytes) -> None:
    decoded = decode_text(data)

    assert "\r" not in decoded.text
    assert decoded.utf8.decode() == decoded.text


@requirement("DISC-ENCODING")
@given(st.lists(st.sampled_from(["é", "x y", ""])), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_are_counted_alike_in_every_encoding_and_line_end(
    lines: list[str], ending: str
) -> None:
    text = ending.join(lines)

    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"):
        assert decode_text(text.encode(encoding)).text == "\n".join(lines)
