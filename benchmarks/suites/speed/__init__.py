"""How long it takes, beside a floor measured in the same run."""
