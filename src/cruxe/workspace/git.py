"""Run git as a child process; no other module starts git.

A repository is data, not a program: its configuration can run no command, show no prompt and reach
no network through this module. Commands that read the content of working-tree files (`status`,
`diff` against it) are never used, because they start the filters that the repository configures.
"""

import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import IO, Final, NamedTuple

from cruxe.model.errors import (
    EngineError,
    InternalError,
    InvalidInputError,
    WorkspaceNotAllowedError,
)
from cruxe.model.source import Workspace

# Against a hung network drive; the longest listing measured takes a quarter of a second.
_TIMEOUT_SECONDS: Final = 300
# After this time a pipe or device is looked for that git may be waiting for.
_STALLED_SECONDS: Final = 5

# Both settings name programs that plain listing commands start. An empty fsmonitor is off in every
# version; before git 2.36 `false` would be run as a program.
_HARMLESS: Final = (
    "--no-pager",
    *("-c", "core.fsmonitor="),
    *("-c", f"core.hooksPath={os.devnull}"),
)

# GIT_ALLOW_PROTOCOL keeps versions that do not know GIT_NO_LAZY_FETCH off the network.
_ENVIRONMENT: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}

# These locate the user's own settings, such as safe.directory. The rest of GIT_*, such as GIT_DIR
# and GIT_INDEX_FILE set by a hook, could point to another repository.
_KEPT_VARIABLES: Final = ("GIT_CONFIG_", "GIT_EXEC_PATH")

_NO_WINDOW: Final = 0x08000000 if os.name == "nt" else 0


class GitOutput(NamedTuple):
    """Exit status and output of a git command."""

    status: int
    stdout: bytes
    stderr: bytes


def run_git(workspace: Workspace, *arguments: str) -> bytes:
    """Run git in the workspace and return its output; raise if the command fails."""
    output = try_git(workspace, *arguments)
    if output.status:
        raise _failure(workspace, arguments[0], output)
    return output.stdout


def try_git(
    workspace: Workspace, *arguments: str, extra_environment: Mapping[str, str] | None = None
) -> GitOutput:
    """Run git and return its output and exit status, for commands that may fail."""
    return GitTask(workspace, arguments, extra_environment).wait()


def start_listing(workspace: Workspace) -> "GitTask":
    """Start listing tracked and unignored untracked files, each terminated by NUL."""
    arguments = ("ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return GitTask(workspace, arguments)


class GitTask:
    """A running git command; a thread drains its output while the caller does other work."""

    def __init__(
        self,
        workspace: Workspace,
        arguments: tuple[str, ...],
        extra_environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command."""
        self.started_ns = time.time_ns()
        self._workspace = workspace
        self._arguments = arguments
        self._process = _start(workspace, arguments, extra_environment)
        self._output = (b"", b"")
        self._drain = Thread(target=self._collect, daemon=True)
        self._drain.start()

    def wait(self) -> GitOutput:
        """Wait for the command to end; return its output and exit status."""
        self._drain.join(_STALLED_SECONDS)
        if self._drain.is_alive() and (path := _endless_file_of(self._workspace)) is not None:
            self._kill()
            raise endless_file(path)
        self._drain.join(_TIMEOUT_SECONDS)
        if self._drain.is_alive():
            self._kill()
            message = f"git {self._arguments[0]} did not end in {_TIMEOUT_SECONDS} seconds"
            raise InternalError(message, remedy="check that the workspace's disk answers")
        return GitOutput(self._process.returncode, *self._output)

    def finish(self) -> bytes:
        """Wait for the command to end; return its output, or raise if it failed."""
        output = self.wait()
        if output.status:
            raise _failure(self._workspace, self._arguments[0], output)
        return output.stdout

    def _kill(self) -> None:
        self._process.kill()
        self._drain.join()

    def _collect(self) -> None:
        self._output = self._process.communicate()


class GitConversation:
    """A long-lived git command that answers requests one by one."""

    def __init__(
        self,
        workspace: Workspace,
        arguments: tuple[str, ...],
        extra_environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command."""
        self._process = _start(
            workspace,
            arguments,
            extra_environment,
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, request: bytes) -> IO[bytes]:
        """Send one request; return the stream to read its answer from."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise InternalError("git was started without its pipes")
        with suppress(OSError):  # the reader sees a dead command as end of file
            stdin.write(request)
            stdin.flush()
        return stdout

    def close(self) -> None:
        """Kill the command, even in the middle of an answer."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # an unsent request may still be buffered
                if pipe is not None:
                    pipe.close()


def _start(
    workspace: Workspace,
    arguments: tuple[str, ...],
    extra_environment: Mapping[str, str] | None,
    *,
    stdin: int = subprocess.DEVNULL,
    stderr: int = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    command = [
        _find_git(os.environ.get("PATH", os.defpath)),
        *_HARMLESS,
        *("-C", workspace.root, f"--work-tree={workspace.root}"),
        *arguments,
    ]
    try:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=_environment(workspace) | dict(extra_environment or {}),
            creationflags=_NO_WINDOW,
        )
    except OSError as error:
        message = f"git cannot be started: {error.strerror or error}"
        raise InternalError(message, remedy="check that `git --version` works") from error


def _environment(workspace: Workspace) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)
    }
    # Git must use the repository at this root, or none.
    inherited["GIT_CEILING_DIRECTORIES"] = os.path.dirname(workspace.root)
    return inherited | _ENVIRONMENT


@cache
def _find_git(search_path: str) -> str:
    # Relative entries are skipped, and the Windows lookup is not used, because it searches the
    # current folder first: a repository could bring its own `git`.
    name = "git.exe" if os.name == "nt" else "git"
    for folder in search_path.split(os.pathsep):
        candidate = os.path.join(folder, name)
        if os.path.isabs(folder) and os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    message = "git is not installed, or not on the PATH"
    raise InternalError(message, remedy="install git 2.36 or newer and make sure PATH names it")


def missing_workspace(directory: str, nearest: str = "") -> InvalidInputError:
    """Return the error for a workspace that is not there, or not any more."""
    return InvalidInputError(
        f"{directory} does not exist{nearest}",
        remedy="give a directory that exists",
        data={"workspace": directory},
    )


def endless_file(path: str) -> InvalidInputError:
    """Return the error for a file of git's that is a pipe or device: reading it may never end."""
    return InvalidInputError(
        f"{path} is no regular file, and git would wait for it",
        remedy="replace it by a regular file, or remove it",
        data={"path": path},
    )


def _endless_file_of(workspace: Workspace) -> str | None:
    """Return a file that git reads to list files, and that is there but no regular file."""
    git_dir = workspace.git_dir or ""
    settings = (os.path.join(git_dir, name) for name in ("config", "index", "info/exclude"))
    ignore_files = (
        os.path.join(folder, ".gitignore")
        for folder, _, names in os.walk(workspace.root)
        if ".gitignore" in names
    )
    candidates = (*settings, *ignore_files)
    return next((path for path in candidates if _is_special(path)), None)


def _is_special(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _failure(workspace: Workspace, command: str, output: GitOutput) -> EngineError:
    said = output.stderr.decode("utf-8", "replace").strip()
    if "dubious ownership" in said or "unsafe repository" in said:
        return WorkspaceNotAllowedError(
            f"git refuses {workspace.root} because it belongs to another user",
            remedy=f'if you trust it: git config --global --add safe.directory "{workspace.root}"',
            data={"workspace": workspace.root},
        )
    if not os.path.isdir(workspace.root):
        return missing_workspace(workspace.root)
    if "not a git repository" in said:
        return InvalidInputError(
            f"{workspace.root} is not a git repository any more",
            remedy="restore its .git, or start the server again to read it as a plain folder",
            data={"workspace": workspace.root},
        )
    first_line = said.partition("\n")[0] or f"exit status {output.status}"
    return InternalError(
        f"git {command} failed in {workspace.root}: {first_line}",
        remedy="run `git status` there and mend what it reports",
    )
