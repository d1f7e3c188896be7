"""What Cruxe costs, measured beside a peer or a floor in the same run.

    CRUXE_CORPORA=DIR python -m benchmarks [SUITE ...] [--corpus NAME] [--repeat N] [--quick]

Run from the root of the repository. DIR holds checkouts of the repositories in `corpora.toml`;
they are only read; the suite `intent` needs none. Results are kept in `results/`, one file a suite,
and `REPORT.md` is written from them. How to bring the peer along is said in `peers/semble.py`.
"""
