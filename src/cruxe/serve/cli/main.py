"""Entry point of `cruxe`: parses the command line, runs one command and writes its answer.

Answers go to standard output, remarks and errors to standard error.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import EngineError, Reader
from cruxe.model.levels import AnswerFormat
from cruxe.serve.cli.arguments import asked_form, global_args_in, read_command_line
from cruxe.serve.cli.command import ArgsT, Command, ResultT
from cruxe.serve.cli.session import Session
from cruxe.serve.cli.view import discard_output, prepare_streams, view_of
from cruxe.serve.dispatch import attempt, encode, error_envelope, with_warnings

if TYPE_CHECKING:
    from cruxe.contract.results import ErrorEnvelope

FAILURE: Final = 1
USAGE: Final = 2
# The exit codes that a shell reports for a command ended by SIGINT or SIGPIPE.
_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
_LINES_AT_ONCE: Final = 1_000


class Reply(NamedTuple):
    """Exit code and output of one run."""

    code: int
    texts: Iterable[str] = ()  # for standard output, one behind the other
    remarks: str = ""  # for standard error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        prepare_streams()
        reply = _run(sys.argv[1:] if arguments is None else list(arguments))
        # Remarks last, so that a terminal shows them below the answer.
        for text in reply.texts:
            sys.stdout.write(text)
        sys.stdout.flush()
        sys.stderr.write(reply.remarks)
    except BrokenPipeError:
        discard_output()
        return _BROKEN_PIPE
    except OSError as error:  # only writing the output can fail here, for example on a full disk
        discard_output()
        sys.stderr.write(f"error: the answer cannot be written: {error.strerror}\n")
        return FAILURE
    except KeyboardInterrupt:
        return _INTERRUPTED
    return reply.code


def _run(arguments: list[str]) -> Reply:
    reading = attempt(lambda: read_command_line(arguments))
    if isinstance(reading, EngineError):
        return _failed(reading, Session(global_args_in(arguments)), asked_form(arguments))
    if isinstance(reading, str):
        return Reply(0, [reading])
    command, args = reading
    if args.verbose:
        _log_to_stderr()
    session = Session(args)
    reply = attempt(lambda: _answer(command, args, session))
    if isinstance(reply, EngineError):
        return _failed(reply, session, args.answer_format)
    return reply


def _answer(command: Command[ArgsT, ResultT], args: ArgsT, session: Session) -> Reply:
    answer = command.answer(args, session)
    code = command.exit_code(answer)
    form = args.answer_format
    if form is not None:
        content = with_warnings(answer, session.warnings)
        return Reply(code, [_written(command, content, form), "\n"])
    page = command.render(answer, view_of(sys.stdout, session.root))
    remarks = list(page.remarks)
    if not command.tells_warnings:
        remarks += session.warning_remarks()
    view = view_of(sys.stderr, session.root)
    return Reply(code, _joined_in_parts(page.lines), _joined(map(view.remark, remarks)))


def _written(
    command: Command[ArgsT, ResultT], content: Mapping[str, object], form: AnswerFormat
) -> str:
    if form is AnswerFormat.JSON:
        return encode(content)
    from cruxe.respond.text_form import text_form
    from cruxe.respond.text_form.wording import Wording

    return text_form(command.tool, content, Wording(Reader.PERSON))


def _failed(error: EngineError, session: Session, form: AnswerFormat | None) -> Reply:
    # The parser and the engine set `field` if the value of an argument is invalid.
    code = USAGE if "field" in error.data else FAILURE
    if form is not None:
        envelope = error_envelope(error, session.known_metadata(), Reader.PERSON)
        if session.warnings:
            envelope["metadata"]["warnings"] = session.warnings
        return Reply(code, [_written_error(envelope, form), "\n"])
    view = view_of(sys.stderr, session.root)
    lines = [view.error(error.message)]
    if error.remedy:
        lines.append(view.remedy(error.remedy))
    lines += map(view.remark, session.warning_remarks())
    return Reply(code, remarks=_joined(lines))


def _written_error(envelope: "ErrorEnvelope", form: AnswerFormat) -> str:
    if form is AnswerFormat.JSON:
        return encode(envelope)
    from cruxe.respond.text_form import error_text

    return error_text(envelope)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join([*lines, ""])


def _joined_in_parts(lines: list[str]) -> list[str]:
    """Join many lines a thousand at a time, since a wide character widens all others."""
    parts = range(0, len(lines), _LINES_AT_ONCE)
    return [_joined(lines[first : first + _LINES_AT_ONCE]) for first in parts]


def _log_to_stderr() -> None:
    import logging

    logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s")
