"""What the parser costs and finds, file by file: what the suite `languages` is made of.

    python -m benchmarks.suites.quality.parsing ROOT LANGUAGE [PATHSPEC ...]

measures one language of any checkout and prints what it found, keeping nothing.
"""
