"""`python -m training STEP --work DIR`: one step of making the embedding model."""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from cruxe.embed.table import PieceCounter, Vocabulary, shipped_folder
from cruxe.text.identifiers import words_of
from training.batches import BATCH, FRAMES, Batches
from training.card import TrainedTable, restore, write_card, write_model
from training.collect import collect_pairs, read_packages, read_pairs
from training.evaluate import dense_ranker, encode_set, hybrid_ranker, lexical_ranker, score
from training.evaluation_set import load_evaluation
from training.features import KINDS, encode_pairs, load_features, save_features
from training.fetch import fetch_debian, fetch_debian_sources, fetch_npm, fetch_pypi
from training.minilm import distil
from training.train import Recipe, mean_document, train
from training.vocabulary import build_vocabulary

DIMENSIONS: Final = 256
RECIPE: Final = Recipe()


def main() -> None:
    """Run the step that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m training")
    parser.add_argument("step", choices=tuple(STEPS))
    parser.add_argument("--work", required=True, help="folder for archives and all between")
    parser.add_argument("--transformer", default="", help="files of all-MiniLM-L6-v2 (start)")
    parser.add_argument("--model", default=shipped_folder(), help="model to judge or to write")
    parser.add_argument("--questions", default="", help="annotated questions, JSON (evaluate)")
    parser.add_argument("--repositories", default="", help="folder of what they are asked of")
    options = parser.parse_args()
    STEPS[options.step](options)


def _fetch(options: argparse.Namespace) -> None:
    for fetch, folder in (
        (fetch_pypi, "pypi"),
        (fetch_npm, "npm"),
        (fetch_debian, "debian"),
        (fetch_debian_sources, "debian_sources"),
    ):
        fetch(os.path.join(options.work, folder))


def _mine(options: argparse.Namespace) -> None:
    collect_pairs(options.work)


def _prepare(options: argparse.Namespace) -> None:
    vocabulary = build_vocabulary(read_pairs(options.work))
    with open(_place(options, "vocab.txt"), "w", encoding="ascii") as file:
        file.write("\n".join(vocabulary))
    save_features(encode_pairs(read_pairs(options.work), vocabulary), _place(options, "pairs.npz"))


def _start(options: argparse.Namespace) -> None:
    pieces = distil(options.transformer, DIMENSIONS)
    np.save(
        _place(options, "start.npy"), np.stack([pieces.row(each) for each in _vocabulary(options)])
    )


def _train(options: argparse.Namespace) -> None:
    vocabulary, features = _vocabulary(options), load_features(_place(options, "pairs.npz"))
    counter = PieceCounter(Vocabulary("\n".join(vocabulary).encode()))
    frames = [np.array([*counter.count(words_of(each.encode()))]) for each in FRAMES]

    def batches_of(seed: int) -> Batches:
        return Batches(features, frames, len(vocabulary), seed)

    table = train(np.load(_place(options, "start.npy")), batches_of, RECIPE)
    np.save(_place(options, "trained.npy"), table)


def _evaluate(options: argparse.Namespace) -> None:
    """Print the scores of a model folder, and keep them beside the rest."""
    evaluation = load_evaluation(
        options.questions, options.repositories, _place(options, "evaluation.pickle")
    )
    with open(os.path.join(options.model, "vocab.txt"), encoding="ascii") as file:
        encoded = encode_set(evaluation, file.read().split("\n"))
    dense, lexical = dense_ranker(encoded, restore(options.model)), lexical_ranker(evaluation)
    rankings = {"words": lexical, "table": dense, "both": hybrid_ranker(dense, lexical)}
    scores = {
        name: {
            "chunks": round(found.chunks, 4),
            "files": round(found.files, 4),
            **{category: round(value, 4) for category, value in found.categories.items()},
        }
        for name, found in ((name, score(evaluation, each)) for name, each in rankings.items())
    }
    text = json.dumps(scores, indent=1)
    with open(_place(options, "scores.json"), "w", encoding="utf-8") as file:
        file.write(text)
    sys.stdout.write(f"{text}\n")


def _publish(options: argparse.Namespace) -> None:
    """Write the model with its card; the scores are those that `evaluate` kept last."""
    features = load_features(_place(options, "pairs.npz"))
    rows = np.load(_place(options, "trained.npy"))
    trained = TrainedTable(_vocabulary(options), rows, mean_document(rows, features))
    write_model(options.model, trained)
    kinds = Counter(KINDS[each] for each in features.kind.tolist())
    languages = Counter(pair.language for pair in read_pairs(options.work))
    told: dict[str, object] = {
        "pairs": dict(kinds.most_common()),
        "languages": dict(languages.most_common()),
        "recipe": {**RECIPE._asdict(), "batch": BATCH},
    }
    scores = _place(options, "scores.json")
    if os.path.exists(scores):
        with open(scores, encoding="utf-8") as file:
            told["scores"] = json.load(file)
    write_card(options.model, trained, read_packages(options.work), told)


def _vocabulary(options: argparse.Namespace) -> list[str]:
    with open(_place(options, "vocab.txt"), encoding="ascii") as file:
        return file.read().split("\n")


def _place(options: argparse.Namespace, name: str) -> str:
    return os.path.join(options.work, name)


STEPS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "fetch": _fetch,
    "mine": _mine,
    "prepare": _prepare,
    "start": _start,
    "train": _train,
    "publish": _publish,
    "evaluate": _evaluate,
}

if __name__ == "__main__":
    main()
