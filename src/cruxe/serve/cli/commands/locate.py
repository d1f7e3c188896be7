"""`cruxe locate NAME`: where a symbol is defined."""

from typing import TYPE_CHECKING

from cruxe.model.specs import MAX_LIMIT
from cruxe.model.symbols import OTHER_KIND_NAMES, SymbolKind, SymbolRole
from cruxe.serve.cli.command import (
    Command,
    ShapedArgs,
    add_other_name,
    add_question_options,
    add_shape_options,
    one_of,
    reason_lines,
    whole_number,
)
from cruxe.serve.cli.view import (
    Colour,
    Page,
    View,
    counted,
    harmless,
    left_out_by,
    staleness_remarks,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.result_parts import LocateResultItem
    from cruxe.contract.results import LocateSymbolResult
    from cruxe.serve.cli.session import Session

_TIERS = {
    "qualified": "qualified",
    "case_insensitive": "other case",
    "sub_word": "same words",
    "fuzzy": "similar",
}
_ALIKE = ("sub_word", "fuzzy")
# Longer locations do not widen the column.
_MAX_LOCATION_COLUMNS = 56


class LocateArgs(ShapedArgs):
    """The arguments of `locate`."""

    name: str
    kind: str | None
    role: str | None
    language: str | None
    limit: int | None
    cursor: str | None


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="a name, or the end of a qualified name")
    kinds = one_of(SymbolKind, OTHER_KIND_NAMES)
    parser.add_argument("--kind", type=kinds, help=f"one of {', '.join(SymbolKind)}")
    parser.add_argument("--role", type=one_of(SymbolRole), help=f"one of {', '.join(SymbolRole)}")
    parser.add_argument("--language", help="python, go, typescript, …")
    add_other_name(parser, "--lang", "language")
    parser.add_argument(
        "--limit",
        type=whole_number(1, MAX_LIMIT),
        metavar="N",
        help=f"how many to show at most: 1 to {MAX_LIMIT}; else search.default_limit, usually 10",
    )
    add_other_name(parser, "--top", "limit", whole_number(1, MAX_LIMIT))
    parser.add_argument("--cursor", help="where an earlier answer ended (its next_cursor)")
    add_shape_options(parser)
    add_question_options(parser)


def answer(args: LocateArgs, session: "Session") -> "LocateSymbolResult":
    """Find the definitions of the name."""
    return session.ask(
        args,
        lambda repository: repository.locate_symbol(
            args.name,
            kind=args.kind,
            role=args.role,
            language=args.language,
            ref=args.ref,
            limit=args.limit,
            cursor=args.cursor,
            detail_level=args.detail,
            compact=args.compact,
            ranking_explain_level=args.explain,
        ),
    )


def render(located: "LocateSymbolResult", view: View) -> Page:
    """Render per definition: location, kind, qualified name, match tier, signature.

    Below it come the optional parts: the first lines and the reasons for the rank.
    """
    results = located["results"]
    places = [f"{view.path(each['path'])}:{each['line_start']}" for each in results]
    widths = (
        min(max(map(len, places), default=0), _MAX_LOCATION_COLUMNS),
        max((len(each["kind"]) for each in results), default=0),
    )
    reasons = located["metadata"].get("ranking_reasons", [])
    lines: list[str] = []
    for number, result in enumerate(results):
        lines.append(_line(places[number], result, widths, view))
        body = result.get("body_preview", "")
        lines += [f"    {view.cut(harmless(text), 4)}" for text in body.splitlines()]
        if number < len(reasons):
            lines += reason_lines(reasons[number], view)
    return Page(lines, [*_remarks(located), *staleness_remarks(located["metadata"])])


def exit_code(located: "LocateSymbolResult") -> int:
    """Return 1 if nothing was found, as grep does."""
    return 0 if located["results"] else 1


def _line(place: str, located: "LocateResultItem", widths: tuple[int, int], view: View) -> str:
    kind = f"{located['kind']:{widths[1]}}"
    name = harmless(located.get("qualified_name", located["name"]))
    match = located.get("match", "")
    tier = f"  ({_TIERS[match]})" if match in _TIERS else ""
    padding = " " * max(0, widths[0] - len(place))
    used = len(f"{place}{padding}  {kind}  {name}{tier}  ")
    path, _, line = place.rpartition(":")
    return (
        f"{view.paint(Colour.PATH, path)}:{view.paint(Colour.LINE, line)}{padding}"
        f"  {view.paint(Colour.KIND, kind)}  {view.paint(Colour.NAME, name)}"
        f"{view.paint(Colour.DOUBTFUL, tier)}"
        f"  {view.paint(Colour.FAINT, view.cut(harmless(located.get('signature', '')), used))}"
    ).rstrip()


def _remarks(located: "LocateSymbolResult") -> list[str]:
    shown, total = len(located["results"]), located["total_candidates"]
    if not shown:
        return [_nothing_found(located)]
    best, rivals = next(iter(located["matches"].items()))
    remarks: list[str] = []
    if best in _ALIKE:
        remarks.append(f"no definition of that name in {located['metadata']['ref']}, but alike")
    if shown < total:
        remarks.append(f"{shown} of {counted(total, 'definition')} shown{_way_on(located)}")
    elif rivals > 1 and best not in _ALIKE:
        remarks.append(f"ambiguous: {rivals} definitions; a qualified name or --kind narrows it")
    return remarks


def _way_on(located: "LocateSymbolResult") -> str:
    """Return how to get the rest of the results, or "" if there is no next page."""
    following, total = located.get("next_cursor"), located["total_candidates"]
    if following is None:
        return ""
    is_full = located["metadata"].get("safety_limit_applied", False)  # the size limit was reached
    if not is_full and len(located["results"]) < MAX_LIMIT:
        return f"; --limit {min(total, MAX_LIMIT)} shows more"
    return f"; --cursor {following} shows more"


def _nothing_found(located: "LocateSymbolResult") -> str:
    left_out = located.get("filtered_out", {})
    where = f"in {located['metadata']['ref']}"
    if left_out:
        return f"no such definition {where}: {left_out_by(left_out)}"
    if (searched := located.get("searched")) is not None:
        return f"that name is in none of {counted(searched['files'], 'file')} {where}"
    return f"no definition of that name {where}"


COMMAND = Command(
    args=LocateArgs,
    declare=declare,
    answer=answer,
    render=render,
    exit_code=exit_code,
    has_plain_form=True,
    tool="locate_symbol",
)
