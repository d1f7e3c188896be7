"""Writes a stand-in for semble's model; run by the peer's interpreter, for its libraries.

    git ls-files -z | python semble_model.py ROOT FOLDER

Its word pieces are learnt from the files of ROOT, so that it cuts their words into no more pieces
than the published model would; its vectors are random.
"""

import os
import sys
from typing import Final

import numpy as np
from model2vec import StaticModel  # type: ignore[import-not-found]
from tokenizers import (  # type: ignore[import-not-found]
    Tokenizer,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

# The published model, potion-code-16M, has 16 million numbers in rows of 256.
_PIECES: Final = 62_500
_DIMENSIONS: Final = 256
_MAX_TRAINING_FILES: Final = 4_000
_MAX_FILE_BYTES: Final = 200_000


def main() -> None:
    """Train the word pieces, draw the vectors, write the model."""
    root, folder = sys.argv[1:]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106 - a word piece
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=_PIECES, special_tokens=["[PAD]", "[UNK]"], show_progress=False
    )
    tokenizer.train_from_iterator(training_texts(root, sys.stdin.read().split("\0")), trainer)
    shape = (tokenizer.get_vocab_size(), _DIMENSIONS)
    vectors = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
    StaticModel(vectors, tokenizer, normalize=True).save_pretrained(folder)


def training_texts(root: str, paths: list[str]) -> list[str]:
    """The texts of some of the files, evenly chosen."""
    texts: list[str] = []
    for path in paths[:: 1 + len(paths) // _MAX_TRAINING_FILES]:
        full = os.path.join(root, path)
        if os.path.isfile(full) and os.path.getsize(full) <= _MAX_FILE_BYTES:
            with open(full, encoding="utf-8", errors="ignore") as file:
                texts.append(file.read())
    return texts


if __name__ == "__main__":
    main()
