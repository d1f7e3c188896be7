"""Options and set-up that `serve` and `serve-mcp` share."""

import os
import threading
from typing import TYPE_CHECKING

from cruxe.model.errors import InvalidInputError
from cruxe.model.levels import AnswerFormat
from cruxe.serve.cli.command import one_of
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.dispatch import Dispatcher, attempt
from cruxe.serve.mcp.protocol import ServerOptions

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.hosting.workspaces import Workspaces


class ServingArgs(GlobalArgs):
    """The arguments of a server."""

    workspace: str | None
    no_prewarm: bool
    profile: str
    structured: bool
    format: str
    auto_workspace: bool
    allowed_root: list[str]


def add_serving_options(parser: "ArgumentParser") -> None:
    """Declare the options of `ServingArgs`."""
    parser.add_argument("--workspace", metavar="DIR", help="the repository to serve; as -C")
    parser.add_argument(
        "--no-prewarm", action="store_true", help="open the index only when it is asked for"
    )
    parser.add_argument(
        "--profile",
        type=one_of(("core", "full")),
        default="core",
        metavar="core|full",
        help="the tools of everyday work, or all of them",
    )
    parser.add_argument(
        "--format",
        type=one_of(AnswerFormat),
        default=AnswerFormat.JSON.value,
        metavar="json|text",
        help="how answers are written unless a call names a format; text costs agents less",
    )
    parser.add_argument(
        "--structured", action="store_true", help="send results as objects too, beside the text"
    )
    parser.add_argument(
        "--auto-workspace",
        action="store_true",
        help="serve any repository in the allowed roots that a call names",
    )
    parser.add_argument(
        "--allowed-root",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder whose repositories may be served; may be given several times",
    )


class Serving:
    """A server's workspaces and dispatcher, created on first use."""

    def __init__(self, args: ServingArgs) -> None:
        """Check that the workspace is a folder; open nothing yet."""
        self._args = args
        self._directory = os.path.abspath(args.workspace or args.directory)
        self.shown = ServerOptions(args.profile, args.structured, AnswerFormat(args.format))
        self._making = threading.Lock()
        self._made: tuple[Workspaces, Dispatcher] | None = None
        if not os.path.isdir(self._directory):
            raise InvalidInputError(
                f"{self._directory} is not a folder", data={"field": "workspace"}
            )

    @property
    def dispatcher(self) -> Dispatcher:
        """The dispatcher of the server. Thread-safe."""
        return self._ready()[1]

    @property
    def workspaces(self) -> "Workspaces":
        """The workspaces of the server. Thread-safe."""
        return self._ready()[0]

    def warm_up(self) -> None:
        """Open the default workspace before the first call, unless `--no-prewarm` is given."""
        from cruxe.serve.allocator import keep_memory_low

        if not self._args.no_prewarm:
            attempt(self.workspaces.open)  # the first call reports the error
        keep_memory_low()

    def warm_up_beside(self) -> None:
        """Warm up in a background thread."""
        threading.Thread(target=self.warm_up, daemon=True).start()

    def close(self) -> None:
        """Close the workspaces and stop their background work."""
        if self._made is not None:
            self._made[0].close()

    def _ready(self) -> "tuple[Workspaces, Dispatcher]":
        with self._making:
            if self._made is None:
                from cruxe.hosting.workspaces import ServingOptions, Workspaces

                options = ServingOptions(
                    workspace=self._directory,
                    config_path=self._args.config,
                    auto_workspace=self._args.auto_workspace,
                    allowed_roots=tuple(map(os.path.abspath, self._args.allowed_root)),
                    has_prewarm=not self._args.no_prewarm,
                )
                workspaces = Workspaces(options)
                self._made = workspaces, Dispatcher(workspaces)
            return self._made
