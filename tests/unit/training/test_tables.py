"""From pairs to what ships: collecting, vocabulary, encoded pairs, rows of one byte a number."""

import io
import json
import os
import subprocess
import sys
import tarfile

import numpy as np

from training.card import TrainedTable, quantise, restore, write_model
from training.collect import collect_pairs, read_packages, read_pairs
from training.features import (
    KINDS,
    encode_pairs,
    load_features,
    save_features,
)
from training.mine import Pair, PairKind
from training.minilm import WordPieces
from training.vocabulary import build_vocabulary

CODE = b"""
/** Reads the configuration of a project and fills in what is missing. */
function readProjectConfiguration(folder, defaults) {
  const found = parse(load(folder + "/project.json"));
  return merge(defaults, found, { folder });
}
"""
DOCUMENTED = Pair(
    PairKind.DOC,
    "javascript",
    "lib/projectReader.js",
    "readProject",
    "reads the project project",
    "function readProject(folder) { const text = load(folder); return parse(text, cache, limit); }",
)


def test_archives_are_mined_once(tmp_path: os.PathLike[str]) -> None:
    work = os.fspath(tmp_path)
    _pack(os.path.join(work, "npm"), "configured", "MIT")
    collect_pairs(work)
    first = list(read_pairs(work))
    _pack(os.path.join(work, "npm"), "copyleft", "GPL-3.0")
    collect_pairs(work)

    assert [(pair.kind, pair.name, pair.path) for pair in first] == [
        (PairKind.DOC, "readProjectConfiguration", "lib/configuration.js")
    ]
    assert list(read_pairs(work)) == first
    assert [(row.name, row.licence, row.pairs) for row in read_packages(work)] == [
        ("configured", "MIT", 1),
        ("", "", 0),
    ]


def test_a_vocabulary_holds_letters_numbers_words_and_runs_of_rare_words() -> None:
    vocabulary = build_vocabulary([DOCUMENTED] * 3)

    assert vocabulary[:2] == ["a", "b"]
    assert {"7", "42", "project", "reader", "folder"} <= set(vocabulary)
    assert len(set(vocabulary)) == len(vocabulary)


def test_a_vocabulary_does_not_depend_on_how_a_process_hashes() -> None:
    # More words than are kept whole, so that the rest is cut into runs, many of them held alike.
    build = (
        "import hashlib, itertools\n"
        "from training.mine import Pair, PairKind\n"
        "from training.vocabulary import build_vocabulary\n"
        "letters = itertools.product('abcdefghij', repeat=5)\n"
        "words = ' '.join(map(''.join, itertools.islice(letters, 28_050)))\n"
        "pairs = [Pair(PairKind.DOC, 'c', 'a.c', '', 'reads it', words)] * 3\n"
        "print(hashlib.sha256(' '.join(build_vocabulary(pairs)).encode()).hexdigest())\n"
    )

    digests = {
        subprocess.run(
            [sys.executable, "-c", build],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(digests) == 1


def test_encoded_pairs_drop_repeats_and_come_back_from_disk(tmp_path: os.PathLike[str]) -> None:
    vocabulary = build_vocabulary([DOCUMENTED] * 3)
    path = os.path.join(tmp_path, "pairs.npz")

    save_features(encode_pairs([DOCUMENTED, DOCUMENTED], vocabulary), path)
    features = load_features(path)

    asked = [vocabulary[place] for place in features.question.places.tolist()]
    assert asked == ["reads", "the", "project", "project"]
    assert [vocabulary[place] for place in features.stem.places.tolist()] == ["project", "reader"]
    assert [KINDS[kind] for kind in features.kind.tolist()] == [PairKind.DOC]


def test_rows_come_back_within_half_a_step_of_their_scale(tmp_path: os.PathLike[str]) -> None:
    rows = np.random.default_rng(3).standard_normal((5, 8)).astype(np.float32)
    trained = TrainedTable(list("abcde"), rows, np.zeros(8, np.float32))

    write_model(os.fspath(tmp_path), trained)
    _, scales = quantise(rows)
    error = np.abs(restore(os.fspath(tmp_path)) - rows)

    # Scales are halves of precision: the largest number of a row may fall a step short.
    assert (error <= scales.astype(np.float32)[:, None]).all()


def test_a_word_starts_as_the_sum_of_its_pieces() -> None:
    pieces = WordPieces(["pars", "##er", "er"], np.array([[3, 0], [0, 4], [9, 9]], np.float32))

    np.testing.assert_allclose(pieces.row("parser"), np.array([3, 4]) / 2**0.5)
    np.testing.assert_array_equal(pieces.row("unknown"), [0, 0])


def _pack(folder: str, name: str, licence: str) -> None:
    os.makedirs(folder, exist_ok=True)
    manifest = json.dumps({"name": name, "version": "1.0.0", "license": licence}).encode()
    with tarfile.open(os.path.join(folder, f"{name}-1.0.0.tgz"), "w:gz") as archive:
        members = ("package/package.json", manifest), ("package/lib/configuration.js", CODE)
        for member, data in members:
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
