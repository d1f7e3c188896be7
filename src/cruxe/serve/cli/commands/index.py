"""`cruxe index`: index the working tree or another ref."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.command import Command, add_ref
from cruxe.serve.cli.semantic_lines import semantic_line
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Colour, Page, View, by_reason, harmless, seconds, table

if TYPE_CHECKING:
    from cruxe.contract.results import IndexCommandResult
    from cruxe.serve.cli.session import Session


class IndexArgs(GlobalArgs):
    """The arguments of `index`."""

    force: bool


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--force", action="store_true", help="build the index anew, whatever it holds"
    )
    add_ref(parser)


def answer(args: IndexArgs, session: "Session") -> "IndexCommandResult":
    """Index, retrying files that failed before, and return the size of the index."""
    problem = _fetch_model(session)
    synced = session.sync(force=args.force, retry_failed=True)
    status = session.repository.index_status(ref=args.ref)
    indexed: IndexCommandResult = {**synced}
    if "file_count" in status:
        indexed["file_count"] = status["file_count"]
    if "symbol_count" in status:
        indexed["symbol_count"] = status["symbol_count"]
    if "skipped" in status:
        indexed["skipped"] = status["skipped"]
    indexed["semantic"] = status["semantic"]
    if problem is not None:
        indexed["download_problem"] = problem
    return indexed


def _fetch_model(session: "Session") -> str | None:
    """Download the configured model if the settings allow it; return the error, if any."""
    semantic = session.repository.context.settings.semantic
    if not semantic.embedding.allow_download:
        return None
    from cruxe.embed import EmbeddingUnavailableError
    from cruxe.embed.models import fetch_wanted_model

    try:
        fetch_wanted_model(semantic)
    except EmbeddingUnavailableError as error:
        return str(error)
    return None


def render(indexed: "IndexCommandResult", view: View) -> Page:
    """Render what was indexed and the size of the index."""
    ref = view.paint(Colour.NAME, harmless(indexed["metadata"]["ref"]))
    rows = {
        "files": f"{indexed.get('file_count', 0):,} ({_what_changed(indexed)})",
        "symbols": f"{indexed.get('symbol_count', 0):,}",
        "skipped": by_reason(indexed.get("skipped", {})),
    }
    title = f"indexed {ref} in {seconds(indexed['duration_ms'])}"
    return Page([title, *table(rows, view)], _semantic_remarks(indexed, view))


def _semantic_remarks(indexed: "IndexCommandResult", view: View) -> list[str]:
    """Return why there are no vectors although the settings ask for them."""
    remarks: list[str] = []
    if "download_problem" in indexed:
        remarks.append(f"the model was not downloaded: {harmless(indexed['download_problem'])}")
    report = indexed.get("semantic")
    if report is not None and ("problem" in report or report.get("vectors") == "missing"):
        remarks.append(f"semantic search: {semantic_line(report, view)}")
    return remarks


def _what_changed(indexed: "IndexCommandResult") -> str:
    told = [f"{indexed['changed_files']:,} read", f"{indexed['indexed_files']:,} parsed"]
    if indexed["removed_files"]:
        told.append(f"{indexed['removed_files']:,} removed")
    return ", ".join(told)


COMMAND = Command(args=IndexArgs, declare=declare, answer=answer, render=render)
