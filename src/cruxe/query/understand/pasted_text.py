"""A pasted text taken apart: an issue, a traceback, a log, or the output of a compiler or tests.

Its parts are worth more or less for the search: `query/rank/pasted.py` weighs them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from cruxe.query.understand.traces import Frame, TraceError, find_errors, find_frames, is_output

# More names or literals of one text are a listing.
_MOST_NAMES: Final = 24
_MOST_LITERALS: Final = 16
_MOST_MESSAGES: Final = 3
_LEAST_LITERAL_LETTERS: Final = 6
_MAX_TITLE_CHARACTERS: Final = 160

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"^\s{0,3}(?:```|~~~)")
_PROMPT: Final = re.compile(r"^\s*(?:>>> ?|\.\.\. |\$ |In \[\d+\]: ?)")
_INDENTED: Final = re.compile(r"^(?: {4,}|\t)\S")
_LIST_ITEM: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
# Headings and bold lines name the parts of a template, boxes and versions fill it in.
_HEADING: Final = re.compile(r"^\s{0,3}(?:#{1,6}\s.*|\*\*[^*]+\*\*:?\s*|[-=]{3,}\s*)$")
_CHECK_BOX: Final = re.compile(r"^\s*[-*]\s*\[[ xX]\]")
_VERSION: Final = re.compile(r"^[\W_]*[\w .\-/]{2,30}?[\s:=*]+v?\d+(?:\.\d+)+\S*\s*$")
_VERSION_CHARACTERS: Final = 80
_ADDRESS: Final = re.compile(r"\bhttps?://[^\s)>\]\"']+")
# `…/blob/<commit>/lib/a.js#L3` names a file of a repository.
_BLOB: Final = re.compile(r"/(?:blob|tree|raw)/[^/\s]+/([^\s#?)>\]\"']+)(?:#L(\d+))?")
_TAG: Final = re.compile(r"^\s*(?:\[[^\]]{1,30}\]\s*)+")
_TICKED: Final = re.compile(r"`([^`\n]+)`")
_QUOTED: Final = re.compile(r"\"([^\"\n]{4,120})\"|(?<!\w)'([^'\n]{4,120})'(?!\w)")
# `repl-backlog-size`, `server.port`, `log_level.root`: keys of settings.
_KEY: Final = re.compile(r"(?<![\w./@-])[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)+(?![\w/(:-]|\.\w)")
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_PATH: Final = re.compile(r"(?<![\w/.@~+-])(?:[\w@~.+-]+[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,5}\b")
_FOLDER_PATH: Final = re.compile(r"(?<![\w/.:@+-])(?:[\w@.+-]+/){2,}[\w@+-]+")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:::|->|\.|#)[A-Za-z_$][\w$]*)*")
# What a word of a sentence must look like to be a name in code.
_CODE_LIKE: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_\w|::|->|[\w)]\.[A-Za-z_]|\w#\w")
_CALLED: Final = re.compile(r"(?<![\w$.:])([A-Za-z_$][\w$.:]*)(?=\()")
# Between the constant parts of a message stand values: numbers, quoted texts, addresses.
_VALUE: Final = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|<[^>]*>|\([^)]*\)|\[[^\]]*\]|\b\w*\d[\w.]*")
_LEAST_FRAGMENT_LETTERS: Final = 12


class PastedText(NamedTuple):
    """The parts of a text, each without what templates add."""

    title: str  # the first line, or its first sentence
    prose: str
    ticked: str  # what backticks mark within sentences
    code: str  # blocks of code and output
    errors: tuple[TraceError, ...]  # that it reports, the last first
    names: tuple[str, ...]  # that look like names in code, the most telling first
    literals: tuple[str, ...]  # that may stand in the code as they are
    messages: tuple[str, ...]  # that code may have put together from a format string
    paths: tuple[str, ...]  # as written, with forward slashes
    frames: tuple[Frame, ...]  # the innermost first

    @property
    def error(self) -> str:
        """The error that ended the run, or an empty text."""
        return " ".join(self.errors[0]) if self.errors else ""

    def zone(self, name: str) -> str:
        """The text of a part that words are weighed by."""
        return {
            "title": self.title,
            "ticked": self.ticked,
            "error": self.error,
            "prose": self.prose,
            "code": self.code,
        }[name]


def read_pasted(raw: str) -> PastedText:
    """Take a text apart."""
    text = _COMMENT.sub("\n", raw.replace("\r\n", "\n").replace("\r", "\n"))
    blobs = [(found[1], found[2]) for found in _BLOB.finditer(text)]
    lines = [*_kinds_of_lines(_ADDRESS.sub(" ", text))]
    title, rest = _title_of(lines)
    title = title or _first_error(text)
    prose = "\n".join(line for is_code, line in rest if not is_code)
    code = "\n".join(line for is_code, line in rest if is_code)
    ticked = "\n".join(_TICKED.findall(f"{title}\n{prose}"))
    whole = f"{title}\n{prose}\n{code}"
    frames = find_frames(whole)
    shown = [Frame(path, int(line)) for path, line in blobs if line]
    errors = find_errors(whole)
    return PastedText(
        title=title,
        prose=prose,
        ticked=ticked,
        code=code,
        errors=errors,
        names=_first(_names_of(title, ticked, frames, prose), _MOST_NAMES),
        literals=_first(_literals_of(errors, title, prose, code), _MOST_LITERALS),
        messages=_first([error.message for error in errors], _MOST_MESSAGES),
        paths=_first([*(path for path, _ in blobs), *_paths_of(whole, frames)], _MOST_NAMES),
        frames=(*frames, *shown),
    )


def marked_literals(text: str) -> tuple[str, ...]:
    """The quoted texts and options of a question; they may stand in the code as they are."""
    quoted = ("".join(found) for found in (*_QUOTED.findall(text), *_TICKED.findall(text)))
    return _first([*quoted, *_OPTION.findall(text)], _MOST_LITERALS)


def keys_in(text: str) -> tuple[str, ...]:
    """The words of a question that may be keys of settings, such as `server.port`.

    A word with one dash, such as `keep-alive`, is one only if it is all that is asked.
    """
    keys = _KEY.findall(text)
    telling = [key for key in keys if "." in key or key.count("-") > 1 or key == text.strip()]
    return _first(telling, _MOST_LITERALS)


def fragments_of(message: str) -> Iterator[str]:
    """Return the constant parts of a message, in which values were put."""
    for part in _VALUE.split(message):
        text = part.strip(" .,:;!?=-'\"`")
        if sum(map(str.isalpha, text)) >= _LEAST_FRAGMENT_LETTERS and " " in text:
            yield text


def _kinds_of_lines(text: str) -> Iterator[tuple[bool, str]]:
    """The lines that say something, each with whether it is code or output."""
    is_fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif is_fenced:
            yield True, line
        elif prompt := _PROMPT.match(line):
            yield True, line[prompt.end() :]
        elif (_INDENTED.match(line) and not _LIST_ITEM.match(line)) or is_output(line):
            yield True, line
        elif line.strip() and not _CHECK_BOX.match(line) and not _is_version(line):
            yield False, line


def _first_error(text: str) -> str:
    """What a text says that is nothing but output: its last error."""
    return next((" ".join(error).strip() for error in find_errors(text)), "")


def _is_version(line: str) -> bool:
    return len(line) <= _VERSION_CHARACTERS and _VERSION.match(line) is not None


def _title_of(lines: list[tuple[bool, str]]) -> tuple[str, list[tuple[bool, str]]]:
    """The title, and the other lines without headings; a text that begins with code has none."""
    rest = [(is_code, line) for is_code, line in lines if is_code or not _HEADING.match(line)]
    if not lines or lines[0][0]:
        return "", rest
    first = lines[0][1]
    if not _HEADING.match(first):
        rest = rest[1:]
    title = _TAG.sub("", first.strip().strip("#*= ")) or first
    if len(title) <= _MAX_TITLE_CHARACTERS:
        return title, rest
    sentence = re.match(r".{20,}?[.!?](?=\s)", title)
    head = sentence[0] if sentence else title[:_MAX_TITLE_CHARACTERS].rpartition(" ")[0]
    return head, [(False, title.removeprefix(head)), *rest]


def _names_of(title: str, ticked: str, frames: Iterable[Frame], prose: str) -> Iterator[str]:
    yield from _code_like(title)
    yield from (name for name in _NAME.findall(ticked) if len(name) > 1)
    yield from (frame.function for frame in frames if frame.function)
    yield from _code_like(prose)


def _code_like(text: str) -> Iterator[str]:
    called = frozenset(_CALLED.findall(text))
    for name in _NAME.findall(text):
        if _CODE_LIKE.search(name) or name in called:
            yield name


def _literals_of(errors: Iterable[TraceError], title: str, prose: str, code: str) -> Iterator[str]:
    for error in errors:
        yield from fragments_of(error.message)
    for text in (title, prose, code):
        for found in ("".join(each) for each in _QUOTED.findall(text)):
            if sum(map(str.isalpha, found)) >= _LEAST_LITERAL_LETTERS:
                yield found
        yield from _OPTION.findall(text)


def _paths_of(text: str, frames: Iterable[Frame]) -> Iterator[str]:
    """The paths in a text, without those of frames."""
    framed = {frame.path for frame in frames}
    for found in (*_PATH.findall(text), *_FOLDER_PATH.findall(text)):
        path = found.replace("\\", "/")
        if path not in framed and not any(frame.endswith(f"/{path}") for frame in framed):
            yield path.removeprefix("./")


def _first(found: Iterable[str], count: int) -> tuple[str, ...]:
    """The first distinct texts that are long enough to say something."""
    stripped = (text.strip() for text in found)
    return tuple(dict.fromkeys(text for text in stripped if len(text) > 1))[:count]
