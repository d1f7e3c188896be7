"""Annotated questions, and the chunks of the repositories that they are asked of.

Chunks are those that Cruxe's parser cuts. No repository of the set is in the training data.
"""

import json
import os
import pickle
from collections.abc import Iterator
from typing import Final, NamedTuple

from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.text.paths import BUILD_FOLDERS, INSTALLED_FOLDERS

_LARGEST_FILE: Final = 1_000_000
_MOST_NODES: Final = 1_000_000
_SKIPPED: Final = INSTALLED_FOLDERS | BUILD_FOLDERS | {"target"}


class Chunk(NamedTuple):
    """A region that can be found."""

    path: str
    line_start: int
    line_end: int
    text: str


class Question(NamedTuple):
    """What is asked of a repository, and the files that answer it."""

    repository: str
    category: str
    text: str
    targets: tuple[str, ...]


class EvaluationSet(NamedTuple):
    """Questions, and the chunks of each repository."""

    questions: list[Question]
    chunks: dict[str, list[Chunk]]


def load_evaluation(questions_path: str, repositories: str, cache: str) -> EvaluationSet:
    """Read the questions and cut the repositories; kept in a file, as cutting takes a while."""
    if os.path.exists(cache):
        with open(cache, "rb") as file:
            stored: EvaluationSet = pickle.load(file)
        return stored
    with open(questions_path, encoding="utf-8") as file:
        annotated = json.load(file)
    questions = [
        Question(
            each["repo"],
            each["category"],
            each["query"],
            tuple(target["path"] for target in each["relevant"] + each["secondary"]),
        )
        for each in annotated["queries"]
    ]
    chunks = {
        each["name"]: list(_cut(os.path.join(repositories, each["name"]), each["root"] or ""))
        for each in annotated["repos"]
    }
    found = EvaluationSet(questions, chunks)
    with open(cache, "wb") as file:
        pickle.dump(found, file)
    return found


def _cut(repository: str, root: str) -> Iterator[Chunk]:
    top = os.path.join(repository, root)
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED and each[0] != ".")
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.islink(path) and os.path.getsize(path) <= _LARGEST_FILE:
                yield from _cut_file(path, os.path.relpath(path, repository))


def _cut_file(path: str, name: str) -> Iterator[Chunk]:
    with open(path, "rb") as file:
        data = file.read().decode("utf-8", "replace").encode()
    language = registry().detect(name, data)
    if not language.grammar or language.mode == "prose":
        return
    source = SourceText(name, data)
    lines = data.decode("utf-8", "replace").split("\n")
    for chunk in parse_source(source, language, _MOST_NODES).chunks:
        text = "\n".join(lines[chunk.line_start - 1 : chunk.line_end])
        yield Chunk(name, chunk.line_start, chunk.line_end, text)
