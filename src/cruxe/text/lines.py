"""Lines and white space: where lines start, and text folded to one line."""

from itertools import accumulate

from cruxe.native import kernels


def fold_white_space(text: str) -> str:
    """Join a text into one line, each run of white space as one space."""
    return " ".join(text.split())


def line_starts(data: bytes) -> list[int]:
    """Offsets at which lines start; one entry a line, so an empty text has one line.

    Lines end in a line feed alone, as decoding leaves them.
    """
    in_c = kernels()
    if in_c is not None:
        return in_c.line_starts(data)
    starts = list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    # A final newline ends the last line, it does not start another.
    return starts[:-1] if len(starts) > 1 else starts
