"""The error registry: every failure that a caller is expected to handle, by code.

An expected failure is raised as one of these classes, with a message (what happened, with values)
and a remedy (what the caller can do), worded for agents that call tools and for people who run
commands. The dispatcher turns it into a wire envelope.
"""

import errno
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, Self

ErrorValue = str | int | float | bool | tuple[str, ...] | None


class ErrorCode(StrEnum):
    """The codes that a caller can get, on every transport. Codes are added, never repurposed."""

    INVALID_INPUT = "invalid_input"
    INVALID_STRATEGY = "invalid_strategy"
    INVALID_MAX_TOKENS = "invalid_max_tokens"
    PROJECT_NOT_FOUND = "project_not_found"
    WORKSPACE_NOT_REGISTERED = "workspace_not_registered"
    WORKSPACE_NOT_ALLOWED = "workspace_not_allowed"
    WORKSPACE_LIMIT_EXCEEDED = "workspace_limit_exceeded"
    INDEX_IN_PROGRESS = "index_in_progress"
    INDEX_NOT_READY = "index_not_ready"
    SYNC_IN_PROGRESS = "sync_in_progress"
    INDEX_STALE = "index_stale"
    INDEX_INCOMPATIBLE = "index_incompatible"
    REF_NOT_INDEXED = "ref_not_indexed"
    OVERLAY_NOT_READY = "overlay_not_ready"
    MERGE_BASE_FAILED = "merge_base_failed"
    SYMBOL_NOT_FOUND = "symbol_not_found"
    AMBIGUOUS_SYMBOL = "ambiguous_symbol"
    FILE_NOT_FOUND = "file_not_found"
    RESULT_NOT_FOUND = "result_not_found"
    NO_EDGES_AVAILABLE = "no_edges_available"
    INTERNAL_ERROR = "internal_error"


class Reader(StrEnum):
    """Who reads a remedy."""

    AGENT = "agent"  # calls tools
    PERSON = "person"  # runs commands, or uses the Python API


class Remedy(NamedTuple):
    """What to do about a failure: in tools and arguments, and in commands and options."""

    in_tools: str
    in_commands: str

    def for_reader(self, reader: Reader) -> str:
        """Return the wording for a reader."""
        return self.in_tools if reader is Reader.AGENT else self.in_commands


class EngineError(Exception):
    """An expected failure; only its subclasses are raised.

    `data` holds the values that a program needs to act on the failure, without the remedy.
    """

    code: ClassVar[ErrorCode]
    usual_remedy: ClassVar[str | Remedy]

    def __init__(
        self,
        message: str,
        *,
        remedy: str | Remedy | None = None,
        data: Mapping[str, ErrorValue] | None = None,
    ) -> None:
        """Store what happened; without `remedy` the usual one of the class applies.

        A remedy that names no tool and no command is one string.
        """
        super().__init__(message)
        self.message = message
        given = self.usual_remedy if remedy is None else remedy
        self.remedies = Remedy(given, given) if isinstance(given, str) else given
        self.data: Mapping[str, ErrorValue] = dict(data or {})

    @property
    def remedy(self) -> str:
        """The remedy for people."""
        return self.remedies.in_commands

    def __str__(self) -> str:
        """Return one line for people: the message, then the remedy."""
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class InvalidInputError(EngineError):
    """A parameter, flag or file given by the caller cannot be used."""

    code = ErrorCode.INVALID_INPUT
    usual_remedy = "correct the value and try again"


class InvalidStrategyError(EngineError):
    """A context strategy that does not exist."""

    code = ErrorCode.INVALID_STRATEGY
    usual_remedy = "use breadth or depth"


class InvalidMaxTokensError(EngineError):
    """A token budget that is not a positive whole number within the tool's range."""

    code = ErrorCode.INVALID_MAX_TOKENS
    usual_remedy = "give a positive whole number of tokens"


class ProjectNotFoundError(EngineError):
    """The workspace was never indexed and automatic indexing is off."""

    code = ErrorCode.PROJECT_NOT_FOUND
    usual_remedy = Remedy(
        "call sync_repo to index the workspace",
        "run `cruxe index` in the workspace",
    )


class WorkspaceNotRegisteredError(EngineError):
    """The server does not know the workspace."""

    code = ErrorCode.WORKSPACE_NOT_REGISTERED
    usual_remedy = Remedy(
        "name a workspace that this server serves, or start a server for this one",
        "start the server for it",
    )


class WorkspaceNotAllowedError(EngineError):
    """The workspace lies outside the allowed roots, or its path cannot be resolved."""

    code = ErrorCode.WORKSPACE_NOT_ALLOWED
    usual_remedy = "choose a path inside the allowed roots, or extend `server.allowed_roots`"


class WorkspaceLimitExceededError(EngineError):
    """The server has reached its limit of open workspaces."""

    code = ErrorCode.WORKSPACE_LIMIT_EXCEEDED
    usual_remedy = "close a workspace that is no longer needed and retry"


class IndexInProgressError(EngineError):
    """An indexing job is already running for the repository."""

    code = ErrorCode.INDEX_IN_PROGRESS
    usual_remedy = Remedy(
        "call index_status until the running job has ended",
        "wait until `cruxe status` shows no running job",
    )


class IndexNotReadyError(EngineError):
    """There is no usable index."""

    code = ErrorCode.INDEX_NOT_READY
    usual_remedy = Remedy("call sync_repo", "run `cruxe index`")


class SyncInProgressError(EngineError):
    """Another process is syncing the ref or maintaining the store."""

    code = ErrorCode.SYNC_IN_PROGRESS
    usual_remedy = "wait for the running sync and retry"


class IndexStaleError(EngineError):
    """The index is behind the working tree and the policy is strict."""

    code = ErrorCode.INDEX_STALE
    usual_remedy = Remedy(
        "call sync_repo, or ask with freshness_policy balanced",
        "run `cruxe sync`, or set `search.freshness_policy` to balanced",
    )


class IndexIncompatibleError(EngineError):
    """The index was written by another schema version, or is damaged."""

    code = ErrorCode.INDEX_INCOMPATIBLE
    usual_remedy = Remedy("call sync_repo with force true", "run `cruxe index --force`")


class IndexDamagedError(IndexIncompatibleError):
    """A part of the index is damaged that a sync makes anew from the tree."""

    usual_remedy = Remedy("call sync_repo", "run `cruxe sync`")


class RefNotIndexedError(EngineError):
    """The ref is not in the store."""

    code = ErrorCode.REF_NOT_INDEXED
    usual_remedy = Remedy("call sync_repo with that ref", "run `cruxe index --ref` with that ref")


class OverlayNotReadyError(EngineError):
    """Never raised, because one store holds all refs; registered for older clients."""

    code = ErrorCode.OVERLAY_NOT_READY
    usual_remedy = Remedy(
        "call index_status, and try again when it is ready",
        "run `cruxe status`, and try again when it is ready",
    )


class MergeBaseFailedError(EngineError):
    """Two refs have no common ancestor to compare from."""

    code = ErrorCode.MERGE_BASE_FAILED
    usual_remedy = "check that both refs exist and share history"


class SymbolNotFoundError(EngineError):
    """The ref has no symbol of that name."""

    code = ErrorCode.SYMBOL_NOT_FOUND
    usual_remedy = Remedy(
        "check the spelling, or look for it with search_code",
        "check the spelling, or look for it with `cruxe search`",
    )


class AmbiguousSymbolError(EngineError):
    """Several symbols match where one is needed."""

    code = ErrorCode.AMBIGUOUS_SYMBOL
    usual_remedy = "give a path or the qualified name"


class FileNotFoundInRefError(EngineError):
    """The path is not in the ref."""

    code = ErrorCode.FILE_NOT_FOUND
    usual_remedy = Remedy(
        "check the path, which is relative to the repository; search_code finds files by name",
        "check the path, relative to the repository; `cruxe why PATH` tells more",
    )


class ResultNotFoundError(EngineError):
    """The result to explain is not among the results of the query."""

    code = ErrorCode.RESULT_NOT_FOUND
    usual_remedy = "run the query again and take path and line from its results"


class NoEdgesAvailableError(EngineError):
    """The ref has no resolved edges."""

    code = ErrorCode.NO_EDGES_AVAILABLE
    usual_remedy = Remedy("call sync_repo, then try again", "run `cruxe sync`, then try again")


class InternalError(EngineError):
    """An unexpected failure."""

    code = ErrorCode.INTERNAL_ERROR
    usual_remedy: ClassVar[str | Remedy] = Remedy(
        "try again; if it happens again, call health_check and report it with the server's log",
        "try again; if it happens again, run `cruxe doctor` and report it with the log",
    )


_DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class StorageError(InternalError):
    """The data directory cannot be written or read: full disk, read-only medium, bad device."""

    usual_remedy = "check the disk that holds the data directory"

    @classmethod
    def disk_full(cls, path: str) -> Self:
        """Return the error for a full disk; what was published before stays readable."""
        return cls(
            f"no space left on the disk that holds {path}",
            remedy="free some space or move `storage.data_dir`; the last index is still readable",
            data={"path": path},
        )

    @classmethod
    def read_only(cls, path: str) -> Self:
        """Return the error for a path that this user cannot write."""
        return cls(
            f"{path} cannot be written",
            remedy="allow writing there, or set `storage.data_dir` to a place that can be written",
            data={"path": path},
        )

    @classmethod
    def from_os_error(cls, error: OSError, path: str) -> Self:
        """Return the error for a failed file operation on `path`."""
        if error.errno in _DISK_FULL:
            return cls.disk_full(path)
        if error.errno in _READ_ONLY:
            return cls.read_only(path)
        return cls(f"{path}: {error.strerror or error}", data={"path": path})
