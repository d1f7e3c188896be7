"""The `cruxe` script: what happens before the first and after the last line of a command."""

import gc
import os
import sys
from contextlib import suppress


def run() -> None:
    """Run the command that the process was started with, and leave at once.

    Taking an interpreter apart costs a third of starting one, and everything has been written.
    """
    # Modules are made of cycles that stay: to look for garbage among them finds none.
    gc.disable()
    from cruxe.serve.cli.main import main

    gc.freeze()
    gc.enable()
    code = main()
    with suppress(OSError, ValueError):  # a closed stream has nothing left to say
        sys.stderr.flush()
    os._exit(code)
