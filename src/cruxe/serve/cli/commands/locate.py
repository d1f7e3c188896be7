"""`cruxe locate NAME`: where a symbol is defined."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, cast

from cruxe.model.symbols import SymbolKind, SymbolRole
from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import (
    Command,
    QueryArgs,
    add_question_options,
    one_of,
    whole_number,
)
from cruxe.serve.cli.view import Page, View, counted, staleness_remarks

if TYPE_CHECKING:
    from cruxe.serve.cli.answers import LocateAnswer, Located
    from cruxe.serve.cli.session import Session
    from cruxe.serve.dispatch import Answer

_TIERS = {"qualified": "qualified", "case_insensitive": "other case"}
# A longer location is not worth pushing all others to the right.
_MAX_LOCATION_COLUMNS = 56
_MAX_LIMIT = 100  # the engine's


class LocateArgs(QueryArgs):
    """The arguments of `locate`."""

    name: str
    kind: str | None
    role: str | None
    language: str | None
    limit: int


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="a name, or the end of a qualified name")
    parser.add_argument("--kind", type=one_of(SymbolKind), help=f"one of {', '.join(SymbolKind)}")
    parser.add_argument("--role", type=one_of(SymbolRole), help=f"one of {', '.join(SymbolRole)}")
    parser.add_argument("--language", help="python, go, typescript, …")
    parser.add_argument(
        "--limit",
        type=whole_number(1, _MAX_LIMIT),
        default=10,
        metavar="N",
        help=f"how many to show at most: 1 to {_MAX_LIMIT}, usually 10",
    )
    add_question_options(parser)


def answer(args: LocateArgs, session: "Session") -> "Answer":
    """Find the definitions."""
    return session.ask(
        args,
        lambda repository: repository.locate_symbol(
            args.name,
            kind=args.kind,
            role=args.role,
            language=args.language,
            ref=args.ref,
            limit=args.limit,
        ),
    )


def render(answer: "Answer", view: View) -> Page:
    """One line a definition: place, kind, qualified name, how it matches, signature."""
    located = cast("LocateAnswer", answer)
    results = located["results"]
    places = [f"{view.path(each['path'])}:{each['line_start']}" for each in results]
    widths = (
        min(max(map(len, places), default=0), _MAX_LOCATION_COLUMNS),
        max((len(each["kind"]) for each in results), default=0),
    )
    lines = [_line(*pair, widths, view) for pair in zip(places, results, strict=True)]
    return Page(lines, [*_remarks(located), *staleness_remarks(answer)])


def exit_code(answer: "Answer") -> int:
    """As grep has it: nothing found is not success."""
    return 0 if answer["results"] else 1


def _line(place: str, located: "Located", widths: tuple[int, int], view: View) -> str:
    kind = f"{located['kind']:{widths[1]}}"
    name = harmless(located["qualified_name"])
    tier = f"  ({_TIERS[located['match']]})" if located["match"] in _TIERS else ""
    padding = " " * max(0, widths[0] - len(place))
    used = len(f"{place}{padding}  {kind}  {name}{tier}  ")
    path, _, line = place.rpartition(":")
    return (
        f"{view.paint(Colour.PATH, path)}:{view.paint(Colour.LINE, line)}{padding}"
        f"  {view.paint(Colour.KIND, kind)}  {view.paint(Colour.NAME, name)}"
        f"{view.paint(Colour.DOUBTFUL, tier)}"
        f"  {view.paint(Colour.FAINT, view.cut(harmless(located.get('signature', '')), used))}"
    ).rstrip()


def _remarks(located: "LocateAnswer") -> list[str]:
    shown, total = len(located["results"]), located["total_candidates"]
    if not shown:
        return [_nothing_found(located)]
    if shown < total:
        wider = f"; --limit {min(total, _MAX_LIMIT)} shows more" if shown < _MAX_LIMIT else ""
        return [f"{shown} of {counted(total, 'definition')} shown{wider}"]
    best = located["results"][0]["match"]
    rivals = [each for each in located["results"] if each["match"] == best]
    if len(rivals) > 1:
        return [f"ambiguous: {len(rivals)} definitions; a qualified name or --kind narrows it"]
    return []


def _nothing_found(located: "LocateAnswer") -> str:
    left_out = located.get("filtered_out", 0)
    where = f"in {located['metadata']['ref']}"
    if left_out:
        return f"no such definition {where}: the filters leave out all {left_out} of that name"
    return f"no definition of that name {where}"


COMMAND = Command(LocateArgs, declare, answer, render, exit_code)
