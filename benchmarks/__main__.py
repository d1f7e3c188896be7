"""Runs suites, prints and keeps their results, writes `REPORT.md` and the README's tables."""

import argparse
import sys
from typing import Final

from benchmarks.harness.corpora import Choice, load_table
from benchmarks.harness.readme_tables import write_readme
from benchmarks.harness.report import render_suite, save_result, write_report
from benchmarks.harness.suites import DataSuite, Run, Suite, run_suite
from benchmarks.suites.peers import peer_index, peer_latency, peer_repositories
from benchmarks.suites.quality import known_names, languages, locate_quality, semantic
from benchmarks.suites.quality.honesty import suite as honesty
from benchmarks.suites.quality.intent import suite as intent
from benchmarks.suites.quality.localise import suite as localise
from benchmarks.suites.quality.ranking import suite as ranking
from benchmarks.suites.size import install_size, store_size, tokens
from benchmarks.suites.speed import (
    cold_index,
    idle,
    incremental,
    locate,
    mcp_server,
    policies,
    search,
    search_large,
    search_latency,
    semantic_cost,
    serving,
    text_search,
)

_ALL: Final[tuple[Suite | DataSuite, ...]] = (
    *(cold_index.SUITE, peer_index.SUITE, peer_repositories.SUITE),
    *(incremental.SUITE, store_size.SUITE, locate.SUITE, search.SUITE),
    text_search.SUITE,
    locate_quality.SUITE,
    languages.SUITE,
    install_size.SUITE,
    *(intent.SUITE, ranking.SUITE, known_names.SUITE, localise.SUITE, honesty.SUITE),
    *(serving.SUITE, policies.SUITE, idle.SUITE, mcp_server.SUITE),
    *(semantic.SUITE, semantic_cost.SUITE),
    *(search_latency.SUITE, peer_latency.SUITE, search_large.SUITE, tokens.SUITE),
)
SUITES: Final = {suite.name: suite for suite in _ALL}


class Arguments(argparse.Namespace):
    """The command line as it was given."""

    suites: list[str]
    corpus: list[str]
    repeat: int | None
    quick: bool


def main() -> int:
    """Run what was asked for; fails where a figure is over its bar."""
    arguments = _parser().parse_args(namespace=Arguments())
    run = Run(Choice(tuple(arguments.corpus), arguments.quick), arguments.repeat)
    has_failed = False
    for name in arguments.suites or SUITES:
        result = run_suite(SUITES[name], run)
        print(render_suite(result), flush=True)
        save_result(result)
        write_report()
        write_readme()
        has_failed = has_failed or result.has_failed
    return int(has_failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "suites", nargs="*", metavar="SUITE", type=_suite_name, help=f"of {', '.join(SUITES)}"
    )
    parser.add_argument(
        "--corpus",
        action="append",
        default=[],
        choices=[corpus.folder for corpus in load_table()],
        help="measure this one; may be given again",
    )
    parser.add_argument("--repeat", type=_at_least_one, help="measure this often")
    parser.add_argument(
        "--quick", action="store_true", help="few times each, without heavy corpora"
    )
    return parser


def _suite_name(text: str) -> str:
    if text not in SUITES:
        raise argparse.ArgumentTypeError(f"no suite {text!r}; there are {', '.join(SUITES)}")
    return text


def _at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of times")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
