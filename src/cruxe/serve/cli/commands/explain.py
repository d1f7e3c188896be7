"""`cruxe explain QUERY PATH:LINE`: the rank of a line for a query, why, and what beat it."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.model.errors import InvalidInputError
from cruxe.serve.cli.command import Command, add_other_name, add_question_options
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
    from cruxe.contract.ranking_parts import BeatenBy, ExplainedRegion
    from cruxe.contract.results import ExplainRankingResult
    from cruxe.serve.cli.session import Session

_SIGNALS_TOLD = 4
_EPILOG = """\
The numbers of the signals add up to the score. Of what beat the line, the signals that made the
difference are told, the greatest first; what speaks for the line itself has a minus.
"""


class ExplainArgs(QueryArgs):
    """The arguments of `explain`."""

    query: str
    place: str
    language: str | None
    path: str | None
    kind: str | None
    role: str | None


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("query", metavar="QUERY", help="the query, as `cruxe search` takes it")
    parser.add_argument("place", metavar="PATH:LINE", help="a line of a file")
    parser.add_argument("--language", help="as the search was given it")
    add_other_name(parser, "--lang", "language")
    parser.add_argument("--path", metavar="GLOB", help="as the search was given it")
    parser.add_argument("--kind", help="as the search was given it")
    parser.add_argument("--role", help="as the search was given it")
    add_question_options(parser)


def answer(args: ExplainArgs, session: "Session") -> "ExplainRankingResult":
    """Explain the rank."""
    from cruxe.tools.read_symbol import path_place

    path, line, _ = path_place(args.place)
    if line is None:
        raise InvalidInputError(
            f"{args.place!r} names no line",
            remedy="give a place as PATH:LINE, as `cruxe search` prints it",
            data={"field": "result_line_start"},
        )
    named = places_around(session.repository.root).to_workspace(path)
    return session.ask(
        args,
        lambda repository: repository.explain_ranking(
            args.query,
            named,
            line,
            ref=args.ref,
            language=args.language,
            kind=args.kind,
            role=args.role,
            path=args.path,
        ),
    )


def render(explained: "ExplainRankingResult", view: View) -> Page:
    """Render the rank, each contribution with its meaning, then the results ranked above."""
    scoring = explained.get("scoring")
    if scoring is None:
        told = harmless(explained.get("explanation", ""))
        return Page([f"not ranked: {told}"], staleness_remarks(explained["metadata"]))
    meanings = explained.get("scoring_details", {})
    lines = [_place(explained["result"], view), f"  {_rank(explained)}"]
    width = max((len(each["signal"]) for each in scoring["signal_accounting"]), default=0)
    for each in scoring["signal_accounting"]:
        signal = f"{each['signal']:{width}}"
        meaning = view.paint(Colour.FAINT, meanings.get(f"{each['signal']}_reason", ""))
        lines.append(f"  {each['effective']:+.3f}  {signal}  {meaning}".rstrip())
    lines.append(f"  {scoring['total']:+.3f}  = score")
    for rival in explained.get("beaten_by", []):
        lines += _rival(rival, view)
    return Page(lines, staleness_remarks(explained["metadata"]))


def exit_code(explained: "ExplainRankingResult") -> int:
    """Return 1 if the line does not rank, as grep does for no match."""
    return 0 if "scoring" in explained else 1


def _place(place: "ExplainedRegion", view: View) -> str:
    path = view.paint(Colour.PATH, view.path(place["path"]))
    line = view.paint(Colour.LINE, str(place["line_start"]))
    what = " ".join(filter(None, (place.get("kind"), place.get("qualified_name"))))
    return f"{path}:{line}  {view.paint(Colour.NAME, harmless(what))}".rstrip()


def _rank(explained: "ExplainRankingResult") -> str:
    total = counted(explained["total_candidates"], "candidate")
    if original := explained.get("duplicate_of"):
        return f"a copy, told with {harmless(original)}; {total}"
    place = explained.get("rank", explained.get("candidate_rank", 0))
    return f"rank {place} of {total}"


def _rival(rival: "BeatenBy", view: View) -> list[str]:
    head = f"beaten by {rival['rank']}. {_place(rival, view)}"
    told = "  ".join(
        f"{each['signal']} {each['difference']:+.3f}" for each in rival["signals"][:_SIGNALS_TOLD]
    )
    more = len(rival["signals"]) - _SIGNALS_TOLD
    rest = f"  and {more} more" if more > 0 else ""
    return [head, view.paint(Colour.FAINT, f"    {rival['ahead_by']:+.3f}: {told}{rest}")]


COMMAND = Command(
    args=ExplainArgs,
    declare=declare,
    answer=answer,
    render=render,
    exit_code=exit_code,
    epilog=_EPILOG,
    tool="explain_ranking",
)
