"""Locations and error messages in tracebacks, compiler messages and test output.

One expression finds a path with a line number as all languages write it. It covers Python,
JavaScript, TypeScript, Go, Rust, Java, Kotlin, C#, Ruby, PHP, C and C++, and the output of pytest,
jest, go test, cargo and maven. No path is looked up here.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

# `a.py", line 3`, `a.ts:3:5`, `a.ts(3,5)`, `A.java:[3,5]`, `A.cs:line 3`, `a.php on line 3`.
_LOCATION: Final = re.compile(
    r"(?P<path>(?:\b[A-Za-z]:(?=[\\/]))?[\w@~+$.\-/\\<>]*[\w>]\.[A-Za-z]\w{0,5})"
    r"(?:['\"]?, line |:line |:\[|:|\(| on line )(?P<line>[0-9]{1,7})\b"
)
# What runs there: `in name` after a path, `at name (path…`, `name(…) in path`.
_FUNCTION_AFTER: Final = re.compile(r"[^\n]{0,12}?[, :](?:in|`|function) ['`]?([A-Za-z_][\w.:<>]*)")
_FUNCTION_BEFORE: Final = re.compile(
    r"(?:^|\s)(?:at|in|#\d+) (?:async )?([A-Za-z_$][\w$.:<>]*)[ (]"
)
# `at com.example.Outer$Inner.method(Outer.java:3)` has the folders in the name of the class.
_JVM_FRAME: Final = re.compile(
    r"\bat (?:[\w.@]+/)?(?P<package>[a-z_][\w.]*\.)?(?P<name>[A-Z$][\w$.<>]*)\("
    r"(?P<file>[\w$]+\.(?:java|kt|scala|groovy)):(?P<line>[0-9]{1,7})\)"
)
_ADDRESS: Final = re.compile(r"\b[a-z][a-z+]+://\S+")
_MOST_FRAMES: Final = 40
_TRACE_HEADS: Final = ("Traceback (most recent", "Exception in thread", "goroutine ", "panic: ")
_OUTPUT_CHARACTERS: Final = 300
_MOST_WORDS_BEFORE: Final = 4
_TRACE_WORDS: Final = frozenset(("at", "in", "file", "from", "#0", "#1", "#2", "thread", "-->"))

# How the names of errors end, and how many words may stand before one.
_ERROR_ENDS: Final = ("Error", "Exception", "Warning", "Fault", "Interrupt")
_MOST_WORDS_BEFORE_ERROR: Final = 5
_MOST_PARTS: Final = 3  # `Caused by: java.io.IOException: closed` has the name in the second
# What is longer is data, and would cost the expressions time that grows with its square.
_LINE_CHARACTERS: Final = 500
# `error: …`, `error[E0382]: …`, `a.c:3: fatal error: …`, `panic: …`, `panicked at '…'`.
_SAID_ERROR: Final = re.compile(
    r"(?:\b(?:fatal error|error|panic|fatal|ERROR)(?:\[\w+\]| [A-Z]+\d+)?: *"
    r"|panicked at ['\"]|PHP (?:Fatal|Parse) error: *)(?P<message>\S.*)$"
)


class Frame(NamedTuple):
    """A location in a traceback or message: a path as written, a line, what runs there."""

    path: str
    line: int
    function: str = ""


class TraceError(NamedTuple):
    """The name of an error, perhaps empty, and its message."""

    name: str
    message: str


def find_frames(text: str) -> tuple[Frame, ...]:
    """Return the locations in a text, the innermost first, each once."""
    frames = [frame for line in _short_lines(text) for frame in _frames_in(line)]
    if (
        'File "' in text
        or "most recent call last" in text
        or re.search(r"^E  ", text, re.MULTILINE)
    ):
        frames.reverse()  # Python writes the innermost last
    return tuple(dict.fromkeys(frames))[:_MOST_FRAMES]


def find_errors(text: str) -> tuple[TraceError, ...]:
    """Return the errors that a text reports, the last first: it is the one that ended the run."""
    found = [error for line in _short_lines(text) if (error := _error_in(line)) is not None]
    return tuple(dict.fromkeys(reversed(found)))


def is_output(line: str) -> bool:
    """Whether a line is a program's: the head of a traceback, or a location at its start."""
    start = _ADDRESS.sub(" ", line)[:_OUTPUT_CHARACTERS]
    found = _LOCATION.search(start) or _JVM_FRAME.search(start)
    return line.startswith(_TRACE_HEADS) or (found is not None and not _is_in_sentence(found))


def _is_in_sentence(found: re.Match[str]) -> bool:
    """Whether more than the words of a trace stand before a location."""
    before = found.string[: found.start()].split()
    return len(before) > _MOST_WORDS_BEFORE or (
        len(before) > 1 and before[0].lower() not in _TRACE_WORDS
    )


def _frames_in(line: str) -> Iterable[Frame]:
    if jvm := _JVM_FRAME.search(line):
        folders = (jvm["package"] or "").replace(".", "/")
        yield Frame(f"{folders}{jvm['file']}", int(jvm["line"]), jvm["name"].replace("$", "."))
        return
    # The port or version in an address looks like a line.
    line = _ADDRESS.sub(" ", line.replace("file://", " "))
    for found in _LOCATION.finditer(line):
        after = _FUNCTION_AFTER.match(line, found.end())
        before = _FUNCTION_BEFORE.search(line[: found.start()])
        function = after or before
        path = found["path"].replace("\\", "/")
        yield Frame(path, int(found["line"]), function[1].rstrip(".:") if function else "")


def _short_lines(text: str) -> list[str]:
    return [line[:_LINE_CHARACTERS] for line in text.split("\n")]


def _error_in(line: str) -> TraceError | None:
    rest = line.strip()
    for _ in range(_MOST_PARTS):
        head, colon, rest = rest.partition(": ")
        if name := _error_name(head, is_alone=not colon):
            return TraceError(name, _unwrapped(rest))
    if said := _SAID_ERROR.search(line.rstrip()):
        return TraceError("", _unwrapped(said["message"]))
    return None


def _error_name(head: str, *, is_alone: bool) -> str:
    """The name of an error at the end of a few words, such as `E   java.lang.XError [CODE]`."""
    words = [word for word in head.split() if not word.startswith("[")]
    if not 0 < len(words) <= (1 if is_alone else _MOST_WORDS_BEFORE_ERROR):
        return ""
    name = words[-1].rpartition(".")[2].rpartition(":")[2].removesuffix("()")
    return name if name.isidentifier() and name.endswith(_ERROR_ENDS) else ""


def _unwrapped(message: str) -> str:
    return message.strip().strip("'\"`")
