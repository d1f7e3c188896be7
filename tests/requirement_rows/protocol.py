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
            "RESULT-TYPES": (
                "Every result on the wire, of a command and in golden files has exactly the fields"
                " that its type in the contract declares; result schemas are made from the types."
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
        "PRODUCT 4.4: the text form",
        None,
        {
            "TEXT-PARSE": (
                "Path, lines, kind, name and signature read back from the text are those of JSON,"
                " in its order; code stands as in the file."
            ),
            "TEXT-EVERY-TOOL": (
                "Every tool answers in text; the format of a call overrides the server's."
            ),
            "TEXT-ERRORS": "An error is `error CODE: message` and what to do, with isError.",
            "TEXT-LIMIT": (
                "The size limit holds for text, which is cut to a prefix and is never longer than"
                " its JSON."
            ),
            "TEXT-CLOSING": (
                "One last line says what is not usual of an answer and how to go on; without"
                " such there is none."
            ),
            "OUTLINE-NODES": (
                "A node of an outline says nothing that follows from its parents or its file."
            ),
            "OUTLINE-COST": (
                "An outline of a file over 300 tokens never costs more than the file, in the form"
                " that was asked for."
            ),
            "TEXT-COMMAND": "`--format text` prints the same, with the words of the command line.",
        },
    ),
    Group(
        "PRODUCT 4.5: remedies",
        None,
        {
            "REMEDY-READER": (
                "Remedies name tools and arguments over MCP, commands and options on the command"
                " line, and never the other's."
            ),
            "TRUNCATION-ADVICE": (
                "An answer that was cut names the limit that fits, compact, a lower level and the"
                " next page."
            ),
        },
    ),
    Group(
        "PRODUCT 4: transports",
        None,
        {
            "MCP-PARITY": (
                "The same request gives the same payload bytes and error codes in memory, over"
                " stdio, over HTTP, and with --json, where a remedy is told in commands."
            ),
            "MCP-STDIO": (
                "One message a line; calls run beside each other, and those sent before the input"
                " ends are answered."
            ),
            "MCP-STDOUT": "Only messages reach standard output, whatever anyone prints or logs.",
            "MCP-START": "The first replies are given before anything heavy is imported.",
            "MCP-LIFE": "A server ends with its input, and with the process that started it.",
        },
    ),
    Group(
        "PRODUCT 4: calls under way",
        None,
        {
            "MCP-PROGRESS": (
                "Indexing tells its progress under the client's token, rising, and only to those"
                " who gave one."
            ),
            "MCP-CANCEL": "A cancelled call stops its work and is not answered.",
            "MCP-REFS": (
                "switch_ref holds for one session; in the stateless revision it checks the ref and"
                " keeps nothing."
            ),
            "MCP-CLIENTS": (
                "The official clients, of both lines, work over stdio and HTTP in every era."
            ),
            "MCP-FUZZ": (
                "Whatever bytes come, a server answers or ignores them as specified, stays up, and"
                " does not grow."
            ),
        },
    ),
    Group(
        "PRODUCT 4 and 13: HTTP",
        None,
        {
            "MCP-HTTP-SESSIONS": (
                "A handshake opens a session, which lasts until it is ended; stateless requests"
                " have none."
            ),
            "MCP-HTTP-METHODS": (
                "The endpoint takes POST and DELETE of JSON, /health takes GET; anything else is"
                " refused with its status."
            ),
            "MCP-HTTP-HEADERS": (
                "Headers must repeat what a stateless request says; errors have the statuses of the"
                " specification."
            ),
            "MCP-HTTP-GUARD": (
                "Host and Origin must be the server's own, and beyond loopback a bearer token is"
                " needed."
            ),
            "MCP-HTTP-LIMITS": "Heads, bodies and the time they take to arrive are bounded.",
            "MCP-HTTP-STREAMS": (
                "Progress and subscriptions come as events, and end with the response."
            ),
            "MCP-HTTP-CLIENTS": (
                "Many clients are served side by side; told to end, the server sends what it owes."
            ),
        },
    ),
)
