"""Other servers that speak the protocol over stdio, found by environment variables.

CRUXE_PEER_SEMBLE_MCP=DIR          a virtual environment with 'semble[mcp]==0.7.*'
CRUXE_MCP1_PYTHON, CRUXE_MCP2_PYTHON   Pythons with the 1.x and the 2.x line of the SDK
"""

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

_SEMBLE_VARIABLE: Final = "CRUXE_PEER_SEMBLE_MCP"
_SDK_VARIABLES: Final = {
    "SDK 1.x": "CRUXE_MCP1_PYTHON",
    "SDK 2.x": "CRUXE_MCP2_PYTHON",
}
# One tool, as the SDK's own introduction writes it, in either line.
_SDK_PROGRAM: Final = """
try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("plain")


@server.tool()
def search_code(query: str, limit: int = 10) -> str:
    return f"{limit} times {query}"


server.run("stdio")
"""


class PeerServer(NamedTuple):
    """A server by name, with the command that starts it."""

    name: str
    command: tuple[str, ...]


def find_peers() -> Iterator[PeerServer]:
    """The servers that are installed here."""
    semble = os.environ.get(_SEMBLE_VARIABLE)
    if semble:
        yield PeerServer("semble", (os.path.join(semble, "bin", "semble"),))
    for name, variable in _SDK_VARIABLES.items():
        python = os.environ.get(variable)
        if python:
            yield PeerServer(name, (python, "-c", _SDK_PROGRAM))


def missing_peers() -> list[str]:
    """The variables that would name the others."""
    variables = (_SEMBLE_VARIABLE, *_SDK_VARIABLES.values())
    return [name for name in variables if not os.environ.get(name)]
