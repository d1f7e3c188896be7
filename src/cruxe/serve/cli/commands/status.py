"""`cruxe status`: what is indexed and how fresh it is. It never syncs."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.command import Command, add_ref
from cruxe.serve.cli.semantic_lines import advice_line, semantic_line
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import (
    Colour,
    Page,
    View,
    ago,
    by_reason,
    counted,
    harmless,
    seconds,
    table,
)

if TYPE_CHECKING:
    from cruxe.contract.report_parts import JobReport, LanguageReport
    from cruxe.contract.results import IndexStatusResult
    from cruxe.serve.cli.session import Session

_SHORT_COMMIT = 12
_WORKS = {"full": "full index", "incremental": "update", "collect": "collection"}


class StatusArgs(GlobalArgs):
    """The arguments of `status`."""

    languages: bool = False


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_ref(parser)
    parser.add_argument(
        "--languages", action="store_true", help="tell how deep each language is read"
    )


def answer(args: StatusArgs, session: "Session") -> "IndexStatusResult":
    """Return the status of the index."""
    return session.repository.index_status(ref=args.ref, languages=args.languages)


def render(status: "IndexStatusResult", view: View) -> Page:
    """Render one fact per line."""
    rows = {
        "ref": view.paint(Colour.NAME, harmless(status["ref"])),
        "index": _index_line(status, view),
        **_numbers(status, view),
        **_semantics(status, view),
        **_jobs(status, view),
    }
    root = view.paint(Colour.PATH, harmless(status["repo_root"]))
    return Page([root, *table(rows, view), *_languages(status.get("languages", []), view)])


def _index_line(status: "IndexStatusResult", view: View) -> str:
    match status["index_status"]:
        case "ready" if status["metadata"]["freshness_status"] == "fresh":
            return view.paint(Colour.GOOD, "up to date")
        case "ready":
            return view.paint(
                Colour.DOUBTFUL, "behind the files; `cruxe sync` brings it up to date"
            )
        case "not_indexed":
            return view.paint(Colour.DOUBTFUL, "none yet; `cruxe index` makes one")
        case _:
            reason = harmless(status.get("compatibility_reason", "cannot be used"))
            is_synced = status.get("suggested_next_actions") == [{"tool": "sync_repo"}]
            hint = (
                "`cruxe sync` repairs it" if is_synced else "`cruxe index --force` builds it anew"
            )
            return view.paint(Colour.BAD, f"{reason}; {hint}")


def _numbers(status: "IndexStatusResult", view: View) -> dict[str, str]:
    if "generation" not in status:
        return {}
    return {
        "files": f"{status.get('file_count', 0):,}",
        "symbols": f"{status.get('symbol_count', 0):,}",
        "skipped": by_reason(status.get("skipped", {})),
        "indexed": _when(status, view),
        "generation": str(status["generation"]),
    }


def _semantics(status: "IndexStatusResult", view: View) -> dict[str, str]:
    if "generation" not in status:
        return {}
    rows = {"semantic": semantic_line(status["semantic"], view)}
    if "semantic_profile_recommendation" in status:
        rows["advice"] = advice_line(status["semantic_profile_recommendation"])
    return rows


def _when(status: "IndexStatusResult", view: View) -> str:
    when = ago(status.get("last_indexed_at_ns", 0), view.now_ns)
    commit = status.get("last_indexed_commit")
    return f"{when}, at commit {commit[:_SHORT_COMMIT]}" if commit else when


def _jobs(status: "IndexStatusResult", view: View) -> dict[str, str]:
    rows: dict[str, str] = {}
    if "active_job" in status:
        job = status["active_job"]
        progress = f"{job['files_indexed']:,} of {counted(job['files_total'], 'file')}"
        started = ago(job["created_at_ns"], view.now_ns)
        rows["running"] = f"{_title(job)}, {progress}, process {job['pid']}, started {started}"
    ended = [job for job in status.get("recent_jobs", []) if job["status"] != "running"]
    if ended:
        rows["last job"] = _ended(ended[0], view)
    if "interrupted_recovery_report" in status:
        report = status["interrupted_recovery_report"]
        runs = counted(report["interrupted_jobs"], "run")
        told = f"{runs} did not end; {report['recommended_action']}"
        rows["interrupted"] = view.paint(Colour.DOUBTFUL, told)
    return rows


def _title(job: "JobReport") -> str:
    return f"{_WORKS.get(job['mode'], job['mode'])} of {harmless(job['ref'])}"


def _ended(job: "JobReport", view: View) -> str:
    colour = Colour.GOOD if job["status"] == "published" else Colour.BAD
    took = seconds(job["duration_ms"])
    when = ago(job["updated_at_ns"], view.now_ns)
    told = f"{view.paint(colour, job['status'])} {when}: {_title(job)}"
    told += f", {counted(job['files_indexed'], 'file')} in {took}"
    error = job.get("error_message")
    return f"{told}; {harmless(error)}" if error else told


def _languages(languages: "list[LanguageReport]", view: View) -> list[str]:
    """Render one line per language with what is extracted from its files."""
    if not languages:
        return []
    head = ["language", "files", *languages[0]["capabilities"]]
    rows = [_language_cells(line) for line in languages]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in [head, *rows]]
    return ["", view.paint(Colour.FAINT, lines[0]), *lines[1:]]


def _language_cells(line: "LanguageReport") -> list[str]:
    finds = ["yes" if is_found else "-" for is_found in line["capabilities"].values()]
    return [line["language"], f"{line['file_count']:,}", *finds]


COMMAND = Command(args=StatusArgs, declare=declare, answer=answer, render=render)
