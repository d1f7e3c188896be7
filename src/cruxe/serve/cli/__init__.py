"""The `cruxe` command. Each subcommand is a module in `commands/`, imported only when it runs."""
