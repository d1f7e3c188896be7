"""Questions that can be asked of any repository, for suites that measure cost and not quality."""

from typing import Final

QUESTIONS: Final = (
    "where is the configuration loaded",
    "parse the command line arguments",
    "how are errors handled",
    "open a connection",
    "write the output to a file",
    "cache entries that expire",
    "validate user input",
    "convert a value to a string",
    "register a handler",
    "retry after a failure",
    "compare two versions",
    "main entry point",
)
