"""Runs a tool call for every transport: decode, resolve, run, encode.

Errors become error envelopes and results become JSON here, so the same request returns the same
payload over stdio, HTTP and the command line's `--json`. No exception leaves the dispatcher except
a cancellation.
"""

import os.path
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.errors import EngineError, ErrorCode, InternalError
from cruxe.model.levels import IndexingStatus, SchemaStatus
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


class Reply(NamedTuple):
    """An answer, the same for every transport."""

    payload: str  # complete, compact JSON
    is_error: bool


class Dispatcher:
    """Answers calls about the workspaces of one server. Thread-safe."""

    def __init__(self, workspaces: "Workspaces") -> None:
        """Serve these workspaces; none is opened yet."""
        self._workspaces = workspaces

    def answer(self, call: ToolCall) -> Reply:
        """Run a call and return its reply; an error becomes an error reply."""
        started = monotonic()
        reply = self._answer(call)
        _log(call, reply, round((monotonic() - started) * 1000))
        return reply

    def _answer(self, call: ToolCall) -> Reply:
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


def error_envelope(error: EngineError, known: Metadata) -> "ErrorEnvelope":
    """Build the envelope that is sent for an error."""
    return {
        "error": {
            "code": error.code,
            "message": error.message,
            "data": {**error.data, "remediation": error.remedy},
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
    return [str(notice) for notice in repository.context.loaded.notices]


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


def _answer(call: ToolCall, arguments: Arguments, repository: "Repository") -> Reply:
    ref = _ref_of(call, arguments, repository)
    answer = attempt(lambda: _run(call, arguments, repository, ref))
    if isinstance(answer, EngineError):
        return _failed(answer, repository, ref)
    return Reply(encode(with_warnings(answer, config_warnings(repository))), is_error=False)


def _ref_of(call: ToolCall, arguments: object, repository: "Repository") -> str | None:
    match arguments:
        case {"ref": str(named)}:
            return named
        case _:
            return call.session.ref_in(repository.root)


def _run(
    call: ToolCall, arguments: Arguments, repository: "Repository", ref: str | None
) -> "ToolResult":
    given = {name: value for name, value in arguments.items() if name != "workspace"}
    if call.tool.name == "switch_ref":
        return _switch(call.session, repository, str(ref))
    from cruxe.contract.catalogue import REF_TOOLS

    if ref is not None and call.tool.name in REF_TOOLS:
        given["ref"] = ref
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
) -> Reply:
    if repository is None:
        return Reply(encode(error_envelope(error, Metadata.not_indexed(""))), is_error=True)
    envelope = error_envelope(error, known_metadata(repository, ref))
    return Reply(encode(with_warnings(envelope, config_warnings(repository))), is_error=True)


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
        remedy="run it again with -v for the traceback, and `cruxe doctor` to check the index",
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
