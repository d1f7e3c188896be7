"""One module a command, each with its `COMMAND`. They know the engine and nothing of each other."""
