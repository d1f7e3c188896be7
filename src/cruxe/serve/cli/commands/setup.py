"""`cruxe setup CLIENT`: register the MCP server with a coding client, or remove it again."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Final

from cruxe.serve.cli.command import Command, one_of
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Colour, Page, View, harmless

if TYPE_CHECKING:
    from cruxe.contract.report_parts import SetupFile
    from cruxe.contract.results import SetupResult
    from cruxe.serve.cli.session import Session
    from cruxe.setup.file_changes import Change
    from cruxe.setup.registration import Registration

_COLOURS: Final = {"kept": Colour.DOUBTFUL, "unchanged": Colour.FAINT, "absent": Colour.FAINT}
_DIFF_COLOURS: Final = {"+": Colour.GOOD, "-": Colour.BAD, "@": Colour.KIND}
_LONGEST_STATUS: Final = len("unchanged")


class SetupArgs(GlobalArgs):
    """The arguments of `setup`."""

    client: str
    scope: str = "user"
    dry_run: bool = False
    uninstall: bool = False
    force: bool = False
    command: str | None = None


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    from cruxe.setup.clients import CLIENTS, Scope

    parser.add_argument(
        "client", metavar="CLIENT", type=one_of(CLIENTS), help=f"one of {', '.join(CLIENTS)}"
    )
    parser.add_argument(
        "--scope",
        type=one_of(Scope),
        metavar="SCOPE",
        help="user: for you in all projects (default); project: in files of this repository",
    )
    parser.add_argument("--uninstall", action="store_true", help="take out what setup wrote")
    parser.add_argument("--dry-run", action="store_true", help="show the changes, write nothing")
    parser.add_argument(
        "--force",
        action="store_true",
        help="also replace or take out what someone else wrote under the same name",
    )
    parser.add_argument(
        "--command",
        metavar="PATH",
        help="the command to register instead of this one, such as cruxe in a shared project",
    )


def answer(args: SetupArgs, _: "Session") -> "SetupResult":
    """Change the client's files, or only report the changes in a dry run."""
    from cruxe.setup.clients import Scope
    from cruxe.setup.registration import Request, register, surroundings_here

    scope = Scope(args.scope)
    request = Request(
        client=args.client,
        scope=scope,
        uninstall=args.uninstall,
        dry_run=args.dry_run,
        force=args.force,
        command=args.command,
    )
    done = register(request, surroundings_here(_project(args) if scope is Scope.PROJECT else ""))
    return {
        "client": args.client,
        "scope": scope.value,
        "action": "uninstall" if args.uninstall else "install",
        "dry_run": args.dry_run,
        "command": [done.launch.command, *done.launch.args],
        "files": [_file(change, with_diff=args.dry_run) for change in done.changes],
        "notes": _notes(args, done),
    }


def render(done: "SetupResult", view: View) -> Page:
    """Render one line per file; a dry run adds the diffs."""
    lines = [line for file in done["files"] for line in _file_lines(file, view)]
    diffs = [line for file in done["files"] for line in file.get("diff", "").splitlines()]
    if diffs:
        lines += ["", *(_diff_line(line, view) for line in diffs)]
    return Page(lines, done["notes"])


def exit_code(done: "SetupResult") -> int:
    """Return 1 if a requested change was not made."""
    return int(any(file["status"] == "kept" for file in done["files"]))


def _project(args: SetupArgs) -> str:
    from cruxe.workspace.context import find_workspace

    return find_workspace(args.directory).root


def _file(change: "Change", *, with_diff: bool) -> "SetupFile":
    file: SetupFile = {
        "path": change.item.path,
        "kind": change.item.kind.value,
        "status": change.status.value,
    }
    if change.reason:
        file["reason"] = change.reason
    if change.remedy:
        file["remedy"] = change.remedy
    if with_diff and change.writes:
        file["diff"] = _diff(change)
    return file


def _diff(change: "Change") -> str:
    from difflib import unified_diff

    before, after = (
        (text or "").splitlines(keepends=True) for text in (change.before, change.after)
    )
    names = (
        "/dev/null" if change.before is None else change.item.path,
        "/dev/null" if change.after is None else change.item.path,
    )
    lines = unified_diff(before, after, *names)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _notes(args: SetupArgs, done: "Registration") -> list[str]:
    """Return hints on next steps, or none if nothing changed."""
    from cruxe.setup.file_changes import Status

    has_written = any(change.writes for change in done.changes)
    if args.dry_run:
        return ["this was a dry run: nothing was written" if has_written else "nothing to do"]
    if args.uninstall:
        is_absent = all(change.status is Status.ABSENT for change in done.changes)
        return [f"nothing of Cruxe was set up for {done.client.title} here"] if is_absent else []
    return _notes_on_install(args, done) if has_written else []


def _notes_on_install(args: SetupArgs, done: "Registration") -> list[str]:
    from cruxe.setup.clients import Scope
    from cruxe.setup.launch import is_fleeting

    command = done.launch.command
    notes = [done.client.next_step[Scope(args.scope)]]
    if is_fleeting(command):
        notes.append(
            f"{command} lies in a cache that may be emptied; install Cruxe to stay, with"
            " `uv tool install cruxe` or `pipx install cruxe`, and run this again"
        )
    elif args.scope == Scope.PROJECT and args.command is None:
        notes.append(
            f"{command} is a path of this machine; where others share these files,"
            " `--command cruxe` writes the name alone"
        )
    return notes


def _file_lines(file: "SetupFile", view: View) -> list[str]:
    colour = _COLOURS.get(file["status"], Colour.GOOD)
    status = view.paint(colour, f"{file['status']:{_LONGEST_STATUS}}")
    path = view.paint(Colour.PATH, harmless(file["path"]))
    lines = [f"{status}  {path} ({file['kind']})"]
    indent = " " * (_LONGEST_STATUS + 2)
    if "reason" in file:
        lines.append(f"{indent}{harmless(file['reason'])}")
    if "remedy" in file:
        lines.append(f"{indent}{view.paint(Colour.GOOD, 'try:')} {harmless(file['remedy'])}")
    return lines


def _diff_line(line: str, view: View) -> str:
    colour = _DIFF_COLOURS.get(line[:1])
    return view.source(line) if colour is None else view.paint(colour, view.source(line))


COMMAND = Command(
    args=SetupArgs, declare=declare, answer=answer, render=render, exit_code=exit_code
)
