"""One module per command, each with its `COMMAND`. They do not import each other."""
