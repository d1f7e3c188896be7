"""`cruxe serve-mcp`: serve one client over standard input and output."""

import os
import sys
from typing import TYPE_CHECKING

from cruxe.serve.cli.command import Command
from cruxe.serve.cli.serving import Serving, ServingArgs, add_serving_options
from cruxe.serve.cli.view import Page, View

if TYPE_CHECKING:
    from cruxe.contract.results import CommandResult
    from cruxe.serve.cli.session import Session


class ServeMcpArgs(ServingArgs):
    """The arguments of `serve-mcp`."""


def answer(args: ServeMcpArgs, _: "Session") -> "CommandResult":
    """Serve until the client disconnects."""
    from cruxe.serve.mcp.parent import end_with_parent
    from cruxe.serve.mcp.protocol import Protocol
    from cruxe.serve.mcp.stdio import serve_stdio, take_streams

    serving = Serving(args)
    if os.isatty(0):
        sys.stderr.write("waiting for a client on standard input; `cruxe setup` registers one\n")
    protocol = Protocol(serving.shown, lambda: serving.dispatcher)
    end_with_parent(lambda: os._exit(0))
    serve_stdio(protocol, take_streams(), serving.warm_up)
    serving.close()
    return {}


def render(_: "CommandResult", __: View) -> Page:
    """Render nothing: all output went to the client."""
    return Page([])


COMMAND = Command(args=ServeMcpArgs, declare=add_serving_options, answer=answer, render=render)
