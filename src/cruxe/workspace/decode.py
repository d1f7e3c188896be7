"""Decode bytes in any encoding to text. Never fails, and keeps the lines that an editor shows."""

import codecs
from enum import StrEnum
from typing import Final, NamedTuple


class Newline(StrEnum):
    """How the lines of a file end."""

    NONE = "none"
    LF = "lf"
    CRLF = "crlf"
    CR = "cr"
    MIXED = "mixed"


class DecodedText(NamedTuple):
    """A file's text with LF line ends, and the encoding and line ends of its bytes.

    `utf8` is the same text for the parser: the original bytes if they need no change.
    """

    text: str
    utf8: bytes
    encoding: str
    had_bom: bool
    newline: Newline


# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def is_plain_text(data: bytes) -> bool:
    """Return whether bytes are UTF-8 that decoding would leave as they are."""
    if b"\r" in data or data.startswith(codecs.BOM_UTF8):
        return False
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def decode_text(data: bytes) -> DecodedText:
    """Decode by byte order mark, else as UTF-8, else as Western European."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            return _with_line_feeds(text, encoding, had_bom=True)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _with_line_feeds(*_decode_unmarked(data), had_bom=False)
    if b"\r" in data:
        return _with_line_feeds(text, "utf-8", had_bom=False)
    newline = Newline.LF if b"\n" in data else Newline.NONE
    return DecodedText(text=text, utf8=data, encoding="utf-8", had_bom=False, newline=newline)


def _decode_unmarked(data: bytes) -> tuple[str, str]:
    patched = data.decode("utf-8", "replace")
    broken = patched.count("\ufffd")
    intact = len(patched) - len(patched.encode("ascii", "ignore")) - broken
    # One invalid byte in a UTF-8 file must not garble all its other letters.
    if intact > broken:
        return patched, "utf-8"
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _with_line_feeds(text: str, encoding: str, *, had_bom: bool) -> DecodedText:
    newline = _newline_of(text)
    if newline not in (Newline.NONE, Newline.LF):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # None of the decoders above produces a lone surrogate, so `encode` cannot fail.
    return DecodedText(
        text=text, utf8=text.encode(), encoding=encoding, had_bom=had_bom, newline=newline
    )


def _newline_of(text: str) -> Newline:
    both = text.count("\r\n")
    feeds = text.count("\n") - both
    returns = text.count("\r") - both
    kinds = [
        kind
        for kind, count in ((Newline.CRLF, both), (Newline.LF, feeds), (Newline.CR, returns))
        if count
    ]
    if not kinds:
        return Newline.NONE
    return kinds[0] if len(kinds) == 1 else Newline.MIXED
