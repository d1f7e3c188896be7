"""`cruxe search QUERY`: search the code, best results first."""

from typing import TYPE_CHECKING

from cruxe.model.errors import Reader
from cruxe.model.levels import AnswerFormat
from cruxe.model.specs import MAX_LIMIT
from cruxe.serve.cli.command import (
    Command,
    ShapedArgs,
    add_other_name,
    add_question_options,
    add_shape_options,
    reason_lines,
    share,
    whole_number,
)
from cruxe.serve.cli.view import (
    Colour,
    Page,
    View,
    by_reason,
    counted,
    harmless,
    left_out_by,
    staleness_remarks,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.result_parts import SearchResultItem
    from cruxe.contract.results import SearchCodeResult
    from cruxe.serve.cli.session import Session

_EPILOG = """\
A query is words, a question, a name, a path or an error message. Quotes ask for the very text,
a leading minus leaves a word out, and AND, OR, NOT with parentheses mean what they say.
"""


class SearchArgs(ShapedArgs):
    """The arguments of `search`."""

    query: list[str]
    limit: int | None
    cursor: str | None
    language: str | None
    path: str | None
    kind: str | None
    role: str | None
    semantic_ratio: float | None


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    parser.add_argument("query", metavar="QUERY", nargs="*", help="what to look for")
    parser.add_argument(
        "--limit",
        type=whole_number(1, MAX_LIMIT),
        metavar="N",
        help=f"how many to show at most: 1 to {MAX_LIMIT}; else search.default_limit, usually 10",
    )
    add_other_name(parser, "--top", "limit", whole_number(1, MAX_LIMIT))
    parser.add_argument("--cursor", help="where an earlier answer ended (its next_cursor)")
    parser.add_argument("--language", help="python, go, typescript, …")
    add_other_name(parser, "--lang", "language")
    parser.add_argument("--path", metavar="GLOB", help="a glob, or a part of the path")
    parser.add_argument("--kind", help="function, class, …")
    parser.add_argument("--role", help="callable, type, value, namespace or alias")
    parser.add_argument(
        "--semantic-ratio",
        type=share,
        metavar="R",
        help="the most that meaning may give of a score: 0 to 1; 0 looks at words alone",
    )
    add_shape_options(parser)
    add_question_options(parser)


def answer(args: SearchArgs, session: "Session") -> "SearchCodeResult":
    """Run the search."""
    return session.ask(
        args,
        lambda repository: repository.search_code(
            " ".join(args.query),
            ref=args.ref,
            limit=args.limit,
            cursor=args.cursor,
            language=args.language,
            kind=args.kind,
            role=args.role,
            path=args.path,
            detail_level=args.detail,
            compact=args.compact,
            ranking_explain_level=args.explain,
            semantic_ratio=args.semantic_ratio,
            # For programs only; people and agents read the list.
            group_by="file" if args.answer_format is AnswerFormat.JSON else None,
        ),
    )


def render(found: "SearchCodeResult", view: View) -> Page:
    """Render per result its location and symbol, then the line that matches."""
    reasons = found["metadata"].get("ranking_reasons", [])
    lines: list[str] = []
    for number, result in enumerate(found["results"]):
        lines.append(_head(result, view))
        lines += [f"    {view.cut(harmless(text), 4)}" for text in _texts(result)]
        if number < len(reasons):
            lines += reason_lines(reasons[number], view)
    return Page(lines, [*_remarks(found), *staleness_remarks(found["metadata"])])


def exit_code(found: "SearchCodeResult") -> int:
    """Return 1 if nothing was found, as grep does."""
    return 0 if found["results"] else 1


def _head(result: "SearchResultItem", view: View) -> str:
    place = f"{view.paint(Colour.PATH, view.path(result['path']))}"
    line = view.paint(Colour.LINE, str(result["line_start"]))
    what = " ".join(
        filter(None, (result.get("kind"), result.get("qualified_name", result.get("name"))))
    )
    score = view.paint(Colour.FAINT, f"{result['score']:.2f}")
    return f"{place}:{line}  {score}  {view.paint(Colour.NAME, harmless(what))}".rstrip()


def _texts(result: "SearchResultItem") -> list[str]:
    text = result.get("body_preview") or result.get("snippet") or result.get("signature") or ""
    return text.splitlines()


def _remarks(found: "SearchCodeResult") -> list[str]:
    shown, total = len(found["results"]), found["total_candidates"]
    if not shown:
        return [_nothing_found(found)]
    remarks: list[str] = []
    if shown < total:
        remarks.append(f"{shown} of {counted(total, 'candidate')} shown")
    if found["metadata"].get("low_confidence"):
        remarks.append(_doubt(found))
    return remarks


def _doubt(found: "SearchCodeResult") -> str:
    """Return why the answer is not confident, or what to do about it."""
    metadata = found["metadata"]
    if unknown := metadata.get("unknown_terms"):
        names = harmless(", ".join(unknown))
        return f"not a confident answer: {names} not found in {metadata['ref']}"
    action = metadata.get("suggested_action")
    return "not a confident answer" + (f"; {_in_commands(action)}" if action else "")


def _in_commands(action: str) -> str:
    from cruxe.respond.text_form.wording import Wording

    return Wording(Reader.PERSON).sentence(action)


def _nothing_found(found: "SearchCodeResult") -> str:
    """Return the reason why nothing was found, as far as it is known."""
    where = f"nothing found in {found['metadata']['ref']}"
    match found.get("empty_reason"):
        case "filtered_out":
            return f"{where}: {left_out_by(found.get('filtered_out', {}))}"
        case "language_not_parsed":
            return f"{where}: {', '.join(found.get('languages', []))} is not parsed"
        case "not_proven":
            return f"{where} before the time was up"
        case "confirmed_absent":
            return f"{where}: {_searched(found)}"
        case _:
            return where


def _searched(found: "SearchCodeResult") -> str:
    searched = found.get("searched")
    if searched is None:
        return "in no file"
    skipped = f"; skipped {by_reason(searched['skipped'])}" if searched["skipped"] else ""
    return f"in none of {counted(searched['files'], 'file')}, in any case{skipped}"


COMMAND = Command(
    args=SearchArgs,
    declare=declare,
    answer=answer,
    render=render,
    exit_code=exit_code,
    epilog=_EPILOG,
    has_plain_form=True,
    tool="search_code",
)
