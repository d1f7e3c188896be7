"""The workspaces of a server: which paths are allowed, and which workspaces stay open.

A server serves the workspace it was started for. Others are served if they lie in an allowed root
and either discovery is on or they have an index. Paths are compared as real paths, folder by
folder, so neither a symlink nor a common prefix leads outside.
"""

import os
import threading
import time
from collections import OrderedDict
from typing import NamedTuple

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.model.errors import (
    EngineError,
    InternalError,
    InvalidInputError,
    WorkspaceLimitExceededError,
    WorkspaceNotAllowedError,
    WorkspaceNotRegisteredError,
)
from cruxe.store.open import open_store
from cruxe.tools.host_state import HostState
from cruxe.workspace.context import RepositoryContext, open_context
from cruxe.workspace.git import missing_workspace


class ServingOptions(NamedTuple):
    """How a server was started."""

    workspace: str | None = None  # None: every call names its own
    config_path: str | None = None
    auto_workspace: bool = False  # serve any workspace within the allowed roots
    allowed_roots: tuple[str, ...] = ()  # in addition to those of the settings
    has_prewarm: bool = True
    has_watcher: bool = True


class Workspaces:
    """Opens workspaces on demand and evicts the least recently used. Thread-safe.

    At most `server.max_workspaces` stay open. The server's own workspace, and one with a running
    call or indexing job, is never evicted.
    """

    def __init__(self, options: ServingOptions) -> None:
        """Open no workspace yet, so that the server can send its first reply at once."""
        self.options = options
        self.started_at = time.monotonic()
        self._lock = threading.RLock()
        self._open: OrderedDict[str, HostedWorkspace] = OrderedDict()  # by root, most recent last
        self._default_root: str | None = None
        self._is_closed = False

    def open(self, workspace: str | None = None) -> HostedWorkspace:
        """Return the workspace around a path, or the server's own. Use it in a `with` per call."""
        with self._lock:
            if self._is_closed:
                raise InternalError("the server is ending", remedy="start it again")
            default = self._default() if self.options.workspace is not None else None
            if workspace is None:
                if default is None:
                    raise _nothing_named()
                return self._touched(default)
            return self._named(workspace, default)

    @property
    def members(self) -> list[HostedWorkspace]:
        """Return the open workspaces, the most recently used last."""
        with self._lock:
            return list(self._open.values())

    def close(self) -> None:
        """Close all workspaces."""
        with self._lock:
            self._is_closed = True
            members = list(self._open.values())
            self._open.clear()
        for served in members:
            served.close()

    def _default(self) -> HostedWorkspace:
        if self._default_root is not None:
            return self._open[self._default_root]
        assert self.options.workspace is not None
        context = open_context(self.options.workspace, self.options.config_path)
        self._default_root = context.workspace.root
        return self._add(context)

    def _named(self, workspace: str, default: HostedWorkspace | None) -> HostedWorkspace:
        path = _real_path(workspace)
        if default is not None and _is_within(path, default.context.workspace.root):
            context = open_context(path, self.options.config_path)
            if context.workspace.root == default.context.workspace.root:
                return self._touched(default)
        else:
            context = self._checked_context(path, default)
        self._check(context, default)
        known = self._open.get(context.workspace.root)
        return self._add(context) if known is None else self._touched(known)

    def _checked_context(self, path: str, default: HostedWorkspace | None) -> RepositoryContext:
        """Open a path's context only if the path is allowed, so nothing else is disclosed."""
        roots = self._allowed_roots(default)
        if roots and not any(_is_within(path, root) for root in roots):
            raise _not_allowed(path, roots)
        if not roots and self.options.auto_workspace:
            raise _not_allowed(path, roots)
        if not roots:
            raise _not_registered(path)
        return open_context(path, self.options.config_path)

    def _check(self, context: RepositoryContext, default: HostedWorkspace | None) -> None:
        root = context.workspace.root
        roots = self._allowed_roots(default)
        if default is not None:
            roots = (*roots, default.context.workspace.root)
        if not any(_is_within(root, allowed) for allowed in roots):
            raise _not_allowed(root, roots)
        if not self.options.auto_workspace and not open_store(context.location).is_registered:
            raise _not_registered(root)

    def _allowed_roots(self, default: HostedWorkspace | None) -> tuple[str, ...]:
        if default is not None:
            configured = default.context.settings.server.allowed_roots
        else:
            from cruxe.config import load_settings

            home = os.path.expanduser("~")
            loaded = load_settings(None, self.options.config_path, os.environ, home)
            configured = loaded.settings.server.allowed_roots
        return tuple(map(os.path.realpath, (*self.options.allowed_roots, *configured)))

    def _add(self, context: RepositoryContext) -> HostedWorkspace:
        limit = context.settings.server.max_workspaces
        while len(self._open) >= limit:
            self._close_one()
        served = self._open[context.workspace.root] = HostedWorkspace(
            context,
            has_watcher=self.options.has_watcher,
            has_prewarm=self.options.has_prewarm,
            may_begin_index=context.workspace.root == self._default_root,
        )
        served.host_state = self._state
        served.prewarm.start()
        return served

    def _state(self, asked: HostedWorkspace) -> HostState:
        """Return the server's state. Only its own workspace gets a report on all workspaces."""
        members = self.members
        projects = {each: each.as_project() for each in members}
        own = projects.get(asked) or asked.as_project()
        is_default = asked.context.workspace.root == self._default_root
        return HostState(
            uptime_seconds=time.monotonic() - self.started_at,
            capacity=asked.context.settings.server.max_workspaces,
            is_discovering=self.options.auto_workspace,
            members=[each.context.workspace.root for each in members],
            asked=own,
            reported=[*projects.values()] if is_default else [own],
        )

    def _close_one(self) -> None:
        for root, served in self._open.items():
            if root != self._default_root and not served.is_busy:
                del self._open[root]
                served.close()
                return
        raise WorkspaceLimitExceededError(
            f"{len(self._open)} workspaces are open and all are in use",
            remedy="retry when a call has ended, or raise `server.max_workspaces`",
            data={"open": len(self._open)},
        )

    def _touched(self, served: HostedWorkspace) -> HostedWorkspace:
        root = served.context.workspace.root
        if not os.path.isdir(root):  # deleted since it was opened
            raise missing_workspace(root)
        self._open.move_to_end(root)
        return served


def _real_path(workspace: str) -> str:
    if not os.path.isabs(workspace):
        raise InvalidInputError(
            f"workspace is {workspace!r}, which is no absolute path",
            remedy="give the absolute path of a folder",
            data={"field": "workspace"},
        )
    try:
        return os.path.realpath(workspace, strict=True)
    except (OSError, ValueError) as error:
        raise WorkspaceNotAllowedError(
            f"workspace {workspace} cannot be resolved", data={"workspace": workspace}
        ) from error


def _is_within(path: str, root: str) -> bool:
    """Return whether a real path equals a root or lies in it, folder by folder."""
    path, root = os.path.normcase(path), os.path.normcase(root)
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _nothing_named() -> EngineError:
    return WorkspaceNotRegisteredError(
        "this server was started for no workspace",
        remedy="pass `workspace`, or start the server with --workspace",
    )


def _not_registered(path: str) -> EngineError:
    return WorkspaceNotRegisteredError(
        f"this server does not serve {path}",
        remedy="start one for it, or this one with --auto-workspace and --allowed-root",
        data={"workspace": path},
    )


def _not_allowed(path: str, roots: tuple[str, ...]) -> EngineError:
    return WorkspaceNotAllowedError(
        f"{path} lies outside the allowed roots",
        data={"workspace": path, "allowed_roots": roots},
    )
