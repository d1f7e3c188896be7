"""`cruxe serve`: serve any number of clients over HTTP until a signal ends it."""

import os
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING, Final

from cruxe.model.errors import InvalidInputError
from cruxe.serve.cli.command import Command, whole_number
from cruxe.serve.cli.serving import Serving, ServingArgs, add_serving_options
from cruxe.serve.cli.view import Page, View

if TYPE_CHECKING:
    from cruxe.contract.results import CommandResult
    from cruxe.serve.cli.session import Session

_USUAL_PORT: Final = 9_100
_EPILOG: Final = """\
Without --host only this machine is served. Beyond it a bearer token is needed, which is read from
the environment, so that no list of processes shows it.
"""


class ServeArgs(ServingArgs):
    """The arguments of `serve`."""

    host: str
    port: int
    token_env: str | None
    allowed_host: list[str]


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument(
        "--port",
        type=whole_number(0, 65_535),
        default=_USUAL_PORT,
        metavar="N",
        help=f"usually {_USUAL_PORT}; 0 is any that is free",
    )
    parser.add_argument(
        "--token-env", metavar="NAME", help="the environment variable that holds the bearer token"
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name under which clients reach this server; may be given several times",
    )
    add_serving_options(parser)


def answer(args: ServeArgs, _: "Session") -> "CommandResult":
    """Serve until a signal or Ctrl-C."""
    from cruxe.serve.http.guard import guard_of
    from cruxe.serve.http.server import Listening, serve_http
    from cruxe.serve.mcp.protocol import Protocol

    serving = Serving(args)
    guard = guard_of(args.host, args.allowed_host, _token_for(args))
    protocol = Protocol(serving.shown, lambda: serving.dispatcher)

    def ready(address: str) -> None:
        sys.stderr.write(f"serving {address}\n")
        sys.stderr.flush()
        serving.warm_up_beside()

    serve_http(Listening(args.host, args.port), guard, protocol, lambda: serving.dispatcher, ready)
    serving.close()
    return {}


def render(_: "CommandResult", __: View) -> Page:
    """Render nothing: all output went to the clients."""
    return Page([])


def _token_for(args: ServeArgs) -> str | None:
    from cruxe.serve.http.guard import is_loopback

    token = os.environ.get(args.token_env, "") if args.token_env else ""
    if args.token_env and not token:
        raise InvalidInputError(
            f"the environment has no {args.token_env}", data={"field": "token_env"}
        )
    if not token and not is_loopback(args.host):
        raise InvalidInputError(
            f"{args.host} can be reached from other machines, so a token is needed",
            remedy="name the variable that holds it with --token-env, or serve 127.0.0.1",
            data={"field": "token_env"},
        )
    return token or None


COMMAND = Command(args=ServeArgs, declare=declare, answer=answer, render=render, epilog=_EPILOG)
