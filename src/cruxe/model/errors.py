"""The error registry: every failure that a caller is expected to handle, by code.

An expected failure is raised as one of these classes, with a message (what happened, with values)
and a remedy (what the caller can do). The dispatcher turns it into a wire envelope.
"""

import errno
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final, Self

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


class EngineError(Exception):
    """An expected failure; only its subclasses are raised.

    `data` holds the values that a program needs to act on the failure, without the remedy.
    """

    code: ClassVar[ErrorCode]
    usual_remedy: ClassVar[str]

    def __init__(
        self,
        message: str,
        *,
        remedy: str | None = None,
        data: Mapping[str, ErrorValue] | None = None,
    ) -> None:
        """Store what happened; without `remedy` the usual one of the class applies."""
        super().__init__(message)
        self.message = message
        self.remedy = self.usual_remedy if remedy is None else remedy
        self.data: Mapping[str, ErrorValue] = dict(data or {})

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
    usual_remedy = "run `cruxe init` in the workspace"


class WorkspaceNotRegisteredError(EngineError):
    """The server does not know the workspace."""

    code = ErrorCode.WORKSPACE_NOT_REGISTERED
    usual_remedy = "run `cruxe init` in the workspace, or start the server for it"


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
    usual_remedy = "poll index_status until the running job has ended"


class IndexNotReadyError(EngineError):
    """There is no usable index."""

    code = ErrorCode.INDEX_NOT_READY
    usual_remedy = "run `cruxe index`"


class SyncInProgressError(EngineError):
    """Another process is syncing the ref or maintaining the store."""

    code = ErrorCode.SYNC_IN_PROGRESS
    usual_remedy = "wait for the running sync and retry"


class IndexStaleError(EngineError):
    """The index is behind the working tree and the policy is strict."""

    code = ErrorCode.INDEX_STALE
    usual_remedy = "call sync_repo, or ask with freshness_policy balanced"


class IndexIncompatibleError(EngineError):
    """The index was written by another schema version, or is damaged."""

    code = ErrorCode.INDEX_INCOMPATIBLE
    usual_remedy = "run `cruxe index --force`"


class RefNotIndexedError(EngineError):
    """The ref is not in the store."""

    code = ErrorCode.REF_NOT_INDEXED
    usual_remedy = "run `cruxe index --ref` with that ref, or choose one from list_refs"


class OverlayNotReadyError(EngineError):
    """Never raised, because one store holds all refs; registered for older clients."""

    code = ErrorCode.OVERLAY_NOT_READY
    usual_remedy = "poll index_status and retry"


class MergeBaseFailedError(EngineError):
    """Two refs have no common ancestor to compare from."""

    code = ErrorCode.MERGE_BASE_FAILED
    usual_remedy = "check that both refs exist and share history"


class SymbolNotFoundError(EngineError):
    """The ref has no symbol of that name."""

    code = ErrorCode.SYMBOL_NOT_FOUND
    usual_remedy = "check the spelling, or look for it with search_code"


class AmbiguousSymbolError(EngineError):
    """Several symbols match where one is needed."""

    code = ErrorCode.AMBIGUOUS_SYMBOL
    usual_remedy = "give a path or the qualified name"


class FileNotFoundInRefError(EngineError):
    """The path is not in the ref."""

    code = ErrorCode.FILE_NOT_FOUND
    usual_remedy = "check the path, relative to the repository; `cruxe why PATH` tells more"


class ResultNotFoundError(EngineError):
    """The result to explain is not among the results of the query."""

    code = ErrorCode.RESULT_NOT_FOUND
    usual_remedy = "run the query again and take path and line from its results"


class NoEdgesAvailableError(EngineError):
    """The ref has no resolved edges."""

    code = ErrorCode.NO_EDGES_AVAILABLE
    usual_remedy = "run `cruxe sync`, then retry"


class InternalError(EngineError):
    """An unexpected failure."""

    code = ErrorCode.INTERNAL_ERROR
    usual_remedy = "retry; if it happens again, run `cruxe doctor` and report it with the log"


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
