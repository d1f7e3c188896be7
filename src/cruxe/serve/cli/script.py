"""The `cruxe` script: starts the process for a command and exits it fast."""

import gc
import os
import sys
from contextlib import suppress


def run() -> None:
    """Run the command and exit without finalizing the interpreter.

    Finalizing costs a third of starting an interpreter, and all output has been flushed.
    """
    # Imports create reference cycles that stay alive, so collecting them frees nothing.
    gc.disable()
    from cruxe.serve.cli.main import main

    gc.freeze()
    gc.enable()
    code = main()
    with suppress(OSError, ValueError):  # the stream may be closed
        sys.stderr.flush()
    os._exit(code)
