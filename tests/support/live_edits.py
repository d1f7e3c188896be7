"""A repository that is edited step by step, and what a question right after each step must find.

Every file defines one function of a name that no other file ever has, so each step can be asked
for: a name that came must be found in its file, one that went must not be found at all.
"""

import os
import random
import threading
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from tests.support.repositories import Repo
from tests.support.wires import Json, Wire, payload_of, tool_call

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT_NAME: Final = "keeper_of_the_lamp"
_FEWEST_FILES: Final = 40
_MOST_EDITED: Final = 20
_SHOWN: Final = 10

FIRST_FILES: Final = f"-- keeper.py\ndef {KEPT_NAME}():\n    return 0\n" + "".join(
    f"-- pkg{number % 6}/first{number}.py\ndef first_{number}():\n    return {number}\n"
    for number in range(_FEWEST_FILES + _MOST_EDITED)
)


class Expected(NamedTuple):
    """What a question after a step must find."""

    step: str
    name: str
    path: str | None  # None: nowhere


class EditedRepo:
    """Does one random step after another, of one to twenty files."""

    def __init__(self, made: Repo, seed: int) -> None:
        """Begin with `FIRST_FILES`, committed."""
        self._made = made
        self._random = random.Random(seed)  # noqa: S311 - steps to replay
        self._count = 0
        self._names = {
            f"pkg{number % 6}/first{number}.py": f"first_{number}"
            for number in range(_FEWEST_FILES + _MOST_EDITED)
        }
        self._steps: dict[str, Callable[[list[str]], tuple[str, str | None]]] = {
            "write": self._write,
            "rename over": self._rename_over,
            "create": self._create,
            "rename": self._rename,
            "delete": self._delete,
            "switch": self._switch,
        }

    def step(self) -> Expected:
        """Edit some files and return what must be found now."""
        self._count += 1
        kinds = [*self._steps]
        if len(self._names) < _FEWEST_FILES:
            kinds = ["create"]
        kind = self._random.choice(kinds)
        count = self._random.randint(1, _MOST_EDITED)
        paths = self._random.sample(sorted(self._names), min(count, len(self._names)))
        return Expected(kind, *self._steps[kind](paths))

    def _write(self, paths: list[str]) -> tuple[str, str | None]:
        before = {path: self._names[path] for path in paths}
        for path in paths:
            self._fill(path, path)
        return self._one_of(paths, before)

    def _rename_over(self, paths: list[str]) -> tuple[str, str | None]:
        """As editors save: write a file aside, then rename it over the other."""
        before = {path: self._names[path] for path in paths}
        for path in paths:
            self._fill(path, f"{path}.tmp")
            os.replace(self._made.path(f"{path}.tmp"), self._made.path(path))
        return self._one_of(paths, before)

    def _create(self, paths: list[str]) -> tuple[str, str | None]:
        made = [f"pkg{index % 6}/made{self._count}_{index}.py" for index in range(len(paths))]
        for path in made:
            self._fill(path, path)
        return self._one_of(made, {})

    def _rename(self, paths: list[str]) -> tuple[str, str | None]:
        moved = [f"pkg{index % 6}/moved{self._count}_{index}.py" for index in range(len(paths))]
        for path, target in zip(paths, moved, strict=True):
            os.replace(self._made.path(path), self._made.path(target))
            self._names[target] = self._names.pop(path)
        return self._one_of(moved, {})

    def _delete(self, paths: list[str]) -> tuple[str, str | None]:
        gone = [self._names.pop(path) for path in paths]
        for path in paths:
            os.remove(self._made.path(path))
        return self._random.choice(gone), None

    def _switch(self, paths: list[str]) -> tuple[str, str | None]:
        """Check out a branch that differs in some files, as they are there."""
        made = self._made
        made.commit()
        here = made.git("rev-parse", "HEAD").strip()
        made.git("checkout", "--quiet", "-b", f"step{self._count}")
        before = {path: self._names[path] for path in paths}
        for path in paths:
            self._fill(path, path)
        made.commit()
        made.git("checkout", "--quiet", here)
        if self._random.random() < 1 / 2:
            after = [self._names[path] for path in paths]
            self._names |= before
            return self._random.choice(after), None
        made.git("checkout", "--quiet", f"step{self._count}")
        return self._one_of(paths, before)

    def _fill(self, path: str, written: str) -> None:
        """Give a file a function of a new name, perhaps through a file beside it."""
        name = f"step_{self._count}_{len(self._names)}_{abs(hash(path)) % 10**9}"
        self._names[path] = name
        body = "".join(f"    # line {line}\n" for line in range(self._random.randint(0, 40)))
        self._made.write_bytes(written, f"def {name}():\n{body}    return 1\n".encode())

    def _one_of(self, paths: list[str], before: dict[str, str]) -> tuple[str, str | None]:
        """A name that came with its path, or one that went."""
        path = self._random.choice(paths)
        if path in before and self._random.random() < 1 / 2:
            return before[path], None
        return self._names[path], path


class Seen:
    """What the answers were."""

    def __init__(self) -> None:
        """Begin with none."""
        self.asked = Counter[str]()
        self.included = Counter[str]()
        self.wrong_and_fresh: list[object] = []
        self.missed: list[object] = []  # stale, and without the step
        self.wrong_kept = 0  # answers of the second client without what never changes
        self.steady = 0

    def take(self, expected: Expected, payload: Json) -> None:
        """Compare an answer with what it must find."""
        metadata = cast("Json", payload["metadata"])
        found = places_in(payload, expected.name)
        is_right = found == ([] if expected.path is None else [expected.path])
        self.asked[expected.step] += 1
        self.included[expected.step] += is_right
        if not is_right:
            is_fresh = metadata["freshness_status"] == "fresh"
            (self.wrong_and_fresh if is_fresh else self.missed).append((expected, found, metadata))

    @property
    def share(self) -> float:
        """The share of the answers that included the step before them."""
        return self.included.total() / self.asked.total()

    def told(self) -> str:
        """Summarise in one line for each kind of step."""
        lines = [
            f"{step}: {self.included[step]} of {count}" for step, count in self.asked.most_common()
        ]
        troubles = [*self.wrong_and_fresh[:_SHOWN], *self.missed[:_SHOWN]]
        return "\n".join([*lines, f"steady answers: {self.steady}", *map(str, troubles)])


def places_in(payload: Json, name: str) -> list[str]:
    """The files in which an answer finds exactly this name."""
    results = cast("list[Json]", payload.get("results", payload.get("matches")))
    return [
        str(each["path"])
        for each in results
        if each.get("name") == name or f"{name}(" in str(each.get("text", ""))
    ]


def edit_and_ask(tree: EditedRepo, first: Wire, second: Wire, steps: int) -> Seen:
    """Ask the first client right after each step, while the second one asks steadily."""
    seen, stop = Seen(), threading.Event()

    def ask_steadily() -> None:
        while not stop.is_set():
            payload = payload_of(second.ask(tool_call("locate_symbol", {"name": KEPT_NAME})))
            seen.steady += 1
            seen.wrong_kept += places_in(payload, KEPT_NAME) != ["keeper.py"]

    asker = threading.Thread(target=ask_steadily)
    asker.start()
    try:
        for number in range(steps):
            expected = tree.step()
            seen.take(expected, payload_of(first.ask(_question(expected.name, number))))
    finally:
        stop.set()
        asker.join()
    return seen


def _question(name: str, number: int) -> bytes:
    if number % 3:
        return tool_call("locate_symbol", {"name": name})
    return tool_call("search_text", {"pattern": name})
