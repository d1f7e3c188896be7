"""Flag text that may be a prompt injection; the text itself is never changed.

Finds wording that commands the reader, markup that imitates another speaker, and invisible
characters. A repository that works with language models has such wording for good reasons: a flag
reports what was found and on which line, not that it is malicious. A prompt that only assigns a
role ("You are a helpful assistant") is not flagged.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from cruxe.text.patterns import ByteSearch

_LINES_AT_ONCE: Final = 1_000
_REACH: Final = 160  # how far a wording may extend from its needle, in either direction


class AddressedFlag(StrEnum):
    """How a text addresses its reader."""

    OVERRIDES_INSTRUCTIONS = "overrides_instructions"  # ignore all that was said before
    ADDRESSES_AGENTS = "addresses_agents"  # if you are an AI, ...
    ASKS_SECRECY = "asks_secrecy"  # do not mention this to the user
    ASKS_DISCLOSURE = "asks_disclosure"  # send the credentials to ...
    SPEAKER_MARKUP = "speaker_markup"  # marks that start another speaker's turn
    TOOL_MARKUP = "tool_markup"  # marks of a call that was never made
    HIDDEN_TEXT = "hidden_text"  # tag characters, runs of zero-width characters
    REORDERED_TEXT = "reordered_text"  # directional overrides: displayed in another order


class Addressed(NamedTuple):
    """A flag and the 0-based line of the text on which it starts."""

    flag: AddressedFlag
    line_offset: int


class _Wording(NamedTuple):
    """An expression for lower-case text, with needles of which every match contains one."""

    flag: AddressedFlag
    needles: tuple[str, ...]
    expression: Callable[[], re.Pattern[str]]  # compiled when a needle is found


def flag_addressed(text: str) -> tuple[Addressed, ...]:
    """Return the flags of a text in the order of its lines, each at most once a line."""
    lowered = text.lower()  # may be longer than the text, but has the same lines
    plain = lowered if text.isascii() else _plain(lowered)
    lines = set(_on_lines(plain, [*_worded(plain), *_marked(plain)]))
    if "\n" in plain:
        lines |= set(_split_over_lines(plain))
    if not text.isascii():
        lines |= set(_on_lines(lowered, _unseen(lowered)))
    return tuple(Addressed(flag, line) for line, flag in sorted(lines))


def _plain(lowered: str) -> str:
    """Return the text as a model reads it: without look-alike letters and unseen characters."""
    seen = _unseen_characters().sub("", lowered)
    return unicodedata.normalize("NFKC", seen).lower()


def _on_lines(
    text: str, found: Iterable[tuple[int, AddressedFlag]]
) -> Iterator[tuple[int, AddressedFlag]]:
    """Yield the line of each flag in place of its position."""
    starts: list[int] = []
    for position, flag in found:
        starts = starts or [0, *(match.end() for match in re.finditer("\n", text))]
        yield bisect_right(starts, position) - 1, flag


def _split_over_lines(plain: str) -> Iterator[tuple[int, AddressedFlag]]:
    """Yield the lines of wordings that go on behind a line end and marks of comments."""
    places = [place for each in _SPLIT_NEEDLES for place in _positions(plain, each)]
    for start, end in _surroundings(sorted(places)):
        first = plain.count("\n", 0, start)
        for line, flag in _in_joined_lines(plain[start:end]):
            yield first + line, flag


def _in_joined_lines(window: str) -> Iterator[tuple[int, AddressedFlag]]:
    """Yield the wordings of a few lines that are put together, each with the line it starts on."""
    parts: list[str] = []
    ends: list[int] = []  # of the lines in what is put together, each with a space behind it
    length = position = 0
    for match in _line_seam().finditer(window):
        parts += (window[position : match.start()], " ")
        length += match.start() - position + 1
        ends += [length] * match[0].count("\n")
        position = match.end()
    joined = "".join((*parts, window[position:]))
    for place, flag in _worded(joined):
        yield bisect_right(ends, place), flag


def flagged_lines(lines: Sequence[str]) -> dict[int, tuple[AddressedFlag, ...]]:
    """Return the flags of lines that are judged one by one, by index; the others have none."""
    found = dict[int, tuple[AddressedFlag, ...]]()
    # A wide character widens all that it is joined with.
    for first in range(0, len(lines), _LINES_AT_ONCE):
        for index in sorted(_cued_among(lines[first : first + _LINES_AT_ONCE])):
            if flags := flag_addressed(lines[first + index]):
                found[first + index] = tuple(each.flag for each in flags)
    return found


def _cued_among(lines: Sequence[str]) -> set[int]:
    joined = "\n".join(lines)
    cued = {*_cued_lines(joined)}
    return cued if joined.isascii() else cued | {*_cued_lines(_plain(joined.lower()))}


def _cued_lines(text: str) -> Iterator[int]:
    """Yield the indexes of the lines that may be flagged."""
    joined, find = text.encode("utf-8", "surrogatepass"), _cue()
    index, counted, place = 0, 0, find(joined)
    while place >= 0:
        index += joined.count(b"\n", counted, place)
        yield index
        counted = joined.find(b"\n", place)
        place = find(joined, counted) if counted >= 0 else -1


@cache
def _cue() -> "ByteSearch":
    """Return a search for what every flagged line contains, in one pass over many lines."""
    from cruxe.text.patterns import byte_search

    needles = "|".join(map(re.escape, _needles()))
    markup = r"<(?:\||<sys>>|system|(?:\w{1,10}:)?(?:function_|tool_|invoke))|(?:human|user):"
    markup = rf"{markup}|</?(?:important|hidden|secret|agent|assistant)[>_-]"
    unseen = "\u200b-\u200d\u202d\u202e\u2060-\u2068\ufeff\ufe00-\ufe0f\U000e0000-\U000e01ff"
    return byte_search(rf"(?i:{needles}|{markup}|\[inst\])|[{unseen}]")


def _worded(lowered: str) -> Iterator[tuple[int, AddressedFlag]]:
    positions = {each: list(_positions(lowered, each)) for each in _needles() if each in lowered}
    if not positions:  # the common case
        return
    for wording in _wordings():
        around = sorted(at for each in wording.needles for at in positions.get(each, ()))
        for start, end in _surroundings(around):
            for match in wording.expression().finditer(lowered, start, end):
                yield match.start(), wording.flag


def _surroundings(positions: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans around positions, merged if they overlap; nothing is searched twice."""
    start, end = 0, -1
    for position in positions:
        if position - _REACH > end:
            if end >= 0:
                yield start, end
            start = max(0, position - _REACH)
        end = position + _REACH
    if end >= 0:
        yield start, end


def _positions(lowered: str, needle: str) -> Iterator[int]:
    position = lowered.find(needle)
    while position >= 0:
        yield position
        position = lowered.find(needle, position + len(needle))


def _marked(lowered: str) -> Iterator[tuple[int, AddressedFlag]]:
    for flag, needles, expression in _markups():
        if all(needle in lowered for needle in needles):
            for match in expression.finditer(lowered):
                yield match.start(), flag


def _unseen(lowered: str) -> Iterator[tuple[int, AddressedFlag]]:
    data = lowered.encode("utf-8", "surrogatepass")
    if not any(expression.search(data) for expression in _unseen_bytes()):
        return
    for match in _hidden().finditer(lowered):
        if match["hidden"]:
            yield match.start(), AddressedFlag.HIDDEN_TEXT
    for match in _directions().finditer(lowered):
        start = lowered.rfind("\n", 0, match.start()) + 1
        if _is_reordered(lowered[start : match.end()]):
            yield match.start(), AddressedFlag.REORDERED_TEXT


def _is_reordered(line: str) -> bool:
    """Return whether a line is displayed in another order than it is read.

    In right-to-left text, as in translations, direction marks are legitimate. An isolate that is
    closed on its line changes nothing outside itself.
    """
    opened = sum(map(line.count, "\u2066\u2067\u2068"))
    is_changed = "\u202d" in line or "\u202e" in line or opened > line.count("\u2069")
    return is_changed and not _leftward().search(line)


# Between two words of a sentence: a space, or a line end and the next line's comment marks.
_GAP: Final = r"[\s#*/>;|\"'`,.:!()-]{1,12}"
_SOME_WORDS: Final = rf"(?:{_GAP}[\w']{{1,20}}){{0,4}}?"
_AGENT: Final = (
    r"(?:ai|llm|large language model|language model|chat ?bot|(?:ai|llm|coding|code|automated) "
    r"(?:agent|assistant|model|tool|reviewer|reader)|claude(?: code)?|chatgpt|gpt(?:-?\d\w?)?|"
    r"(?:github )?copilot)s?"
)
_ATTACK: Final = (
    "(?:run|execute|delete|remove|send|upload|download|curl|ignore|reveal|install|push)"
)
_ACTION: Final = (
    f"(?:{_ATTACK}|print|output|call|read|open|write|commit|stop|follow|include|use|do)"
)


@cache
def _wordings() -> tuple[_Wording, ...]:
    agents = (" ai", "llm", "language model", "assistant", "agent", "claude", "gpt", "copilot")
    return (
        _Wording(
            AddressedFlag.OVERRIDES_INSTRUCTIONS,
            ("instructions", "guidelines", "system prompt"),
            _overrides,
        ),
        _Wording(AddressedFlag.OVERRIDES_INSTRUCTIONS, _FOREIGN_NEEDLES, _overrides_elsewhere),
        _Wording(AddressedFlag.ADDRESSES_AGENTS, agents, _addresses),
        _Wording(AddressedFlag.ASKS_SECRECY, ("the user", "the human"), _asks_secrecy),
        _Wording(AddressedFlag.ASKS_DISCLOSURE, (" to http",), _sends_away),
        _Wording(AddressedFlag.ASKS_DISCLOSURE, ("instructions", "system prompt"), _tells_its_own),
    )


@cache
def _needles() -> tuple[str, ...]:
    return tuple(dict.fromkeys(needle for each in _wordings() for needle in each.needles))


@cache
def _overrides() -> re.Pattern[str]:
    earlier = "previous|prior|above|earlier|preceding|foregoing|initial|original|your"
    few = rf"(?:{_GAP}\w{{1,20}}){{0,2}}?{_GAP}"
    ignore = "(?:ignore|disregard|forget|do not follow|don't follow|stop following)"
    ignored = rf"(?:{earlier}|safety|system){few}(?:instructions|prompts?|guidelines|training)"
    # Settings legitimately override prompts, so `override` alone is not enough.
    overridden = rf"override{_SOME_WORDS}{_GAP}(?:{earlier}){few}instructions"
    return re.compile(rf"\b(?:{ignore}{_SOME_WORDS}{_GAP}{ignored}|{overridden})\b")


# Stems of "instructions" in German, French, Spanish, Italian, Portuguese, Russian, Dutch, Polish,
# Chinese, Japanese and Korean.
_FOREIGN_NEEDLES: Final = (
    *("anweisung", "instru", "istruzion", "инструкци", "указани"),
    *("指令", "指示", "지시", "说明"),
)


@cache
def _overrides_elsewhere() -> re.Pattern[str]:
    gap = rf"(?:{_GAP}[\w']{{1,20}}){{0,4}}?{_GAP}"
    before = "vorherig|vorig|bisherig|obig|früher"
    earlier = r"(?:предыдущ|прежн|прошл)\w{0,3}"
    alternatives = (
        rf"\b(?:ignorier|missacht|vergiss|vergess)\w{{0,4}}{gap}(?:{before})\w{{0,3}}{gap}anweisung",
        rf"\b(?:ignore[zs]?|oublie[zs]?){gap}instructions{gap}(?:précédent|antérieur|ci-dessus)",
        rf"\b(?:ignor[ae]|olvida|omite)\w{{0,2}}{gap}instrucciones{gap}(?:anterior|previa)",
        rf"\b(?:ignora|dimentica)\w{{0,3}}{gap}istruzioni{gap}(?:precedent|anterior)",
        rf"\b(?:ignor[ae]|esqueça)\w{{0,2}}{gap}instruções{gap}(?:anterior|prévia)",
        rf"\b(?:про)?(?:игнорируй|забудь)\w{{0,3}}{gap}{earlier}{gap}(?:инструкци|указани)",
        rf"\bnegeer{gap}(?:vorige|eerdere|bovenstaande){gap}instructie",
        rf"\b(?:zignoruj|ignoruj){gap}(?:poprzedni|wcześniejsz)\w{{0,3}}{gap}instrukcj",
        r"(?:忽略|无视|忘记|忽視|無視)[^\n。]{0,12}(?:之前|以上|先前|前面|所有)[^\n。]{0,8}(?:指令|指示|说明)",
        r"(?:以前|これまで|上記|前)の[^\n。]{0,8}指示[^\n。]{0,8}(?:無視|忘れ)",
        r"이전[^\n.]{0,8}지시[^\n.]{0,8}무시",
    )
    return re.compile("|".join(alternatives))


@cache
def _addresses() -> re.Pattern[str]:
    few = r"(?:\w{1,20} ){0,2}?"
    reader = rf"you(?:'re| are) (?:an?|the) {few}{_AGENT}\b"
    politely = r"(?:please |now |first |you must (?:now )?){0,2}"
    headed = "(?:note|attention|instructions?|reminder|warning|notice|dear|hey)"
    reads = "(?:reading|processing|parsing|analy[sz]ing|reviewing|viewing|seeing)"
    program = "(?:ai|llm|coding) (?:agent|assistant|model|tool|reviewer)s?"
    how = "(?: not| never| always| first| immediately)?"
    alternatives = (
        rf"(?:if|when|since|because)\W{{1,4}}{reader}",
        rf"you are now (?:an? |the |in )?{few}(?:{_AGENT}|dan|root|unrestricted)\b",
        rf"{reader}[^\n.,;:!]{{0,40}}[.,;:!]{_GAP}{politely}{_ATTACK}\b",
        rf"{headed}(?: to| for)?(?: all| any| the| every)? {_AGENT}\s{{0,2}}(?:[:,!\n-]|$)",
        rf"{_AGENT} {reads} this\b",
        rf"{program} (?:must|shall|are required to){how} {_ACTION}\b",
        rf"(?:dear|hey|hello|attention),? (?:{few}{_AGENT}|(?:assistant|agent|model)s?)\s?[,:!]",
        rf"(?:assistant|agent|{_AGENT})[,:] (?:please |you must |now ){{1,2}}{_ACTION}\b",
    )
    return re.compile(rf"\b(?:{'|'.join(alternatives)})")


@cache
def _asks_secrecy() -> re.Pattern[str]:
    verb = "(?:tell|mention|reveal|disclos|inform)(?:e|ing|ling)?"
    hide = f"(?:do not|don't|never|without|avoid) {verb}"
    matter = r"(?:this|these|any of (?:this|these)|what you|that you|your)"
    whom = r"the (?:user|human)"
    told = rf"{whom}(?: \w{{1,10}}){{0,2}}? {matter}"
    return re.compile(rf"\b{hide} (?:{matter}{_SOME_WORDS}{_GAP}to {whom}|{told})\b")


@cache
def _sends_away() -> re.Pattern[str]:
    send = r"(?:send|post|upload|exfiltrate|leak|forward|e-?mail|transmit|submit|curl)"
    matter = (
        r"(?:environment variables|env vars?|api keys?|credentials|secrets|ssh keys?|private keys?|"
        r"access tokens?|passwords|\.env(?: files?)?|conversation|chat history|system prompt)"
    )
    return re.compile(rf"\b{send}{_SOME_WORDS}{_GAP}{matter}{_SOME_WORDS} to https?://")


@cache
def _tells_its_own() -> re.Pattern[str]:
    tell = r"(?:reveal|print|output|repeat|show|disclose|leak|display|reproduce)"
    own = r"your (?:system prompt|(?:initial |system |full |hidden )?instructions)"
    return re.compile(rf"\b{tell}(?: me| us)?(?: all| all of)? {own}\b")


@cache
def _markups() -> tuple[tuple[AddressedFlag, tuple[str, ...], re.Pattern[str]], ...]:
    """Return the expressions with what a match has; each starts with a letter of its own."""
    turn = r"\|(?:im_start|im_end|system|user|assistant|start_header_id|eot_id|begin_of_text)\|>"
    own = "system[-_](?:reminder|prompt|message|instructions?)"
    told = "(?:important|hidden|secret|agent|assistant)[-_]instructions?"
    command = (
        r"(?:you|ignore|important|do not|don't|always|never|the user|please|from now|new|before|"
        r"when|if|read|run)\b"
    )
    named = rf"(?:(?:{own}|{told})>|important>\W{{0,20}}{command})"
    called = (
        r"""(?:function_calls|function_results|tool_calls?|tool_use|tool_result|tool_response)>"""
    )
    invoked = r"""invoke name=["'][\w.:-]{1,64}["']>"""
    turns = r"[^\n]{1,400}\n(?:[^\w\n]{0,8}\n){0,2}[^\w\n]{0,8}assistant: "
    answered = r"### ?(?:instruction|system)s?:\s[^#]{1,600}### ?(?:response|assistant):"
    speaker, tool = AddressedFlag.SPEAKER_MARKUP, AddressedFlag.TOOL_MARKUP
    of_system = rf"<(?:{turn}|<sys>>|{named}|system>\W{{0,20}}{command})"
    return (
        (speaker, ("<",), re.compile(of_system)),
        (speaker, ("[inst]",), re.compile(r"\[inst\]")),
        (speaker, ("human: ", "assistant: "), re.compile(rf"human: {turns}")),
        (speaker, ("user: ", "assistant: "), re.compile(rf"user: {turns}")),
        (speaker, ("### response:",), re.compile(answered)),
        (tool, ("<",), re.compile(rf"<(?:\w{{1,10}}:)?(?:{called}|{invoked})")),
    )


# One of these is in every wording that may be split; texts without any are not put together.
_SPLIT_NEEDLES: Final = (
    *("mention", "disclos", "reveal", "environment variable", "api key", "are\n", "an ai\n"),
    *("coding\n", "dear\n", "system\n"),
)


@cache
def _line_seam() -> re.Pattern[str]:
    """Match a line end with the spaces around it and the marks of a comment behind it."""
    return re.compile(r"[ \t]{0,200}\n[ \t]{0,200}(?:(?:#|//|\*|;|--|>|\|)[ \t]{0,8}){0,3}")


@cache
def _unseen_characters() -> re.Pattern[str]:
    return re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@cache
def _unseen_bytes() -> tuple[re.Pattern[bytes], ...]:
    """Return expressions for invisible characters in UTF-8 bytes, where the search is fast."""
    sources = (
        rb"\xf3\xa0",  # tag characters, variation selectors
        rb"\xe2(?:\x80[\x8b-\x8d\xad\xae]|\x81[\xa0-\xa8])",  # zero-width and direction characters
        rb"\xef(?:\xbb\xbf|\xb8[\x80-\x8f])\xef",  # byte order marks, variation selectors
    )
    return tuple(re.compile(source) for source in sources)


@cache
def _hidden() -> re.Pattern[str]:
    tags = "[\U000e0001\U000e0020-\U000e007f]"
    # Flags of regions (Scotland, Wales) are a black flag followed by tag characters.
    flag_of_a_region = "\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f"
    no_width = "[\u200b-\u200d\u2060-\u2064\ufeff]{4,}"
    selectors = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"
    return re.compile(f"{flag_of_a_region}|(?P<hidden>{tags}+|{no_width}|{selectors})")


@cache
def _directions() -> re.Pattern[str]:
    """Match from the first direction mark on a line to the line's end."""
    return re.compile("[\u202d\u202e\u2066-\u2068][^\n]*+")


@cache
def _leftward() -> re.Pattern[str]:
    return re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
