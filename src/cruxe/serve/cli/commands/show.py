"""`cruxe show SYMBOL`: the source of a symbol or of a range of lines."""

import os.path
from typing import TYPE_CHECKING

from cruxe.model.specs import MAX_TOKENS
from cruxe.serve.cli.command import Command, add_question_options, token_count
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

    from cruxe.contract.results import ReadSymbolResult
    from cruxe.serve.cli.session import Session

_EPILOG = """\
SYMBOL is a name, the end of a qualified name, a handle from another answer, a file, path:line for
the symbol around a line, or path:first-last. In a pipe nothing but the source is written.
"""


class ShowArgs(QueryArgs):
    """The arguments of `show`."""

    symbol: str
    max_tokens: int | None


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    parser.add_argument("symbol", metavar="SYMBOL", help="what to show")
    parser.add_argument(
        "--max-tokens",
        type=token_count,
        metavar="N",
        help="about so much at most; with --json usually 8,000, else all",
    )
    add_question_options(parser)


def answer(args: ShowArgs, session: "Session") -> "ReadSymbolResult":
    """Read the source."""
    symbol = _from_root(args.symbol, session)
    is_for_people = args.answer_format is None
    max_tokens = args.max_tokens or (MAX_TOKENS if is_for_people else None)
    return session.ask(
        args,
        lambda repository: repository.read_symbol(symbol, ref=args.ref, max_tokens=max_tokens),
    )


def render(shown: "ReadSymbolResult", view: View) -> Page:
    """Render the source; on a terminal add location, name and line numbers."""
    lines = [view.source(line) for line in shown["source"].split("\n")]
    if view.columns is not None:
        width = len(str(shown["line_start"] + len(lines) - 1))
        numbered = enumerate(lines, shown["line_start"])
        lines = [f"{view.paint(Colour.LINE, f'{n:>{width}}')}  {line}" for n, line in numbered]
        lines.insert(0, _head(shown, view))
    return Page(lines, [*_remarks(shown), *staleness_remarks(shown["metadata"])])


def _from_root(symbol: str, session: "Session") -> str:
    """Resolve a path, with its lines, against the workspace; return a symbol unchanged."""
    from cruxe.tools.read_symbol import path_place

    path, first, _ = path_place(symbol)
    named = places_around(session.repository.root).to_workspace(path)
    is_path = first is not None or os.path.isfile(named)
    return named + symbol[len(path) :] if is_path else symbol


def _head(shown: "ReadSymbolResult", view: View) -> str:
    place = view.paint(Colour.PATH, view.path(shown["path"]))
    lines = view.paint(Colour.LINE, f"{shown['line_start']}-{shown['line_end']}")
    kind = view.paint(Colour.KIND, shown.get("kind", ""))
    name = view.paint(Colour.NAME, harmless(shown.get("qualified_name", "")))
    return "  ".join(part for part in (f"{place}:{lines}", kind, name) if part)


def _remarks(shown: "ReadSymbolResult") -> list[str]:
    remarks: list[str] = []
    if shown.get("match") == "case_insensitive":
        remarks.append(f"{shown.get('qualified_name')} has that name in another case")
    if others := shown.get("passed_over", []):
        count = shown.get("total_passed_over", len(others))
        more = f" and {count - len(others)} more" if count > len(others) else ""
        remarks.append(f"passed over: {'; '.join(map(harmless, others))}{more}")
    if omitted := shown.get("omitted_lines", 0):
        remarks.append(f"{counted(omitted, 'line')} left out; --max-tokens shows more")
    return remarks


COMMAND = Command(
    args=ShowArgs,
    declare=declare,
    answer=answer,
    render=render,
    epilog=_EPILOG,
    has_plain_form=True,
    tool="read_symbol",
)
