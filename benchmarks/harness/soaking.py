"""A client of a soak: asks at random, and compares what it is shown with the files."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from typing import Final, NamedTuple, cast

from benchmarks.harness.edits import EditedTree, Span
from benchmarks.harness.servers import Answer
from benchmarks.harness.shown_lines import Entry, Lines, entries_of, wrong_entries

Call = Callable[[str, Answer], Answer]

_WORDS: Final = ("open", "close", "read", "write", "cache", "query", "field", "model", "form")
_REFS: Final = 0.25  # of the questions that name a branch
_INDEXED_WITHIN_SECONDS: Final = 30.0  # on a machine that has nothing but work
_MOST_LINES: Final = 30  # of a file, asked for by number


class Question(NamedTuple):
    """A call, and what it is about."""

    tool: str
    arguments: Answer

    @property
    def ref(self) -> str | None:
        """The branch that it names."""
        return cast("str | None", self.arguments.get("ref"))

    @property
    def path(self) -> str:
        """The file that it names, if it names one."""
        named = self.arguments.get("path", self.arguments.get("symbol", ""))
        return str(named).rpartition(":")[0] or str(named)


class Seen:
    """What went on so far; counted by all threads."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lock = threading.Lock()
        self.calls: Counter[str] = Counter()
        self.failures: list[str] = []
        self.wrong: list[str] = []
        self.entry_count = 0
        self._exact = 0
        self._noticed = 0

    @property
    def noticed_share(self) -> float:
        """How many of the entries with lines would have been found wrong, had they moved."""
        return self._noticed / max(1, self._exact)

    def take_failure(self, question: Question, failure: str) -> None:
        """Count a call that got no answer."""
        with self._lock:
            self.calls[question.tool] += 1
            self.failures.append(f"{question.tool} {question.arguments}: {failure}")

    def take(self, question: Question, entries: Sequence[Entry], wrong: list[Entry]) -> None:
        """Count a call and what was wrong with it."""
        with self._lock:
            self.calls[question.tool] += 1
            self.entry_count += len(entries)
            self.wrong += [f"{question.tool} {question.arguments}: {entry}" for entry in wrong]

    def take_proof(self, exact: int, noticed: int) -> None:
        """Count how many entries were told apart from entries that are a line off."""
        with self._lock:
            self._exact += exact
            self._noticed += noticed


class Asker:
    """One client."""

    def __init__(self, number: int, call: Call, tree: EditedTree, seen: Seen) -> None:
        """Ask by a call; the same number asks the same questions."""
        self._call = call
        self._tree = tree
        self._seen = seen
        self._dice = random.Random(number)  # noqa: S311 - questions, not secrets

    def run(self, stop: threading.Event, most_questions: float = inf) -> None:
        """Ask until told to stop, often enough, or until there is no answer any more."""
        asked = 0
        while asked < most_questions and not stop.is_set():
            question = self._question()
            asked_at = time.monotonic()
            try:
                answer = self._call(question.tool, dict(question.arguments))
            except (OSError, EOFError, ValueError, KeyError, AssertionError) as error:
                self._seen.take_failure(question, repr(error))
                return
            self._judge(question, answer, Span(asked_at, time.monotonic()))
            asked += 1

    def _judge(self, question: Question, answer: Answer, during: Span) -> None:
        if "error" in answer:
            if not self._may_be_missing(question, answer, during):
                self._seen.take_failure(question, str(answer["error"]))
            return
        entries = entries_of(question.tool, answer)

        def texts(path: str) -> Sequence[Lines]:
            return self._tree.texts(path, question.ref, during)

        def moved(path: str) -> Sequence[Lines]:
            return [["", *lines] for lines in texts(path)]

        self._seen.take(question, entries, wrong_entries(entries, texts))
        exact = [entry for entry in entries if entry.is_exact]
        self._seen.take_proof(len(exact), len(wrong_entries(exact, moved)))

    def _may_be_missing(self, question: Question, answer: Answer, during: Span) -> bool:
        """Whether an error is the truth: of a file that was not there when it was indexed."""
        code = cast("dict[str, object]", answer["error"])["code"]
        lately = Span(during.start - _INDEXED_WITHIN_SECONDS, during.end)
        return code == "file_not_found" and self._tree.was_missing(question.path, lately)

    def _question(self) -> Question:
        dice = self._dice
        word, path = dice.choice(_WORDS), dice.choice(self._tree.paths)
        first = dice.randint(1, _MOST_LINES)
        tool, arguments = dice.choice(_questions(word, dice.choice(_WORDS), path, first))
        if tool not in ("index_status", "health_check") and dice.random() < _REFS:
            arguments["ref"] = dice.choice(self._tree.branches)
        return Question(tool, arguments)


def _questions(word: str, other: str, path: str, first: int) -> list[tuple[str, Answer]]:
    return [
        ("search_code", {"query": f"where is a {word} {other} made"}),
        ("search_code", {"query": word, "detail_level": "context", "limit": 3}),
        ("search_code", {"query": path.rpartition("/")[2], "detail_level": "context", "limit": 3}),
        ("search_text", {"pattern": f"def {word}", "limit": 10, "context_lines": 1}),
        ("search_text", {"pattern": "# edited", "limit": 20}),
        ("locate_symbol", {"name": word}),
        ("locate_symbol", {"name": word, "detail_level": "context", "limit": 3}),
        ("get_file_outline", {"path": path}),
        ("read_symbol", {"symbol": f"{path}:{first}-{first + _MOST_LINES}"}),
        ("index_status", {}),
        ("health_check", {}),
    ]
