"""One way from a call to its answer, for every transport: decode, resolve, run, encode.

Failures become answers here, and what is answered becomes bytes here, so the same request gives
the same payload over stdio, HTTP and the command line's `--json`. Nothing that goes wrong passes
this place as an exception, except an order to stop.
"""

import os.path
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.errors import EngineError, ErrorCode, InternalError
from cruxe.model.levels import ResultCompleteness, SchemaStatus
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


class IndexState(NamedTuple):
    """What is known of the index when a request fails."""

    ref: str  # empty where the request failed before its ref was known
    is_indexed: bool


class ClientSession:
    """What lasts from call to call of one client: the refs it switched to, by workspace."""

    def __init__(self, *, is_lasting: bool = True) -> None:
        """A session that does not last forgets each ref at once."""
        self._is_lasting = is_lasting
        self._refs: dict[str, str] = {}

    def ref_in(self, root: str) -> str | None:
        """The ref that calls about a workspace mean when they name none."""
        return self._refs.get(root)

    def switch(self, root: str, ref: str | None) -> None:
        """Mean another ref from now on; none is the working tree."""
        if ref is None:
            self._refs.pop(root, None)
        elif self._is_lasting:
            self._refs[root] = ref


class ToolCall(NamedTuple):
    """A call as a transport hands it over."""

    tool: "Tool"
    arguments: object  # as sent
    session: ClientSession
    progress: "Progress | None" = None


class Reply(NamedTuple):
    """An answer as every transport sends it."""

    payload: str  # complete, compact JSON
    is_error: bool


class Dispatcher:
    """Answers calls about the workspaces of one server; safe to use from several threads."""

    def __init__(self, workspaces: "Workspaces") -> None:
        """Serve the workspaces; none is opened yet."""
        self._workspaces = workspaces

    def answer(self, call: ToolCall) -> Reply:
        """Answer a call; a failure is an answer too."""
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
                return _failed(arguments, served.repository)
            return _answer(call, arguments, served.repository)


def attempt(work: Callable[[], _Result]) -> _Result | EngineError:
    """Do the work; what goes wrong, expected or not, is given back as an `EngineError`."""
    try:
        return work()
    except EngineError as error:
        return error
    except Exception as error:  # noqa: BLE001
        return _unexpected(error)


def error_envelope(error: EngineError, state: IndexState) -> "ErrorEnvelope":
    """A failure as it is sent."""
    return {
        "error": {
            "code": error.code,
            "message": error.message,
            "data": {**error.data, "remediation": error.remedy},
        },
        "metadata": _metadata(error, state).to_mapping(),
    }


def encode(answer: Mapping[str, object]) -> str:
    r"""An answer as compact JSON; what has no UTF-8 is written as `\udcff`, as JSON may."""
    from json import dumps

    text = dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()


def state_of(repository: "Repository", ref: str | None) -> IndexState:
    """What is known of a repository's index, for the metadata of a failure."""
    from cruxe.workspace.context import resolve_target

    shown, is_indexed = ref or "", False
    # What failed may well be the ref, or the reading of the store.
    with suppress(EngineError):
        shown = resolve_target(repository.context.workspace, ref).shown
    with suppress(EngineError):
        is_indexed = open_store(repository.context.location).has_index
    return IndexState(shown, is_indexed)


def config_warnings(repository: "Repository") -> list[str]:
    """What in the configuration was not taken as given, such as a loosening of safety."""
    return [str(notice) for notice in repository.context.loaded.notices]


def with_warnings(answer: "AnyResult | ErrorEnvelope", warnings: list[str]) -> Mapping[str, object]:
    """The answer to encode, with the warnings in its metadata."""
    if not warnings:
        return answer
    known: Mapping[str, object] = answer.get("metadata", {})
    return {**answer, "metadata": {**known, "warnings": warnings}}


def _read_arguments(call: ToolCall) -> Arguments:
    from cruxe.contract.decoding import read_arguments

    return read_arguments(call.tool, call.arguments)


def _workspace_in(arguments: object) -> str | None:
    """The workspace that a call names, whatever else is wrong with it."""
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


def _ref_of(call: ToolCall, arguments: Arguments, repository: "Repository") -> str | None:
    named = arguments.get("ref")
    return named if isinstance(named, str) else call.session.ref_in(repository.root)


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
        return Reply(encode(error_envelope(error, IndexState("", is_indexed=False))), is_error=True)
    envelope = error_envelope(error, state_of(repository, ref))
    return Reply(encode(with_warnings(envelope, config_warnings(repository))), is_error=True)


def _log(call: ToolCall, reply: Reply, duration_ms: int) -> None:
    import logging

    outcome = "failed" if reply.is_error else "answered"
    logging.getLogger(__name__).info("%s %s in %d ms", call.tool.name, outcome, duration_ms)


def _unexpected(error: Exception) -> InternalError:
    """Log the traceback; the message tells the place but never a value, which may be source."""
    import logging

    logger = logging.getLogger(__name__)
    # Without any handler the traceback would be printed even to those who did not ask for it.
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


def _metadata(error: EngineError, state: IndexState) -> Metadata:
    if error.code is ErrorCode.INDEX_INCOMPATIBLE:
        status = error.data.get("schema_status", SchemaStatus.REINDEX_REQUIRED)
        return Metadata.of_schema(state.ref, SchemaStatus(str(status)))
    if error.code in _WHILE_WRITING:
        return Metadata.syncing(state.ref)
    if error.code in _WITHOUT_INDEX or not state.is_indexed:
        return Metadata.not_indexed(state.ref)
    # Nobody looked whether it is fresh, so it is not called so.
    unknown = Metadata.ready(state.ref, is_fresh=False)
    return unknown._replace(result_completeness=ResultCompleteness.PARTIAL)
