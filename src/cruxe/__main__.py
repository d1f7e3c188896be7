"""`python -m cruxe`: the same as the `cruxe` command."""

import sys

from cruxe.serve.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
