"""`cruxe text PATTERN`: every line that contains a text, in grep's format."""

from itertools import chain
from typing import TYPE_CHECKING

from cruxe.model.outcomes import CaseRule, FileMatches, LineContext, TextSpec, UnsearchedReason
from cruxe.model.specs import MAX_LIMIT
from cruxe.serve.cli.command import Command, add_other_name, add_question_options, whole_number
from cruxe.serve.cli.session import QueryArgs
from cruxe.serve.cli.view import Colour, Page, View, by_reason, counted, staleness_remarks
from cruxe.tools.checked_requests import checked_filters

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from cruxe.contract.result_parts import TextMatch
    from cruxe.contract.results import SearchTextLines, SearchTextResult
    from cruxe.serve.cli.session import Session

    TextAnswer = SearchTextLines | SearchTextResult

_PAGE = 50  # in the forms for agents
_MAX_CONTEXT = 10  # the engine's
_EPILOG = """\
A pattern without capitals matches letters of either case; one with a capital means it. A regular
expression (--regex) is RE2's with Unicode's classes and matches within lines. Without --limit all
lines are shown; with --json the first 50, and next_cursor leads on. All texts are searched, also
generated ones; secret, ignored and binary files are not. If not all could be searched or shown, the
exit code is 1.
"""


class TextArgs(QueryArgs):
    """The arguments of `text`."""

    pattern: str
    regex: bool
    ignore_case: bool
    case_sensitive: bool
    path: str | None
    language: str | None
    limit: int | None
    cursor: str | None
    context: int


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    parser.add_argument("pattern", metavar="PATTERN", help="a text, taken literally")
    parser.add_argument(
        "-e", "--regex", action="store_true", help="the pattern is a regular expression"
    )
    parser.add_argument("-i", "--ignore-case", action="store_true", help="capitals mean nothing")
    parser.add_argument("-s", "--case-sensitive", action="store_true", help="case always counts")
    parser.add_argument("--path", metavar="GLOB", help="a glob, or a part of the path")
    parser.add_argument("--language", help="python, go, typescript, …")
    add_other_name(parser, "--lang", "language")
    parser.add_argument(
        "--limit",
        type=whole_number(1, MAX_LIMIT),
        metavar="N",
        help=f"how many to show at most: 1 to {MAX_LIMIT}, usually all",
    )
    add_other_name(parser, "--top", "limit", whole_number(1, MAX_LIMIT))
    parser.add_argument("--cursor", help="where an earlier answer ended (its next_cursor)")
    parser.add_argument(
        "--context",
        type=whole_number(0, _MAX_CONTEXT),
        default=0,
        metavar="N",
        help=f"so many lines around each: 0 to {_MAX_CONTEXT}",
    )
    add_question_options(parser)


def answer(args: TextArgs, session: "Session") -> "TextAnswer":
    """Run the search."""
    case = CaseRule.SENSITIVE if args.case_sensitive else CaseRule.SMART
    case = CaseRule.INSENSITIVE if args.ignore_case else case
    if args.limit is None and args.answer_format is None:
        spec = TextSpec(
            pattern=args.pattern,
            is_regex=args.regex,
            case=case,
            filters=checked_filters(language=args.language, path=args.path),
            limit=None,
            context_lines=args.context,
        )
        return session.ask(
            args,
            lambda repository: repository.search_text_lines(spec, ref=args.ref, cursor=args.cursor),
        )
    return session.ask(
        args,
        lambda repository: repository.search_text(
            args.pattern,
            regex=args.regex,
            case=case,
            ref=args.ref,
            path=args.path,
            language=args.language,
            limit=args.limit or _PAGE,
            cursor=args.cursor,
            context_lines=args.context,
        ),
    )


def render(found: "TextAnswer", view: View) -> Page:
    """Render matches as `path:line:text` and context lines as `path-line-text`."""
    files = found["files"] if "files" in found else _by_file(found["results"])
    if any(before or after for file in files for before, after in file.context or ()):
        lines = list(_with_context(files, view))
    else:
        lines = [line for file in files for line in _lines(file, view)]
    return Page(lines, [*_remarks(found), *staleness_remarks(found["metadata"])])


def exit_code(found: "TextAnswer") -> int:
    """Return 1 if nothing was found, as grep does, or if not everything was searched or shown."""
    is_whole = found["metadata"].get("result_completeness") != "partial" and not _is_capped(found)
    return 0 if _shown(found) and is_whole else 1


def _by_file(results: "list[TextMatch]") -> list[FileMatches]:
    files: dict[str, list[TextMatch]] = {}
    for each in results:
        files.setdefault(each["path"], []).append(each)
    return [
        FileMatches(
            path=path,
            numbers=[each["line"] for each in matches],
            columns=[each["column"] for each in matches],
            texts=[each["text"] for each in matches],
            context=[
                LineContext(each.get("before", []), each.get("after", [])) for each in matches
            ],
        )
        for path, matches in files.items()
    ]


def _with_context(files: list[FileMatches], view: View) -> "Iterator[str]":
    """Yield each line once, even if several matches share it, and `--` between separate groups."""
    shown: dict[tuple[str, int], tuple[str, str]] = {}
    for path, numbers, _, texts, contexts in files:
        for line, text, context in zip(numbers, texts, contexts or (), strict=True):
            for number, near in _numbered(line, context):
                shown.setdefault((path, number), (near, "-"))
            shown[path, line] = text, ":"
    last = None
    for (path, number), (text, mark) in sorted(shown.items()):
        if last not in (None, (path, number - 1)):
            yield view.paint(Colour.FAINT, "--")
        yield _line(path, number, text, view, mark)
        last = path, number


def _numbered(line: int, context: LineContext) -> "Iterator[tuple[int, str]]":
    """Return the lines around a line, each with its number."""
    before, after = context
    return chain(enumerate(before, line - len(before)), enumerate(after, line + 1))


def _lines(file: FileMatches, view: View) -> list[str]:
    numbered = zip(file.numbers, file.texts, strict=True)
    if view.columns is None and not view.palette.is_on:
        # In a pipe there may be a hundred thousand lines, and nothing is painted, cut or escaped.
        place = view.path(file.path)
        return [f"{place}:{number}:{text}" for number, text in numbered]
    return [_line(file.path, number, text, view) for number, text in numbered]


def _line(path: str, number: int, text: str, view: View, mark: str = ":") -> str:
    place = view.path(path)
    used = len(f"{place}{mark}{number}{mark}")
    return (
        f"{view.paint(Colour.PATH, place)}{view.paint(Colour.FAINT, mark)}"
        f"{view.paint(Colour.LINE, str(number))}{view.paint(Colour.FAINT, mark)}"
        f"{view.cut(view.source(text), used)}"
    )


def _shown(found: "TextAnswer") -> int:
    if "files" in found:
        return sum(len(file.numbers) for file in found["files"])
    return len(found["results"])


def _remarks(found: "TextAnswer") -> list[str]:
    shown, total = _shown(found), found["total_matches"]
    remarks = [] if total else [_nothing_found(found)]
    if shown < total:
        files = counted(found["total_files"], "file")
        remarks.append(f"{shown:,} of {counted(total, 'line')} in {files} shown")
    if _is_capped(found):
        cursor = found.get("next_cursor", "")
        remarks.append(f"that is the most at once; --cursor {cursor} shows more")
    skipped = found["searched"]["skipped"]
    if left := {each.value: skipped[each] for each in UnsearchedReason if each in skipped}:
        remarks.append(f"not all files were searched: {by_reason(left)}")
    return remarks


def _is_capped(found: "TextAnswer") -> bool:
    """Return whether the command itself, not a limit or a page, left out lines."""
    return MAX_LIMIT < _shown(found) < found["total_matches"]


def _nothing_found(found: "TextAnswer") -> str:
    where = f"in {found['metadata']['ref']}"
    reason = found.get("empty_reason")
    if reason == "filtered_out":
        left_out = counted(found.get("filtered_out", 0), "line")
        return f"nothing found {where}: the filters leave out {left_out}"
    if reason == "not_proven":
        return f"nothing found {where} before the time was up"
    searched = found["searched"]
    skipped = f"; skipped {by_reason(searched['skipped'])}" if searched["skipped"] else ""
    files = counted(searched["files"], "file")
    return f"nothing found {where} ({found['case'].replace('_', ' ')}): {files} searched{skipped}"


COMMAND = Command(
    args=TextArgs,
    declare=declare,
    answer=answer,
    render=render,
    exit_code=exit_code,
    epilog=_EPILOG,
    has_plain_form=True,
    tool="search_text",
)
