"""The `cruxe` command. A command is a module in `commands/`; only the one asked for is imported."""
