"""What an answer shows of files, compared with the files: lines, signatures, outlines, places.

An entry is all that an answer says of one place in one file. It is right where the file had a text,
at some time of the call, in which everything that the entry says holds together.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, cast

Answer = Mapping[str, object]
Lines = Sequence[str]
Texts = Callable[[str], Sequence[Lines]]  # all that a path may have said during a call

# A line cut at either end, or a secret that was taken out of it.
_ALTERED: Final = re.compile(r"^…| ?…$|\[REDACTED(?::\w+)?\]")
_MORE: Final = "\n…"
# Files whose definitions are told in the words that they are written in.
_HEADS_AS_WRITTEN: Final = ".py"
_DECORATED_LINES: Final = 60  # a name is looked for so far below a decorator


class Rule(StrEnum):
    """How a text stands in some lines."""

    EXACT = "exact"  # they are these, from the first one on
    AMONG = "among"  # each of these is one of them, in this order
    HEAD = "head"  # a definition that begins in the first one, or is decorated there
    BEFORE = "before"  # a definition that begins in one of them, or above
    NAME = "name"  # a name that is defined in the first one


class Claim(NamedTuple):
    """A text that an answer says stands in some lines of a file; lines count from one."""

    rule: Rule
    first: int
    last: int
    text: str


class Entry(NamedTuple):
    """What an answer says of one place."""

    path: str
    claims: tuple[Claim, ...]

    @property
    def is_exact(self) -> bool:
        """Whether whole lines are told with their numbers."""
        return any(claim.rule is Rule.EXACT and claim.text.strip() for claim in self.claims)


def wrong_entries(entries: Sequence[Entry], texts: Texts) -> list[Entry]:
    """The entries that no text of their file agrees with."""
    return [
        entry
        for entry in entries
        if not any(_all_hold(entry, lines) for lines in texts(entry.path))
    ]


def entries_of(tool: str, answer: Answer) -> list[Entry]:
    """Everything that a tool's answer says of files."""
    match tool:
        case "get_file_outline":
            claims = tuple(_outline_claims(_members(answer, "symbols")))
            return [Entry(str(answer["file_path"]), claims)] if claims else []
        case "read_symbol":
            return [_source_entry(answer)] if "source" in answer else []
        case "search_text":
            return [_match_entry(each) for each in _members(answer, "results")]
        case "locate_symbol":
            return [_located_entry(each) for each in _members(answer, "results")]
        case "search_code":
            return [_hit_entry(each) for each in _members(answer, "results")]
        case _:
            return []


def _members(answer: Answer, key: str) -> list[Answer]:
    return cast("list[Answer]", answer.get(key, []))


def _outline_claims(symbols: list[Answer]) -> Iterator[Claim]:
    for symbol in symbols:
        yield Claim(Rule.HEAD, *_span(symbol), str(symbol["signature"]))
        yield from _outline_claims(_members(symbol, "children"))


def _source_entry(answer: Answer) -> Entry:
    first, last = _span(answer)
    source = str(answer["source"])
    claims = [Claim(Rule.EXACT, first, last - _number(answer.get("omitted_lines", 0)), source)]
    claims += _neighbour_claims(answer)
    return Entry(str(answer["path"]), tuple(claims))


def _match_entry(result: Answer) -> Entry:
    line = _number(result["line"])
    before, after = (cast("list[str]", result.get(side, [])) for side in ("before", "after"))
    shown = [*before, str(result["text"]), *after]
    first = line - len(before)
    claim = Claim(Rule.EXACT, first, first + len(shown) - 1, "\n".join(shown))
    return Entry(str(result["path"]), (claim,))


def _located_entry(result: Answer) -> Entry:
    rule = Rule.HEAD if "signature" in result else Rule.BEFORE
    head = Claim(rule, *_span(result), str(result.get("signature", result["name"])))
    return Entry(str(result["path"]), (head, *_context_claims(result)))


def _hit_entry(result: Answer) -> Entry:
    # A later part of a long definition is told with the head of all of it.
    head = str(result.get("signature", result.get("name", "")))
    claim = Claim(Rule.BEFORE, *_span(result), head)
    return Entry(str(result["path"]), (claim, *_context_claims(result)))


def _context_claims(result: Answer) -> Iterator[Claim]:
    first, last = _span(result)
    if "snippet" in result:
        yield Claim(Rule.AMONG, first, last, str(result["snippet"]))
    if "body_preview" in result:
        yield Claim(Rule.EXACT, first, last, str(result["body_preview"]).removesuffix(_MORE))
    yield from _neighbour_claims(result)


def _neighbour_claims(result: Answer) -> Iterator[Claim]:
    parent = cast("list[Answer]", [result["parent"]] if "parent" in result else [])
    for each in (*parent, *_members(result, "related_symbols")):
        line = _number(each["line"])
        yield Claim(Rule.NAME, line, line + _DECORATED_LINES, str(each["name"]))


def _span(said: Answer) -> tuple[int, int]:
    return _number(said["line_start"]), _number(said["line_end"])


def _number(value: object) -> int:
    assert isinstance(value, int), value
    return value


def _all_hold(entry: Entry, lines: Lines) -> bool:
    has_heads = entry.path.endswith(_HEADS_AS_WRITTEN)
    return all(
        _holds(claim, lines)
        for claim in entry.claims
        if has_heads or claim.rule in (Rule.EXACT, Rule.AMONG)
    )


def _holds(claim: Claim, lines: Lines) -> bool:
    within = lines[claim.first - 1 : claim.last]
    if not within:
        return False
    match claim.rule:
        case Rule.EXACT:
            shown = claim.text.split("\n")
            return len(shown) <= len(within) and all(map(_is_line, within, shown))
        case Rule.AMONG:
            return _stand_among(claim.text.split("\n"), within)
        case Rule.HEAD:
            return _has_head(claim.text, within, begins_at_once=not _is_decorated(within))
        case Rule.BEFORE:
            return _has_head(claim.text, lines[: claim.last], begins_at_once=False)
        case Rule.NAME:
            reach = len(within) if _is_decorated(within) else 1
            return any(claim.text in line for line in within[:reach])


def _is_line(line: str, shown: str) -> bool:
    if shown == line:
        return True
    pieces = _ALTERED.split(shown)
    pattern = ".*".join(map(re.escape, pieces))
    return len(pieces) > 1 and re.fullmatch(pattern, line) is not None


def _stand_among(shown: list[str], within: Lines) -> bool:
    """Whether lines come in this order; a single one may be told without its indentation."""
    remaining = iter(within)
    is_there = all(any(_is_line(line, each) for line in remaining) for each in shown)
    return is_there or (
        len(shown) == 1 and any(_is_line(line.strip(), shown[0]) for line in within)
    )


def _has_head(head: str, within: Lines, *, begins_at_once: bool) -> bool:
    """Whether a definition's head stands there, but for white space, comments and last commas."""
    told = _squeezed(_ALTERED.split(head)[0])  # up to where it was cut or lost a secret
    starts = range(1 if begins_at_once else len(within))
    return any(_reads(told, within[start:]) for start in starts)


def _reads(head: str, within: Lines) -> bool:
    """Whether a head begins in the first of some lines; any comment may be left out of it."""
    ends = {(place, 0) for place in range(len(_squeezed(within[0])))}
    for line in within:
        read: set[tuple[int, int]] = set()  # how far line and head are read
        for place, end in ends:
            for text in _readings(line, place, head[end:]):
                if text.startswith(head[end:]):
                    return True
                if head.startswith(text, end) and (text or not place):
                    read.add((0, end + len(text)))
        ends = read
    return False


def _readings(line: str, place: int, head: str) -> Iterator[str]:
    """What may be told of a line; a comma at its end is left out before a closing bracket."""
    for text in (_squeezed(line)[place:], _without_comment(line)[place:]):
        yield text
        if text.endswith(",") and head[len(text) - 1 : len(text)] in (")", "]"):
            yield text[:-1]


def _is_decorated(within: Lines) -> bool:
    return within[0].lstrip().startswith("@")


def _without_comment(line: str) -> str:
    return _squeezed(line.partition("#")[0])


def _squeezed(text: str) -> str:
    return "".join(text.split())
