"""Runs a tool call for every transport: decode, resolve, run, encode.

Errors become error envelopes and results become JSON or text here, so the same request returns the
same payload over stdio, HTTP and the command line. No exception leaves the dispatcher except a
cancellation.
"""

import os.path
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.errors import EngineError, ErrorCode, InternalError, Reader, Remedy
from cruxe.model.levels import AnswerFormat, IndexingStatus, SchemaStatus
from cruxe.respond.metadata import Metadata
from cruxe.store.open import open_store

if TYPE_CHECKING:
    from cruxe.contract.catalogue import Tool
    from cruxe.contract.results import AnyResult, ErrorEnvelope, SwitchRefResult, ToolResult
    from cruxe.hosting.workspaces import Workspaces
    from cruxe.ingest.sync_options import Progress
    from cruxe.repository import Repository

Arguments = Mapping[str, object]
_Result = TypeVar("_Result")

_WITHOUT_INDEX: Final = frozenset(
    {ErrorCode.INDEX_NOT_READY, ErrorCode.REF_NOT_INDEXED, ErrorCode.PROJECT_NOT_FOUND}
)
_OF_THE_CALL: Final = frozenset({"format", "workspace"})  # not of the tool
_WHILE_WRITING: Final = frozenset({ErrorCode.INDEX_IN_PROGRESS, ErrorCode.SYNC_IN_PROGRESS})


class ClientSession:
    """State of one client that outlives a call: the ref it switched to in each workspace."""

    def __init__(self, *, is_lasting: bool = True) -> None:
        """Start with no ref switched; a session that is not lasting stores none."""
        self._is_lasting = is_lasting
        self._refs: dict[str, str] = {}

    def ref_in(self, root: str) -> str | None:
        """Return the ref to use for calls that name none, or None for the working tree."""
        return self._refs.get(root)

    def switch(self, root: str, ref: str | None) -> None:
        """Set the default ref of a workspace; None resets it to the working tree."""
        if ref is None:
            self._refs.pop(root, None)
        elif self._is_lasting:
            self._refs[root] = ref


class ToolCall(NamedTuple):
    """A tool call as a transport passes it on."""

    tool: "Tool"
    arguments: object  # as sent
    session: ClientSession
    progress: "Progress | None" = None
    usual_format: AnswerFormat = AnswerFormat.JSON  # of the server; a call may ask for the other

    @property
    def format(self) -> AnswerFormat:
        """The format that the call asks for, even if its other arguments are invalid."""
        match self.arguments:
            case {"format": AnswerFormat.JSON}:
                return AnswerFormat.JSON
            case {"format": AnswerFormat.TEXT}:
                return AnswerFormat.TEXT
            case _:
                return self.usual_format


class Reply(NamedTuple):
    """An answer, the same for every transport."""

    payload: str  # complete, compact JSON, or text
    is_error: bool
    content: Mapping[str, object] = {}  # what the payload says

    def as_json(self) -> str:
        """Return the content as JSON, whatever the format of the payload."""
        return encode(self.content)


class _Answer(NamedTuple):
    """A result or an error envelope, before it is written."""

    content: Mapping[str, object]
    error: "ErrorEnvelope | None" = None


class Dispatcher:
    """Answers calls about the workspaces of one server. Thread-safe."""

    def __init__(self, workspaces: "Workspaces") -> None:
        """Serve these workspaces; none is opened yet."""
        self._workspaces = workspaces

    def answer(self, call: ToolCall) -> Reply:
        """Run a call and return its reply; an error becomes an error reply."""
        started = monotonic()
        reply = _written(call, self._answer(call))
        _log(call, reply, round((monotonic() - started) * 1000))
        return reply

    def _answer(self, call: ToolCall) -> _Answer:
        arguments = attempt(lambda: _read_arguments(call))
        served = attempt(lambda: self._workspaces.open(_workspace_in(call.arguments)))
        if isinstance(served, EngineError):
            return _failed(arguments if isinstance(arguments, EngineError) else served)
        with served:
            if isinstance(arguments, EngineError):
                ref = _ref_of(call, call.arguments, served.repository)
                return _failed(arguments, served.repository, ref)
            return _answer(call, arguments, served.repository)


def attempt(work: Callable[[], _Result]) -> _Result | EngineError:
    """Run `work` and return its result; return any exception as an `EngineError`."""
    try:
        return work()
    except EngineError as error:
        return error
    except Exception as error:  # noqa: BLE001
        return _unexpected(error)


def error_envelope(
    error: EngineError, known: Metadata, reader: Reader = Reader.AGENT
) -> "ErrorEnvelope":
    """Build the envelope that is sent for an error, with the remedy in the reader's words."""
    return {
        "error": {
            "code": error.code,
            "message": error.message,
            "data": {**error.data, "remediation": error.remedies.for_reader(reader)},
        },
        "metadata": _metadata(error, known).to_mapping(),
    }


def encode(answer: Mapping[str, object]) -> str:
    r"""Return an answer as compact JSON; lone surrogates are escaped, such as `\udcff`."""
    from json import dumps

    text = dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()


def known_metadata(repository: "Repository", ref: str | None) -> Metadata:
    """Return what is known of a ref's index, for the metadata of an error.

    It is what an answer would have said; the request may have failed because of the ref or the
    store itself.
    """
    with suppress(EngineError):
        return repository.metadata_of(ref)
    from cruxe.workspace.context import resolve_target

    shown = ref or ""
    with suppress(EngineError):
        shown = resolve_target(repository.context.workspace, ref).shown
    with suppress(EngineError):
        if open_store(repository.context.location).is_being_written():
            return Metadata.syncing(shown)
    return Metadata.not_indexed(shown)


def config_warnings(repository: "Repository") -> list[str]:
    """Return notices on rejected configuration values, such as one that would weaken security."""
    return [str(notice) for notice in repository.context.notices]


def _written(call: ToolCall, answer: _Answer) -> Reply:
    """Write an answer in the format of its call."""
    is_error = answer.error is not None
    if call.format is AnswerFormat.JSON:
        return Reply(encode(answer.content), is_error, answer.content)
    from cruxe.respond.text_form import error_text, text_form
    from cruxe.respond.text_form.wording import Wording

    if answer.error is not None:
        return Reply(error_text(answer.error), is_error, answer.content)
    return Reply(text_form(call.tool.name, answer.content, Wording()), is_error, answer.content)


def with_warnings(answer: "AnyResult | ErrorEnvelope", warnings: list[str]) -> Mapping[str, object]:
    """Return the answer with the warnings added to its metadata."""
    if not warnings:
        return answer
    known: Mapping[str, object] = answer.get("metadata", {})
    return {**answer, "metadata": {**known, "warnings": warnings}}


def _read_arguments(call: ToolCall) -> Arguments:
    from cruxe.contract.decoding import read_arguments

    return read_arguments(call.tool, call.arguments)


def _workspace_in(arguments: object) -> str | None:
    """Return the workspace that a call names, even if its other arguments are invalid."""
    match arguments:
        case {"workspace": str(named)}:
            return named
        case _:
            return None


def _answer(call: ToolCall, arguments: Arguments, repository: "Repository") -> _Answer:
    ref = _ref_of(call, arguments, repository)
    answer = attempt(lambda: _run(call, arguments, repository, ref))
    if isinstance(answer, EngineError):
        return _failed(answer, repository, ref)
    return _Answer(with_warnings(answer, config_warnings(repository)))


def _ref_of(call: ToolCall, arguments: object, repository: "Repository") -> str | None:
    match arguments:
        case {"ref": str(named)}:
            return named
        case _:
            return call.session.ref_in(repository.root)


def _run(
    call: ToolCall, arguments: Arguments, repository: "Repository", ref: str | None
) -> "ToolResult":
    given = {name: value for name, value in arguments.items() if name not in _OF_THE_CALL}
    if call.tool.name == "switch_ref":
        return _switch(call.session, repository, str(ref))
    from cruxe.contract.catalogue import REF_TOOLS

    if ref is not None and call.tool.name in REF_TOOLS:
        given["ref"] = ref
    if call.tool.fits_format:
        given["answer_format"] = call.format
    if call.tool.reports_progress:
        given["progress"] = call.progress
    method: Callable[..., ToolResult] = getattr(repository, call.tool.name)
    return method(**given)


def _switch(session: ClientSession, repository: "Repository", ref: str) -> "SwitchRefResult":
    from cruxe.tools.switch_ref import switch_ref

    switched = switch_ref(repository.context, ref, session.ref_in(repository.root))
    session.switch(repository.root, None if switched.is_working_tree else ref)
    return switched.answer


def _failed(
    error: EngineError, repository: "Repository | None" = None, ref: str | None = None
) -> _Answer:
    if repository is None:
        envelope = error_envelope(error, Metadata.not_indexed(""))
        return _Answer({**envelope}, envelope)
    envelope = error_envelope(error, known_metadata(repository, ref))
    if warnings := config_warnings(repository):
        envelope["metadata"]["warnings"] = warnings
    return _Answer({**envelope}, envelope)


def _log(call: ToolCall, reply: Reply, duration_ms: int) -> None:
    import logging

    outcome = "failed" if reply.is_error else "answered"
    logging.getLogger(__name__).info("%s %s in %d ms", call.tool.name, outcome, duration_ms)


def _unexpected(error: Exception) -> InternalError:
    """Log the traceback and return an error with file and line, but no value: it may be source."""
    import logging

    logger = logging.getLogger(__name__)
    # Without a handler, logging would print the traceback to stderr even without -v.
    logger.addHandler(logging.NullHandler())
    logger.error("request failed", exc_info=error)
    return InternalError(
        f"unexpected {type(error).__name__}{_place_of(error)}",
        remedy=Remedy(
            "the server's log has the traceback; health_check checks the index",
            "run it again with -v for the traceback, and `cruxe doctor` to check the index",
        ),
    )


def _place_of(error: Exception) -> str:
    traceback = error.__traceback__
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    file = os.path.basename(traceback.tb_frame.f_code.co_filename)
    return f" at {file}:{traceback.tb_lineno}"


def _metadata(error: EngineError, known: Metadata) -> Metadata:
    if error.code is ErrorCode.INDEX_INCOMPATIBLE:
        status = error.data.get("schema_status", SchemaStatus.REINDEX_REQUIRED)
        return Metadata.of_schema(known.ref, SchemaStatus(str(status)))
    if error.code in _WHILE_WRITING:
        return Metadata.syncing(known.ref)
    if error.code in _WITHOUT_INDEX and known.indexing_status is IndexingStatus.READY:
        return Metadata.not_indexed(known.ref)
    return known
