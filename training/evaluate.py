"""How well a table finds files: annotated questions over repositories that training never saw.

Three rankings: by the table alone, by the words alone (BM25 over identifier words), and by a
weighted sum of both. The engine's own ranking is judged elsewhere; this tells tables apart.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from cruxe.embed.encoding import PATH_WEIGHT, STEM_WEIGHT
from cruxe.embed.table import PieceCounter, Vocabulary, parts_of_word
from cruxe.text.identifiers import words_of
from cruxe.text.paths import stem_of_path
from training.evaluation_set import Chunk, EvaluationSet, Question

Floats = NDArray[np.float32]
Matrix: TypeAlias = sparse.csr_matrix

DEPTH: Final = 10
_DENSE_SHARE: Final = 0.7
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.75
_PATH_REPEATS: Final = 2


class EncodedRepository(NamedTuple):
    """The chunks of a repository by how often each piece of a vocabulary occurs, damped."""

    text: Matrix
    path: Matrix
    stem: Matrix


class EncodedSet(NamedTuple):
    """An evaluation set in the pieces of one vocabulary; any table of it can be judged on it."""

    repositories: dict[str, EncodedRepository]
    questions: dict[str, Matrix]


class Scores(NamedTuple):
    """Mean NDCG@10 over repositories, and over the questions of each category."""

    chunks: float
    files: float  # one result a file
    categories: dict[str, float]
    by_question: tuple[float, ...]  # of `chunks`


Ranker = Callable[[Question], Floats]


def encode_set(evaluation: EvaluationSet, vocabulary: Sequence[str]) -> EncodedSet:
    """Count the pieces of everything once."""
    counter = PieceCounter(Vocabulary("\n".join(vocabulary).encode()))

    def damped(texts: Sequence[str]) -> Matrix:
        counts = _count(texts, counter, len(vocabulary))
        counts.data = 1 + np.log(counts.data)
        return counts

    return EncodedSet(
        {
            name: EncodedRepository(
                damped([chunk.text for chunk in chunks]),
                damped([chunk.path for chunk in chunks]),
                damped([stem_of_path(chunk.path) for chunk in chunks]),
            )
            for name, chunks in evaluation.chunks.items()
        },
        {
            question.text: _count([question.text], counter, len(vocabulary))
            for question in evaluation.questions
        },
    )


def dense_ranker(encoded: EncodedSet, table: Floats) -> Ranker:
    """Rank by the likeness of vectors, made as at run time."""
    vectors = {
        name: _scaled(
            _scaled(each.text @ table)
            + np.float32(PATH_WEIGHT) * _scaled(each.path @ table)
            + np.float32(STEM_WEIGHT) * _scaled(each.stem @ table)
        )
        for name, each in encoded.repositories.items()
    }

    def rank(question: Question) -> Floats:
        asked = _scaled(encoded.questions[question.text] @ table)[0]
        likeness: Floats = vectors[question.repository] @ asked
        return likeness

    return rank


def lexical_ranker(evaluation: EvaluationSet) -> Ranker:
    """Rank by BM25 over the parts of words, those of the path counted twice."""
    indexes = {name: _Bm25(chunks) for name, chunks in evaluation.chunks.items()}
    return lambda question: indexes[question.repository].scores(question.text)


def hybrid_ranker(dense: Ranker, lexical: Ranker) -> Ranker:
    """Rank by a weighted sum of both, each brought to the range from nought to one."""

    def rank(question: Question) -> Floats:
        near, said = dense(question), lexical(question)
        middle = np.median(near)
        near = (near - middle) / (near.max() - middle + 1e-9)
        mixed: Floats = _DENSE_SHARE * near + (1 - _DENSE_SHARE) * said / (said.max() + 1e-9)
        return mixed

    return rank


def score(evaluation: EvaluationSet, ranker: Ranker) -> Scores:
    """Judge a ranking."""
    by_chunk: dict[str, list[float]] = defaultdict(list)
    by_file: dict[str, list[float]] = defaultdict(list)
    categories: dict[str, list[float]] = defaultdict(list)
    every: list[float] = []
    for question in evaluation.questions:
        chunks = evaluation.chunks[question.repository]
        order = np.argsort(-ranker(question), kind="stable")
        ranked = [chunks[place].path for place in order[: 60 * DEPTH]]
        value = _ndcg(ranked[:DEPTH], question.targets)
        by_chunk[question.repository].append(value)
        by_file[question.repository].append(_ndcg(list(dict.fromkeys(ranked)), question.targets))
        categories[question.category].append(value)
        every.append(value)
    return Scores(
        _mean([_mean(values) for values in by_chunk.values()]),
        _mean([_mean(values) for values in by_file.values()]),
        {name: _mean(values) for name, values in sorted(categories.items())},
        tuple(every),
    )


def _ndcg(ranked: list[str], targets: Sequence[str]) -> float:
    ranks = {
        next((rank for rank, path in enumerate(ranked[:DEPTH], 1) if _is_same(path, each)), 0)
        for each in targets
    }
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(targets)) + 1))
    return sum(1 / math.log2(rank + 1) for rank in ranks if rank) / best


def _is_same(path: str, target: str) -> bool:
    return path == target or path.endswith("/" + target) or target.endswith("/" + path)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _count(texts: Sequence[str], counter: PieceCounter, size: int) -> Matrix:
    counted = [counter.count(words_of(text.encode())) for text in texts]
    places = np.fromiter((place for each in counted for place in each), np.int32)
    counts = np.fromiter((count for each in counted for count in each.values()), np.float32)
    starts = np.cumsum([0, *map(len, counted)])
    return sparse.csr_matrix((counts, places, starts), shape=(len(texts), size))


def _scaled(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Floats = rows / np.maximum(lengths, np.float32(1e-9))
    return scaled


class _Bm25:
    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._terms: dict[str, int] = {}
        rows, columns = list[int](), list[int]()
        for row, chunk in enumerate(chunks):
            text = f"{chunk.path} " * _PATH_REPEATS + chunk.text
            terms = [self._terms.setdefault(term, len(self._terms)) for term in _terms(text)]
            rows += [row] * len(terms)
            columns += terms
        shape = (len(chunks), len(self._terms))
        counts = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
        lengths = np.asarray(counts.sum(1)).ravel()
        found_in = np.bincount(counts.indices, minlength=len(self._terms))
        rarity = np.log(1 + (len(chunks) - found_in + 0.5) / (found_in + 0.5))
        norms = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / lengths.mean())
        spread = np.repeat(norms, np.diff(counts.indptr))
        counts.data = (
            rarity[counts.indices] * counts.data * (_SATURATION + 1) / (counts.data + spread)
        ).astype(np.float32)
        self._weights = counts

    def scores(self, question: str) -> Floats:
        wanted = np.zeros(len(self._terms), np.float32)
        wanted[[self._terms[term] for term in {*_terms(question)} if term in self._terms]] = 1
        found: Floats = self._weights @ wanted
        return found


def _terms(text: str) -> Iterator[str]:
    for word in words_of(text.encode()):
        yield from parts_of_word(word)
