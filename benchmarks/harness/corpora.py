"""The corpora of `corpora.toml`: checkouts on this machine, or a sentence on each absent one."""

import os
import subprocess
import tomllib
from typing import Final, NamedTuple

import msgspec

FOLDER_VARIABLE: Final = "CRUXE_CORPORA"
TABLE_PATH: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "corpora.toml")
_SHORT_COMMIT: Final = 12


class Corpus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the table."""

    folder: str
    repository: str  # as its public host names it
    commit: str
    suites: tuple[str, ...]
    symbol: str = ""  # a definition in it
    is_heavy: bool = False
    languages: tuple[str, ...] = ()  # those that the suite `languages` measures here
    language_paths: tuple[str, ...] = ()  # git pathspecs that narrow that suite; empty: all

    @property
    def root(self) -> str:
        """Where the checkout is, if there is one."""
        return os.path.join(os.environ.get(FOLDER_VARIABLE, ""), self.folder)


class Choice(NamedTuple):
    """What the command line says about corpora."""

    names: tuple[str, ...]  # empty: those that the table names for the suite
    is_quick: bool


class Candidate(NamedTuple):
    """A corpus that a suite wants."""

    corpus: Corpus
    absence: str | None  # the sentence that says why it is not measured
    notes: tuple[str, ...] = ()  # sentences about the checkout


def load_table() -> tuple[Corpus, ...]:
    """Read `corpora.toml`."""
    with open(TABLE_PATH, "rb") as file:
        return msgspec.convert(tomllib.load(file)["corpus"], tuple[Corpus, ...])


def choose_corpora(table: tuple[Corpus, ...], suite: str, choice: Choice) -> list[Candidate]:
    """Pick a suite's corpora, those among them that cannot be measured with the reason."""
    return [
        _candidate(corpus, choice)
        for corpus in table
        if (corpus.folder in choice.names if choice.names else suite in corpus.suites)
    ]


def list_checkouts(table: tuple[Corpus, ...]) -> list[Corpus]:
    """The corpora that there is a checkout of."""
    choice = Choice((), is_quick=False)
    return [corpus for corpus in table if _candidate(corpus, choice).absence is None]


def _candidate(corpus: Corpus, choice: Choice) -> Candidate:
    if choice.is_quick and corpus.is_heavy and not choice.names:
        return Candidate(corpus, "Left out of a quick run.")
    if not os.environ.get(FOLDER_VARIABLE):
        return Candidate(corpus, f"Skipped: {FOLDER_VARIABLE} names no folder of checkouts.")
    if not os.path.exists(os.path.join(corpus.root, ".git")):
        return Candidate(corpus, f"Skipped: the folder of {FOLDER_VARIABLE} has no checkout of it.")
    return Candidate(corpus, None, _other_commit(corpus))


def _other_commit(corpus: Corpus) -> tuple[str, ...]:
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=corpus.root, check=True, capture_output=True, text=True
    ).stdout.strip()
    if head == corpus.commit:
        return ()
    listed, found = corpus.commit[:_SHORT_COMMIT], head[:_SHORT_COMMIT]
    return (f"At {found}, not at {listed} as corpora.toml says.",)
