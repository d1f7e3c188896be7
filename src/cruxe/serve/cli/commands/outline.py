"""`cruxe outline PATH`: the symbols of a file, nested."""

from typing import TYPE_CHECKING

from cruxe.serve.cli.command import Command, add_question_options, one_of
from cruxe.serve.cli.session import QueryArgs
from cruxe.serve.cli.view import (
    Colour,
    Page,
    View,
    counted,
    harmless,
    places_around,
    staleness_remarks,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from cruxe.contract.result_parts import OutlineSymbol
    from cruxe.contract.results import GetFileOutlineResult
    from cruxe.serve.cli.session import Session

_INDENT = "  "
_EVERYTHING = 1 << 40  # bytes, so no limit: a person can scroll


class OutlineArgs(QueryArgs):
    """The arguments of `outline`."""

    path: str
    depth: str


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="a file, from here or from the root")
    parser.add_argument(
        "--depth",
        type=one_of(("top", "all")),
        default="all",
        metavar="top|all",
        help="the outermost symbols only, or all",
    )
    add_question_options(parser)


def answer(args: OutlineArgs, session: "Session") -> "GetFileOutlineResult":
    """Return the outline of the file."""
    path = places_around(session.repository.root).to_workspace(args.path)
    max_bytes = _EVERYTHING if args.answer_format is None else None
    return session.ask(
        args,
        lambda repository: repository.get_file_outline(
            path,
            depth=args.depth,
            ref=args.ref,
            max_bytes=max_bytes,
            answer_format=args.answer_format,
        ),
    )


def render(outline: "GetFileOutlineResult", view: View) -> Page:
    """Render the file, then per symbol: lines, kind, and the signature indented by depth."""
    flat = list(_flatten(outline["symbols"]))
    ranges = [_line_range(symbol) for symbol, _ in flat]
    widths = (
        max(map(len, ranges), default=0),
        max((len(symbol["kind"]) for symbol, _ in flat), default=0),
    )
    lines = [_header(outline, view)]
    for (symbol, depth), line_range in zip(flat, ranges, strict=True):
        lines.append(_line(symbol, depth, (line_range, widths), view))
    return Page(lines, staleness_remarks(outline["metadata"]))


def _flatten(symbols: "list[OutlineSymbol]") -> "Iterator[tuple[OutlineSymbol, int]]":
    """Yield symbols in pre-order with depth; iterative, since nesting depth is unbounded."""
    waiting = [(symbol, 0) for symbol in reversed(symbols)]
    while waiting:
        symbol, depth = waiting.pop()
        yield symbol, depth
        waiting.extend((child, depth + 1) for child in reversed(symbol.get("children", [])))


def _header(outline: "GetFileOutlineResult", view: View) -> str:
    path = view.paint(Colour.PATH, view.path(outline["file_path"]))
    skipped = outline.get("skip_reason")
    if skipped is not None:
        reason = f"not indexed: {skipped.replace('_', ' ')}"
        return f"{path}  {view.paint(Colour.DOUBTFUL, reason)}"
    told = [outline["language"] or "text", counted(outline["metadata"]["symbol_count"], "symbol")]
    return f"{path}  {view.paint(Colour.FAINT, ', '.join(told))}"


def _line_range(symbol: "OutlineSymbol") -> str:
    start, end = symbol["line_start"], symbol["line_end"]
    return str(start) if start == end else f"{start}-{end}"


def _line(
    symbol: "OutlineSymbol", depth: int, placing: tuple[str, tuple[int, int]], view: View
) -> str:
    line_range, (range_width, kind_width) = placing
    lead = f"{line_range:>{range_width}}"
    kind = f"{symbol['kind']:{kind_width}}"
    used = len(f"{lead}  {kind}  ") + depth * len(_INDENT)
    text = view.cut(harmless(symbol.get("signature") or symbol["name"]), used)
    return (
        f"{view.paint(Colour.LINE, lead)}  {view.paint(Colour.KIND, kind)}"
        f"  {_INDENT * depth}{_with_name_marked(text, harmless(symbol['name']), view)}"
    )


def _with_name_marked(text: str, name: str, view: View) -> str:
    before, found, after = text.partition(name)
    return f"{before}{view.paint(Colour.NAME, found)}{after}" if found else text


COMMAND = Command(
    args=OutlineArgs,
    declare=declare,
    answer=answer,
    render=render,
    has_plain_form=True,
    tool="get_file_outline",
)
