"""The requirements of the protocol; the sources are sections of the product description."""

from typing import Final

from tests.requirement_rows import Group

PROTOCOL: Final = (
    Group(
        "PRODUCT 4: revisions and messages",
        None,
        {
            "MCP-HANDSHAKE": (
                "A handshake settles on the revision that the client wants, or on the newest; ping"
                " is answered at any time, and before a handshake nothing else is."
            ),
            "MCP-STATELESS": (
                "A request that names the stateless revision is served by itself, with resultType,"
                " the server's identity and cache hints."
            ),
            "MCP-BATCH": "Batches are taken in the revisions that have them, and in no other.",
            "MCP-BROKEN": (
                "A broken message gets the error code of the specification and its id where that"
                " can be read; notifications and responses get no reply."
            ),
            "MCP-TOOL-ERRORS": (
                "A tool that fails answers with the error envelope as text and isError."
            ),
            "MCP-STRUCTURED": "structuredContent is sent only when asked for.",
        },
    ),
    Group(
        "PRODUCT 4: tools",
        None,
        {
            "MCP-DEFINITIONS": (
                "The definitions that are shipped are made from the request types, take a"
                " workspace, and tell readers from writers."
            ),
            "MCP-PROFILES": (
                "The core profile has at most 12 tools in under 3,000 tokens, the full one all, in"
                " one fixed order."
            ),
            "MCP-INSTRUCTIONS": (
                "The instructions have at most 2,000 characters and say which tool serves which"
                " task."
            ),
            "MCP-ARGUMENTS": (
                "Unknown arguments, wrong types, numbers out of range and unknown choices give"
                " invalid_input with the field, what it may be and the nearest match."
            ),
        },
    ),
    Group(
        "PRODUCT 4: transports",
        None,
        {
            "MCP-STDIO": (
                "One message a line; calls run beside each other, and those sent before the input"
                " ends are answered."
            ),
            "MCP-STDOUT": "Only messages reach standard output, whatever anyone prints or logs.",
            "MCP-START": "The first replies are given before anything heavy is imported.",
            "MCP-LIFE": "A server ends with its input, and with the process that started it.",
        },
    ),
)
